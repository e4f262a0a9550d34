import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { groupCount } from '../form/amount-text.ts'
import './tabs.css'

export type Tab<Key extends string> = { key: Key; label: string; count?: number | undefined }

type Props<Key extends string> = {
  /** What the tabs are parts of. */
  label: string
  tabs: readonly Tab<Key>[]
  chosen: Key
  onChoose: (key: Key) => void
  /** The chosen part. */
  children: ReactNode
}

/** Parts of a page of which one is shown. The arrow keys, Home and End choose another. */
export function Tabs<Key extends string>({ label, tabs, chosen, onChoose, children }: Props<Key>) {
  const id = useId()
  const at = tabs.findIndex(({ key }) => key === chosen)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length]
    if (!tab) return
    event.preventDefault()
    onChoose(tab.key)
    document.getElementById(`${id}${tab.key}`)?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ key, label: word, count }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}${key}`}
            className="tab"
            aria-selected={key === chosen}
            aria-controls={key === chosen ? `${id}panel` : undefined}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {word} {count !== undefined && <span className="tab-count points">{groupCount(count)}</span>}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${chosen}`}>
        {children}
      </div>
    </>
  )
}
