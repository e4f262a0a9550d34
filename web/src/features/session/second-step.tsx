import { MAX_CODE } from '@tallyroom/contract/lengths'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { serverNow } from '../../lib/clock.ts'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { Icon } from '../../ui/icon.tsx'
import { useModal } from '../../ui/overlay/modal.ts'
import { useWords } from '../../i18n/i18n.ts'
import { type FactorKind, prove, type SecondStepState, messageOf } from './second-step-state.ts'

/** AUTH-06: seconds until the code can be sent again. */
const COUNTDOWN = 60

type Props = {
  pending: SecondStepState
  /** Signs in again with the proof. */
  onProven: (proof: string) => Promise<void>
  /** Back to the first step: by the user, or with the message of a refusal. */
  onLeave: (reason?: string) => void
}

/** AUTH-05 to AUTH-07. A recovery code is accepted instead of any other code. */
export const SecondStep = ({ pending, onProven, onLeave }: Props) => {
  const { t } = useWords()
  const { username, kinds, mobile } = pending
  const [kind, setKind] = useState<FactorKind>(kinds[0])
  const [recovery, setRecovery] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const [empty, setEmpty] = useState(false)
  /** After a wrong code, the hint names the usual cause: the phone's clock is off. */
  const [isWrongCode, setWrongCode] = useState(false)
  const field = useRef<HTMLInputElement>(null)

  const switchTo = (next: { kind?: FactorKind; recovery: boolean }) => {
    if (next.kind) setKind(next.kind)
    setRecovery(next.recovery)
    setCode('')
    setEmpty(false)
    setWrongCode(false)
    setRefused(undefined)
  }
  const verify = async () => {
    setBusy(true)
    setRefused(undefined)
    try {
      return await onProven(await prove(pending, recovery ? 'authenticator' : kind, code))
    } catch (error) {
      if (refusedBy('googleAuth', error, 'code.no_sign_in')) return onLeave(error.message)
      setRefused(messageOf(error))
      setWrongCode(refusedBy('googleAuth', error, 'code.wrong'))
    }
    setBusy(false)
    if (byPasskey) return
    field.current?.select()
    field.current?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const isReady = byPasskey || code.trim() !== ''
    setEmpty(!isReady)
    if (isReady) void verify()
    else field.current?.focus()
  }
  const bySms = kind === 'sms' && !recovery
  const byPasskey = kind === 'passkey' && !recovery
  const isOnlyField = !bySms && kinds.length === 1
  useEffect(() => {
    if (isOnlyField) field.current?.focus()
  }, [isOnlyField, recovery, kind])
  const hint = recovery ? 'second.recovery_hint' : isWrongCode ? 'second.clock_hint' : 'second.authenticator_hint'
  return (
    <form onSubmit={submit} noValidate>
      <p className="second-who">{username}</p>
      {refused && <ErrorAlert text={refused} />}
      {kinds.length > 1 && !recovery && (
        <fieldset className="second-kinds">
          <legend>{t('second.choose')}</legend>
          {kinds.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="kind"
                checked={kind === each}
                onChange={() => switchTo({ kind: each, recovery: false })}
              />
              {t(`second.by_${each}`)}
            </label>
          ))}
        </fieldset>
      )}
      {/* Stays mounted while another kind is chosen, so that its countdown continues. */}
      {mobile && (
        <div hidden={!bySms}>
          <SendCode username={username} mobile={mobile} onLeave={onLeave} onSent={() => field.current?.focus()} />
        </div>
      )}
      {byPasskey ? (
        <p className="form-lead">{t('second.passkey_hint')}</p>
      ) : (
        <div className="field">
          <label htmlFor="code">{t(recovery ? 'second.recovery_code' : 'second.code')}</label>
          <input
            key={recovery ? 'recovery' : kind}
            ref={field}
            id="code"
            className="input second-code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            inputMode={recovery ? 'text' : 'numeric'}
            autoComplete={recovery ? 'off' : 'one-time-code'}
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            // oxlint-disable-next-line tallyroom/text-limit -- Codes are of plain letters and digits.
            maxLength={MAX_CODE}
            required
            aria-invalid={empty}
            aria-describedby={`${empty ? 'code-error ' : ''}code-hint`}
          />
          {empty && (
            <p className="field-error" id="code-error" role="alert">
              {t('field.needed')}
            </p>
          )}
          {!bySms && (
            <p className="field-hint" id="code-hint">
              {t(hint)}
            </p>
          )}
        </div>
      )}
      <button
        key={byPasskey ? 'passkey' : 'code'}
        ref={byPasskey && kinds.length === 1 ? takeFocus : null}
        type="submit"
        className="button button-main sign-in-button"
        aria-busy={busy}
        aria-disabled={busy}
      >
        {busy && <span className="spinner" aria-hidden="true" />}
        <span>{t(byPasskey ? 'passkey.use' : 'second.verify')}</span>
      </button>
      <div className="second-ways">
        <button type="button" className="second-way" onClick={() => onLeave()}>
          {t('action.back')}
        </button>
        <button type="button" className="second-way" onClick={() => switchTo({ recovery: !recovery })}>
          {t(recovery ? (kind === 'passkey' ? 'passkey.use' : 'second.use_code') : 'second.lost_phone')}
        </button>
      </div>
    </form>
  )
}

