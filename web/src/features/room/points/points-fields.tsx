import { TransferKind } from '@tallyroom/contract/codes'
import { mayWait, transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import { Link } from '@tanstack/react-router'
import { Input } from 'antd'
import { useId } from 'react'
import { Amount } from '../../../ui/amount.tsx'
import { AmountInput } from '../../../ui/form/amount-input.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { isMasked } from '../../../ui/masked.ts'
import { Person } from '../../../ui/person.tsx'
import { pointsOf } from '../../../ui/points-of.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { balanceIn, walletWord } from './points-confirmation.tsx'
import {
  asksTurnover,
  choosesWallet,
  type Kind,
  kindWords,
  locksTurnover,
  takes,
  type Wallet,
  walletOf,
} from './points-kinds.ts'

/** The fields of the dialog. `turnover` is undefined until the user changes the default. */
export type PointsForm = {
  kind: Kind
  amount: string
  turnover: string | undefined
  wallet: Wallet
  remark: string
  overrides: boolean
}
export type PointsErrors = { amount?: string; turnover?: string; remark?: string }

type Props = {
  own: Answer<'user/view'>
  member: Answer<'member/view'>
  kinds: readonly Kind[]
  form: PointsForm
  onChange: (change: Partial<PointsForm>) => void
  errors: PointsErrors
  points: Points
  turnover: string
  due: string | undefined
}

const REMARK = 50

export const PointsFields = (props: Props) => {
  const { own, member, kinds, form, onChange, errors, points, turnover } = props
  const { t } = useWords()
  const { kind } = form
  const wallet = walletOf(kind, form.wallet, member)
  return (
    <>
      <p className="dialog-who room-points-who">
        <Person who={member} />
        {!isMasked(member.username) && (
          // ENV-10
          <Link to="/transaction/list/{-$username}" params={{ username: member.username }}>
            {t('room.history')}
          </Link>
        )}
      </p>
      {kinds.length > 1 && (
        <Choice
          label={t('room.points_kind')}
          value={kind}
          options={kinds.map((each) => ({ value: each, label: t(kindWords[each]) }))}
          onChange={(next) => onChange({ kind: next, turnover: undefined })}
        />
      )}
      {choosesWallet(kind, member) && (
        <Choice
          label={t('transfer.wallet')}
          value={form.wallet}
          options={([1, 2] as const).map((each) => ({ value: each, label: t(walletWord(each)) }))}
          onChange={(next) => onChange({ wallet: next })}
        />
      )}
      <Field
        label={t('transfer.amount')}
        required
        error={errors.amount}
        hint={<BalanceHint now={balanceIn(member, wallet)} change={takes(kind) ? -points : points} />}
      >
        {(control) => (
          <AmountInput {...control} autoFocus value={form.amount} onChange={(amount) => onChange({ amount })} />
        )}
      </Field>
      {asksTurnover(kind, member) && (
        <Field label={t('room.turnover')} error={errors.turnover} hint={t('room.turnover_hint')}>
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
      <Field label={t('transfer.remark')} required={transferKinds[kind].needsRemark} error={errors.remark}>
        {(control) => (
          <Input
            {...control}
            maxLength={REMARK}
            showCount
            value={form.remark}
            onChange={(event) => onChange({ remark: event.target.value })}
          />
        )}
      </Field>
      {kind === TransferKind.receive && <FlowNotice {...props} />}
      {member.consent_needed === 1 && mayWait(kind) && <p className="c-note">{t('room.consent_needed')}</p>}
    </>
  )
}

/** The member's balance now and after the transfer. */
const BalanceHint = ({ now, change }: { now: Points; change: Points }) => {
  const { t } = useWords()
  return (
    <span className="hint-balance">
      {t('transfer.their_balance')} <Amount value={now} />
      {change !== 0n && (
        <>
          {' → '}
          <Amount value={now + change} />
        </>
      )}
    </span>
  )
}

/** Taking points back is refused while turnover is due, unless the user may override it. */
const FlowNotice = ({ own, due, form, onChange }: Props) => {
  const { t } = useWords()
  const may = own.flow_limit_modify_permission === 1
  if (due !== undefined && pointsOf(due) === 0n) return null
  if (due === undefined && !may) return null
  return (
    <div className="points-flow">
      {due !== undefined && (
        <p>
          {t('room.flow_due')} <Amount exact value={due} />
        </p>
      )}
      {may && (
        <label className="switch-line">
          <input
            type="checkbox"
            checked={form.overrides}
            onChange={(event) => onChange({ overrides: event.target.checked })}
          />
          {t('room.flow_override')}
        </label>
      )}
    </div>
  )
}

type ChoiceProps<V extends number> = {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** A choice that wraps to as many lines as its labels need. */
function Choice<V extends number>({ label, value, options, onChange }: ChoiceProps<V>) {
  const name = useId()
  return (
    <fieldset className="choice points-choice">
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
