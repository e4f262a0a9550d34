import { useEffect } from 'react'
import { useWords } from '../../i18n/i18n.ts'
import { foreignZone } from '../../i18n/time.ts'
import { serverNow } from '../../lib/clock.ts'
import { answersInShort, answersText } from './answer-time.ts'
import { opensAt, useDeskFacts } from './desk-facts.ts'

type Props = {
  /** What an empty conversation says while the desk is closed; empty while it is open. */
  onClosed: (text: string) => void
}

/** Below the room's name: how long the group usually takes to answer, or when its desk opens. */
export const DeskLine = ({ onClosed }: Props) => {
  const { t, language } = useWords()
  const { minutes, opening } = useDeskFacts()
  const opens = opensAt(opening, serverNow())
  const closed = opens ? [t('member.closed_write', { time: opens }), foreignZone()].filter(Boolean).join(' · ') : ''
  useEffect(() => onClosed(closed), [onClosed, closed])
  if (opens !== undefined)
    return (
      <p title={foreignZone()} role="status">
        {opens ? t('member.opens', { time: opens }) : t('member.closed')}
      </p>
    )
  const usually = minutes ? answersText(t, minutes) : ''
  if (!usually || !minutes) return null
  return (
    <p title={usually}>
      <span className="m-usually">{usually}</span>
      <span className="m-usually-short" aria-hidden="true">
        {answersInShort(language, minutes)}
      </span>
    </p>
  )
}
