import { isOpenCash } from '@tallyroom/contract/cash'
import { MessageType, TransferStatus } from '@tallyroom/contract/codes'
import { factsOfKind, viewOfKind } from '@tallyroom/contract/transfer-kinds'
import type { Answer } from '@tallyroom/contract'
import { useCallback, useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { exactAmount, transferLabel } from '../../chat/model/message-kinds.ts'
import { showMoment } from '../../i18n/time.ts'
import { serverNow } from '../../lib/clock.ts'
import { Icon } from '../../ui/icon.tsx'
import { CashStatus } from '../../domain/cash-status.tsx'
import { Status } from '../../domain/status.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import './points-sheet.css'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { AskForPoints, useAsking } from './ask-form.tsx'
import { FlowLimits } from './flow-limits.tsx'
import { onPointsChange } from './points-change.ts'
import { ZoneNote } from '../../ui/zone-note.tsx'
import { Sheet } from '../sheet.tsx'
import { useSession } from '../session.ts'
import { ToGame } from './to-game.tsx'

const DAYS_30 = 30 * 86_400_000
type Row = Answer<'transaction/list'>['data'][number]
type History = { state: 'loading' } | { state: 'loaded'; rows: Row[] } | { state: 'failed'; message: string }

const rangeOf = (now: number) => ({
  start_time: `${showMoment(now - DAYS_30).slice(0, 16)}:00`,
  // Include the current minute.
  end_time: `${showMoment(now + 60_000).slice(0, 16)}:00`,
})

/** The member's balances, and the transfers of the last 30 days. */
export const PointsSheet = ({ onClose, onAsked }: { onClose: () => void; onAsked: (what: string) => void }) => {
  const { t } = useWords()
  const { me } = useSession()
  const [history, setHistory] = useState<History>({ state: 'loading' })

  const load = useCallback(async () => {
    try {
      const { data } = await call('transaction/list', { ...rangeOf(serverNow()), page: 1, per_page: 200 })
      setHistory({ state: 'loaded', rows: data })
    } catch (error) {
      setHistory({ state: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }, [])
  useEffect(() => {
    void load()
    return onPointsChange(() => void load())
  }, [load])
  const asking = useAsking()

  const rows = history.state === 'loaded' ? history.rows : []
  const waiting = rows.filter(isWaiting)
  const open = asking.view?.open
  // The open request has its own place.
  const others = rows.filter((row) => !isWaiting(row) && !(open && row.request && isOpenCash(row.request)))
  return (
    <Sheet title={t('member.points')} onClose={onClose}>
      <dl className="m-wallets">
        <div>
          <dt>{t(me?.is_multiple_wallet === 1 ? 'wallet.main' : 'member.balance')}</dt>
          <dd className="points">{exactAmount(me?.balance ?? '0')}</dd>
        </div>
        {me?.is_multiple_wallet === 1 && (
          <div>
            <dt>{t('member.game_wallet')}</dt>
            <dd className="points">{exactAmount(me.game_wallet)}</dd>
          </div>
        )}
      </dl>
      {me?.EventMode === 1 && (
        <p className="m-event" role="status">
          <Icon name="lock" size={18} /> {t('transfer.event_mode')}
        </p>
      )}
      <AskForPoints asking={asking} onAsked={onAsked} />
      {me?.is_multiple_wallet === 1 && <ToGame onMoved={() => void load()} />}
      {me && <FlowLimits memberId={me.id} reloadKey={history} />}
      {waiting.length > 0 && (
        <>
          <h3>{t('member.waiting')}</h3>
          <ul className="m-history">
            {waiting.map((row) => (
              <HistoryRow key={row.id} row={row} />
            ))}
          </ul>
        </>
      )}
      <h3>{t('member.history')}</h3>
      <ZoneNote />
      {history.state === 'loading' && <p role="status">{t('chat.loading')}</p>}
      {history.state === 'failed' && (
        <>
          <Alert text={history.message} />
          <button type="button" className="button" onClick={() => void load()}>
            {t('action.try_again')}
          </button>
        </>
      )}
      {history.state === 'loaded' && history.rows.length === 0 && <p className="c-note">{t('member.history_empty')}</p>}
      {history.state === 'loaded' && (
        <ul className="m-history">
          {others.map((row) => (
            <HistoryRow key={row.id} row={row} />
          ))}
        </ul>
      )}
    </Sheet>
  )
}

/** The member's own request is not the member's to answer. */
const isWaiting = ({ status, request: cashState }: Row) => status === TransferStatus.pending && !cashState

/** Points that have moved, that may still move, or that never will. */
const wayOf = ({ status, corrected }: Row, tone: string | undefined) => {
  if (corrected) return 'none'
  if (status === TransferStatus.success) return tone ?? 'same'
  return status === TransferStatus.pending ? 'open' : 'none'
}

/** Named as its message in the room is, or where it has none, as in the lists. */
const labelOf = (row: Row, t: Translate) => {
  if (row.request) return t('cash.you_asked_out')
  const facts = factsOfKind(row.type)
  if (facts && !('message' in facts)) {
    const view = viewOfKind(row.type, row.corrects_type)
    return view ? `${t(view.word)} · ${t(facts.word)}` : t(facts.word)
  }
  const type = facts?.message.done ?? MessageType.pointsIn
  return transferLabel({ type, transaction_type: null, transaction_status: row.status }, t)
}

const HistoryRow = ({ row }: { row: Row }) => {
  const { t } = useWords()
  const view = viewOfKind(row.type, row.corrects_type)
  return (
    <li>
      <div className="m-history-top">
        <span>{labelOf(row, t)}</span>
        <span className="points" data-way={wayOf(row, view?.tone)}>
          {view?.sign}
          {exactAmount(row.amount)}
        </span>
      </div>
      {row.remark && <div dir="auto">{row.remark}</div>}
      <div className="m-history-top c-note">
        <time>{showMoment(row.created_at)}</time>
        {row.request ? (
          <CashStatus state={row.request} corrected={row.corrected} />
        ) : (
          <Status value={row.status} corrected={row.corrected} />
        )}
      </div>
    </li>
  )
}
