import type { Answer } from '@tallyroom/contract'
import { useSend } from '../../../api/use-call.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { CurrentPassword } from '../../../ui/form/current-password.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { notify } from '../../../ui/overlay/message.tsx'
import { PasswordPair, passwordRules } from '../fields.tsx'

const empty = { current_password: '', password: '', confirmation: '' }

/** The user's own sign-in password. Changing it ends the user's other sessions. */
export const OwnPasswordForm = ({ own }: { own: Pick<Answer<'user/view'>, 'id' | 'username'> }) => {
  const { t } = useWords()
  const edit = useSend('user/edit', { refreshes: ['session/list'] })
  const form = useForm(empty, {
    current_password: (text) => !text && t('field.needed'),
    ...passwordRules(t),
  })
  const submit = form.submit(
    ({ current_password, password, confirmation }) =>
      edit.mutateAsync({ id: own.id, current_password, password, password_confirmation: confirmation }),
    () => {
      form.reset()
      notify.done(t('account.password_changed'))
    },
  )
  return (
    <FormCard
      title={t('account.sign_in_password')}
      hint={t('account.password_others')}
      act={t('account.change_password')}
      quiet
      form={form}
      onSubmit={submit}
    >
      <input hidden readOnly name="username" autoComplete="username" value={own.username} />
      <CurrentPassword label={t('account.current_password')} autoFocus={false} {...form.field('current_password')} />
      <PasswordPair
        label={t('account.new_password')}
        again={t('account.password_again')}
        hint={t('account.password_rule')}
        field={form.field}
      />
    </FormCard>
  )
}
