import { useCall } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Button } from '../../ui/control/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert } from '../../ui/overlay/message.tsx'
import { BankForm } from './bank-form.tsx'
import type { BankOwner } from './draft.ts'
import { useState } from 'react'
import './bank.css'

/** The bank accounts of a room's member: one, or as many as there are slots (BANK-01, BANK-03). */
export const BankDialog = ({ room, onClose }: { room: BankOwner; onClose: () => void }) => {
  const { t } = useWords()
  const setting = useCall('members/hasBankCardSetting', {})
  const banks = useCall('orderType/list', {})
  const cards = useCall('members/bank-card', { member_id: room.member_id })
  const [typed, setTyped] = useState(false)
  const error = setting.error ?? banks.error ?? cards.error
  if (setting.data && banks.data && cards.data) {
    const { has_bank_card_setting: several, bank_card_amount: slots } = setting.data
    return (
      <BankForm
        // A new key after another user's save: the form starts again instead of overwriting it.
        key={cards.data.data.map((card) => `${card.id} ${card.account_no} ${card.bank_id}`).join()}
        room={room}
        several={several === 1}
        slots={slots}
        banks={banks.data.data}
        cards={cards.data}
        typed={typed}
        onTyped={setTyped}
        onClose={onClose}
      />
    )
  }
  const retry = () => void Promise.all([setting.refetch(), banks.refetch(), cards.refetch()])
  return (
    <Dialog
      title={t('bank.title')}
      onClose={onClose}
      buttons={<Button onClick={error ? retry : onClose}>{t(error ? 'action.try_again' : 'action.cancel')}</Button>}
    >
      {error ? <Alert text={error.message} /> : <p role="status">{t('table.loading')}</p>}
    </Dialog>
  )
}
