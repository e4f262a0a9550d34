import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { isOpenCash } from '@tallyroom/contract/cash'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { call } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { useWords } from '../../i18n/i18n.ts'
import { copyText } from '../../lib/clipboard.ts'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { notify } from '../../ui/overlay/message.tsx'
import './last-look.css'

/** The bank account to pay to: as it is now, and of a request that has ended as it was. */
export const accountOf = ({ account_now, bank, account_no }: CashRow) => account_now ?? { bank, account_no }

/** The whole number, once it was asked for, of this version of the account. */
type Shown = { version: string | null; number: string }
const ShownNumber = createContext<readonly [Shown | undefined, (shown: Shown) => void]>([undefined, () => {}])

/** The drawer and the dialog above it: a number that one of them shows stays shown in the other. */
export const SharesNumber = ({ children }: { children: ReactNode }) => {
  const shown = useState<Shown>()
  return <ShownNumber value={shown}>{children}</ShownNumber>
}

/**
 * Bank and number. While the request is open, the whole number is shown on demand, which is logged, and can be copied
 * then.
 */
export const AccountNumber = ({ row }: { row: CashRow }) => {
  const { t } = useWords()
  const [shown, setShown] = useContext(ShownNumber)
  const [isAsked, setAsked] = useState(false)
  const number = shown?.version === row.account_version ? shown.number : ''
  const { bank, account_no } = accountOf(row)
  const mayShow = row.account_id !== null && !row.warnings.includes('account_gone') && isOpenCash(row.state)
  const show = async () => {
    try {
      const found = await call('members/bank-account/show', { member_id: row.member_id, id: row.account_id ?? 0 })
      setAsked(true)
      setShown({ version: row.account_version, number: found.account_no })
    } catch (error) {
      notify.refused(errorText(error))
    }
  }
  const copy = async () => {
    if (await copyText(number)) notify.done(t('security.copied'))
    else notify.refused(t('security.not_copied'))
  }
  return (
    <>
      {/* It takes the place of the button, and is read out. */}
      <bdi key={number} className="request-number" {...(number && isAsked ? { tabIndex: -1, ref: takeFocus } : {})}>
        {bank} {number || account_no}
      </bdi>{' '}
      {!number && mayShow && (
        <button type="button" className="request-link" title={t('bank.show_hint')} onClick={() => void show()}>
          {t('bank.show')}
        </button>
      )}
      {number && (
        <button type="button" className="request-link" onClick={() => void copy()}>
          {t('requests.copy_number')}
        </button>
      )}
    </>
  )
}
