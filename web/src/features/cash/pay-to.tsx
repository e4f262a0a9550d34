import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { isOpenCash } from '@tallyroom/contract/cash'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Fact } from '../../ui/fact.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { notify } from '../../ui/overlay/message.tsx'

/** The bank account to pay to: as it is now, and of a request that has ended as it was. */
export const accountOf = ({ account_now, bank, account_no }: CashRow) => account_now ?? { bank, account_no }

/** The bank account of a request. While it is open, the whole number is shown on demand, which is logged. */
export const PayTo = ({ row }: { row: CashRow }) => {
  const { t } = useWords()
  const [number, setNumber] = useState('')
  const { bank, account_no } = accountOf(row)
  const isGone = row.warnings.includes('account_gone')
  const accounts = useCall(
    'members/bank-card',
    { member_id: row.member_id },
    { enabled: row.account_id !== null, meta: { optional: true } },
  )
  const holder = accounts.data?.data.find(({ id }) => id === row.account_id)?.account_name
  const show = async () => {
    try {
      const { account_no } = await call('members/bank-account/show', {
        member_id: row.member_id,
        id: row.account_id ?? 0,
      })
      setNumber(account_no)
    } catch (error) {
      notify.refused(errorText(error))
    }
  }
  return (
    <>
      <Fact label={t(row.direction === 'out' ? 'requests.pay_to' : 'requests.account')}>
        {/* It takes the place of the button, and is read out. */}
        <bdi key={number} {...(number ? { tabIndex: -1, ref: takeFocus } : {})}>
          {bank} {number || account_no}
        </bdi>{' '}
        {!number && row.account_id !== null && !isGone && isOpenCash(row.state) && (
          <button type="button" className="request-link" title={t('bank.show_hint')} onClick={() => void show()}>
            {t('bank.show')}
          </button>
        )}
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
