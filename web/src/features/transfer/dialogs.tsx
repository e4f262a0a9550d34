import { Role, WalletKind } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import { parsePoints } from '@tallyroom/contract/points'
import { useQueryClient } from '@tanstack/react-query'
import { Input, Radio } from 'antd'
import { useId, useState } from 'react'
import { call } from '../../api/call.ts'
import { Amount, available } from '../../ui/amount.tsx'
import { AmountInput } from '../../ui/form/amount-input.tsx'
import { amountToSend } from '../../ui/form/amount-text.ts'
import { Field } from '../../ui/form/field.tsx'
import { Person } from '../../ui/person.tsx'
import { pointsOf } from '../../ui/points-of.ts'
import { refresh, useCall } from '../../api/use-call.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { PointsSteps } from './steps.tsx'

type Row = Answer<'user/list'>['data'][number]
type OwnAccount = Answer<'user/view'>
type Wallet = 1 | 2

const REMARK = 50
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
  const [wallet, setWallet] = useState<Wallet>(1)
  const [amount, setAmount] = useState('')
  const [remark, setRemark] = useState('')
  const [errors, setErrors] = useState<{ amount?: string; remark?: string }>({})

  const mayDeduct = kind === 'transfer' && (wallet === WalletKind.main || own.data?.deduct_point_button_visible === 1)
  const check = () => {
    const sent = amountToSend(amount)
    const found = {
      ...(sent && (mayDeduct || !sent.startsWith('-')) ? {} : { amount: t('transfer.amount_needed') }),
      ...(remark.trim() ? {} : { remark: t('field.needed') }),
    }
    setErrors(found)
    if (!sent || Object.keys(found).length) return undefined
    return confirmationOf({ t, row, wallet, sent, remark: remark.trim(), own: own.data })
  }
  return (
    <PointsSteps
      title={t(kind === 'transfer' ? 'transfer.title' : 'deposit.title')}
      check={check}
      send={(extra) =>
        call('user/transaction', {
          id: row.id,
          amount: amountToSend(amount) ?? '',
          remark: remark.trim(),
          type: wallet,
          ...extra,
        })
      }
      onMoved={() => void refresh(cache, ['user/list', 'user/view', 'transaction/list', 'report/sr02'])}
      onClose={onClose}
      result={(moved) => [
        {
          label: t('transfer.their_balance'),
          value: <Amount value={moved.target_balance} unlimited={row.unlimited && wallet === WalletKind.main} />,
        },
      ]}
      form={
        <>
          <p className="dialog-who">
            <Person who={row} role />
          </p>
          {row.is_multiple_wallet === 1 && <WalletChoice row={row} wallet={wallet} onChange={setWallet} />}
          <Field
            label={t('transfer.amount')}
            required
            error={errors.amount}
            hint={<AmountHint row={row} wallet={wallet} amount={amount} minus={mayDeduct} />}
          >
            {(control) => (
              <AmountInput
                {...control}
                autoFocus
                value={amount}
                minus={mayDeduct}
                onChange={(clean) => {
                  setAmount(clean)
                  setErrors(({ amount: _, ...rest }) => rest)
                }}
              />
            )}
          </Field>
          <Field label={t('transfer.remark')} required error={errors.remark}>
            {(control) => (
              <Input
                {...control}
                maxLength={REMARK}
                showCount
                value={remark}
                onChange={(event) => {
                  setRemark(event.target.value)
                  setErrors(({ remark: _, ...rest }) => rest)
                }}
              />
            )}
          </Field>
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

/** The confirmation step, with the balances of both sides afterwards. */
const confirmationOf = ({ t, row, wallet, sent, remark, own }: ConfirmationInput) => {
  const points = parsePoints(sent) ?? 0n
  const taken = points < 0n
  const isUnlimited = row.unlimited && wallet === WalletKind.main
  // Customer service may spend its group's wallet; then only the server knows the balance.
  const known = own && own.role_id !== Role.customerService
  return {
    amount: <Amount exact value={taken ? -points : points} way={taken ? 'out' : 'in'} />,
    lines: [
      { label: t(taken ? 'transfer.from' : 'transfer.to'), value: <Person who={row} /> },
      { label: t('transfer.wallet'), value: t(walletWord(wallet)) },
      {
        label: t('transfer.their_balance_after'),
        value: <Amount exact value={balanceIn(row, wallet) + points} unlimited={isUnlimited} />,
      },
      ...(known
        ? [
            {
              label: t('transfer.own_balance_after'),
              value: <Amount exact value={available(own) - points} unlimited={own.unlimited} />,
            },
          ]
        : []),
      { label: t('transfer.remark'), value: remark },
    ],
  }
}

const WalletChoice = ({ row, wallet, onChange }: { row: Row; wallet: Wallet; onChange: (wallet: Wallet) => void }) => {
  const { t } = useWords()
  const id = useId()
  return (
    <fieldset className="choice" aria-labelledby={id}>
      <legend id={id}>{t('transfer.wallet')}</legend>
      <Radio.Group value={wallet} onChange={(event) => onChange(event.target.value === 2 ? 2 : 1)}>
        {([1, 2] as const).map((kind) => (
          <Radio key={kind} value={kind}>
            {t(walletWord(kind))} <Amount value={balanceIn(row, kind)} unlimited={row.unlimited && kind === 1} />
          </Radio>
        ))}
      </Radio.Group>
    </fieldset>
  )
}

type HintProps = { row: Row; wallet: Wallet; amount: string; minus: boolean }

/** The account's balance now and afterwards, and what a negative amount does, or that none is allowed. */
const AmountHint = ({ row, wallet, amount, minus }: HintProps) => {
  const { t } = useWords()
  const now = balanceIn(row, wallet)
  const points = pointsOf(amountToSend(amount) ?? '0')
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
      {wallet === WalletKind.game && !minus && <span>{t('transfer.game_wallet_tip')}</span>}
      {minus && <span>{t('transfer.minus_tip')}</span>}
    </>
  )
}
