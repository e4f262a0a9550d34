import type { PointsMessage } from '@tallyroom/contract/events'
import { viewOfMessage } from '@tallyroom/contract/transfer-kinds'
import { type ReactNode, useId } from 'react'
import { useWords } from '../../../i18n/i18n.ts'
import { type Delivery, moreButton, tickOf } from '../messages/bubble.tsx'
import { timeOf } from '../messages/time.ts'
import { cardAmount } from './card-words.ts'

type Props = {
  message: PointsMessage
  /** What it is, and its status as an icon with a word. */
  title: ReactNode
  status: ReactNode
  /** The points move, or wait to move. Without it the amount has no colour. */
  moves: boolean
  isOpen: boolean
  last: boolean
  delivery: Delivery
  /** The sender, beside the time. */
  by?: string
  /** Below the amount: remark, account, deadline, buttons. */
  children: ReactNode
}

/** A card of the conversation with a large amount: a transfer, a request for points. */
export const CardFrame = (props: Props) => {
  const { message, title, status, moves, isOpen, last, delivery, by, children } = props
  const { t } = useWords()
  const id = useId()
  return (
    <article
      className="c-row"
      data-seq={message.seq}
      data-own={message.is_self || undefined}
      data-first
      aria-labelledby={id}
    >
      <div className="c-beside">
        <div className="c-card" data-open={isOpen || undefined}>
          <div className="c-card-head">
            <span id={id} className="c-card-kind">
              {title}
            </span>
            {status}
          </div>
          <div className="c-amount points" data-way={moves ? viewOfMessage(message).tone : 'none'}>
            {cardAmount(message)}
          </div>
          {children}
          <span className="c-meta">
            {by && <span className="c-by">{by}</span>}
            <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
            {message.is_self && message.seq > 0 && tickOf(delivery, t)}
          </span>
        </div>
        {/* A card that waits for approval is no message, which could be quoted. */}
        {message.seq > 0 && moreButton(last, t)}
      </div>
    </article>
  )
}
