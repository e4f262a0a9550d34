import type { Answer } from '@tallyroom/contract'
import { isOperator } from '@tallyroom/contract/codes'
import { useState } from 'react'
import { useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { groupCount } from '../../ui/form/amount-text.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { nameOf } from '../../ui/person.tsx'
import { FindName } from '../../domain/find-name.tsx'
import type { TreeRow } from './layout.ts'

type Props = { row: Pick<TreeRow, 'id' | 'username' | 'nickname'>; onMoved: () => void; onClose: () => void }

/** TREE-03: says what goes along and what stays before anything moves. */
export const MoveDialog = ({ row, onMoved, onClose }: Props) => {
  const { t } = useWords()
  const [upline, setUpline] = useState<{ id: number; name: string }>()
  const [error, setError] = useState('')
  const preview = useCall(
    'tree/previewMove',
    { id: row.id, to_id: upline?.id ?? row.id },
    { enabled: upline !== undefined, staleTime: 0, meta: { optional: true } },
  )
  const move = useSend('tree/move', {
    refreshes: ['tree/view', 'user/list', 'report/sr02', 'approval/open', 'account/view', 'user/path'],
  })
  const name = nameOf(row)
  const found = upline && preview.data
  const mayMove = found?.refused === null
  const submit = () => {
    if (!upline) return setError(t('tree.no_upline'))
    if (!mayMove || move.isPending) return
    move.mutate(
      { id: row.id, to_id: upline.id },
      {
        onSuccess: (waits) => {
          notify.done(waits ? t('change.asked') : t('tree.moved', { name }))
          onMoved()
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('tree.move_name', { name })}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button main submits busy={move.isPending} disabled={upline !== undefined && !mayMove}>
            {t('tree.move_name', { name })}
          </Button>
        </>
      }
    >
      {move.error && <Alert text={move.error.message} />}
      {error && <Alert text={error} />}
      <FindName
        label={t('tree.new_upline')}
        autoFocus
        only={(hit) => isOperator(hit.role_id) && hit.id !== row.id}
        onFound={(id, chosen) => {
          setError('')
          move.reset()
          setUpline({ id, name: chosen })
        }}
        // The button must not move it to a name that the field no longer shows.
        onChange={() => setUpline(undefined)}
      />
      {upline && preview.isPending && <p role="status">{t('table.loading')}</p>}
      {preview.error && <Alert text={preview.error.message} />}
      {found && <Consequences preview={found} upline={upline.name} />}
    </Dialog>
  )
}

const sum = (open: Answer<'tree/previewMove'>['along']) => open.envelopes + open.requests + open.approvals

const Consequences = ({ preview, upline }: { preview: Answer<'tree/previewMove'>; upline: string }) => {
  const { t } = useWords()
  const { accounts, rooms, along, across, texts, lost, refused, most } = preview
  const open = sum(along)
  if (refused) return <Alert text={t(refused, { ...across, most: groupCount(most) })} />
  return (
    <div className="tree-consequences">
      <section>
        <h3>{t('tree.goes_along')}</h3>
        <ul>
          <li>{t('tree.along_accounts', { n: accounts, count: groupCount(accounts) })}</li>
          {rooms > 0 && <li>{t('tree.along_rooms', { n: rooms, count: groupCount(rooms) })}</li>}
          {open > 0 && <li>{t('tree.along_open', { n: open })}</li>}
        </ul>
      </section>
      <section>
        <h3>{t('tree.stays')}</h3>
        <ul>
          <li>{t('tree.stays_reports')}</li>
        </ul>
      </section>
      {texts > 0 && <p className="tree-warns">{t('tree.texts_go', { n: texts, count: groupCount(texts) })}</p>}
      {lost.length > 0 && (
        <section className="tree-warns">
          <h3>{t('tree.loses', { name: upline })}</h3>
          <ul>
            {lost.map((flag) => (
              <li key={flag}>{t(`ability.${flag}`)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
