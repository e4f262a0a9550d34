import { MAX_NEW_PASSWORD, MAX_NICKNAME } from '@tallyroom/contract/lengths'
import { isNewPassword } from '../../api/first-password.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Field } from '../field.tsx'
import { MemberForm } from '../form.tsx'
import { useOwnEdit } from './own-edit.ts'

type Props = { onDone: (text: string) => void }

/** SELF-01 */
export const NicknameForm = ({ nickname: before, onDone }: Props & { nickname: string }) => {
  const { t } = useWords()
  const save = useOwnEdit()
  const form = useForm({ nickname: before })
  const submit = form.submit(
    ({ nickname }) => save({ nickname: nickname.trim() }),
    () => onDone(t('member.saved')),
  )
  return (
    <MemberForm inSheet form={form} act={t('action.save')} onSubmit={submit}>
      <Field
        label={t('member.nickname')}
        name="nickname"
        hint={t('member.nickname_hint')}
        autoComplete="nickname"
        maxLength={MAX_NICKNAME}
        autoFocus
        {...form.field('nickname')}
      />
    </MemberForm>
  )
}

/** SELF-01: the server ends the member's other sessions when the password changes. */
export const PasswordForm = ({ username, onDone }: Props & { username: string }) => {
  const { t } = useWords()
  const save = useOwnEdit()
  const form = useForm(
    { current_password: '', chosen: '', again: '' },
    {
      current_password: (text) => !text && t('session.needs_password'),
      chosen: (text) => !isNewPassword(text) && t('member.password_hint'),
      again: (text, { chosen }) => text !== chosen && t('account.passwords_differ'),
    },
  )
  const submit = form.submit(
    ({ current_password, chosen, again }) => save({ current_password, password: chosen, password_confirmation: again }),
    () => onDone(t('account.password_changed')),
  )
  const password = (name: 'current_password' | 'chosen' | 'again') =>
    ({ name, type: 'password', required: true, ...form.field(name) }) as const
  return (
    <MemberForm inSheet form={form} act={t('account.change_password')} onSubmit={submit}>
      <input hidden readOnly name="username" autoComplete="username" value={username} />
      <Field
        {...password('current_password')}
        label={t('account.current_password')}
        autoComplete="current-password"
        autoFocus
      />
      <Field
        {...password('chosen')}
        label={t('account.new_password')}
        hint={t('member.password_hint')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
      />
      <Field
        {...password('again')}
        label={t('account.password_again')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
      />
      <p className="c-note">{t('account.password_others')}</p>
    </MemberForm>
  )
}
