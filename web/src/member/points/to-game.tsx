import type { Input } from '@tallyroom/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { call, newRequestId } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { untilAnswered } from '../../api/until-answered.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { AmountBox, selectRefused } from '../../ui/form/amount-box.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { refreshMe, useSession } from '../session.ts'

/**
 * The move whose outcome is unknown. It outlives the form: a sheet that is closed and opened again settles this one
 * before it takes another amount.
 */
let unsettled: { account: string | undefined; move: Input<'wallet/toGame'> } | undefined

/** Moves the member's own points from the main to the game wallet. */
export const ToGame = ({ onMoved }: { onMoved: () => void }) => {
  const { t } = useWords()
  const { accountId: account } = useSession()
  const id = useId()
  const [left] = useState(() => (unsettled?.account === account ? unsettled?.move : undefined))
  const [amount, setAmount] = useState(left?.amount ?? '')
  const [state, setState] = useState<'' | 'sending' | 'checking'>(left ? 'checking' : '')
  const [refused, setRefused] = useState('')
  const [done, setDone] = useState('')
  const field = useRef<HTMLInputElement>(null)

  const settle = async (move: Input<'wallet/toGame'>) => {
    unsettled = { account, move }
    try {
      await untilAnswered(
        () => call('wallet/toGame', move),
        () => setState('checking'),
      )
      setAmount('')
      setDone(t('member.moved_to_game', { amount: exactAmount(move.amount) }))
      void refreshMe()
      onMoved()
    } catch (error) {
      setRefused(errorText(error))
      selectRefused(field.current)
    }
    if (unsettled?.move === move) unsettled = undefined
    setState('')
  }
  const settleLeft = useRef(settle)
  useEffect(() => {
    if (left) void settleLeft.current(left)
  }, [left])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (state) return
    const sent = amountToSend(amount)
    setDone('')
    if (!sent) return setRefused(amountError(t, amount) ?? '')
    setRefused('')
    setState('sending')
    void settle({ amount: sent, request_id: newRequestId() })
  }
  return (
    <form className="m-to-game" onSubmit={submit}>
      <label htmlFor={id}>{t('member.to_game')}</label>
      <div className="m-to-game-line">
        <AmountBox
          id={id}
          className="input points"
          box={field}
          readOnly={state !== ''}
          aria-describedby={`${id}-hint`}
          aria-invalid={refused !== ''}
          value={amount}
          onChange={(next) => {
            setAmount(next)
            setRefused('')
          }}
        />
        <button type="submit" className="button button-main" disabled={state !== ''} aria-busy={state !== ''}>
          {t('transfer.send')}
        </button>
      </div>
      <p id={`${id}-hint`} className="c-note">
        {t('member.to_game_hint')}
      </p>
      {state === 'checking' && (
        <p className="c-checking" role="status">
          {t('points.checking')}
        </p>
      )}
      {refused && <Alert text={refused} />}
      {done && (
        <p role="status" className="m-done">
          {done}
        </p>
      )}
    </form>
  )
}
