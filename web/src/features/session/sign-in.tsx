import { MAX_PASSWORD, MAX_TYPED_NAME } from '@tallyroom/contract/lengths'
import type { Answer } from '@tallyroom/contract'
import type { WordKey } from '@tallyroom/locales'
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { signInChoosing } from '../../api/first-password.ts'
import { type RecoveryWays, recoveryWays } from '../../api/passkey.ts'
import { getStored } from '../../lib/storage.ts'
import { takeFocus } from '../../ui/keyboard/focus.ts'
import { LanguageSelect } from '../../ui/form/language-select.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { NewPassword } from './new-password.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { type Notice, takeNotice, takeReturnPath } from '../../lib/handoff.ts'
import type { Enter } from './enter.ts'
import { storeProfile } from './profile.ts'
import { ErrorAlert, SecondStep } from './second-step.tsx'
import { afterRefusal, type SecondStepState } from './second-step-state.ts'
import './sign-in.css'

/** Minimum time (ms) that the button shows its busy state (AUTH-01). */
const LOADING = 1000

/** A light page: it is the first thing that a phone on a slow connection loads. */
export const SignInPage = ({ onEnter }: { onEnter: Enter }) => {
  const { t } = useWords()
  useEffect(() => {
    document.title = t('session.title')
  })
  // AUTH-12: a sign-in in another tab also signs in here.
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key !== 'user_id' || !newValue) return
      const open = (startPage: string) => window.location.assign(takeReturnPath(startPage))
      call('user/view', {}).then(
        ({ start_page }) => open(start_page),
        () => open('/index'),
      )
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
  return (
    <main className="sign-in">
      <LanguageSelect />
      <div className="sign-in-card">
        <Mark />
        {getStored('agent_login') === '1' ? (
          <>
            <h1>{t('session.title')}</h1>
            <p className="sign-in-agent">{t('session.agent_again')}</p>
          </>
        ) : (
          <SignIn onEnter={onEnter} />
        )}
      </div>
    </main>
  )
}

const textOf = (form: FormData, name: string) => {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}

const RecoverForm = lazy(async () => ({ default: (await import('../../domain/recover-form.tsx')).RecoverForm }))

const useRecoveryWays = () => {
  const [ways, setWays] = useState<RecoveryWays>()
  useEffect(() => void recoveryWays().then(setWays, () => {}), [])
  return ways
}

const ForgotButton = ({ onPress }: { onPress: () => void }) => {
  const { t } = useWords()
  return (
    <div className="second-ways">
      <button type="button" className="second-way" onClick={onPress}>
        {t('recover.title')}
      </button>
    </div>
  )
}

/** Username and password, then the second step if the account has one. */
const SignIn = ({ onEnter }: { onEnter: Enter }) => {
  const { t } = useWords()
  const [pending, setPending] = useState<SecondStepState>()
  const [choosing, setChoosing] = useState<{ username: string; password: string }>()
  const [left, setLeft] = useState<{ username: string; reason?: string; done?: string }>()
  const [recovering, setRecovering] = useState(false)
  const ways = useRecoveryWays()
  const title = <h1>{t('session.title')}</h1>
  if (!pending && choosing) {
    const leave = () => {
      setLeft({ username: choosing.username })
      setChoosing(undefined)
    }
    return (
      <>
        {title}
        <NewPassword own={choosing} onEnter={onEnter} onSecondStep={setPending} onLeave={leave} />
      </>
    )
  }
  if (!pending && recovering && ways) {
    return (
      <>
        <h1>{t('recover.title')}</h1>
        <Suspense>
          <RecoverForm
            face="office"
            ways={ways}
            username=""
            look={{ wide: 'sign-in-button', back: 'second-way' }}
            onDone={(username) => {
              setLeft({ username, done: t('recover.done') })
              setRecovering(false)
            }}
            onLeave={() => setRecovering(false)}
          />
        </Suspense>
      </>
    )
  }
  if (!pending) {
    return (
      <>
        {title}
        {left?.done && (
          <p className="sign-in-notice" role="status">
            {left.done}
          </p>
        )}
        <SignInForm onEnter={onEnter} onSecondStep={setPending} onChoose={setChoosing} before={left} />
        <PasskeyButton onEnter={onEnter} />
        {ways && <ForgotButton onPress={() => setRecovering(true)} />}
        <Resume onEnter={onEnter} />
      </>
    )
  }
  return (
    <>
      {title}
      <SecondStep
        pending={pending}
        onProven={async (auth_done) => {
          const { username, password, chosen } = pending
          const input = { username, password, face: 'office', auth_done } as const
          const profile = await (chosen ? signInChoosing(input, chosen) : call('login', input))
          storeProfile(profile)
          await onEnter(profile.start_page)
        }}
        onLeave={(reason) => {
          setLeft({ username: pending.username, ...(reason ? { reason } : {}) })
          setPending(undefined)
          setChoosing(undefined)
        }}
      />
    </>
  )
}

