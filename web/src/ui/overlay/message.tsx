import { useRef, useSyncExternalStore } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { Icon } from '../icon.tsx'

type Action = { label: string; run: () => void }
type Notice = { id: number; kind: 'done' | 'refused'; text: string; action?: Action }
const SNACKBAR = 3000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()
const become = (next: readonly Notice[]) => {
  notices = next
  for (const tell of listeners) tell()
}
const timers = new Map<number, ReturnType<typeof setTimeout>>()
const hold = (id: number) => {
  clearTimeout(timers.get(id))
  timers.delete(id)
}
const release = (id: number) => {
  hold(id)
  timers.set(
    id,
    setTimeout(() => take(id), SNACKBAR),
  )
}
const take = (id: number) => become(notices.filter((notice) => notice.id !== id))
/** Who goes by keys may be on the way to a button that would be gone before he is there. */
const walk = ({ key }: KeyboardEvent) => {
  if (key !== 'Tab') return
  for (const { id, action } of notices) if (action && timers.has(id)) release(id)
}

export const notify = {
  /** A snackbar for what went well; goes by itself, but not while somebody is about to use its button. */
  done: (text: string, action?: Action) => {
    const id = ++lastId
    become([
      ...notices.filter(({ kind }) => kind === 'refused'),
      { id, kind: 'done', text, ...(action ? { action } : {}) },
    ])
    release(id)
  },
  /** Takes the snackbar away: another act begins, and Undo must not undo the one before it. */
  clearDone: () => become(notices.filter(({ kind }) => kind === 'refused')),
  /** An alert with the server's words for what did not; stays until it is closed. */
  refused: (text: string) => {
    const others = notices.filter((notice) => notice.kind === 'done' || notice.text !== text)
    become([...others, { id: ++lastId, kind: 'refused', text }])
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  window.addEventListener('keydown', walk)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('keydown', walk)
  }
}

/** Stands once on the page, above everything else. */
export const Notices = () => {
  const { t } = useWords()
  const shown = useSyncExternalStore(subscribe, () => notices)
  // Where the keys were before they came to a snackbar: its button goes when it is pressed.
  const before = useRef<EventTarget>(null)
  return (
    <>
      <div className="alerts">
        {shown.map(
          ({ id, kind, text }) =>
            kind === 'refused' && (
              <div key={id} className="alert alert-float" role="alert">
                <Icon name="alert" />
                <span className="alert-text">{text}</span>
                <button type="button" className="icon-button" aria-label={t('action.close')} onClick={() => take(id)}>
                  <Icon name="close" size={16} />
                </button>
              </div>
            ),
        )}
      </div>
      <div className="snackbars" role="status">
        {shown.map(
          ({ id, kind, text, action }) =>
            kind === 'done' && (
              <div
                key={id}
                className="snackbar"
                onPointerEnter={() => hold(id)}
                onPointerLeave={() => release(id)}
                onFocus={({ relatedTarget }) => {
                  before.current = relatedTarget
                  hold(id)
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
                      take(id)
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

/** An alert in its place: in a dialog, above a form. */
export const Alert = ({ text }: { text: string }) => (
  <div className="alert" role="alert">
    <Icon name="alert" />
    <span className="alert-text">{text}</span>
  </div>
)
