import { isOpenCash } from '@tallyroom/contract/cash'
import type { CashCard as Cash, Message } from '@tallyroom/contract/events'
import { memo, type ReactNode, useId, useState } from 'react'
import { call, CallError, newRequestId } from '../../api/call.ts'
import { useWords } from '../../i18n/i18n.ts'
import type { Face } from '../../lib/storage.ts'
import { CashStatus } from '../../ui/cash-status.tsx'
import { rooms } from '../model/chat-session.ts'
import { mediaSrc } from '../model/media-src.ts'
import { exactAmount } from '../model/message-kinds.ts'
import { type Delivery, MoreButton, Picture, Tick } from './bubble.tsx'
import { timeOf } from './time.ts'

type Props = {
  message: Message
  cash: Cash
  code: string
  face: Face
  last: boolean
  delivery: Delivery
  /** What the group may do with it. */
  acts?: ReactNode
}

const titles = {
  member: { in: 'cash.you_asked_in', out: 'cash.you_asked_out' },
  office: { in: 'cash.asks_in', out: 'cash.asks_out' },
} as const

/** A member's request for points, as it is now. */
export const CashCard = memo(({ message, cash, code, face, last, delivery, acts }: Props) => {
  const { t } = useWords()
  const title = useId()
  const { direction, state } = cash
  const isOut = direction === 'out'
  const moves = (isOpenCash(state) || state === 'paid') && !message.transaction_corrected
  return (
    <article
      className="c-row"
      data-seq={message.seq}
      data-own={message.is_self || undefined}
      data-first
      aria-labelledby={title}
    >
      <div className="c-beside">
        <div className="c-card" data-status={isOpenCash(state) ? 4 : 1}>
          <div className="c-card-head">
            <span id={title} className="c-card-kind">
              {t(titles[face][direction])}
            </span>
            <CashStatus state={state} corrected={message.transaction_corrected} />
          </div>
          <div className="c-amount points" data-way={moves ? direction : 'none'}>
            {isOut ? '−' : '+'}
            {exactAmount(message.content)}
          </div>
          {cash.account_no && (
            <div className="c-remark">
              <bdi>
                {cash.bank} {cash.account_no}
              </bdi>
            </div>
          )}
          {cash.slip && <Picture src={mediaSrc(cash.slip)} alt={t('cash.slip')} width={null} height={null} />}
          {cash.reason && (
            <div className="c-remark" dir="auto">
              {cash.reason}
            </div>
          )}
          {cash.taken_name && <div className="c-remark">{t('cash.taken_by', { name: cash.taken_name })}</div>}
          {face === 'member' && state === 'asked' && <Withdraw id={cash.id} code={code} />}
          {acts}
          <span className="c-meta">
            <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
            {message.is_self && <Tick delivery={delivery} />}
          </span>
        </div>
        <MoreButton last={last} />
      </div>
    </article>
  )
})

/** As long as nobody has taken it. Repeating it is safe: the same request_id until it is answered. */
const Withdraw = ({ id, code }: { id: number; code: string }) => {
  const { t } = useWords()
  const [request_id] = useState(newRequestId)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState('')
  const withdraw = async () => {
    setBusy(true)
    setRefused('')
    try {
      await call('cash/withdraw', { id, request_id })
    } catch (error) {
      setRefused(error instanceof CallError ? error.message : t('error.unforeseen'))
    }
    // The room's event changes the card; if it was lost, this does.
    await rooms.sync(code)
    setBusy(false)
  }
  return (
    <>
      {refused && (
        <div className="c-refused" role="alert">
          {refused}
        </div>
      )}
      <div className="c-answers">
        <button type="button" className="button" disabled={busy} onClick={() => void withdraw()}>
          {t('cash.withdraw')}
        </button>
      </div>
    </>
  )
}
