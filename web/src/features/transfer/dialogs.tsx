import { MAX_REMARK } from '@tallyroom/contract/lengths'
import { WalletKind } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { isBlank } from '@tallyroom/contract/text/blank'
import { parsePoints, type Points } from '@tallyroom/contract/points'
import { views } from '@tallyroom/contract/transfer-kinds'
import { readAmount } from '@tallyroom/contract/text/typed-amount'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { call } from '../../api/call.ts'
import { signPoints } from '../../api/passkey.ts'
import { Amount, available, exactText } from '../../ui/amount.tsx'
import { RadioGroup } from '../../ui/control/radio.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { amountError } from '../../ui/form/amount-problem.ts'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Field } from '../../ui/form/field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type FieldState, useForm } from '../../ui/form/use-form.ts'
import { nameOf, Person, shortName } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import type { Confirmation } from '../../domain/transfer-steps/step-parts.tsx'
import { PointsSteps } from '../../domain/transfer-steps/steps.tsx'

type Row = Answer<'user/list'>['data'][number]
type OwnAccount = Answer<'user/view'>
type Wallet = 1 | 2

const walletWord = (wallet: Wallet) => (wallet === WalletKind.main ? 'wallet.main' : 'wallet.game')
const balanceIn = (row: Row, wallet: Wallet) =>
  wallet === WalletKind.main ? available(row) : pointsOf(row.game_wallet)

type Props = { row: Row; onClose: () => void }

/**
 * Moves points between the user's wallet and an account in the downline; a negative amount takes points back (TRF-02).
 */
export const TransferDialog = (props: Props) => <MoveDialog kind="transfer" {...props} />
/** Sends points to an account in the downline; no negative amounts (TRF-01). */
export const DepositDialog = (props: Props) => <MoveDialog kind="deposit" {...props} />

const MoveDialog = ({ kind, row, onClose }: Props & { kind: 'transfer' | 'deposit' }) => {
  const { t } = useWords()
  const cache = useQueryClient()
  const own = useCall('user/view', {})
  // Its balance decides whether the form goes on.
  useEffect(() => void refresh(cache, ['user/view']), [cache])
  const minusIn = (wallet: Wallet) => {
    const minus = kind === 'transfer' && (wallet === WalletKind.main || own.data?.deduct_point_button_visible === 1)
    return { minus, noMinus: kind === 'transfer' && !minus ? t('transfer.game_wallet_tip') : undefined }
  }
  const form = useForm(
    { wallet: 1 as Wallet, amount: '', remark: '' },
    {
      amount: (text, { wallet }) => amountError(t, text, minusIn(wallet)),
      remark: (text) => isBlank(text) && t('field.needed'),
    },
  )
  const { wallet, amount } = form.draft
  const remark = form.draft.remark.trim()
  const { minus: mayDeduct, noMinus } = minusIn(wallet)
  const sent = amountToSend(amount, mayDeduct)
  const most = mostOf(own.data, pointsOf(sent ?? '0'))
  const { error: amountWrong, ...amountField } = form.field('amount')
  return (
    <PointsSteps
      title={t(kind === 'transfer' ? 'transfer.title' : 'deposit.title')}
      blocked={most !== undefined}
      check={() => (form.check() && sent ? confirmationOf({ t, row, wallet, sent, remark, own: own.data }) : undefined)}
      send={(extra) =>
        call('user/transaction', {
          id: row.id,
          amount: sent ?? '',
          remark,
          type: wallet,
          ...extra,
        })
      }
      sign={(requestId) =>
        signPoints({
          call: 'user/transaction',
          id: row.id,
          amount: sent ?? '',
          type: wallet,
          request: requestId,
        })
      }
      onMoved={() => void refresh(cache, ['user/list', 'user/view', 'transaction/list', 'report/sr02'])}
      onClose={onClose}
      result={(moved) => [
        {
          label: nameOf(row),
          value: <Amount value={moved.target_balance} unlimited={row.unlimited && wallet === WalletKind.main} />,
        },
      ]}
      form={
        <>
          <p className="dialog-who">
            <Person who={row} role />
          </p>
          <p className="dialog-hint dialog-what">{t(mayDeduct ? 'transfer.what' : 'deposit.what')}</p>
          {row.is_multiple_wallet === 1 && <WalletChoice row={row} {...form.field('wallet')} />}
          <Field
            label={t('transfer.amount')}
            required
            error={amountWrong}
            hint={<AmountHint row={row} wallet={wallet} amount={amount} minus={mayDeduct} most={most} />}
          >
            {(control) => <AmountInput {...control} autoFocus minus={mayDeduct} noMinus={noMinus} {...amountField} />}
          </Field>
          <TextField label={t('transfer.remark')} required maxLength={MAX_REMARK} showCount {...form.field('remark')} />
        </>
      }
    />
  )
}

