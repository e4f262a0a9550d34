import { MAX_PASSKEY_NAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import { useEffect, useState } from 'react'
import { call } from '../../api/call.ts'
import { addPasskey, offersPasskeys } from '../../api/passkey.ts'
import { useWords } from '../../i18n/i18n.ts'
import { showMoment } from '../../i18n/time.ts'
import { deviceOf } from '../../lib/device.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { Alert } from '../../ui/overlay/message.tsx'
import { Field } from '../field.tsx'
import { MemberForm } from '../form.tsx'
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
  const form = useForm(() => ({ name: deviceOf(navigator.userAgent), current_password: '' }))
  const submit = form.submit<unknown>(
    ({ name, current_password: password }) =>
      step.do === 'remove'
        ? call('passkey/remove', { id: step.row.id, password })
        : addPasskey(name.trim() || t('passkey.title'), { password }),
    () => onDone(t(step.do === 'remove' ? 'passkey.removed' : 'passkey.added')),
  )
  return (
    <MemberForm
      inSheet
      form={form}
      act={t(step.do === 'remove' ? 'passkey.remove' : 'passkey.add')}
      danger={step.do === 'remove'}
      onSubmit={submit}
      leave={{ word: t('action.cancel'), run: onLeave }}
    >
      {step.do === 'add' ? (
        <Field
          label={t('passkey.name')}
          name="passkey-name"
          hint={t('passkey.name_hint')}
          autoComplete="off"
          maxLength={MAX_PASSKEY_NAME}
          autoFocus
          {...form.field('name')}
        />
      ) : (
        <p>{t('passkey.remove_what', { name: step.row.name })}</p>
      )}
      {form.needsPassword && (
        <Field
          label={t('member.password')}
          name="password"
          type="password"
          hint={t('session.password_hint')}
          autoComplete="current-password"
          required
          autoFocus
          {...form.field('current_password')}
        />
      )}
    </MemberForm>
  )
}
