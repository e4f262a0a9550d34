import { MAX_NICKNAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { Button } from 'antd'
import { type FormEvent, useState } from 'react'
import { Amount, available } from '../../../ui/amount.tsx'
import { CurrentPassword } from '../../../ui/form/current-password.tsx'
import { UnsavedChanges } from '../../../ui/form/unsaved-changes.tsx'
import { Alert, notify } from '../../../ui/overlay/message.tsx'
import { Person } from '../../../ui/person.tsx'
import { useCall, useSend } from '../../../api/use-call.ts'
import { useMenu } from '../../../api/use-menu.ts'
import { useWords } from '../../../i18n/i18n.ts'
import { BotCard } from './bot-card.tsx'
import { FactorCard } from './factor-card.tsx'
import { AvatarField, PasswordPair, TextField, usePasswordErrors } from '../fields.tsx'
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
  const [nickname, setNickname] = useState(own.nickname)
  const [thumbnail, setThumbnail] = useState(own.thumbnail)
  const [saved, setSaved] = useState({ nickname, thumbnail })
  const [reading, setReading] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (edit.isPending) return
    edit.mutate(
      {
        id: own.id,
        nickname: nickname.trim(),
        // ACC-08: an empty picture removes the old one; an unchanged one is not sent.
        ...(thumbnail === own.thumbnail && thumbnail ? {} : { thumbnail }),
      },
      {
        onSuccess: () => {
          setSaved({ nickname, thumbnail })
          notify.done(t('done.saved'))
        },
      },
    )
  }
  return (
    <form className="card" onSubmit={submit} noValidate>
      <UnsavedChanges hasChanges={nickname !== saved.nickname || thumbnail !== saved.thumbnail} />
      <h2>{t('account.profile')}</h2>
      {edit.error && <Alert text={edit.error.message} />}
      <p className="dialog-who">
        <Person who={own} role />
      </p>
      <AvatarField value={thumbnail} name={nickname || own.username} onChange={setThumbnail} onReading={setReading} />
      <TextField label={t('account.nickname')} maxLength={MAX_NICKNAME} value={nickname} onChange={setNickname} />
      <div className="field">
        <span className="field-label">{t('shell.balance')}</span>
        <output className="read-only">
          <Amount value={available(own)} unlimited={own.unlimited} />
        </output>
      </div>
      <div className="card-buttons">
        <Button type="primary" htmlType="submit" loading={edit.isPending} disabled={reading}>
          {t('action.save')}
        </Button>
      </div>
    </form>
  )
}

/** The payment password, required for each transfer once it is set; an empty one removes it. */
const PaymentForm = ({ own }: { own: OwnAccount }) => {
  const { t } = useWords()
  const save = useSend('user/paymentPassword', { refreshes: ['user/view'] })
  const passwordErrors = usePasswordErrors()
  const [current, setCurrent] = useState('')
  const [typed, setTyped] = useState({ password: '', confirmation: '' })
  const [errors, setErrors] = useState<{ current?: string; password?: string; confirmation?: string }>({})
  const removes = own.has_payment_password && !typed.password && !typed.confirmation
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    const found = { ...(current ? {} : { current: t('field.needed') }), ...(removes ? {} : passwordErrors(typed)) }
    setErrors(found)
    if (Object.keys(found).length) return
    save.mutate(
      { password: current, payment_password: typed.password, payment_password_confirmation: typed.confirmation },
      {
        onSuccess: () => {
          setCurrent('')
          setTyped({ password: '', confirmation: '' })
          notify.done(t('done.saved'))
        },
      },
    )
  }
  return (
    <form className="card" onSubmit={submit} noValidate>
      <h2>{t('payment.title')}</h2>
      <p className="card-hint">{t(own.has_payment_password ? 'payment.is_set' : 'payment.is_not_set')}</p>
      {save.error && <Alert text={save.error.message} />}
      <CurrentPassword autoFocus={false} value={current} error={errors.current} onChange={setCurrent} />
      <PasswordPair
        label={t('payment.new')}
        again={t('payment.new_again')}
        hint={t(own.has_payment_password ? 'payment.empty_removes' : 'account.password_rule')}
        typed={typed}
        errors={errors}
        onChange={(changed) => {
          setTyped((before) => ({ ...before, ...changed }))
          setErrors({})
        }}
      />
      <div className="card-buttons">
        <Button htmlType="submit" danger={removes} loading={save.isPending}>
          {t(removes ? 'payment.remove' : 'action.save')}
        </Button>
      </div>
    </form>
  )
}
