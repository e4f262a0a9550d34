import { useState } from 'react'
import type { Message } from '@tallyroom/contract/events'
import { type Translate, useWords } from '../../../i18n/i18n.ts'
import type { Face } from '../../../lib/storage.ts'
import { attachmentText, isEventLine, isPoints } from '../../model/message-kinds.ts'
import { quoteOf } from '../../model/quotes.ts'
import { cardText } from '../cards/card-words.ts'
import { eventLineText } from './event-line.tsx'
import { type Item, lastMessage } from './items.ts'

type Props = {
  items: readonly Item[]
  face: Face
  /** The room's partner. */
  name: string
  /** Empty for the user's own messages. */
  authorOf: (message: Message) => string
}

/** A message as it is read out: "Ann Lee: Hello". */
const messageText = (message: Message, { face, name, authorOf }: Props, t: Translate): string => {
  if (isEventLine(message.type)) return eventLineText(message, t)
  const text = message.taken_back
    ? t('message.taken_back')
    : isPoints(message.type)
      ? cardText(message, face, name, t)
      : (attachmentText(message.type, quoteOf(message).content, t) ?? message.content)
  const author = authorOf(message)
  return author ? t('message.said', { name: author, text }) : text
}

/**
 * Announces each new message of the other side once to screen readers. Rows that scrolling renders again are not
 * announced.
 */
export const Announcer = (props: Props) => {
  const { t } = useWords()
  const last = lastMessage(props.items)
  const [start] = useState(last?.seq ?? 0)
  if (!last || last.seq <= start || last.is_self) return <div className="visually-hidden" aria-live="polite" />
  return (
    <div className="visually-hidden" aria-live="polite">
      {messageText(last, props, t)}
    </div>
  )
}