type SendProps = { username: string; mobile: string; onSent: () => void; onLeave: (reason: string) => void }

const SendCode = ({ username, mobile, onSent, onLeave }: SendProps) => {
  const { t } = useWords()
  const { left, begin, reset } = useCountdown()
  const [isConfirming, setConfirming] = useState(false)
  const [sent, setSent] = useState(false)
  const [refused, setRefused] = useState<string>()

  const send = async () => {
    setConfirming(false)
    setRefused(undefined)
    setSent(false)
    begin()
    try {
      await call('sendValidateCode', { username, mobile })
      setSent(true)
      onSent()
    } catch (error) {
      reset()
      if (refusedBy('sendValidateCode', error, 'code.no_sign_in')) return onLeave(error.message)
      setRefused(messageOf(error))
    }
  }
  return (
    <div className="field">
      {refused && <ErrorAlert text={refused} />}
      <p className="field-label" id="second-phone">
        {t('second.phone')}
      </p>
      <div className="second-phone">
        <bdi className="points">{mobile}</bdi>
        <button type="button" className="button" disabled={left > 0} onClick={() => setConfirming(true)}>
          {left > 0 ? t('second.send_again', { seconds: left }) : t('second.send')}
        </button>
      </div>
      <p className="field-hint" role="status">
        {sent ? t('second.sent', { mobile }) : ''}
      </p>
      {isConfirming && <Confirm mobile={mobile} onYes={() => void send()} onNo={() => setConfirming(false)} />}
    </div>
  )
}

/** AUTH-06: shows the number before a code is sent to it. */
const Confirm = ({ mobile, onYes, onNo }: { mobile: string; onYes: () => void; onNo: () => void }) => {
  const { t } = useWords()
  const box = useModal()
  return (
    <dialog ref={box} className="second-confirm" aria-labelledby="second-confirm" onClose={onNo}>
      <p id="second-confirm">{t('second.confirm_send', { mobile })}</p>
      <div className="second-buttons">
        <button type="button" className="button" onClick={onNo}>
          {t('action.cancel')}
        </button>
        <button type="button" className="button button-main" autoFocus onClick={onYes}>
          {t('action.ok')}
        </button>
      </div>
    </dialog>
  )
}

/** Countdown by the clock rather than by ticks, so that it is right after a phone has slept. */
const useCountdown = () => {
  const [end, setEnd] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!end) return
    const update = () => setLeft(Math.max(0, Math.ceil((end - serverNow()) / 1000)))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [end])
  return {
    // A pending effect may set `left` once more after the reset.
    left: end ? left : 0,
    begin: () => {
      setLeft(COUNTDOWN)
      setEnd(serverNow() + COUNTDOWN * 1000)
    },
    reset: () => setEnd(0),
  }
}

export const ErrorAlert = ({ text }: { text: string }) => (
  <p className="alert" role="alert">
    <Icon name="alert" />
    <span className="alert-text">{text}</span>
  </p>
)
