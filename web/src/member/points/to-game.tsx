import { type FormEvent, useId, useRef, useState } from 'react'
import { CallError, call, NO_ANSWER, newRequestId } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { AmountBox, selectRefused } from '../../ui/form/amount-box.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { refreshMe } from '../session.ts'

/** Moves the member's own points from the main to the game wallet. */
export const ToGame = ({ onMoved }: { onMoved: () => void }) => {
  const { t } = useWords()
  const id = useId()
  const [amount, setAmount] = useState('')
  const [state, setState] = useState<'' | 'sending' | 'checking'>('')
  const [refused, setRefused] = useState('')
  const [done, setDone] = useState('')
  // Kept until the outcome is known, so that retries move the points once.
  const field = useRef<HTMLInputElement>(null)
  const lastSent = useRef<{ amount: string; request_id: string }>(undefined)

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const sent = amountToSend(amount)
    setDone('')
    if (!sent) return setRefused(amountError(t, amount) ?? '')
    setRefused('')
    setState('sending')
    if (lastSent.current?.amount !== sent) lastSent.current = { amount: sent, request_id: newRequestId() }
    try {
      await call('wallet/toGame', lastSent.current)
      lastSent.current = undefined
      setAmount('')
      setDone(t('member.moved_to_game', { amount: exactAmount(sent) }))
      void refreshMe()
      onMoved()
      setState('')
    } catch (error) {
      const unknown = error instanceof CallError && error.code === NO_ANSWER
      if (!unknown) lastSent.current = undefined
      setRefused(errorText(error))
      if (!unknown) selectRefused(field.current)
      setState(unknown ? 'checking' : '')
    }
  }
  return (
    <form className="m-to-game" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id}>{t('member.to_game')}</label>
      <div className="m-to-game-line">
        <AmountBox
          id={id}
          className="input points"
          box={field}
          aria-describedby={`${id}-hint`}
          aria-invalid={refused !== ''}
          value={amount}
          onChange={(next) => {
            setAmount(next)
            setRefused('')
          }}
        />
        <button type="submit" className="button button-main" disabled={state === 'sending'}>
          {t(state === 'checking' ? 'action.try_again' : 'transfer.send')}
        </button>
      </div>
      <p id={`${id}-hint`} className="c-note">
        {t('member.to_game_hint')}
      </p>
      {refused && <Alert text={refused} />}
      {done && (
        <p role="status" className="m-done">
          {done}
        </p>
      )}
    </form>
  )
}
