import { MAX_NEW_PASSWORD, MAX_NICKNAME, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import { newUsername } from '@tallyroom/contract/text/typed-key'
import { useOnce } from '../../api/use-once.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Card } from '../card.tsx'
import { Field } from '../field.tsx'
import { MemberForm } from '../form.tsx'
import { type Loaded, useInvitation } from '../look.ts'
import { signUp } from '../session.ts'
import { signUpRules } from './sign-up-rules.ts'

/** The form is there while the invitation loads: one can type at once, and nothing moves when it comes. */
export const SignUpPage = ({ shareCode, onSignIn }: { shareCode: string; onSignIn: () => void }) => {
  const { t } = useWords()
  const { look, invitation, load } = useInvitation(shareCode)
  return (
    <Card
      title={t('member.sign_up')}
      look={look ?? (invitation.state === 'refused' ? undefined : 'loading')}
      lead={leadOf(invitation, t)}
    >
      {invitation.state === 'refused' && (
        <>
          <Alert text={invitation.message} />
          {invitation.canRetry && (
            <button type="button" className="button m-wide" onClick={() => void load()}>
              {t('action.try_again')}
            </button>
          )}
        </>
      )}
      {(invitation.state !== 'refused' || invitation.canRetry) && <SignUpForm shareCode={shareCode} />}
      <button type="button" className="c-link m-wide" onClick={onSignIn}>
        {t('member.to_sign_in')}
      </button>
    </Card>
  )
}

const leadOf = (invitation: Loaded, t: Translate) => {
  if (invitation.state === 'refused') return undefined
  if (invitation.state === 'loaded') return t('member.invited_by', { name: invitation.nickname })
  // Takes the place of the words that come.
  return (
    <span className="m-place" aria-hidden="true">
      {t('member.invited_by', { name: NAME })}
    </span>
  )
}

/** As wide as most names. */
const NAME = '\u00a0'.repeat(12)

const empty = { username: '', nickname: '', password: '', password_confirmation: '' }

const SignUpForm = ({ shareCode }: { shareCode: string }) => {
  const { t } = useWords()
  const once = useOnce()
  const form = useForm(empty, signUpRules(t))
  const bind = (name: keyof typeof empty) => ({ name, ...form.field(name) })
  const submit = form.submit((draft) => {
    const wanted = { share_code: shareCode, ...draft }
    return once(wanted, (request_id) => signUp({ request_id, ...wanted }))
  })
  return (
    <MemberForm form={form} act={t('member.sign_up_now')} onSubmit={submit}>
      <Field
        {...bind('username')}
        onChange={(text) => bind('username').onChange(newUsername(text))}
        label={t('member.username')}
        hint={t('member.username_hint')}
        autoComplete="username"
        maxLength={MAX_TYPED_NAME}
        required
        autoFocus
      />
      <Field
        {...bind('nickname')}
        label={t('member.nickname')}
        hint={t('member.nickname_hint')}
        autoComplete="nickname"
        maxLength={MAX_NICKNAME}
      />
      <Field
        {...bind('password')}
        type="password"
        label={t('member.password')}
        hint={t('member.password_hint')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
      />
      <Field
        {...bind('password_confirmation')}
        type="password"
        label={t('member.password_again')}
        autoComplete="new-password"
        maxLength={MAX_NEW_PASSWORD}
        required
      />
    </MemberForm>
  )
}
