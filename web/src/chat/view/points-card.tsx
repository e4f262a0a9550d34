import { TransferStatus } from '@tallyroom/contract/codes'
import type { Message } from '@tallyroom/contract/events'
import { viewOfMessage } from '@tallyroom/contract/transfer-kinds'
import { memo, useEffect, useId } from 'react'
import type { Face } from '../../lib/storage.ts'
import { useLostSince } from '../../api/connection.ts'
import { useWords } from '../../i18n/i18n.ts'
import { type Delivery, MoreButton, Tick } from './bubble.tsx'
import { EnvelopeStatus, Status } from '../../ui/status.tsx'
import { exactAmount, transferLabel } from '../model/message-kinds.ts'
import { rooms } from '../model/chat-session.ts'
import { showDuration, timeOf } from './time.ts'
import { useAnswer } from './use-answer.ts'
import { useNow, useRoomName } from './use-chat.ts'

const PENDING = 4

type Props = { message: Message; code: string; face: Face; author: string; last: boolean; delivery: Delivery }

/** A transfer in a room: a card with a large amount; its status is shown by icon, word and colour. */
export const PointsCard = memo(({ message, code, face, author, last, delivery }: Props) => {
  const { t } = useWords()
  const title = useId()
  const status = (message.transaction_status ?? 1) as 0 | 1 | 2 | 3 | 4
  const view = viewOfMessage(message)
  const name = useRoomName(code)
  const moves = (status === TransferStatus.success && !message.transaction_corrected) || status === PENDING
  const amount = exactAmount(message.amount ?? message.content)
  return (
    <article
      className="c-row"
      data-seq={message.seq}
      data-own={message.is_self || undefined}
      data-first
      aria-labelledby={title}
    >
      <div className="c-beside">
        <div className="c-card" data-status={status}>
          <div className="c-card-head">
            <span id={title} className="c-card-kind">
              {transferLabel(message, t, face === 'member' ? undefined : name)}
            </span>
            {status === PENDING && face === 'office' ? (
              <EnvelopeStatus value={status} />
            ) : (
              <Status value={status} corrected={message.transaction_corrected} />
            )}
          </div>
          <div className="c-amount points" data-way={moves ? view.tone : 'none'}>
            {view.sign}
            {amount}
          </div>
          {message.remark && (
            <div className="c-remark" dir="auto">
              {message.remark}
            </div>
          )}
          {status === PENDING && <Deadline message={message} code={code} face={face} />}
          <span className="c-meta">
            {author && <span className="c-by">{t('points.by', { name: author })}</span>}
            <time dateTime={message.created_at}>{timeOf(message.created_at)}</time>
            {message.is_self && <Tick delivery={delivery} />}
          </span>
        </div>
        <MoreButton last={last} />
      </div>
    </article>
  )
})

/** The time left to answer, and on the member's side the two buttons. */
const Deadline = ({ message, code, face }: Pick<Props, 'message' | 'code' | 'face'>) => {
  const { t } = useWords()
  const now = useNow(true)
  const { answering, refused, answer } = useAnswer(message.transaction_id, code)
  const isLost = useLostSince() !== undefined
  const left = message.expires_at ? Date.parse(message.expires_at) - now : undefined
  const over = left !== undefined && left <= 0

  useEffect(() => {
    if (!over) return
    // The server expires it by its own clock. If that event is lost, resync the room.
    const timer = setTimeout(() => void rooms.sync(code), 3000)
    return () => clearTimeout(timer)
  }, [over, code])

  return (
    <>
      {left !== undefined && (
        <div className="c-deadline points">
          {over ? t('points.time_over') : t('points.time_left', { time: showDuration(left) })}
        </div>
      )}
      {refused && (
        <div className="c-refused" role="alert">
          {refused}
        </div>
      )}
      {face === 'member' && !over && (
        <div className="c-answers">
          <button
            type="button"
            className="button button-main"
            disabled={isLost || Boolean(answering)}
            aria-busy={answering?.accept}
            onClick={() => answer(true)}
          >
            {t('points.accept')}
          </button>
          <button
            type="button"
            className="button"
            disabled={isLost || Boolean(answering)}
            aria-busy={answering?.accept === false}
            onClick={() => answer(false)}
          >
            {t('points.reject')}
          </button>
        </div>
      )}
      {answering?.checking && (
        <div className="c-checking" role="status">
          {t('points.checking')}
        </div>
      )}
    </>
  )
}
