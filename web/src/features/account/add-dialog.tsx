import { useMatches } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { AvatarField, isUsername, PasswordField, TextField, usePasswordErrors } from './fields.tsx'

const emptyForm = { username: '', nickname: '', password: '', confirmation: '', thumbnail: '' }
type Errors = Partial<Record<keyof typeof emptyForm, string>>

type Props = { kind: 'agent' | 'customer_service'; onClose: () => void }

/** ACC-07. Typed input stays after any answer (ACC-13). */
export const AddDialog = ({ kind, onClose }: Props) => {
  const { t } = useWords()
  const listTitle = useMatches().at(-1)?.staticData.addTitle
  const add = useSend(kind === 'agent' ? 'user/addAgent' : 'user/add', { refreshes: ['user/list', 'home/steps'] })
  const passwordErrors = usePasswordErrors()
  const [typed, setTyped] = useState(emptyForm)
  const [errors, setErrors] = useState<Errors>({})
  const [reading, setReading] = useState(false)
  const put = (key: keyof typeof emptyForm) => (value: string) => {
    setTyped((before) => ({ ...before, [key]: value }))
    setErrors(({ [key]: _, ...rest }) => rest)
  }

  const submit = () => {
    if (add.isPending) return
    const found: Errors = {
      ...(isUsername(typed.username) ? {} : { username: t('account.username_rule') }),
      ...passwordErrors(typed),
    }
    setErrors(found)
    if (Object.keys(found).length) return
    const { username, nickname, password, confirmation, thumbnail } = typed
    add.mutate(
      {
        username: username.trim(),
        nickname: nickname.trim(),
        password,
        password_confirmation: confirmation,
        thumbnail,
      },
      {
        onSuccess: () => {
          notify.done(t('done.created'))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={t(kind === 'agent' ? 'account.add_agent' : (listTitle ?? 'account.add_customer_service'))}
      onClose={onClose}
      onSubmit={submit}
      buttons={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button type="primary" htmlType="submit" loading={add.isPending} disabled={reading}>
            {t('account.create')}
          </Button>
        </>
      }
    >
      {add.error && <Alert text={add.error.message} />}
      <AvatarField
        value={typed.thumbnail}
        name={typed.nickname || typed.username}
        onChange={put('thumbnail')}
        onReading={setReading}
      />
      <TextField
        label={t('account.username')}
        required
        autoFocus
        maxLength={10}
        autoComplete="off"
        hint={t('account.username_rule')}
        value={typed.username}
        onChange={put('username')}
        error={errors.username}
      />
      <TextField label={t('account.nickname')} maxLength={30} value={typed.nickname} onChange={put('nickname')} />
      <PasswordField
        label={t('account.password')}
        required
        hint={`${t('account.password_rule')}. ${t('account.password_once')}`}
        value={typed.password}
        onChange={put('password')}
        error={errors.password}
      />
      <PasswordField
        label={t('account.password_again')}
        required
        value={typed.confirmation}
        onChange={put('confirmation')}
        error={errors.confirmation}
      />
    </Dialog>
  )
}
