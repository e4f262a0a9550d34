import { useEffect, useRef, useState } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import type { Entries } from './document.ts'

/** The entry that the reader is at: the last one whose top has passed the upper third of the window. */
const useCurrent = (ids: string[]) => {
  const [current, setCurrent] = useState(ids[0])
  const key = ids.join(' ')
  useEffect(() => {
    const parts = key.split(' ').flatMap((id) => document.getElementById(id) ?? [])
    const look = () => {
      const passed = parts.filter((part) => part.getBoundingClientRect().top < window.innerHeight / 3)
      setCurrent((passed.at(-1) ?? parts[0])?.id)
    }
    const seen = new IntersectionObserver(look, { rootMargin: '0px 0px -66% 0px', threshold: [0, 1] })
    for (const part of parts) seen.observe(part)
    return () => seen.disconnect()
  }, [key])
  return current
}

const idsOf = ({ guides, parts, events }: Entries) => [
  ...guides.map(({ id }) => id),
  ...parts.flatMap(({ calls }) => calls.map(({ id }) => id)),
  ...events.map(({ id }) => id),
]

/** The index of the page: beside the text on wide screens, on small ones a menu that stays at the top. */
export const ApiIndex = ({ entries }: { entries: Entries }) => {
  const { t } = useWords()
  const current = useCurrent(idsOf(entries))
  const menu = useRef<HTMLDetailsElement>(null)
  const list = (
    <Groups
      entries={entries}
      current={current}
      go={() => {
        if (menu.current) menu.current.open = false
      }}
    />
  )
  return (
    <>
      <nav className="api-index" aria-label={t('file.contents')}>
        {list}
      </nav>
      <details className="api-menu" ref={menu}>
        <summary>{t('file.contents')}</summary>
        <nav aria-label={t('file.contents')}>{list}</nav>
      </details>
    </>
  )
}

const Groups = ({ entries, current, go }: { entries: Entries; current: string | undefined; go: () => void }) => {
  const { t } = useWords()
  const { guides, parts, events } = entries
  const link = (id: string, title: string) => (
    <li key={id}>
      <a href={`#${id}`} aria-current={id === current ? 'location' : undefined} onClick={go}>
        {title}
      </a>
    </li>
  )
  return (
    <>
      <ul lang="en">{guides.map(({ id, title }) => link(id, title))}</ul>
      {parts.map(({ name, calls }) => (
        <div key={name} lang="en">
          <b>{name}</b>
          <ul>{calls.map(({ id, call }) => link(id, call.summary))}</ul>
        </div>
      ))}
      <div>
        <b>{t('file.events')}</b>
        <ul lang="en">{events.map(({ id, name }) => link(id, name))}</ul>
      </div>
    </>
  )
}
