import { MessageType } from '@tallyroom/contract/codes'
import type { Aside, CashCard as CashCardData, Message, RoomSummary } from '@tallyroom/contract/events'
import type { ReactNode } from 'react'
import type { Face } from '../../../lib/storage.ts'
import { isWritten } from '../../model/message-kinds.ts'
import { CashCard } from '../cards/cash-card.tsx'
import { PointsCard } from '../cards/points-card.tsx'
import { Bubble, OutgoingBubble } from './bubble.tsx'
import { EventLine } from './event-line.tsx'
import { NoticeLine } from './notice-line.tsx'
import type { Item } from './items.ts'

/** What the back office adds to a conversation; the member's page adds nothing. */
export type OfficeParts = {
  /** Renders an internal note. */
  renderAside?: ((aside: Aside) => ReactNode) | undefined
  /** Added to a message that was taken back: the way to its original, for the head of the group. */
  renderOriginal?: ((message: Message) => ReactNode) | undefined
  /** What the group may do with a request for points. */
  renderCashRequest?: ((cash: CashCardData) => ReactNode) | undefined
}

type Props = OfficeParts & {
  item: Item
  code: string
  face: Face
  summary: RoomSummary | undefined
  /** Empty for the user's own messages. */
  authorOf: (message: Message) => string
  /** The seq of the room's newest message. */
  newest: number | undefined
}

/** A row of the room's messages: a bubble, a card, a line or an internal note. */
export const RoomItem = ({ item, code, face, summary, authorOf, newest, ...office }: Props) => {
  if (item.kind === 'outgoing') return <OutgoingBubble outgoing={item.outgoing} />
  if (item.kind === 'day' || item.kind === 'new') return null
  if (item.kind === 'aside') {
    const { card } = item.aside
    return card ? (
      <PointsCard message={card} code={code} face={face} author={authorOf(card)} last={false} delivery="sent" />
    ) : (
      office.renderAside?.(item.aside)
    )
  }
  const { message, first } = item
  if (message.type === MessageType.event) return <EventLine message={message} />
  if (message.type === MessageType.notice) return <NoticeLine message={message} />
  const readUpTo = summary?.other_read_seq ?? 0
  const deliveredUpTo = Math.max(readUpTo, summary?.other_delivered_seq ?? 0)
  const last = message.seq === newest
  const author = authorOf(message)
  const delivery = message.seq <= readUpTo ? 'read' : message.seq <= deliveredUpTo ? 'delivered' : 'sent'
  if (message.type === MessageType.cash)
    return (
      <CashCard
        message={message}
        code={code}
        face={face}
        last={last}
        delivery={delivery}
        acts={office.renderCashRequest?.(message.cash)}
      />
    )
  if (!isWritten(message))
    return <PointsCard message={message} code={code} face={face} author={author} last={last} delivery={delivery} />
  return (
    <Bubble
      message={message}
      code={code}
      author={author}
      // In the back office the other side is one person, named in the header.
      named={first && (face === 'member' || message.is_self)}
      first={first}
      last={last}
      delivery={delivery}
      original={message.taken_back ? office.renderOriginal?.(message) : undefined}
    />
  )
}
