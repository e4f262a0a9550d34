import { Button } from 'antd'
import { useState } from 'react'
import { refusedBy } from '../../api/call.ts'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { CurrentPassword } from '../../ui/form/current-password.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'

type Props = { id: number; name: string; onClose: () => void }

/** Asks a second admin to approve that a member is erased. */
export const EraseDialog = ({ id, name, onClose }: Props) => {
  const { t } = useWords()
  const erase = useSend('person/erase', { refreshes: ['person/view', 'change/list', 'approval/open', 'userMenu/list'] })
  const [password, setPassword] = useState('')
  const refusal = (one: 'session.needs_password' | 'session.wrong_password') =>
    refusedBy('person/erase', erase.error, one)
  const needsPassword = refusal('session.needs_password') || refusal('session.wrong_password')
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
      {erase.error && !refusal('session.needs_password') && <Alert text={erase.error.message} />}
      <div className="person-erase">
        <p>{t('person.erase_goes')}</p>
        <p>{t('person.erase_stays')}</p>
        <p>{t('person.erase_twice')}</p>
      </div>
      {needsPassword && <CurrentPassword value={password} onChange={setPassword} />}
    </Dialog>
  )
}
