import { MAX_REASON, MAX_REMARK } from '@tallyroom/contract/lengths'
import { isOffice } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import { useId, useRef } from 'react'
import { Amount, exactText } from '../../ui/amount.tsx'
import { Input } from '../../ui/control/input.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { groupAmount } from '../../ui/form/amount-text.ts'
import { Field } from '../../ui/form/field.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Wallets } from '../../domain/transfer-steps/wallets.tsx'
import { walletsOf } from './points-confirmation.tsx'
import { ApprovalNotice, ConsentNotice, StopNotice } from './points-notices.tsx'
import {
  choosesWallet,
  exceeded,
  type Kind,
  kindWords,
  locksTurnover,
  type MemberView,
  shortest,
  staysInGame,
  takes,
  type Wallet,
  walletOf,
  walletWord,
  withoutMinus,
} from './points-kinds.ts'

/** The fields of the dialog. `turnover` is undefined until the user changes the default. */
export type PointsForm = {
  kind: Kind
  amount: string
  turnover: string | undefined
  wallet: Wallet
  remark: string
  /** A note to the approver, when it is above a limit. */
  reason: string
  overrides: boolean
}
export type PointsErrors = { amount?: string | undefined; turnover?: string | undefined; remark?: string }

type Props = {
  own: Answer<'user/view'>
  member: MemberView
  kinds: readonly Kind[]
  form: PointsForm
  onChange: (edited: Partial<PointsForm>) => void
  errors: PointsErrors
  points: Points
  /** Undefined where none is asked for. */
  turnover: string | undefined
  needsRemark: boolean
  /** A minus before the amount collects the points (TRF-02). */
  takesMinus: boolean
  /** Nothing of this kind can be moved now. */
  isStopped: boolean
  /** The amount is that of a member's request. */
  isBound: boolean
  /** The amount is that of a transfer that was refused. */
  isKept: boolean
  /** The amount was begun before the fields were there. */
  isBegun: boolean
}

const QUICK = ['50', '100', '200']
const QUICK_OFFICE = ['1000', '5000', '10000']

export const PointsFields = (props: Props) => {
  const { own, member, kinds, form, onChange, errors, turnover, isStopped } = props
  const { t } = useWords()
  const { kind } = form
  const asks = turnover !== undefined
  return (
    <>
      {kinds.length > 1 && (
        <Choice
          label={t('room.points_kind')}
          value={kind}
          options={kinds.map((each) => ({ value: each, label: t(kindWords[each]) }))}
          onChange={(next) => onChange({ kind: next, turnover: undefined })}
        />
      )}
      <StopNotice
        own={own}
        member={member}
        kind={kind}
        overrides={form.overrides}
        onOverride={(overrides) => onChange({ overrides })}
      />
      {choosesWallet(kind, member) && (
        <Choice
          label={t('transfer.wallet')}
          value={form.wallet}
          options={([1, 2] as const).map((each) => ({ value: each, label: t(walletWord(each)) }))}
          onChange={(next) => onChange({ wallet: next })}
        />
      )}
      <AmountField {...props} />
      {isStopped ? <Left {...props} /> : <BothWallets {...props} />}
      {!isStopped && (
        <div className={asks ? 'points-two' : undefined}>
          {asks && (
            <Field label={t('room.turnover')} error={errors.turnover}>
              {(control) => (
                <AmountInput
                  {...control}
                  disabled={locksTurnover(kind, own)}
                  value={turnover}
                  onChange={(next) => onChange({ turnover: next })}
                />
              )}
            </Field>
          )}
          <Field label={t('transfer.remark')} required={props.needsRemark} error={errors.remark}>
            {(control) => (
              <Input
                {...control}
                maxLength={MAX_REMARK}
                showCount
                value={form.remark}
                onChange={(event) => onChange({ remark: event.target.value })}
              />
            )}
          </Field>
        </div>
      )}
      {!isStopped && <ConsentNotice member={member} kind={kind} />}
      {!isStopped && (
        <ApprovalNotice offer={member.offers.find(({ type }) => type === kind)} points={props.points}>
          <Field label={t('approval.for_approver')}>
            {(control) => (
              <Input
                {...control}
                // The amount of a request cannot be changed: the reason is all that is asked for.
                autoFocus={props.isBound}
                maxLength={MAX_REASON}
                value={form.reason}
                onChange={(event) => onChange({ reason: event.target.value })}
              />
            )}
          </Field>
        </ApprovalNotice>
      )}
    </>
  )
}

