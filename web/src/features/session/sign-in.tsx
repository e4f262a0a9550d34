import { type FormEvent, useEffect, useRef, useState } from 'react'
import { call, refusedBy } from '../../api/call.ts'
import { signInChoosing } from '../../api/first-password.ts'
import { getStored } from '../../lib/storage.ts'
import { takeFocus } from '../../ui/focus.ts'
import { LanguageSelect } from '../../ui/form/language-select.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useWords } from '../../i18n/i18n.ts'
import { NewPassword } from './new-password.tsx'
import { type Notice, takeNotice, takeReturnPath } from '../../lib/handoff.ts'
import { keepProfile } from './profile.ts'
import { Refused, SecondStep } from './second-step.tsx'
import { afterRefusal, type SecondStepState } from './second-step-state.ts'
import './sign-in.css'

/** How long the button shows that it was pressed (AUTH-01), however quick the answer. */
const LOADING = 1000

/** A page of its own without the component library: it is the first thing that a phone on a bad line has to load. */
export const SignInPage = ({ onEnter }: { onEnter: () => Promise<void> }) => {
  const { t } = useWords()
  useEffect(() => {
    document.title = t('session.title')
  })
  // AUTH-12: whoever signs in in another tab is signed in here too.
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === 'user_id' && newValue) window.location.assign(takeReturnPath())
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [])
  return (
    <main className="sign-in">
      <LanguageSelect />
      <div className="sign-in-card">
        <Mark />
        <h1>{t('session.title')}</h1>
        {getStored('agent_login') === '1' ? (
          <p className="sign-in-agent">{t('session.agent_again')}</p>
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

/** Name and password, and the second step for those who have one. */
const SignIn = ({ onEnter }: { onEnter: () => Promise<void> }) => {
  const [waiting, setWaiting] = useState<SecondStepState>()
  const [choosing, setChoosing] = useState<{ username: string; password: string }>()
  const [left, setLeft] = useState<{ username: string; reason?: string }>()
  if (!waiting && choosing) {
    const leave = () => {
      setLeft({ username: choosing.username })
      setChoosing(undefined)
    }
    return <NewPassword own={choosing} onEnter={onEnter} onWait={setWaiting} onLeave={leave} />
  }
  if (!waiting) {
    return (
      <>
        <SignInForm onEnter={onEnter} onWait={setWaiting} onChoose={setChoosing} before={left} />
        <Resume onEnter={onEnter} />
      </>
    )
  }
  return (
    <SecondStep
      waiting={waiting}
      onProven={async (auth_done) => {
        const { username, password, chosen } = waiting
        const input = { username, password, face: 'office', auth_done } as const
        keepProfile(await (chosen ? signInChoosing(input, chosen) : call('login', input)))
        await onEnter()
      }}
      onLeave={(reason) => {
        setLeft({ username: waiting.username, ...(reason ? { reason } : {}) })
        setWaiting(undefined)
        setChoosing(undefined)
      }}
    />
  )
}

type FormProps = {
  onEnter: () => Promise<void>
  onWait: (waiting: SecondStepState) => void
  /** Somebody else has set the password. */
  onChoose: (own: { username: string; password: string }) => void
  /** Who was about to sign in, and why it did not come to that. */
  before: { username: string; reason?: string } | undefined
}

const SignInForm = ({ onEnter, onWait, onChoose, before }: FormProps) => {
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
      keepProfile(await call('login', { username, password, face: 'office' }))
      return await onEnter()
    } catch (error) {
      if (refusedBy('login', error, 'session.needs_new_password')) return onChoose({ username, password })
      const next = afterRefusal(error, { username, password })
      if (typeof next !== 'string') return onWait(next)
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
      {notice && (
        <p
          className={`sign-in-notice ${notice === 'expired' ? 'alert' : ''}`}
          role={notice === 'expired' ? 'alert' : 'status'}
        >
          {t(notice === 'expired' ? 'session.expired' : 'done.logout')}
        </p>
      )}
      {refused && <Refused text={refused} />}
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
          maxLength={64}
          aria-invalid={empty.login}
          aria-describedby={empty.login ? 'login-error' : undefined}
        />
        {empty.login && (
          <p className="field-error" id="login-error">
            {t('field.needed')}
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor="password">{t('session.password')}</label>
        <input
          ref={before ? takeFocus : null}
          id="password"
          name="password"
          className="input"
          type="password"
          autoComplete="current-password"
          maxLength={128}
          aria-invalid={empty.password}
          aria-describedby={empty.password ? 'password-error' : undefined}
        />
        {empty.password && (
          <p className="field-error" id="password-error">
            {t('field.needed')}
          </p>
        )}
      </div>
      <button type="submit" className="button button-main sign-in-button" aria-busy={busy} aria-disabled={busy}>
        {busy && <span className="spinner" aria-hidden="true" />}
        {t('session.enter')}
      </button>
    </form>
  )
}

/** Who opens /login with a session that still lives need not sign in again. GUARD-03: the server is asked. */
const Resume = ({ onEnter }: { onEnter: () => Promise<void> }) => {
  const { t } = useWords()
  const [alive, setAlive] = useState(false)
  useEffect(() => {
    if (!getStored('user_token')) return
    let wanted = true
    call('userMenu/auth', { url: '/login' }).then(
      ({ allowed }) => wanted && setAlive(allowed),
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [])
  if (!alive) return null
  return (
    <button type="button" className="button sign-in-button" onClick={() => void onEnter()}>
      {t('session.continue', { name: getStored('user_nickname') ?? '' })}
    </button>
  )
}
