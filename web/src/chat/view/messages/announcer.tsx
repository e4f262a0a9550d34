import { MessageType } from '@tallyroom/contract/codes'
import { useEffect, useRef, useState } from 'react'
import type { Aside, Message } from '@tallyroom/contract/events'
import { language, type Translate, useWords } from '../../../i18n/i18n.ts'
import type { Face } from '../../../lib/storage.ts'
import { attachmentText, isPointsMessage } from '../../model/message-kinds.ts'
import { quoteOf } from '../../model/quotes.ts'
import { cardChip, cardText } from '../cards/card-words.ts'
import { eventLineText } from './event-line.tsx'
import { spokenNotice } from './notice-line.tsx'
import { type Item, lastMessage } from './items.ts'

type Props = {
  items: readonly Item[]
  face: Face
  /** Empty for the user's own messages. */
  authorOf: (message: Message) => string
  /** The highest seq of the room's internal notes: those up to here may load later. */
  asideSeq: number
  /** Empty for a note that is not read out. */
  asideText: ((aside: Aside) => string) | undefined
}

/** A message as it is read out: "Ann Lee: Hello". */
const messageText = (message: Message, { face, authorOf }: Props, t: Translate): string => {
  if (message.type === MessageType.event) return eventLineText(message, t)
  if (message.type === MessageType.notice) return spokenNotice(message, language(), t)
  const text = message.taken_back
    ? t('message.taken_back')
    : isPointsMessage(message)
      ? cardText(message, face, t)
      : (attachmentText(message.type, quoteOf(message).content, t) ?? message.content)
  const author = authorOf(message)
  return author ? t('message.said', { name: author, text }) : text
}

/** No more than these of what has arrived at once, such as after a lost connection: the newest. */
const AT_MOST = 5
type Line = { key: string; text: string }

/** What was known when the room's messages were there; grows with what arrives. */
type Seen = {
  seq: number
  asideSeq: number
  /** The status of each loaded card, by the message's id. */
  statuses: Map<string, string>
}
const seenIn = ({ items, asideSeq }: Props): Seen => ({
  seq: lastMessage(items)?.seq ?? 0,
  asideSeq,
  statuses: new Map(),
})

/** Whether a card has another status than before. Not for one that has just been loaded. */
const hasNewStatus = ({ statuses }: Seen, message: Message, face: Face): boolean => {
  if (!isPointsMessage(message)) return false
  const { word } = cardChip(message, face)
  const before = statuses.get(message.message_id)
  statuses.set(message.message_id, word)
  return before !== undefined && before !== word
}

/** What has arrived since `seen`, which it updates. */
const takeNews = (seen: Seen, props: Props, t: Translate): Line[] => {
  const before = { seq: seen.seq, asideSeq: seen.asideSeq }
  const lines: Line[] = []
  for (const item of props.items) {
    if (item.kind === 'message') {
      const { message } = item
      const isChanged = hasNewStatus(seen, message, props.face)
      const isNew = message.seq > before.seq && (props.authorOf(message) !== '' || message.type === MessageType.notice)
      seen.seq = Math.max(seen.seq, message.seq)
      if (isNew || isChanged)
        lines.push({ key: `${item.key}:${message.version}`, text: messageText(message, props, t) })
    } else if (item.kind === 'aside') {
      const { seq, card } = item.aside
      const isChanged = card !== undefined && hasNewStatus(seen, card, props.face)
      const isNew = seq > before.asideSeq
      seen.asideSeq = Math.max(seen.asideSeq, seq)
      if (card && (isChanged || (isNew && props.authorOf(card) !== '')))
        lines.push({ key: `${item.key}:${card.transaction_status}`, text: messageText(card, props, t) })
      const text = card || !isNew ? '' : props.asideText?.(item.aside)
      if (text) lines.push({ key: item.key, text })
    }
  }
  return lines
}

/**
 * Announces what others write here to screen readers, once: members, and colleagues whose answer, envelope or note the
 * user would otherwise repeat. So is a card whose status changes: that points have moved, or what became of the user's
 * own answer. Rows that scrolling renders again are not announced.
 */
export const Announcer = (props: Props) => {
  const { t } = useWords()
  const [seen] = useState(() => seenIn(props))
  const [lines, setLines] = useState<readonly Line[]>([])
  const latest = useRef(props)
  latest.current = props
  const { items } = props
  useEffect(() => {
    const news = takeNews(seen, latest.current, t)
    if (news.length > 0) setLines(news.slice(-AT_MOST))
  }, [seen, items, t])
  return (
    <div className="visually-hidden" aria-live="polite">
      {/* A new element for each: an equal text in the same element is no change, and would not be announced. */}
      {lines.map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  )
}
