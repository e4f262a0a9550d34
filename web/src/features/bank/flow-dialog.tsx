import type { Answer } from '@tallyroom/contract'
import type { RoomSummary } from '@tallyroom/contract/events'
import { useState } from 'react'
import { Amount, exactText } from '../../ui/amount.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { DialogBox } from '../../ui/overlay/dialog.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { Footer } from '../../ui/search-table/footer.tsx'
import { useCall } from '../../api/use-call.ts'
import { Chip } from '../../domain/status.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { kindWord } from '../../domain/transfer-words.ts'
import './bank.css'

type Row = Answer<'member/flowLimit'>['data'][number]

/** FLOW-01 */
const ROWS = 10
const FETCHED = 50_000

const states = {
  0: { word: 'flow.unfinished', tone: 'waiting', icon: 'clock' },
  1: { word: 'flow.finished', tone: 'in', icon: 'check' },
  2: { word: 'flow.lifted', tone: 'off', icon: 'close' },
} as const

/** A member's due turnover, and the transfers that require it. */
export const FlowDialog = ({ room, onClose }: { room: RoomSummary; onClose: () => void }) => {
  const { t } = useWords()
  // Transfers and bets may have changed it since it was last loaded.
  const limits = useCall(
    'member/flowLimit',
    { member_id: room.member_id, page: 1, per_page: FETCHED },
    { staleTime: 0 },
  )
  const [page, setPage] = useState(1)
  const rows = limits.data?.data ?? []
  const pages = Math.max(1, Math.ceil(rows.length / ROWS))
  const current = Math.min(page, pages)
  const open = pointsOf(limits.data?.open ?? '0')
  return (
    <DialogBox title={t('flow.title')} width={860} onClose={onClose} maskClosable>
      {limits.error && (
        <>
          <Alert text={limits.error.message} />
          <button type="button" className="button" onClick={() => void limits.refetch()}>
            {t('action.try_again')}
          </button>
        </>
      )}
      {limits.isPending && <p role="status">{t('table.loading')}</p>}
      {limits.data && (
        <>
          <p>
            <bdi>{room.name}</bdi> <bdi className="person-username">({room.partner_username})</bdi>
            {' · '}
            {open === 0n ? t('flow.none_open') : t('flow.open', { amount: exactText(open) })}
          </p>
          {rows.length === 0 ? (
            <p role="status">{t('table.empty')}</p>
          ) : (
            // The arrow keys scroll it at once; the dialog would start on its cross.
            <div ref={takeFocus} className="flow-scroll" tabIndex={0} role="region" aria-label={t('flow.title')}>
              <Table rows={rows.slice((current - 1) * ROWS, current * ROWS)} />
            </div>
          )}
          <Footer
            count={rows.length}
            known
            sizes={[ROWS]}
            size={ROWS}
            onSize={() => {}}
            page={current}
            pages={pages}
            onPage={setPage}
          >
            {null}
          </Footer>
        </>
      )}
    </DialogBox>
  )
}

const Table = ({ rows }: { rows: readonly Row[] }) => {
  const { t } = useWords()
  return (
    <table className="lines-table">
      <thead>
        <tr>
          <th scope="col">{t('history.type')}</th>
          <th scope="col" className="end">
            {t('flow.deposit')}
          </th>
          <th scope="col" className="end">
            {t('flow.limit')}
          </th>
          <th scope="col" className="end">
            {t('flow.valid')}
          </th>
          <th scope="col">{t('account.status')}</th>
          <th scope="col">{t('history.created_at')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.transaction_id}>
            <td>{t(kindWord(row.type))}</td>
            <td className="end">
              <Amount value={pointsOf(row.bonus) === 0n ? row.depositAmount : row.bonus} />
            </td>
            <td className="end">
              <Amount value={row.limit_flowAmount} />
            </td>
            <td className="end">
              <Amount value={row.valid_flowAmount} />
            </td>
            <td>
              <Chip {...states[row.status]} />
            </td>
            <td className="points">{row.operation_time}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
