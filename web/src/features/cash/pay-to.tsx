import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Fact } from '../../ui/fact.tsx'
import { AccountNumber } from './account-number.tsx'

/** The holder of the bank account of a request. */
export const useHolder = (row: CashRow): string | undefined => {
  const accounts = useCall(
    'members/bank-card',
    { member_id: row.member_id },
    { enabled: row.account_id !== null, meta: { optional: true } },
  )
  return accounts.data?.data.find(({ id }) => id === row.account_id)?.account_name
}

/** The bank account of a request. */
export const PayTo = ({ row }: { row: CashRow }) => {
  const { t } = useWords()
  const holder = useHolder(row)
  return (
    <>
      <Fact label={t(row.direction === 'out' ? 'requests.pay_to' : 'requests.account')}>
        <AccountNumber row={row} />
      </Fact>
      {row.account_now && (
        <Fact label={t('requests.account_asked')}>
          <bdi>
            {row.bank} {row.account_no}
          </bdi>
        </Fact>
      )}
      {holder && (
        <Fact label={t('bank.account_name')}>
          <bdi>{holder}</bdi>
        </Fact>
      )}
    </>
  )
}
