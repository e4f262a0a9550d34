import { MAX_BANK_REFERENCE } from '@tallyroom/contract/lengths'
import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { useState } from 'react'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { Amount } from '../../ui/amount.tsx'
import { Check } from '../../ui/form/check.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { nameOf } from '../../ui/person.tsx'
import type { Confirmation } from '../../domain/transfer-steps/step-parts.tsx'
import type { WalletDifference } from '../../domain/transfer-steps/wallets.tsx'
import { AccountNumber } from './account-number.tsx'
import { useHolder } from './pay-to.tsx'

type Looked = { t: Translate; row: CashRow; reference: { current: string } }

/** The last look before a request is paid: what happens at the bank, and what to the points, in one direction. */
export const lastLookOf = ({ t, row, reference }: Looked, transfer: Confirmation): Confirmation => {
  const values = { amount: exactAmount(row.amount), name: nameOf(row) }
  const number = { label: t('requests.number'), value: row.id }
  const field = (
    <ReferenceField value={reference.current} onChange={(text) => Object.assign(reference, { current: text })} />
  )
  // Its kind is the request's direction, from the group's side; and a remark is filled in a step before.
  const rest = transfer.lines
    .slice(1)
    .filter(({ label, value }) => label !== t('transfer.remark') || typeof value === 'string')
  if (row.direction === 'in') {
    const account = row.account_no ? [{ label: t('requests.account'), value: <AccountNumber row={row} /> }] : []
    return { ...transfer, act: t('requests.pay_in', values), lines: [number, ...account, ...rest], field }
  }
  const pledge: Pick<Confirmation, 'pledge'> = row.maybe_paid
    ? {
        pledge: (isOn, onChange) => (
          <Check isOn={isOn} onChange={onChange}>
            {t('requests.looked')}
          </Check>
        ),
      }
    : {}
  const [theirs] = transfer.wallets ?? []
  const { wallets: _, ...looked } = transfer
  return {
    ...looked,
    act: t('requests.have_paid', values),
    question: t('transfer.sure', { act: t('requests.pay_out', values) }),
    // Not in or out: the amount is what the bank moves.
    who: row.nickname ? `${row.nickname} (${row.username})` : row.username,
    amount: <Amount exact value={row.amount} />,
    lines: [
      ...(row.account_no ? [{ label: t('requests.at_bank'), value: <BankLine row={row} /> }] : []),
      ...(theirs ? [{ label: t('room.points_word'), value: <PointsLine difference={theirs} /> }] : []),
      number,
      ...rest,
    ],
    field,
    ...pledge,
  }
}

const BankLine = ({ row }: { row: CashRow }) => {
  const holder = useHolder(row)
  return (
    <span className="last-look">
      <Amount exact value={row.amount} /> <span aria-hidden="true">→</span> <AccountNumber row={row} />
      {holder && <bdi className="quiet">{holder}</bdi>}
    </span>
  )
}

const PointsLine = ({ difference: { owner, before, after } }: { difference: WalletDifference }) => {
  const { t } = useWords()
  return (
    <span className="last-look">
      {owner} <span className="visually-hidden">{t('history.balance_before')} </span>
      <Amount exact value={before} /> <span aria-hidden="true">→</span>{' '}
      <span className="visually-hidden">{t('history.balance')} </span>
      <b>
        <Amount exact value={after} />
      </b>
    </span>
  )
}

/** What the bank calls the payment. It keeps what is typed while the steps change. */
const ReferenceField = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => {
  const { t } = useWords()
  const [text, setText] = useState(value)
  return (
    <TextField
      label={t('requests.reference')}
      autoComplete="off"
      maxLength={MAX_BANK_REFERENCE}
      value={text}
      onChange={(typed) => {
        setText(typed)
        onChange(typed)
      }}
    />
  )
}
