import { Role } from '@tallyroom/contract/codes'
import type { Input } from '@tallyroom/contract'
import type { SensitiveChangeRow } from '@tallyroom/contract/calls/office/change'
import type { ApprovalState } from '@tallyroom/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { refresh, useCall, useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { notify } from '../../ui/overlay/message.tsx'
import { Icon } from '../../ui/icon.tsx'
import { nameOf, Person } from '../../ui/person.tsx'
import { SaveFile } from '../../ui/save-file.tsx'
import { factLines } from '../../domain/fact-lines.ts'
import { Fact } from '../../ui/fact.tsx'
import { QueueDrawer } from '../cash/queue-drawer.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Decide, EndLines, WithdrawButton } from './decide.tsx'
import { ApprovalStatus, stateWords, targetOf } from './parts.tsx'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { AccountLink } from '../../domain/account-link.tsx'

/** One sensitive change: what it changes, with the values before and after, and who asked for it. */
export const SensitiveChangeDrawer = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const { t } = useWords()
  const found = useCall('change/list', { id }, { keepPrevious: false })
  const row = found.data?.data[0]
  return (
    <QueueDrawer
      title={t('approval.one', { n: id })}
      found={found}
      missing={found.data && !row ? t('approval.not_mine') : undefined}
      footer={row ? <Foot row={row} onClose={onClose} /> : null}
      onClose={onClose}
    >
      {row && (
        <div className="request-parts">
          <AccountLink who={targetOf(row)}>
            <Person who={targetOf(row)} />
          </AccountLink>
          <span className="request-line">
            <strong>{t(`change.${row.kind}`)}</strong> <ApprovalStatus state={row.state} />
          </span>
          {row.kind === 'erase' && row.state === 'waiting' && (
            <ul className="request-checks">
              <li data-warns>
                <Icon name="alert" size={16} />
                {t('change.erase_goes')}
              </li>
            </ul>
          )}
          <dl className="lines">
            {factLines(t, row.facts).map(({ label, value }) => (
              <Fact key={label} label={label}>
                <span className="change-value">{value}</span>
              </Fact>
            ))}
            <Fact label={t('approval.maker')}>
              <AccountLink who={{ username: row.maker_username, role_id: Role.agent }}>
                <bdi>{row.maker_nickname || row.maker_username}</bdi>
              </AccountLink>
            </Fact>
            <Fact label={t('requests.asked_at')}>
              <span className="points">{showMoment(row.made_at)}</span>
            </Fact>
            <EndLines row={row} />
          </dl>
          {row.qr && <QrPictures {...row.qr} />}
        </div>
      )}
    </QueueDrawer>
  )
}

/** Where members would pay: a picture shows nobody its account, so the approver looks at both. */
const QrPictures = ({ before, after }: NonNullable<SensitiveChangeRow['qr']>) => {
  const { t } = useWords()
  const pictures = [
    [t('change.before'), before],
    [t('change.after'), after],
  ] as const
  return (
    <div className="change-pictures">
      {pictures.map(([label, picture]) => (
        <figure key={label}>
          <figcaption>{label}</figcaption>
          {picture ? (
            <img src={mediaSrc(picture)} alt={`${t('receiving.qr')}: ${label}`} />
          ) : (
            <span>{t('points.none')}</span>
          )}
        </figure>
      ))}
    </div>
  )
}

const refreshes = [
  'change/list',
  'approval/open',
  'change/rules',
  'setting/view',
  'user/abilities',
  'limit/view',
] as const

const Foot = ({ row, onClose }: { row: SensitiveChangeRow; onClose: () => void }) => {
  const { file } = row
  if (file)
    return (
      <SaveFile
        load={() => call(file.call, file.input as Input<typeof file.call>)}
        cutWord={file.call === 'user/export' ? 'account.cut' : 'history.cut'}
      />
    )
  if (row.state !== 'waiting') return null
  return row.may_decide || row.is_own ? <Acts row={row} onClose={onClose} /> : null
}

const Acts = ({ row, onClose }: { row: SensitiveChangeRow; onClose: () => void }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const approve = useSend('change/approve', { refreshes: [...refreshes, 'transaction/list', 'user/list'] })
  const refuse = useSend('change/refuse', { refreshes: [...refreshes] })
  const withdraw = useSend('change/withdraw', { refreshes: [...refreshes] })
  const [password, setPassword] = useState<string>()
  const { id } = row
  const isBusy = approve.isPending || refuse.isPending || withdraw.isPending
  const onSuccess = ({ state }: { state: ApprovalState }) => {
    notify.done(t(stateWords[state]))
    onClose()
  }
  const onError = (error: Error) => {
    if (refusedBy('change/approve', error, 'session.needs_password')) return setPassword('')
    notify.refused(errorText(error))
    void refresh(cache, refreshes)
  }
  if (row.may_decide === 0)
    return <WithdrawButton isBusy={isBusy} onWithdraw={() => withdraw.mutate({ id }, { onSuccess, onError })} />
  return (
    <Decide
      act={row.kind === 'erase' ? t('change.erase_now', { name: nameOf(targetOf(row)) }) : t('change.approve')}
      destroys={row.kind === 'erase'}
      isBusy={isBusy}
      mayApprove={password !== ''}
      onApprove={() =>
        approve.mutate({ id, ...(password ? { current_password: password } : {}) }, { onSuccess, onError })
      }
      onRefuse={(reason) => refuse.mutate({ id, reason }, { onSuccess, onError })}
    >
      {password !== undefined && <PasswordAgain value={password} onChange={setPassword} />}
    </Decide>
  )
}
