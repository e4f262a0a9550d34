import { useState } from 'react'
import type { PayTo } from '@tallyroom/contract/calls/points/cash'
import { exactAmount } from '../../chat/model/message-kinds.ts'
import { mediaSrc } from '../../chat/model/media-src.ts'
import { useWords } from '../../i18n/i18n.ts'
import { copyText } from '../../lib/clipboard.ts'
import { Icon } from '../../ui/icon.tsx'
import { takeFocus } from '../../ui/keyboard/focus.ts'

type Props = {
  payTo: PayTo
  /** It was just asked for: a second Enter must not send the request that the member has not paid yet. */
  isNew: boolean
  onOther: () => void
}

/** CASH-08: the account to pay to and the exact amount, each to be copied into a banking app. */
export const PayToAccount = ({ payTo, isNew, onOther }: Props) => {
  const { t } = useWords()
  const { bank, account_name, account_no, amount, qr } = payTo
  const [said, setSaid] = useState('')
  const copy = async (text: string) => setSaid((await copyText(text)) ? t('message.copied') : '')
  return (
    <section className="m-pay" aria-labelledby="m-pay" tabIndex={-1} ref={isNew ? takeFocus : undefined}>
      <h4 id="m-pay">{t('cash.pay_exactly')}</h4>
      <p className="m-pay-amount">
        <strong className="points">{exactAmount(amount)}</strong>
        <Copy what={t('cash.amount')} onPress={() => copy(exactAmount(amount).replaceAll(',', ''))} />
      </p>
      <dl>
        <div>
          <dt>{t('bank.bank')}</dt>
          <dd>
            <bdi>{bank}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t('bank.account_no')}</dt>
          <dd>
            <bdi className="points">{account_no}</bdi>
            <Copy what={t('bank.account_no')} onPress={() => copy(account_no)} />
          </dd>
        </div>
        <div>
          <dt>{t('bank.account_name')}</dt>
          <dd>
            <bdi>{account_name}</bdi>
            <Copy what={t('bank.account_name')} onPress={() => copy(account_name)} />
          </dd>
        </div>
      </dl>
      <p className="c-note" role="status">
        {said}
      </p>
      {qr && <img className="m-pay-qr" src={mediaSrc(qr)} alt={t('receiving.qr')} />}
      <button type="button" className="c-link" onClick={onOther}>
        {t('action.back')}
      </button>
    </section>
  )
}

const Copy = ({ what, onPress }: { what: string; onPress: () => Promise<void> }) => {
  const { t } = useWords()
  const label = t('cash.copy', { what })
  return (
    <button type="button" className="m-pay-copy" aria-label={label} title={label} onClick={() => void onPress()}>
      <Icon name="copy" size={18} />
    </button>
  )
}
