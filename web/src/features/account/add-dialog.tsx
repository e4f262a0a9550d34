import { MAX_NICKNAME, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { newUsername } from '@tallyroom/contract/text/typed-key'
import { roleWords } from '@tallyroom/contract/words/code-words'
import { Role } from '@tallyroom/contract/codes'
import { useMatches } from '@tanstack/react-router'
import { Button, Radio } from 'antd'
import { useState } from 'react'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from '../../ui/form/field.tsx'
import { nameOf } from '../../ui/person.tsx'
import { AvatarField, isUsername, PasswordPair, TextField, usePasswordErrors } from './fields.tsx'

const emptyForm = { username: '', nickname: '', password: '', confirmation: '', thumbnail: '' }
type Errors = Partial<Record<keyof typeof emptyForm, string>>

/** TREE-02: below which account, and as what. */
type Place = { id: number; name: string; roles: readonly NewRole[] }
export type NewRole = typeof Role.admin | typeof Role.agent | typeof Role.customerService
type Props = { onClose: () => void; onAdded?: (id: number) => void } & (
  | { kind: 'agent' | 'customer_service'; below?: undefined }
  | { kind?: undefined; below: Place }
)

/** ACC-07. Typed input stays after any answer (ACC-13). */
export const AddDialog = ({ kind, below, onClose, onAdded }: Props) => {
  const { t } = useWords()
  const listTitle = useMatches().at(-1)?.staticData.addTitle
  const [role, setRole] = useState<NewRole>(below?.roles[0] ?? Role.agent)
  const add = useSend(below ? 'tree/add' : kind === 'agent' ? 'user/addAgent' : 'user/add', {
    refreshes: ['user/list', 'home/steps'],
  })
  const passwordErrors = usePasswordErrors()
  const [typed, setTyped] = useState(emptyForm)
  const [errors, setErrors] = useState<Errors>({})
  const [reading, setReading] = useState(false)
  const change = (changed: Partial<typeof emptyForm>) => {
    setTyped((before) => ({ ...before, ...changed }))
    const isLeft = ([key]: [string, string]) => !Object.hasOwn(changed, key)
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(isLeft)))
  }
  const put = (key: keyof typeof emptyForm) => (value: string) => change({ [key]: value })

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
        ...(below ? { parent_id: below.id, role_id: role } : {}),
      },
      {
        onSuccess: ({ id }) => {
          notify.done(t('done.created'))
          onClose()
          onAdded?.(id)
        },
      },
    )
  }
  return (
    <Dialog
      title={
        below
          ? t('tree.add_below', { name: below.name })
          : t(kind === 'agent' ? 'account.add_agent' : (listTitle ?? 'account.add_customer_service'))
      }
      onClose={onClose}
      onSubmit={submit}
      hasChanges={Object.values(typed).some((text) => text !== '')}
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
      {below && (
        <Field label={t('tree.role')} hint={t('tree.add_hint', { name: below.name })}>
          {(control) => (
            <Radio.Group
              {...control}
              optionType="button"
              value={role}
              onChange={(event) => setRole(event.target.value as NewRole)}
              options={below.roles.map((value) => ({ value, label: t(roleWords[value] ?? 'role.agent') }))}
            />
          )}
        </Field>
      )}
      <AvatarField value={typed.thumbnail} name={nameOf(typed)} onChange={put('thumbnail')} onReading={setReading} />
      <TextField
        label={t('account.username')}
        required
        autoFocus
        maxLength={MAX_TYPED_NAME}
        autoComplete="off"
        hint={t('account.username_rule')}
        value={typed.username}
        onChange={(text) => put('username')(newUsername(text))}
        error={errors.username}
      />
      <TextField
        label={t('account.nickname')}
        maxLength={MAX_NICKNAME}
        value={typed.nickname}
        onChange={put('nickname')}
      />
      <PasswordPair
        label={t('account.password')}
        again={t('account.password_again')}
        hint={`${t('account.password_rule')}. ${t('account.password_once')}`}
        required
        typed={typed}
        errors={errors}
        onChange={change}
      />
    </Dialog>
  )
}
