import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useWords } from '../../i18n/i18n.ts'

/** What the title of the tab begins with: the room or the page. */
let subject = ''
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Names the tab by what it shows, such as a room and its page; the product comes last. Empty parts are left out. */
export const useTitle = (...parts: string[]) => {
  const { t } = useWords()
  const named = parts.filter(Boolean)
  const title = [...named, t('product.name')].join(' · ')
  const first = named[0] ?? ''
  useEffect(() => {
    document.title = title
    subject = first
    for (const listener of listeners) listener()
  }, [title, first])
}

/** Reads out what the tab shows now: a screen reader does so by itself only when a page is loaded. */
export const TitleNews = () => {
  const now = useSyncExternalStore(subscribe, () => subject)
  const before = useRef('')
  const [news, setNews] = useState('')
  useEffect(() => {
    if (now && before.current && now !== before.current) setNews(now)
    before.current = now || before.current
  }, [now])
  return (
    <p className="visually-hidden" aria-live="polite">
      {news}
    </p>
  )
}
