import { MAX_PASSKEY_NAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { type FormEvent, useEffect, useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { errorText } from '../../api/error-text.ts'
import { addPasskey, offersPasskeys } from '../../api/passkey.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { deviceOf } from '../../lib/device.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { Field } from '../field.tsx'
import { useOwn } from './use-own.tsx'

type Row = Answer<'passkey/list'>['data'][number]
/** What the member has begun; for both the password may be asked for. */
type Step = { do: 'add' } | { do: 'remove'; row: Row }

/** PASS-01: the member's passkeys. They are another way in beside the password. */
export const OwnPasskeys = () => {
  const { t } = useWords()
  const { own: list, load, state } = useOwn('passkey/list')
  const [isAble, setAble] = useState(false)
  const [done, setDone] = useState('')
  const [step, setStep] = useState<Step>()

  useEffect(() => void offersPasskeys().then(setAble, () => {}), [])

  const begin = (next: Step) => {
    setDone('')
    setStep(next)
  }
  const finish = (text: string) => {
    setStep(undefined)
    setDone(text)
    void load()
  }
  if (step) return <StepForm step={step} onDone={finish} onLeave={() => setStep(undefined)} />
  return (
    <>
      <p className="form-lead">{t('passkey.what')}</p>
      <p className="m-done" role="status">
        {done}
      </p>
      {state}
      {list && list.here !== 'yes' && <p>{t(`passkey.${list.here}`)}</p>}
      {list?.here === 'yes' && list.data.length === 0 && <p>{t('passkey.none')}</p>}
      <ul className="m-history">
        {list?.data.map((row) => (
          <li key={row.id}>
            <div className="m-history-top">
              <bdi>{row.name}</bdi>
              <button
                type="button"
                className="button"
                aria-label={t('passkey.remove_named', { name: row.name })}
                onClick={() => begin({ do: 'remove', row })}
              >
                {t('passkey.remove')}
              </button>
            </div>
            <div className="c-note">
              {row.used_at ? t('passkey.used', { time: showMoment(row.used_at) }) : t('passkey.unused')}
            </div>
            {row.copied && <Alert text={t('passkey.copied')} />}
          </li>
        ))}
      </ul>
      {list?.here === 'yes' && isAble && (
        <button type="button" className="button button-main m-wide" onClick={() => begin({ do: 'add' })}>
          {t('passkey.add')}
        </button>
      )}
    </>
  )
}

type StepProps = { step: Step; onDone: (text: string) => void; onLeave: () => void }

/** The password is asked for only when the server needs it: some minutes after the sign-in. */
const StepForm = ({ step, onDone, onLeave }: StepProps) => {
  const { t } = useWords()
  const [name, setName] = useState(() => deviceOf(navigator.userAgent))
  const [password, setPassword] = useState('')
  const [needsPassword, setNeedsPassword] = useState(false)
  const [error, setError] = useState<string>()
  const [refused, setRefused] = useState('')
  const [busy, setBusy] = useState(false)

  const attempt = async () => {
    if (step.do === 'remove') await call('passkey/remove', { id: step.row.id, password })
    else await addPasskey(name.trim() || t('passkey.title'), { password })
    onDone(t(step.do === 'remove' ? 'passkey.removed' : 'passkey.added'))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setRefused('')
    setError(undefined)
    try {
      return await attempt()
    } catch (fault) {
      const isNeeded = refusedBy('passkey/remove', fault, 'session.needs_password')
      if (isNeeded) setNeedsPassword(true)
      else if (refusedBy('passkey/remove', fault, 'session.wrong_password')) setError(fault.message)
      else setRefused(errorText(fault))
    }
    setBusy(false)
  }
  return (
    <form className="m-own-form" onSubmit={(event) => void submit(event)} noValidate>
      {refused && <Alert text={refused} />}
      {step.do === 'add' ? (
        <Field
          label={t('passkey.name')}
          name="passkey-name"
          hint={t('passkey.name_hint')}
          autoComplete="off"
          maxLength={MAX_PASSKEY_NAME}
          autoFocus
          value={name}
          onChange={setName}
        />
      ) : (
        <p>{t('passkey.remove_what', { name: step.row.name })}</p>
      )}
      {needsPassword && (
        <Field
          label={t('member.password')}
          name="password"
          type="password"
          hint={t('session.password_hint')}
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          error={error}
          onChange={setPassword}
        />
      )}
      <button
        type="submit"
        className={`button m-wide ${step.do === 'remove' ? 'button-danger' : 'button-main'}`}
        disabled={busy}
        aria-busy={busy}
      >
        {t(step.do === 'remove' ? 'passkey.remove' : 'passkey.add')}
      </button>
      <button type="button" className="c-link m-wide" onClick={onLeave}>
        {t('action.cancel')}
      </button>
    </form>
  )
}
