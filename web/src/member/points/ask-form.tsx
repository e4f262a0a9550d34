import type { Answer } from '@tallyroom/contract'
import type { CashDirection } from '@tallyroom/contract/cash'
import { views } from '@tallyroom/contract/transfer-kinds'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { shortAmount } from '@tallyroom/contract/text/typed-amount'
import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react'
import { CallError, call, NO_ANSWER, newRequestId } from '../../api/call.ts'
import { useLostSince } from '../../api/connection.ts'
import { errorText } from '../../api/error-text.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AmountBox, selectRefused } from '../../ui/form/amount-box.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { OwnRequest } from './own-request.tsx'
import { onPointsChange } from './points-change.ts'
import { refreshMe } from '../session.ts'
import { SlipField } from './slip-field.tsx'
import './ask-form.css'

type View = Answer<'cash/view'>
const QUICK = ['50', '100', '200']

/**
 * What the member may ask and has asked, loaded again when its points move or its request changes. Undefined while
 * unknown: the sheet still shows balance and history.
 */
export const useAsking = () => {
  const [view, setView] = useState<View>()
  const load = useCallback(() => call('cash/view', {}).then(setView, () => {}), [])
  useEffect(() => {
    void load()
    return onPointsChange(() => void load())
  }, [load])
  return { view, load }
}
type Asking = ReturnType<typeof useAsking>
/** `what`: what was asked for, for screen readers. */
type OnAsked = (what: string) => void

/** Asks for points: amount, bank account, slip. Direction and account are those of the last time. */
export const AskForPoints = ({ asking, onAsked }: { asking: Asking; onAsked: OnAsked }) => {
  const { view, load } = asking
  if (!view) return null
  // Also where asking was turned off meanwhile.
  if (view.open) return <OwnRequest request={view.open} onDone={load} />
  if (!view.enabled) return null
  return (
    <AskForm
      view={view}
      onAsked={(what) => {
        void load()
        onAsked(what)
      }}
    />
  )
}

