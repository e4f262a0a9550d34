import type { Mention } from '@tallyroom/contract/text/mentions'
import { useEffect, useRef } from 'react'
import { StateDot, useStateWords } from '../state-dot.tsx'
import { useWords } from '../../../i18n/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { Mentionable } from './mentionable.ts'
import '../pick/pick.css'
import './mention.css'

type Props = {
  id: string
  inline: boolean
  found: readonly Mentionable[]
  current: number
  isPending: boolean
  error: string | undefined
  onHighlight: (at: number) => void
  onChoose: (one: Mentionable) => void
}

/** The colleagues whose names fit what is typed after "@". The text field has the focus and the keys. */
export const MentionList = ({ id, inline, found, current, isPending, error, onHighlight, onChoose }: Props) => {
  const { t } = useWords()
  const words = useStateWords()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current, found])
  return (
    <div className={`c-pick ${inline ? 'c-mention-inline' : ''}`}>
      <ul ref={list} id={id} role="listbox" aria-label={t('bell.colleagues')} className="c-pick-list">
        {found.map((one, at) => (
          <li
            key={one.id}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === current}
            className="c-pick-option"
            onPointerMove={() => at !== current && onHighlight(at)}
            // The caret stays in the box.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(one)}
          >
            <StateDot state={one.person.state} />
            <span className="c-pick-words">
              <span className="c-pick-top">
                <bdi className="c-pick-title">{one.name}</bdi>
                {one.person.username !== one.name && <bdi className="c-pick-memo">{one.person.username}</bdi>}
              </span>
              <span className="c-pick-text">{words(one.person)}</span>
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <div className="c-pick-foot" role="status">
          {error ?? t(isPending ? 'chat.loading' : 'bell.none_found')}
        </div>
      )}
      {found.length > 0 && (
        <span className="visually-hidden" role="status">
          {t('palette.count', { n: found.length })}
        </span>
      )}
    </div>
  )
}

/** Says before it is sent whom a text notifies: a name that was typed by hand notifies nobody. */
export const Notified = ({ mentions }: { mentions: readonly Mention[] }) => {
  const { t } = useWords()
  if (mentions.length === 0) return null
  return (
    <p className="c-mention-notified" role="status">
      <Icon name="bell" size={14} />
      <span dir="auto">{t('bell.notifies', { names: mentions.map(({ name }) => name).join(', ') })}</span>
    </p>
  )
}
