import { MAX_NICKNAME, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { newUsername } from '@tallyroom/contract/text/typed-key'
import { roleWords } from '@tallyroom/contract/words/code-words'
import { Role } from '@tallyroom/contract/codes'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import { Segments } from '../../ui/control/segments.tsx'
import { notify } from '../../ui/overlay/message.tsx'
import { useSend } from '../../api/use-call.ts'
import { useWords } from '../../i18n/i18n.ts'
import { Field } from '../../ui/form/field.tsx'
import { FormDialog } from '../../ui/form/form-dialog.tsx'
import { nameOf } from '../../ui/person.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { AvatarField, isUsername, PasswordPair, passwordRules } from './fields.tsx'

const emptyForm = { username: '', nickname: '', password: '', confirmation: '', thumbnail: '' }

/** TREE-02: below which account, and as what. */
type UplineChoice = { id: number; name: string; roles: readonly NewRole[] }
export type NewRole = typeof Role.admin | typeof Role.agent | typeof Role.customerService
type Props = { onClose: () => void; onAdded?: (id: number) => void } & (
  | { kind: keyof typeof calls; below?: undefined }
  | { kind?: undefined; below: UplineChoice }
)

const calls = { agent: 'user/addAgent', customer_service: 'user/add', member: 'user/addMember' } as const
const titles = {
  agent: 'account.add_agent',
  customer_service: 'account.add_customer_service',
  member: 'account.add_member',
} as const

/** ACC-07. Typed input stays after any answer (ACC-13). */
export const AddDialog = ({ kind, below, onClose, onAdded }: Props) => {
  const { t } = useWords()
  const listTitle = useMatches().at(-1)?.staticData.addTitle
  const add = useSend(below ? 'tree/add' : calls[kind], {
    refreshes: ['user/list', 'home/steps'],
  })
  const [role, setRole] = useState<NewRole>(below?.roles[0] ?? Role.agent)
  const [reading, setReading] = useState(false)
  const form = useForm(emptyForm, {
    username: (text) => !isUsername(text) && t('account.username_rule'),
    ...passwordRules(t),
  })
  const username = form.field('username')
  const submit = form.submit(
    (draft) =>
      add.mutateAsync({
        username: draft.username.trim(),
        nickname: draft.nickname.trim(),
        password: draft.password,
        password_confirmation: draft.confirmation,
        thumbnail: draft.thumbnail,
        ...(below ? { parent_id: below.id, role_id: role } : {}),
      }),
    ({ id }) => {
      notify.done(t('done.created'))
      onClose()
      onAdded?.(id)
    },
  )
  return (
    <FormDialog
      title={
        below
          ? t('tree.add_below', { name: below.name })
          : t(kind === 'customer_service' ? (listTitle ?? titles[kind]) : titles[kind])
      }
      act={t('account.create')}
      form={form}
      disabled={reading}
      onSubmit={submit}
      onClose={onClose}
    >
      {below && (
        <Field label={t('tree.role')} hint={t('tree.add_hint', { name: below.name })}>
          {(control) => (
            <Segments
              {...control}
              label={t('tree.role')}
              options={below.roles.map((value) => ({ value, label: t(roleWords[value] ?? 'role.agent') }))}
              value={role}
              onChange={setRole}
            />
          )}
        </Field>
      )}
      <AvatarField
        value={form.draft.thumbnail}
        name={nameOf(form.draft)}
        onChange={form.field('thumbnail').onChange}
        onReading={setReading}
      />
      <TextField
        {...username}
        onChange={(text) => username.onChange(newUsername(text))}
        label={t('account.username')}
        required
        autoFocus
        maxLength={MAX_TYPED_NAME}
        autoComplete="off"
        hint={t('account.username_rule')}
      />
      <TextField label={t('account.nickname')} maxLength={MAX_NICKNAME} {...form.field('nickname')} />
      <PasswordPair
        label={t('account.password')}
        again={t('account.password_again')}
        hint={`${t('account.password_rule')}. ${t('account.password_once')}`}
        required
        field={form.field}
      />
    </FormDialog>
  )
}
