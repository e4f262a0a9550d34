import { MAX_NEW_PASSWORD } from '@tallyroom/contract/lengths'
import { isNewPassword } from '../../api/first-password.ts'
import { useWords } from '../../i18n/i18n.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Field } from '../field.tsx'
import { MemberForm } from '../form.tsx'
import { signInWithNew } from '../session.ts'

type Props = { own: { username: string; password: string }; onLeave: () => void }

/** W18: a member whose password was set by the back office must choose a new one first. */
export const NewPasswordForm = ({ own, onLeave }: Props) => {
  const { t } = useWords()
  const form = useForm(
    { chosen: '', again: '' },
    {
      chosen: (text) => !isNewPassword(text) && t('member.password_hint'),
      again: (text, { chosen }) => text !== chosen && t('account.passwords_differ'),
    },
  )
  return (
    <MemberForm
      form={form}
      act={t('session.save_password')}
      onSubmit={form.submit(({ chosen }) => signInWithNew(own, chosen))}
      leave={{ word: t('action.back'), run: onLeave }}
    >
      <input hidden readOnly name="username" autoComplete="username" value={own.username} />
      <Field
        label={t('account.new_password')}
        name="chosen"
        type="password"
        hint={t('member.password_hint')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
        autoFocus
        {...form.field('chosen')}
      />
      <Field
        label={t('account.password_again')}
        name="again"
        type="password"
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
        {...form.field('again')}
      />
    </MemberForm>
  )
}
