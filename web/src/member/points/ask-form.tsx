import type { PayTo } from '@tallyroom/contract/calls/points/cash'
import type { Answer } from '@tallyroom/contract'
import type { CashDirection } from '@tallyroom/contract/cash'
import { views } from '@tallyroom/contract/transfer-kinds'
import { formatPoints } from '@tallyroom/contract/points'
import { shortAmount } from '@tallyroom/contract/text/typed-amount'
import { useCallback, useEffect, useId, useRef, useState } from 'react'
import { CallError, call, NO_ANSWER } from '../../api/call.ts'
import { useLostSince } from '../../api/connection.ts'
import { useOnce } from '../../api/use-once.ts'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AmountBox, selectRefused } from '../../ui/form/amount-box.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { FirstAccount } from './first-account.tsx'
import { OwnCashRequest } from './own-request.tsx'
import { onPointsChange } from './points-change.ts'
import { refreshMe } from '../session.ts'
import { PayToAccount } from './pay-to.tsx'
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
  if (view.open) return <OwnCashRequest cashRequest={view.open} onDone={load} />
  if (!view.enabled) return null
  return (
    <AskForm
      view={view}
      onReload={load}
      onAsked={(what) => {
        void load()
        onAsked(what)
      }}
    />
  )
}

type AskProps = {
  view: View
  onAsked: OnAsked
  /** Loads the view again: an earlier try whose answer got lost may be the open request, or an account was added. */
  onReload: () => Promise<void>
}

