import { Button } from 'antd'
import { useState } from 'react'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'

type Props = { id: number; name: string; onClose: () => void }

/** Asks a second admin to approve that a member is erased. */
export const EraseDialog = ({ id, name, onClose }: Props) => {
  const { t } = useWords()
  const erase = useSend('person/erase', { refreshes: ['person/view', 'change/list', 'approval/open', 'userMenu/list'] })
  const [password, setPassword] = useState('')
  const { needsPassword, shown } = passwordRefusal('person/erase', erase.error)
  const submit = () => {
    if (erase.isPending) return
    erase.mutate(
      { id, ...(password ? { current_password: password } : {}) },
      {
        onSuccess: () => {
          notify.done(t('change.asked'))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t('change.erase_now', { name })}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" danger htmlType="submit" loading={erase.isPending}>
            {t('person.ask')}
          </Button>
        </>
      }
    >
      {shown && <Alert text={shown.message} />}
      <div className="person-erase">
        <p>{t('person.erase_goes')}</p>
        <p>{t('person.erase_stays')}</p>
        <p>{t('person.erase_twice')}</p>
      </div>
      {needsPassword && <PasswordAgain value={password} onChange={setPassword} />}
    </Dialog>
  )
}
