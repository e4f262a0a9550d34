import { useState } from 'react'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog.tsx'
import { notify } from '../../ui/overlay/message.tsx'

type Props = { id: number; name: string; onClose: () => void }

/** Asks a second admin to approve that a member is erased. */
export const EraseDialog = ({ id, name, onClose }: Props) => {
  const { t } = useWords()
  const erase = useSend('person/erase', { refreshes: ['person/view', 'change/list', 'approval/open', 'userMenu/list'] })
  const [password, setPassword] = useState('')
  const { needsPassword, shown } = passwordRefusal('person/erase', erase.error)
  const onSuccess = () => {
    notify.done(t('change.asked'))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('change.erase_now', { name })}
      act={t('person.ask')}
      danger
      isBusy={erase.isPending}
      error={shown}
      onConfirm={() => erase.mutate({ id, ...(password ? { current_password: password } : {}) }, { onSuccess })}
      onClose={onClose}
    >
      <div className="person-erase">
        <p>{t('person.erase_goes')}</p>
        <p>{t('person.erase_stays')}</p>
        <p>{t('person.erase_twice')}</p>
      </div>
      {needsPassword && <PasswordAgain value={password} onChange={setPassword} />}
    </ConfirmDialog>
  )
}
