import { useRef, useSyncExternalStore } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'

type Action = { label: string; run: () => void }
type Notice = { id: number; kind: 'done' | 'said' | 'refused' | 'warning'; text: string; action?: Action }
const SNACKBAR_MS = 3000
/** Long enough to see that it was the wrong one, and to reach the button. */
const WITH_ACTION_MS = 8000
/** Long enough to read twice; what it says is listed in the account too. */
const WARNING_MS = 15_000

let notices: readonly Notice[] = []
let lastId = 0
/** Counts the actions that can be undone. */
let lastAction = 0
const listeners = new Set<() => void>()
const setNotices = (next: readonly Notice[]) => {
  notices = next
  for (const listener of listeners) listener()
}
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const keepOpen = (id: number) => {
  clearTimeout(timers.get(id))
  timers.delete(id)
}
const release = (
  id: number,
  after = notices.some((one) => one.id === id && one.action) ? WITH_ACTION_MS : SNACKBAR_MS,
) => {
  keepOpen(id)
  timers.set(
    id,
    setTimeout(() => remove(id), after),
  )
}
const remove = (id: number) => setNotices(notices.filter((notice) => notice.id !== id))
/** A keyboard user may be on the way to a snackbar's button: Tab restarts its time. */
const onTab = ({ key }: KeyboardEvent) => {
  if (key !== 'Tab') return
  for (const { id, action } of notices) if (action && timers.has(id)) release(id)
}

export const notify = {
  /** Shows a snackbar for a success. It disappears by itself, but not while the user points at it or focuses it. */
  done: (text: string, action?: Action) => {
    const id = ++lastId
    setNotices([
      ...notices.filter(({ kind }) => kind !== 'done'),
      { id, kind: 'done', text, ...(action ? { action } : {}) },
    ])
    release(id)
  },
  /** For screen readers, of a success that is seen where it happened. */
  said: (text: string) => {
    const id = ++lastId
    setNotices([...notices, { id, kind: 'said', text }])
    release(id)
  },
  /**
   * Starts an action that can be undone: the snackbar disappears, because its Undo is for the action before. @returns
   * `done` for this action, which shows nothing once another action has started: Undo would undo the earlier one
   */
  begin: () => {
    setNotices(notices.filter(({ kind }) => kind !== 'done'))
    const action = ++lastAction
    return (...shown: Parameters<typeof notify.done>) => {
      if (action === lastAction) notify.done(...shown)
    }
  },
  /** Shows an alert with the server's message; it stays until it is closed. */
  refused: (text: string) => {
    const others = notices.filter((notice) => notice.kind !== 'refused' || notice.text !== text)
    setNotices([...others, { id: ++lastId, kind: 'refused', text }])
  },
  /** Shows what nobody here has asked for, in a corner, and for a while: it must not cover work until it is closed. */
  warning: (text: string) => {
    const id = ++lastId
    setNotices([...notices, { id, kind: 'warning', text }])
    release(id, WARNING_MS)
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('keydown', onTab)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('keydown', onTab)
  }
}

/** Renders all notices. Mount it once per page. */
export const Notices = () => {
  const shown = useSyncExternalStore(subscribe, () => notices)
  // The focus before it moved to a snackbar: its button disappears when it is pressed.
  const before = useRef<EventTarget>(null)
  return (
    <>
      <div className="alerts">
        {shown.map(
          ({ id, kind, text }) =>
            kind === 'refused' && (
              <div key={id} className="alert alert-float" role="alert">
                <Closable id={id} text={text} />
              </div>
            ),
        )}
      </div>
      <div className="warnings" role="status">
        {shown.map(
          ({ id, kind, text }) =>
            kind === 'warning' && (
              <div
                key={id}
                className="alert alert-float"
                onPointerEnter={() => keepOpen(id)}
                onPointerLeave={() => release(id, WARNING_MS)}
              >
                <Closable id={id} text={text} />
              </div>
            ),
        )}
      </div>
      <div className="visually-hidden" role="status">
        {shown.map(({ id, kind, text }) => kind === 'said' && <p key={id}>{text}</p>)}
      </div>
      <div className="snackbars" role="status">
        {shown.map(
          ({ id, kind, text, action }) =>
            kind === 'done' && (
              <div
                key={id}
                className="snackbar"
                onPointerEnter={() => keepOpen(id)}
                onPointerLeave={() => release(id)}
                onFocus={({ relatedTarget }) => {
                  before.current = relatedTarget
                  keepOpen(id)
                }}
                onBlur={() => release(id)}
              >
                <Icon name="check" />
                <span>{text}</span>
                {action && (
                  <button
                    type="button"
                    className="snackbar-action"
                    data-key="undo"
                    onClick={() => {
                      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
                      remove(id)
                      action.run()
                    }}
                  >
                    {action.label}
                  </button>
                )}
              </div>
            ),
        )}
      </div>
    </>
  )
}

/** The content of a floating alert, with the button that closes it. */
const Closable = ({ id, text }: { id: number; text: string }) => {
  const { t } = useWords()
  return (
    <>
      <Icon name="alert" />
      <span className="alert-text">{text}</span>
      <button type="button" className="icon-button" aria-label={t('action.close')} onClick={() => remove(id)}>
        <Icon name="close" size={16} />
      </button>
    </>
  )
}

/** An inline alert, in a dialog or above a form. */
export const Alert = ({ text }: { text: string }) => (
  <div className="alert" role="alert">
    <Icon name="alert" />
    <span className="alert-text">{text}</span>
  </div>
)