const AskForm = ({ view, onAsked, onReload }: AskProps) => {
  const { t } = useWords()
  const id = useId()
  const once = useOnce()
  const box = useRef<HTMLInputElement>(null)
  const [slipError, setSlipError] = useState('')
  /** What is to be paid where, once that was asked: nothing when no account takes the amount. */
  const [offer, setOffer] = useState<{ payTo: PayTo | null; isNew?: boolean } | undefined>(
    view.pay_to ? { payTo: view.pay_to } : undefined,
  )
  /** The change of an account after which the member has chosen again. */
  const [ignored, setIgnored] = useState<string>()
  const form = useForm(
    () => ({
      direction: view.last?.direction ?? ('in' as CashDirection),
      account: view.accounts.find((one) => one.id === view.last?.account_id) ?? view.accounts[0],
      // Who comes back from the banking app goes on where it was.
      amount: shortAmount((view.pay_to ?? view.receiving_changed)?.amount ?? ''),
      slip: '',
    }),
    { amount: (text) => amountError(t, text) },
  )
  const { direction, amount, slip } = form.draft
  // The first one may have been entered since.
  const account = form.draft.account ?? view.accounts[0]
  const isLost = useLostSince() !== undefined

  const isOut = direction === 'out'
  const firstAccount = isOut && !account ? view.first_account : null
  const changed = isOut || view.receiving_changed?.offered_at === ignored ? null : view.receiving_changed
  const asksWhere = !isOut && view.receiving === 1 && !offer && !changed
  const payTo = (!isOut && !changed && offer?.payTo) || undefined
  const toPay = changed?.amount ?? payTo?.amount
  const balance = pointsOf(view.balance)
  const points = pointsOf(toPay ?? amountToSend(amount) ?? '0')
  const due = pointsOf(view.turnover_due)
  const isBlocked = isOut && (due > 0n || (view.needs_account === 1 && !account))
  const shown = (value: bigint) => exactAmount(formatPoints(value))

  // The button stays for too much: points may have arrived since, and the server decides.
  const isTooMuch = isOut && due === 0n && points > balance
  const wrong = form.field('amount').error ?? (isTooMuch ? t('cash.too_much', { amount: shown(balance) }) : '')

  const where = async () => {
    const wanted = { amount: amountToSend(amount) ?? '' }
    setOffer({
      payTo: (await once(wanted, (request_id) => call('cash/payTo', { ...wanted, request_id }))).pay_to,
      isNew: true,
    })
    return ''
  }
  const chooseOther = () => {
    setOffer(undefined)
    setIgnored(view.receiving_changed?.offered_at)
  }
  const ask = async () => {
    setSlipError('')
    const sent = toPay ?? amountToSend(amount) ?? ''
    const wanted = {
      direction,
      amount: sent,
      ...(account ? { account_id: account.id } : {}),
      ...(slip ? { slip } : {}),
    }
    try {
      await once(wanted, (request_id) => call('cash/ask', { ...wanted, request_id }))
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== NO_ANSWER) selectRefused(box.current)
      await onReload()
      throw error
    }
    void refreshMe()
    const signed = views[isOut ? 'from' : 'to'].sign + exactAmount(sent)
    return t('message.kind_points', { kind: t(`cash.you_asked_${direction}`), amount: signed })
  }
  return (
    <>
      <form className="m-ask" onSubmit={form.submit(asksWhere ? where : ask, asksWhere ? undefined : onAsked)}>
        <h3>{t('cash.title')}</h3>
        <div className="m-ask-ways" role="radiogroup" aria-label={t('cash.title')}>
          {(['in', 'out'] as const).map((way) => (
            <label key={way} data-on={direction === way || undefined}>
              <input
                type="radio"
                name={id}
                className="visually-hidden"
                checked={direction === way}
                onChange={() => form.set({ direction: way })}
              />
              {t(way === 'in' ? 'cash.in' : 'cash.out')}
            </label>
          ))}
        </div>
        {payTo ? (
          <PayToAccount payTo={payTo} isNew={offer?.isNew === true} onOther={chooseOther} />
        ) : changed ? (
          <>
            <Alert
              text={t('cash.pay_changed', {
                account: changed.pay_to,
                amount: exactAmount(changed.amount),
              })}
            />
            <button type="button" className="c-link" onClick={chooseOther}>
              {t('cash.where_to_pay')}
            </button>
          </>
        ) : (
          <>
            <label className="visually-hidden" htmlFor={`${id}-amount`}>
              {t('cash.amount')}
            </label>
            <AmountBox
              box={box}
              id={`${id}-amount`}
              aria-required
              aria-invalid={wrong !== ''}
              aria-describedby={`${id}-wrong`}
              className="m-ask-amount points"
              placeholder="0.00"
              value={amount}
              onChange={form.field('amount').onChange}
            />
            <div className="m-ask-quick">
              {QUICK.map((quick) => (
                <button
                  key={quick}
                  type="button"
                  className="points"
                  aria-pressed={amount === quick}
                  disabled={isOut && pointsOf(quick) > balance}
                  onClick={() => form.set({ amount: quick })}
                >
                  {quick}
                </button>
              ))}
              {isOut && balance > 0n && (
                <button
                  type="button"
                  className="points"
                  aria-pressed={points === balance}
                  onClick={() => form.set({ amount: shortAmount(formatPoints(balance)) })}
                >
                  {t('cash.all', { amount: shown(balance) })}
                </button>
              )}
            </div>
          </>
        )}
        {account ? (
          <label className="m-ask-account">
            <Icon name="bank" size={20} />
            <span>
              <span className="visually-hidden">{t('cash.account')}</span>
              <select
                value={account.id}
                onChange={(event) => {
                  const chosen = view.accounts.find((one) => one.id === Number(event.target.value))
                  if (chosen) form.set({ account: chosen })
                }}
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
          isOut && view.needs_account === 1 && !firstAccount && <p className="c-note">{t('cash.no_account')}</p>
        )}
        {offer && !payTo && !isOut && !changed && <Alert text={t('cash.pay_none')} />}
        {!isOut && !asksWhere && (
          <SlipField value={slip} onChange={form.field('slip').onChange} onError={setSlipError} />
        )}
        {isOut && due > 0n && <Alert text={t('cash.due_note', { amount: shown(due) })} />}
        {wrong && (
          <div id={`${id}-wrong`}>
            <Alert text={wrong} />
          </div>
        )}
        {isOut && !isBlocked && points > 0n && points <= balance && (
          <p className="c-note">{t('cash.held_note', { amount: shown(points), rest: shown(balance - points) })}</p>
        )}
        {!isOut && view.receiving === 0 && <p className="c-note">{t('cash.in_note')}</p>}
        {(form.refused ?? slipError) && <Alert text={form.refused ?? slipError} />}
        {isLost && !form.isSending && <Alert text={t('connection.points')} />}
        {!firstAccount && (
          <button
            type="submit"
            className="button button-main m-wide"
            disabled={form.isSending || isBlocked || isLost}
            aria-busy={form.isSending}
          >
            {asksWhere
              ? t('cash.where_to_pay')
              : points > 0n
                ? t('cash.ask_for', { amount: shown(points) })
                : t('cash.title')}
          </button>
        )}
      </form>
      {firstAccount && <FirstAccount asked={firstAccount} onAdded={() => void onReload()} />}
    </>
  )
}
