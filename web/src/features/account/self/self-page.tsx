import { MAX_NICKNAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { useState } from 'react'
import { Amount, available } from '../../../ui/amount.tsx'
import { Button } from '../../../ui/control/button.tsx'
import { CurrentPassword } from '../../../ui/form/current-password.tsx'
import { FormCard } from '../../../ui/form/form-card.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { Person } from '../../../ui/person.tsx'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useMenu } from '../../../api/use-menu.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { BotCard } from './bot-card.tsx'
import { FactorCard } from './factor-card.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { AvatarField, PasswordPair, passwordRules } from '../fields.tsx'
import { NoticesCard } from './notices-card.tsx'
import { OwnPasswordForm } from './own-password-form.tsx'
import { PasskeyCard } from './passkey-card.tsx'
import { SessionsCard } from '../sessions-card.tsx'
import { ShareDomainForm } from './share-domain-form.tsx'
import '../self.css'

type OwnAccount = Answer<'user/view'>

export const SelfPage = () => {
  const { t } = useWords()
  const { may } = useMenu()
  const own = useCall('user/view', {})
  if (own.error && !own.data) {
    return (
      <div className="page-narrow">
        <Alert text={own.error.message} />
        <Button onClick={() => void own.refetch()}>{t('action.try_again')}</Button>
      </div>
    )
  }
  return (
    <div className="self-page">
      {own.data ? (
        <>
          <div className="page-narrow">
            {/* The key keeps the form's input while user/view is refreshed; another account gets a new form. */}
            <SelfForm key={own.data.id} own={own.data} />
            {/* An agent login has no password of its own here: its platform signs it in. */}
            {own.data.agent_login === 0 && <OwnPasswordForm own={own.data} />}
            <PaymentForm key={`payment ${own.data.has_payment_password}`} own={own.data} />
            {may('share/saveDomain') && <ShareDomainForm key={`domain ${own.data.id}`} own={own.data} />}
            {may('ai/view') && own.data.chat_ai_bot_visible === 1 && <BotCard />}
          </div>
          <div className="page-narrow">
            <FactorCard />
            <PasskeyCard />
            <SessionsCard />
            <NoticesCard />
          </div>
        </>
      ) : (
        <div className="card" aria-busy="true">
          <span className="bar" />
          <span className="bar" />
        </div>
      )}
    </div>
  )
}

/** SET-05 */
const SelfForm = ({ own }: { own: OwnAccount }) => {
  const { t } = useWords()
  const edit = useSend('user/edit', { refreshes: ['user/view', 'user/list'] })
  const form = useForm({ nickname: own.nickname, thumbnail: own.thumbnail })
  const { draft, field } = form
  const [reading, setReading] = useState(false)
  const submit = form.submit(
    ({ nickname, thumbnail }) =>
      edit.mutateAsync({
        id: own.id,
        nickname: nickname.trim(),
        // ACC-08: an empty picture removes the old one; an unchanged one is not sent.
        ...(thumbnail === own.thumbnail && thumbnail ? {} : { thumbnail }),
      }),
    () => {
      form.keep(draft)
      notify.done(t('done.saved'))
    },
  )
  return (
    <FormCard title={t('account.profile')} form={form} disabled={reading} onSubmit={submit}>
      <UnsavedChanges hasChanges={form.hasChanges} />
      <p className="dialog-who">
        <Person who={own} role />
      </p>
      <AvatarField
        value={draft.thumbnail}
        name={draft.nickname || own.username}
        onChange={field('thumbnail').onChange}
        onReading={setReading}
      />
      <TextField label={t('account.nickname')} maxLength={MAX_NICKNAME} {...field('nickname')} />
      <div className="field">
        <span className="field-label">{t('shell.balance')}</span>
        <output className="read-only">
          <Amount value={available(own)} unlimited={own.unlimited} />
        </output>
      </div>
    </FormCard>
  )
}

/** The payment password, required for each transfer once it is set; an empty one removes it. */
const PaymentForm = ({ own }: { own: OwnAccount }) => {
  const { t } = useWords()
  const save = useSend('user/paymentPassword', { refreshes: ['user/view'] })
  const form = useForm(
    { current_password: '', password: '', confirmation: '' },
    {
      current_password: (text) => !text && t('field.needed'),
      ...passwordRules(t, own.has_payment_password),
    },
  )
  const { draft, field } = form
  const removes = own.has_payment_password && !draft.password && !draft.confirmation
  const submit = form.submit(
    ({ current_password, password, confirmation }) =>
      save.mutateAsync({
        password: current_password,
        payment_password: password,
        payment_password_confirmation: confirmation,
      }),
    () => {
      form.reset()
      notify.done(t('done.saved'))
    },
  )
  return (
    <FormCard
      title={t('payment.title')}
      hint={t(own.has_payment_password ? 'payment.is_set' : 'payment.is_not_set')}
      act={t(removes ? 'payment.remove' : 'action.save')}
      quiet
      danger={removes}
      form={form}
      onSubmit={submit}
    >
      <CurrentPassword autoFocus={false} {...field('current_password')} />
      <PasswordPair
        label={t('payment.new')}
        again={t('payment.new_again')}
        hint={t(own.has_payment_password ? 'payment.empty_removes' : 'account.password_rule')}
        field={field}
      />
    </FormCard>
  )
}
