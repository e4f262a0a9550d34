import type { Answer } from '@tallyroom/contract'
import { MAX_API_URL, MAX_NAME } from '@tallyroom/contract/lengths'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { refusedBy } from '../../api/call.ts'
import { contrastOf, headerColours } from '../../chat/view/room-theme.ts'
import { Button } from '../../ui/control/button.tsx'
import { Check } from '../../ui/form/check.tsx'
import { FormCard } from '../../ui/form/form-card.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type Rules, useForm } from '../../ui/form/use-form.ts'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { nameOf } from '../../ui/person.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { type Translate, useWords } from '../../i18n/i18n.ts'
import { BankSettings } from '../bank/bank-settings.tsx'
import { ReceivingCard } from '../receiving/receiving-card.tsx'
import { BackgroundField } from './background-field.tsx'
import { ColourField } from './colour-field.tsx'
import { EndpointsCard } from './endpoint/endpoints-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { type SettingDraft, draftOf, emptyDraft, isColour, minutesIn, type Setting, toSave } from './form.ts'
import { FourEyesCard } from './four-eyes-card.tsx'
import { Preview } from './preview.tsx'
import { RequiredFactorCard } from './required-factor-card.tsx'
import './api.css'
import './setting.css'

/** /setup/system (SET-01). Without settings, a calm alert says what members see, and the form starts empty (SET-03). */
export const SystemPage = () => {
  const { t } = useWords()
  const own = useCall('user/view', {})
  const { may } = useMenu()
  const found = useCall('setting/view', {})
  const missing = refusedBy('setting/view', found.error, 'setting.not_set_up')
  const failure = own.error ?? (missing ? null : found.error)
  if (failure && !(own.data && found.data)) {
    return (
      <div className="page-narrow">
        <Alert text={failure.message} />
        <Button onClick={() => void Promise.all([own.refetch(), found.refetch()])}>{t('action.try_again')}</Button>
      </div>
    )
  }
  if (!own.data || !(found.data || missing)) {
    return (
      <div className="card" aria-busy="true">
        <span className="bar" />
        <span className="bar" />
      </div>
    )
  }
  return (
    <div className="setting-page">
      {missing && (
        <div className="card setting-new">
          <strong role="alert">{found.error?.message}</strong>
          <p>{t('setting.standard_look')}</p>
        </div>
      )}
      <SettingForm own={own.data} mayUrl={may('setting.api_url')} setting={missing ? undefined : found.data} />
      {found.data?.cash_requests === 1 && may('receiving/list') && <ReceivingCard />}
      {may('bank_setting/view') && <BankSettings />}
      {may('change/rules') && <FourEyesCard />}
      {found.data?.is_top && !missing && (
        <div className="setting-columns">
          <RequiredFactorCard />
          <KeysCard />
          <EndpointsCard />
        </div>
      )}
    </div>
  )
}

const colourFields = [
  ['background_color', 'setting.background_color', '#f6f7f9'],
  ['header_background_color', 'setting.header_background_color', '#ffffff'],
  ['header_font_color', 'setting.header_font_color', '#171c24'],
] as const

const waitFields = [
  ['late_after', 'setting.late_after'],
  ['overdue_after', 'setting.overdue_after'],
] as const

const switchFields = [
  ['owned_by_answer', 'setting.owned_by_answer', 'setting.owned_by_answer_hint'],
  ['cash_requests', 'setting.cash_requests', 'setting.cash_requests_hint'],
  ['odd_cents', 'setting.odd_cents', 'setting.odd_cents_hint'],
] as const

const EXAMPLE = 'https://'

const rulesOf = (t: Translate): Rules<SettingDraft> => {
  const colour = (text: string) => !isColour(text) && t('setting.colour_invalid')
  return {
    background_color: colour,
    header_background_color: colour,
    header_font_color: colour,
    late_after: (typed) => !minutesIn(typed) && t('setting.wait_order'),
    // The order is shown as wrong at the later of the two.
    overdue_after: (typed, { late_after }) =>
      (!minutesIn(typed) || minutesIn(typed) <= minutesIn(late_after)) && t('setting.wait_order'),
  }
}