/** The amount, large, with the usual amounts and that of last time below it. */
const AmountField = (props: Props) => {
  const { member, kinds, form, onChange, errors, points, takesMinus, isStopped, isBound, isKept, isBegun } = props
  const { t } = useWords()
  const box = useRef<HTMLDivElement>(null)
  const offer = member.offers.find(({ type }) => type === form.kind)
  const over = exceeded(offer, points)
  const stays = staysInGame(walletOf(form.kind, form.wallet, member), kinds)
  const hint = (over !== undefined || isKept || stays) && (
    <>
      {isKept && <span>{t('amount.kept')}</span>}
      {over !== undefined && <OverHint most={over} />}
      {stays && <span>{t('transfer.game_wallet_tip')}</span>}
    </>
  )
  const last = offer?.last ? shortest(pointsOf(offer.last)) : undefined
  const usual = (isOffice(member.role_id) ? QUICK_OFFICE : QUICK).filter((amount) => amount !== last)
  const choose = (amount: string) => {
    onChange({ amount })
    // Enter goes on from here; on the button it would only choose the amount again.
    box.current?.querySelector('input')?.focus()
  }
  return (
    <div className="points-amount" ref={box}>
      <Field label={t('transfer.amount')} required error={errors.amount} hint={hint}>
        {(control) => (
          <AmountInput
            {...control}
            autoFocus={isBegun ? 'behind' : !isBound}
            readOnly={isStopped || isBound}
            value={form.amount}
            onChange={(amount) => onChange(takesMinus ? withoutMinus(amount, form.kind, kinds) : { amount })}
          />
        )}
      </Field>
      {!isStopped && !isBound && (
        <div className="points-quick">
          {usual.map((amount) => (
            <button key={amount} type="button" className="filter-chip" onClick={() => choose(amount)}>
              {groupAmount(amount)}
            </button>
          ))}
          {last && (
            <button type="button" className="filter-chip" onClick={() => choose(last)}>
              {t('points.last_time')} <b className="points">{exactText(pointsOf(last))}</b>
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** Why the form goes no further. */
const OverHint = ({ most }: { most: Points }) => {
  const { t } = useWords()
  return (
    <span className="amount-over" role="status">
      {t('points.at_most', { amount: exactText(most) })}
    </span>
  )
}

const BothWallets = ({ own, member, form, points }: Props) => {
  const { t } = useWords()
  const wallet = walletOf(form.kind, form.wallet, member)
  return <Wallets differences={walletsOf({ t, own, member, kind: form.kind, points, wallet })} />
}

/** The wallet that the points would leave, and that nothing of it can be moved. */
const Left = ({ own, member, form }: Props) => {
  const { t } = useWords()
  const { kind } = form
  const [source] = walletsOf({ t, own, member, kind, points: 0n, wallet: walletOf(kind, form.wallet, member) })
  return (
    <dl className="wallets">
      <div>
        <dt>{source?.owner}</dt>
        <dd />
        <dd>
          <b>
            <Amount exact value={source?.before ?? 0n} unlimited={source?.unlimited ?? false} />
          </b>
        </dd>
      </div>
      <div>
        <dt className="quiet">{t(takes(kind) ? 'points.can_take' : 'points.can_give')}</dt>
        <dd />
        <dd>
          <b>
            <Amount value={0n} />
          </b>
        </dd>
      </div>
    </dl>
  )
}

type ChoiceProps<V extends number> = {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** One of several, side by side; they wrap to as many lines as their labels need. */
function Choice<V extends number>({ label, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="points-choice">
      <legend>{label}</legend>
      <div>
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={name} checked={value === option.value} onChange={() => onChange(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