type ConfirmationInput = {
  t: Translate
  row: Row
  wallet: Wallet
  sent: string
  remark: string
  own: OwnAccount | undefined
}

/** The confirmation step, with the balances of both sides before and after. */
const confirmationOf = ({ t, row, wallet, sent, remark, own }: ConfirmationInput): Confirmation => {
  const points = parsePoints(sent) ?? 0n
  const taken = points < 0n
  const size = taken ? -points : points
  const name = nameOf(row)
  const theirs = {
    owner: (
      <>
        <bdi>{name}</bdi> {row.is_multiple_wallet === 1 && <span className="quiet">({t(walletWord(wallet))})</span>}
      </>
    ),
    before: balanceIn(row, wallet),
    after: balanceIn(row, wallet) + points,
    unlimited: row.unlimited && wallet === WalletKind.main,
  }
  // Customer service may spend its group's wallet; then only the server knows the balance.
  const paying =
    own?.payer === null
      ? [
          {
            owner: t('points.own_wallet'),
            before: available(own),
            after: available(own) - points,
            unlimited: own.unlimited,
          },
        ]
      : []
  return {
    act: t(taken ? 'points.do_take' : 'points.do_give', { amount: exactText(size), name: shortName(name) }),
    who: `${t((taken ? views.from : views.to).word)} · ${row.nickname ? `${name} (${row.username})` : name}`,
    amount: <Amount exact value={size} way={taken ? 'out' : 'in'} />,
    wallets: taken ? [theirs, ...paying] : [...paying, theirs],
    lines: [{ label: t('transfer.remark'), value: remark }],
  }
}

const WalletChoice = ({ row, value, onChange }: FieldState<Wallet> & { row: Row }) => {
  const { t } = useWords()
  const id = useId()
  return (
    <fieldset className="choice" aria-labelledby={id}>
      <legend id={id}>{t('transfer.wallet')}</legend>
      <RadioGroup
        options={([1, 2] as const).map((kind) => ({
          value: kind,
          label: (
            <>
              {t(walletWord(kind))} <Amount value={balanceIn(row, kind)} unlimited={row.unlimited && kind === 1} />
            </>
          ),
        }))}
        value={value}
        onChange={onChange}
      />
    </fieldset>
  )
}

/**
 * The most that the user's wallet can give, if the amount is more. Undefined where only the server knows: customer service
 * pays from its group's wallet, and the row of an account that gives points back may be as old as the list.
 */
const mostOf = (own: OwnAccount | undefined, points: Points): Points | undefined => {
  if (!own || own.payer || own.unlimited) return undefined
  const has = available(own)
  return points > has ? (has > 0n ? has : 0n) : undefined
}

type HintProps = { row: Row; wallet: Wallet; amount: string; minus: boolean; most: Points | undefined }

/** The account's balance now and afterwards, and what a negative amount does, or that none is allowed. */
const AmountHint = ({ row, wallet, amount, minus, most }: HintProps) => {
  const { t } = useWords()
  const now = balanceIn(row, wallet)
  const points = pointsOf(amountToSend(amount, minus) ?? '0')
  // Then the field itself says it.
  const isRefused = readAmount(amount, minus).problem === 'no_minus'
  const isUnlimited = row.unlimited && wallet === WalletKind.main
  return (
    <>
      <span className="hint-balance">
        {t('transfer.their_balance')} <Amount value={now} unlimited={isUnlimited} />
        {points !== 0n && !isUnlimited && (
          <>
            {' → '}
            <Amount value={now + points} />
          </>
        )}
      </span>
      {most !== undefined && (
        <span className="amount-over" role="status">
          {t('points.at_most', { amount: exactText(most) })}
        </span>
      )}
      {wallet === WalletKind.game && !minus && !isRefused && <span>{t('transfer.game_wallet_tip')}</span>}
    </>
  )
}