type FormProps = { own: Answer<'user/view'>; mayUrl: boolean; setting: Setting | undefined }

const SettingForm = ({ own, mayUrl, setting }: FormProps) => {
  const { t } = useWords()
  const save = useSend('setting/save', { refreshes: ['setting/view', 'userMenu/list'] })
  const form = useForm(() => ({ ...(setting ? draftOf(setting) : emptyDraft), current_password: '' }), rulesOf(t))
  const { draft, field } = form
  const [reading, setReading] = useState(false)
  // The server says whether the account is the top account; before anything is set up, saving is refused for others.
  const hasUrl = mayUrl && (setting?.is_top ?? true)

  const submit = form.submit(
    ({ current_password, ...typed }) =>
      save.mutateAsync({ ...toSave(typed, hasUrl), ...(current_password ? { current_password } : {}) }),
    (answer) => {
      const waits = answer?.approval === 1
      // An address that waits for approval is not in use yet.
      const changed = { current_password: '', ...(waits ? { api_url: setting?.api_url ?? '' } : {}) }
      form.set(changed)
      form.keep({ ...draft, ...changed })
      notify.done(t(waits ? 'change.asked' : 'done.saved'))
    },
  )
  return (
    <div className="setting-columns">
      <UnsavedChanges hasChanges={form.hasChanges} />
      <FormCard
        title={t('setting.title')}
        hint={setting?.inherited ? t('setting.inherited') : undefined}
        form={form}
        disabled={reading}
        onSubmit={submit}
      >
        <TextField label={t('setting.room_name')} maxLength={MAX_NAME} showCount {...field('name')} />
        <BackgroundField
          label={t('setting.background_image')}
          value={draft.background_image}
          onChange={field('background_image').onChange}
          onReading={setReading}
        />
        {colourFields.map(([name, word, fallback]) => (
          <ColourField key={name} label={t(word)} fallback={fallback} {...field(name)} />
        ))}
        <ContrastHint draft={draft} />
        {waitFields.map(([name, word]) => (
          <TextField
            key={name}
            label={t(word)}
            hint={t('setting.wait_hint')}
            inputMode="numeric"
            autoComplete="off"
            {...field(name)}
          />
        ))}
        {switchFields.map(([name, word, hint]) => (
          <p key={name} className="field">
            <Check isOn={draft[name] === 1} onChange={(isOn) => form.set({ [name]: isOn ? 1 : 0 })}>
              {t(word)}
            </Check>
            <span className="setting-more">{t(hint)}</span>
          </p>
        ))}
        {hasUrl && (
          <TextField
            label={t('setting.api_url')}
            hint={
              <>
                {t('setting.api_url_hint')} <Link to="/file/api">{t('menu.api_doc')}</Link>
              </>
            }
            type="url"
            inputMode="url"
            maxLength={MAX_API_URL}
            placeholder={EXAMPLE}
            {...field('api_url')}
          />
        )}
        {form.needsPassword && <PasswordAgain {...field('current_password')} />}
        {!hasUrl && (
          <p>
            <Link to="/file/api">{t('menu.api_doc')}</Link>
          </p>
        )}
      </FormCard>
      <section className="setting-shown" aria-label={t('setting.preview')}>
        <h2>{t('setting.preview')}</h2>
        <Preview draft={draft} name={nameOf(own)} />
      </section>
    </div>
  )
}

/** Warns before saving that two colours are not readable together and will be replaced. */
const ContrastHint = ({ draft }: { draft: SettingDraft }) => {
  const { t } = useWords()
  const ground = draft.header_background_color.trim()
  const ink = draft.header_font_color.trim()
  if (!ground || !ink || !isColour(ground) || !isColour(ink)) return null
  if (headerColours({ header_background_color: ground, header_font_color: ink })?.kept) return null
  return (
    <p className="setting-warning" role="status">
      {t('setting.contrast', { ratio: contrastOf(ground, ink).toFixed(1) })}
    </p>
  )
}
