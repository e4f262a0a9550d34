import { isOpenCash } from '@tallyroom/contract/cash'
import type { CashMessage } from '@tallyroom/contract/events'
import { memo, type ReactNode, useState } from 'react'
import { call, newRequestId } from '../../../api/call.ts'
import { errorText } from '../../../api/error-text.ts'
import { useWords } from '../../../i18n/i18n.ts'
import type { Face } from '../../../lib/storage.ts'
import { CashReason } from '../../../domain/cash-reason.tsx'
import { Chip } from '../../../domain/status.tsx'
import { rooms } from '../../model/chat-session.ts'
import { mediaSrc } from '../../model/media-src.ts'
import type { Delivery } from '../messages/bubble.tsx'
import { Slip } from '../slip.tsx'
import { CardAnswers } from './card-answers.tsx'
import { CardFrame } from './card-frame.tsx'
import { cardChip, cardTitle } from './card-words.ts'

type Props = {
  message: CashMessage
  code: string
  face: Face
  last: boolean
  delivery: Delivery
  /** What the group may do with it. */
  acts?: ReactNode
}

/** A member's request for points, as it is now. */
export const CashCard = memo(({ message, code, face, last, delivery, acts }: Props) => {
  const { t } = useWords()
  const { cash } = message
  const { state } = cash
  const moves = (isOpenCash(state) || state === 'paid') && !message.transaction_corrected
  return (
    <CardFrame
      message={message}
      title={cardTitle(message, face, t)}
      status={<Chip {...cardChip(message, face)} />}
      moves={moves}
      isOpen={isOpenCash(state)}
      last={last}
      delivery={delivery}
    >
      {cash.account_no && (
        <div className="c-remark">
          <bdi>
            {cash.bank} {cash.account_no}
          </bdi>
        </div>
      )}
      {cash.slip && <Slip src={mediaSrc(cash.slip)} />}
      {cash.state === 'refused' && (
        <div className="c-remark">
          <CashReason {...cash} />
        </div>
      )}
      {cash.taken_name && <div className="c-remark">{t('cash.taken_by', { name: cash.taken_name })}</div>}
      {face === 'member' && state === 'asked' && <WithdrawCashRequest id={cash.id} onDone={() => rooms.sync(code)} />}
      {acts}
    </CardFrame>
  )
})

type WithdrawProps = {
  id: number
  /** Shows what became of it, also after a refusal: an event may be lost. */
  onDone: () => Promise<unknown>
}

/** As long as nobody has taken it. Repeating it is safe: the same request_id until it is answered. */
export const WithdrawCashRequest = ({ id, onDone }: WithdrawProps) => {
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
      setRefused(errorText(error))
    }
    await onDone()
    setBusy(false)
  }
  return (
    <>
      {refused && (
        <div className="c-refused" role="alert">
          {refused}
        </div>
      )}
      <CardAnswers>
        <button type="button" className="button" disabled={busy} onClick={() => void withdraw()}>
          {t('cash.withdraw')}
        </button>
      </CardAnswers>
    </>
  )
}
