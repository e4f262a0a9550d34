import type { Answer } from '@tallyroom/contract'
import { MAX_API_URL, MAX_NAME } from '@tallyroom/contract/lengths'
import { Link } from '@tanstack/react-router'
import { Button, Input } from 'antd'
import { type FormEvent, useState } from 'react'
import { refusedBy } from '../../api/call.ts'
import { passwordRefusal } from '../../api/password-refusal.ts'
import { contrastOf, headerColours } from '../../chat/view/room-theme.ts'
import { Check } from '../../ui/form/check.tsx'
import { Field } from '../../ui/form/field.tsx'
import { PasswordAgain } from '../../ui/form/current-password.tsx'
import { differs } from '../../ui/form/differs.ts'
import { UnsavedChanges } from '../../ui/form/unsaved-changes.tsx'
import { Alert, notify } from '../../ui/overlay/message.tsx'
import { nameOf } from '../../ui/person.tsx'
import { useCall, useSend } from '../../api/use-call.ts'
import { useMenu } from '../../api/use-menu.ts'
import { useWords } from '../../i18n/i18n.ts'
import { BankSettings } from '../bank/bank-settings.tsx'
import { BackgroundField } from './background-field.tsx'
import { ColourField } from './colour-field.tsx'
import { DeliveriesCard } from './deliveries-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { type SettingDraft, emptyDraft, isColour, isMinutes, type Setting, toSave } from './form.ts'
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
      {may('bank_setting/view') && <BankSettings />}
      {may('change/rules') && <FourEyesCard />}
      {found.data?.is_top && !missing && (
        <div className="setting-columns">
          <RequiredFactorCard />
          <KeysCard />
          <DeliveriesCard />
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
type WaitField = (typeof waitFields)[number][0]

/** The order is shown as wrong at the later of the two. */
const isWaitWrong = (draft: SettingDraft, field: WaitField) =>
  !isMinutes(draft[field]) || (field === 'overdue_after' && draft.overdue_after <= draft.late_after)

const EXAMPLE = 'https://'

const draftOf = ({ inherited: _i, is_top: _t, ...draft }: Setting): SettingDraft => draft

type FormProps = { own: Answer<'user/view'>; mayUrl: boolean; setting: Setting | undefined }

const SettingForm = ({ own, mayUrl, setting }: FormProps) => {
  const { t } = useWords()
  const save = useSend('setting/save', { refreshes: ['setting/view', 'userMenu/list'] })
  const [draft, setDraft] = useState(() => (setting ? draftOf(setting) : emptyDraft))
  const [saved, setSaved] = useState(draft)
  const [tried, setTried] = useState(false)
  const [password, setPassword] = useState('')
  const [reading, setReading] = useState(false)
  // The server says whether the account is the top account; before anything is set up, saving is refused for others.
  const hasUrl = mayUrl && (setting?.is_top ?? true)
  const set = (changed: Partial<SettingDraft>) => setDraft((now) => ({ ...now, ...changed }))
  const wrong = colourFields.filter(([field]) => !isColour(draft[field]))
  const { needsPassword, shown } = passwordRefusal('setting/save', save.error)

  const waitError = (field: WaitField) => (tried && isWaitWrong(draft, field) ? t('setting.wait_order') : undefined)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (save.isPending || wrong.length || waitFields.some(([field]) => isWaitWrong(draft, field))) return
    const trimmed = Object.fromEntries(colourFields.map(([field]) => [field, draft[field].trim()]))
    save.mutate(
      { ...toSave({ ...draft, ...trimmed }, hasUrl), ...(password ? { current_password: password } : {}) },
      {
        onSuccess: (answer) => {
          setPassword('')
          const api_url = answer?.approval === 1 ? (setting?.api_url ?? '') : draft.api_url
          if (answer?.approval === 1) set({ api_url })
          setSaved({ ...draft, api_url })
          notify.done(t(answer?.approval === 1 ? 'change.asked' : 'done.saved'))
        },
      },
    )
  }
  return (
    <div className="setting-columns">
      <UnsavedChanges hasChanges={differs(draft, saved)} />
      <form className="card" onSubmit={submit} noValidate>
        <h2>{t('setting.title')}</h2>
        {setting?.inherited && <p className="card-hint">{t('setting.inherited')}</p>}
        {shown && <Alert text={shown.message} />}
        <Field label={t('setting.room_name')}>
          {(control) => (
            <Input
              {...control}
              maxLength={MAX_NAME}
              showCount
              value={draft.name}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <BackgroundField
          label={t('setting.background_image')}
          value={draft.background_image}
          onChange={(background_image) => set({ background_image })}
          onReading={setReading}
        />
        {colourFields.map(([field, word, fallback]) => (
          <ColourField
            key={field}
            label={t(word)}
            fallback={fallback}
            value={draft[field]}
            onChange={(value) => set({ [field]: value })}
            error={tried && !isColour(draft[field]) ? t('setting.colour_invalid') : undefined}
          />
        ))}
        <ContrastHint draft={draft} />
        {waitFields.map(([field, word]) => (
          <Field key={field} label={t(word)} error={waitError(field)} hint={t('setting.wait_hint')}>
            {(control) => (
              <Input
                {...control}
                type="number"
                inputMode="numeric"
                min={1}
                max={1440}
                value={Number.isNaN(draft[field]) ? '' : draft[field]}
                onChange={(event) =>
                  set({ [field]: event.target.value === '' ? Number.NaN : Number(event.target.value) })
                }
              />
            )}
          </Field>
        ))}
        <p className="field">
          <Check isOn={draft.cash_requests === 1} onChange={(isOn) => set({ cash_requests: isOn ? 1 : 0 })}>
            {t('setting.cash_requests')}
          </Check>
          <span className="setting-more">{t('setting.cash_requests_hint')}</span>
        </p>
        {hasUrl && (
          <Field
            label={t('setting.api_url')}
            hint={
              <>
                {t('setting.api_url_hint')} <Link to="/file/api">{t('menu.api_doc')}</Link>
              </>
            }
          >
            {(control) => (
              <Input
                {...control}
                type="url"
                inputMode="url"
                maxLength={MAX_API_URL}
                placeholder={EXAMPLE}
                value={draft.api_url}
                onChange={(event) => set({ api_url: event.target.value })}
              />
            )}
          </Field>
        )}
        {(needsPassword || password) && <PasswordAgain value={password} onChange={setPassword} />}
        {!hasUrl && (
          <p>
            <Link to="/file/api">{t('menu.api_doc')}</Link>
          </p>
        )}
        <div className="card-buttons">
          <Button type="primary" htmlType="submit" loading={save.isPending} disabled={reading}>
            {t('action.save')}
          </Button>
        </div>
      </form>
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
