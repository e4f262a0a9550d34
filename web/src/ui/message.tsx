import { useSyncExternalStore } from 'react'
import { useWords } from '../words.ts'
import { Icon } from './icon.tsx'

type Notice = { id: number; kind: 'done' | 'refused'; text: string }
const SNACKBAR = 3000

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()
const become = (next: readonly Notice[]) => {
  notices = next
  for (const tell of listeners) tell()
}
const take = (id: number) => become(notices.filter((notice) => notice.id !== id))

export const notify = {
  /** A snackbar for what went well; goes by itself. */
  done: (text: string) => {
    const id = ++lastId
    become([...notices.filter(({ kind }) => kind === 'refused'), { id, kind: 'done', text }])
    setTimeout(() => take(id), SNACKBAR)
  },
  /** An alert with the server's words for what did not; stays until it is closed. */
  refused: (text: string) => {
    const others = notices.filter((notice) => notice.kind === 'done' || notice.text !== text)
    become([...others, { id: ++lastId, kind: 'refused', text }])
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Stands once on the page, above everything else. */
export const Notices = () => {
  const { t } = useWords()
  const shown = useSyncExternalStore(subscribe, () => notices)
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
          ({ id, kind, text }) =>
            kind === 'done' && (
              <div key={id} className="snackbar">
                <Icon name="check" />
                <span>{text}</span>
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
