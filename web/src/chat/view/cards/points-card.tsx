import { TransferStatus } from '@tallyroom/contract/codes'
import type { TransferMessage } from '@tallyroom/contract/events'
import { memo, useEffect, useState } from 'react'
import type { Face } from '../../../lib/storage.ts'
import { useLostSince } from '../../../api/connection.ts'
import { useWords } from '../../../i18n/i18n.ts'
import type { Delivery } from '../messages/bubble.tsx'
import { CardAnswers } from './card-answers.tsx'
import { CardFrame } from './card-frame.tsx'
import { cardChip, cardTitle } from './card-words.ts'
import { useProtection } from '../../../ui/overlay/protection.ts'
import { Chip } from '../../../domain/status.tsx'
import { exactAmount } from '../../model/message-kinds.ts'
import { rooms } from '../../model/chat-session.ts'
import { showDuration } from '../messages/time.ts'
import { useAnswer } from './use-answer.ts'
import { useNow } from '../use-chat.ts'

/** So long (ms) the button asks whether the member really rejects: time to read it in every script. */
const ASKS_MS = 8000

type Props = { message: TransferMessage; code: string; face: Face; author: string; last: boolean; delivery: Delivery }

/** A transfer in a room: a card with a large amount; its status is shown by icon, word and colour. */
export const PointsCard = memo(({ message, code, face, author, last, delivery }: Props) => {
  const { t } = useWords()
  const status = message.transaction_status
  const isPending = status === TransferStatus.pending
  const moves = (status === TransferStatus.success && !message.transaction_corrected) || isPending
  return (
    <CardFrame
      message={message}
      title={cardTitle(message, face, t)}
      status={<Chip {...cardChip(message, face)} />}
      moves={moves}
      isOpen={isPending}
      last={last}
      delivery={delivery}
      by={author && t('points.by', { name: author })}
    >
      {message.remark && (
        <div className="c-remark" dir="auto">
          {message.remark}
        </div>
      )}
      {isPending && !message.approval && <Deadline message={message} code={code} face={face} />}
    </CardFrame>
  )
})

type RejectProps = { amount: string; disabled: boolean; isBusy: boolean; onReject: () => void }

/** Asks once more in its own place: there is no way back, and "Accept" is a finger's width away. */
const RejectButton = ({ amount, disabled, isBusy, onReject }: RejectProps) => {
  const { t } = useWords()
  const [isAsking, setAsking] = useState(false)
  const { isProtected, again } = useProtection(isAsking)
  const question = t('points.really_reject', { amount })
  useEffect(() => {
    if (!isAsking) return
    const timer = setTimeout(() => setAsking(false), ASKS_MS)
    return () => clearTimeout(timer)
  }, [isAsking])
  const press = () => {
    if (!isAsking) return setAsking(true)
    if (isProtected) return again()
    setAsking(false)
    onReject()
  }
  return (
    <>
      <button
        type="button"
        className={isAsking ? 'button button-danger' : 'button'}
        disabled={disabled}
        aria-busy={isBusy}
        onClick={press}
        onBlur={() => setAsking(false)}
      >
        {isAsking ? question : t('points.reject')}
      </button>
      <span className="visually-hidden" role="status">
        {isAsking ? question : ''}
      </span>
    </>
  )
}

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
        <CardAnswers>
          <button
            type="button"
            className="button button-main"
            disabled={isLost || Boolean(answering)}
            aria-busy={answering?.accept}
            onClick={() => answer(true)}
          >
            {t('points.accept')}
          </button>
          <RejectButton
            amount={exactAmount(message.amount)}
            disabled={isLost || Boolean(answering)}
            isBusy={answering?.accept === false}
            onReject={() => answer(false)}
          />
        </CardAnswers>
      )}
      {answering?.checking && (
        <div className="c-checking" role="status">
          {t('points.checking')}
        </div>
      )}
    </>
  )
}