const AskForm = ({ view, onAsked }: { view: View; onAsked: OnAsked }) => {
  const { t } = useWords()
  const id = useId()
  const [direction, setDirection] = useState<CashDirection>(view.last?.direction ?? 'in')
  const [account, setAccount] = useState(
    () => view.accounts.find((one) => one.id === view.last?.account_id) ?? view.accounts[0],
  )
  const [amount, setTyped] = useState('')
  const [isMissing, setMissing] = useState(false)
  const setAmount = (next: string) => {
    setTyped(next)
    setMissing(false)
  }
  const field = useRef<HTMLInputElement>(null)
  const [slip, setSlip] = useState('')
  const { send, busy, refused, setRefused } = useAsk(onAsked, () => selectRefused(field.current))
  const isLost = useLostSince() !== undefined

  const isOut = direction === 'out'
  const balance = parsePoints(view.balance) ?? 0n
  const points = parsePoints(amountToSend(amount) ?? '0') ?? 0n
  const due = parsePoints(view.turnover_due) ?? 0n
  const isBlocked = isOut && (due > 0n || (view.needs_account === 1 && !account))
  const shown = (value: bigint) => exactAmount(formatPoints(value))

  // With too much the button stays: points may have arrived since, and the server decides.
  const wrong = isMissing
    ? (amountError(t, amount) ?? '')
    : isOut && due === 0n && points > balance
      ? t('cash.too_much', { amount: shown(balance) })
      : ''

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const sent = amountToSend(amount)
    if (!sent || points <= 0n) {
      setMissing(true)
      field.current?.focus()
      return
    }
    void send({
      direction,
      amount: sent,
      ...(account ? { account_id: account.id } : {}),
      ...(slip ? { slip } : {}),
    })
  }
  return (
    <form className="m-ask" onSubmit={submit}>
      <h3>{t('cash.title')}</h3>
      <div className="m-ask-ways" role="radiogroup" aria-label={t('cash.title')}>
        {(['in', 'out'] as const).map((way) => (
          <label key={way} data-on={direction === way || undefined}>
            <input
              type="radio"
              name={id}
              className="visually-hidden"
              checked={direction === way}
              onChange={() => setDirection(way)}
            />
            {t(way === 'in' ? 'cash.in' : 'cash.out')}
          </label>
        ))}
      </div>
      <label className="visually-hidden" htmlFor={`${id}-amount`}>
        {t('cash.amount')}
      </label>
      <AmountBox
        box={field}
        id={`${id}-amount`}
        aria-required
        aria-invalid={wrong !== ''}
        aria-describedby={`${id}-wrong`}
        className="m-ask-amount points"
        placeholder="0.00"
        value={amount}
        onChange={setAmount}
      />
      <div className="m-ask-quick">
        {QUICK.map((quick) => (
          <button
            key={quick}
            type="button"
            className="points"
            aria-pressed={amount === quick}
            disabled={isOut && (parsePoints(quick) ?? 0n) > balance}
            onClick={() => setAmount(quick)}
          >
            {quick}
          </button>
        ))}
        {isOut && balance > 0n && (
          <button
            type="button"
            className="points"
            aria-pressed={points === balance}
            onClick={() => setAmount(shortAmount(formatPoints(balance)))}
          >
            {t('cash.all', { amount: shown(balance) })}
          </button>
        )}
      </div>
      {account ? (
        <label className="m-ask-account">
          <Icon name="bank" size={20} />
          <span>
            <span className="visually-hidden">{t('cash.account')}</span>
            <select
              value={account.id}
              onChange={(event) => setAccount(view.accounts.find((one) => one.id === Number(event.target.value)))}
            >
              {view.accounts.map((one) => (
                <option key={one.id} value={one.id}>
                  {`${one.bank} ${one.account_no} · ${one.account_name}`}
                </option>
              ))}
            </select>
          </span>
        </label>
      ) : (
        isOut && view.needs_account === 1 && <p className="c-note">{t('cash.no_account')}</p>
      )}
      {!isOut && <SlipField value={slip} onChange={setSlip} onError={setRefused} />}
      {isOut && due > 0n && <Alert text={t('cash.due_note', { amount: shown(due) })} />}
      {wrong && (
        <div id={`${id}-wrong`}>
          <Alert text={wrong} />
        </div>
      )}
      {isOut && !isBlocked && points > 0n && points <= balance && (
        <p className="c-note">{t('cash.held_note', { amount: shown(points), rest: shown(balance - points) })}</p>
      )}
      {!isOut && <p className="c-note">{t('cash.in_note')}</p>}
      {refused && <Alert text={refused} />}
      {isLost && !busy && <Alert text={t('connection.points')} />}
      <button
        type="submit"
        className="button button-main m-wide"
        disabled={busy || isBlocked || isLost}
        aria-busy={busy}
      >
        {points > 0n ? t('cash.ask_for', { amount: shown(points) }) : t('cash.title')}
      </button>
    </form>
  )
}

type Wanted = { direction: CashDirection; amount: string; account_id?: number; slip?: string }

/** Sends a request. The same one again has the same request_id until there is a definite answer. */
const useAsk = (onAsked: OnAsked, onRefused: () => void) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState('')
  const request = useRef<{ body: string; request_id: string }>(undefined)
  const send = async (wanted: Wanted) => {
    const body = JSON.stringify(wanted)
    if (request.current?.body !== body) request.current = { body, request_id: newRequestId() }
    setBusy(true)
    setRefused('')
    try {
      await call('cash/ask', { ...wanted, request_id: request.current.request_id })
      request.current = undefined
      void refreshMe()
      const amount = views[wanted.direction === 'in' ? 'to' : 'from'].sign + exactAmount(wanted.amount)
      onAsked(t('message.kind_points', { kind: t(`cash.you_asked_${wanted.direction}`), amount }))
    } catch (error) {
      setRefused(errorText(error))
      if (!(error instanceof CallError) || error.code !== NO_ANSWER) {
        request.current = undefined
        onRefused()
      }
    }
    setBusy(false)
  }
  return { send, busy, refused, setRefused }
}