type FormProps = {
  onEnter: Enter
  onSecondStep: (pending: SecondStepState) => void
  /** The password was set by someone else: a new one must be chosen. */
  onChoose: (own: { username: string; password: string }) => void
  /** The username of the previous try, and the message that ended it. */
  before: { username: string; reason?: string } | undefined
}

const noticeWords = {
  expired: 'session.expired',
  frozen: 'session.frozen',
  password: 'session.new_password',
  ended: 'session.dead',
  logged_out: 'done.logout',
} as const satisfies Record<Notice, WordKey>

const SignInForm = ({ onEnter, onSecondStep, onChoose, before }: FormProps) => {
  const { t } = useWords()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState(before?.reason)
  const [notice, setNotice] = useState<Notice>()
  const [empty, setEmpty] = useState({ login: false, password: false })
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => setNotice((before) => before ?? takeNotice()), [])

  const enter = async (username: string, password: string) => {
    setBusy(true)
    setRefused(undefined)
    setNotice(undefined)
    const pressed = new Promise((resolve) => setTimeout(resolve, LOADING))
    try {
      const profile = await call('login', { username, password, face: 'office' })
      storeProfile(profile)
      return await onEnter(profile.start_page)
    } catch (error) {
      if (refusedBy('login', error, 'session.needs_new_password')) return onChoose({ username, password })
      const next = afterRefusal(error, { username, password })
      if (typeof next !== 'string') return onSecondStep(next)
      setRefused(next)
    }
    await pressed
    setBusy(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || !form.current) return
    // Read from the form: a password manager may have filled it without an event.
    const typed = new FormData(form.current)
    const [login, password] = [textOf(typed, 'login').trim(), textOf(typed, 'password')]
    setEmpty({ login: !login, password: !password })
    if (login && password) void enter(login, password)
    else form.current.querySelector<HTMLInputElement>(login ? '[name=password]' : '[name=login]')?.focus()
  }
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {notice && !refused && (
        <p
          className={`sign-in-notice ${notice === 'logged_out' ? '' : 'alert'}`}
          role={notice === 'logged_out' ? 'status' : 'alert'}
        >
          {t(noticeWords[notice])}
        </p>
      )}
      {refused && <ErrorAlert text={refused} />}
      <div className="field">
        <label htmlFor="login">{t('session.login')}</label>
        <input
          ref={before ? null : takeFocus}
          id="login"
          name="login"
          className="input"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={before?.username}
          // oxlint-disable-next-line tallyroom/text-limit -- Usernames are of plain letters and digits.
          maxLength={MAX_TYPED_NAME}
          required
          aria-invalid={empty.login}
          aria-describedby={empty.login ? 'login-error' : undefined}
        />
        {empty.login && (
          <p className="field-error" id="login-error" role="alert">
            {t('field.needed')}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor="password">{t('session.password')}</label>
        <PasswordInput
          inputRef={before ? takeFocus : null}
          id="password"
          name="password"
          autoComplete="current-password"
          maxLength={MAX_PASSWORD}
          required
          aria-invalid={empty.password}
          aria-describedby={empty.password ? 'password-error' : undefined}
        />
        {empty.password && (
          <p className="field-error" id="password-error" role="alert">
            {t('field.needed')}
          </p>
        )}
      </div>
      <button type="submit" className="button button-main sign-in-button" aria-busy={busy} aria-disabled={busy}>
        {busy && <span className="spinner" aria-hidden="true" />}
        <span>{t('session.enter')}</span>
      </button>
    </form>
  )
}

/** A user with a valid session can continue without signing in. GUARD-03: the server decides whether it is valid. */
const Resume = ({ onEnter }: { onEnter: Enter }) => {
  const { t } = useWords()
  const [own, setOwn] = useState<Answer<'user/view'>>()
  useEffect(() => {
    if (!getStored('user_token')) return
    let isMounted = true
    const find = async () => {
      const { allowed } = await call('userMenu/auth', { url: '/login' })
      const found = allowed ? await call('user/view', {}) : undefined
      if (isMounted) setOwn(found)
    }
    find().catch(() => undefined)
    return () => {
      isMounted = false
    }
  }, [])
  if (!own) return null
  return (
    <button type="button" className="button sign-in-button" onClick={() => void onEnter(own.start_page)}>
      {t('session.continue', { name: own.nickname || own.username })}
    </button>
  )
}
