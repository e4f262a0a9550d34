import { isLine, TransferStatus } from '@tallyroom/contract/codes'
import type { Aside, Message } from '@tallyroom/contract/events'
import { isPoints } from '../../model/message-kinds.ts'
import type { Outgoing } from '../../model/outbox/outgoing.ts'
import { dayOf } from './time.ts'

/** A row of the message list. Its key stays the same when older rows are added, and when an outgoing message arrives. */
export type Item =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'message'; key: string; message: Message; first: boolean }
  | { kind: 'aside'; key: string; aside: Aside }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing }
  /** The "New" line (new-line.ts). */
  | { kind: 'new'; key: string }

/** Messages of one author within this time form a group with one name. */
const GROUP_MS = 5 * 60_000

/**
 * A day is a row above its first message. Above the oldest loaded message it is shown only when nothing is older: else
 * the next page would remove it and move the view. For the same reason the oldest loaded message is hidden until older
 * ones are loaded: only they decide whether it starts a group, and so its height.
 */
export const itemsOf = (
  messages: readonly Message[],
  outgoing: readonly Outgoing[],
  hasMore: boolean,
  asides: readonly Aside[] = [],
  /** The seq that the "New" line comes after; undefined for no line. */
  newAfter?: number,
): Item[] => {
  const items: Item[] = []
  const isCut = hasMore && messages.length > 1
  let before = isCut ? messages[0] : undefined
  /** Whether another row is between a message and the one before it. */
  let isSeparated = false
  // Asides before the oldest loaded message belong to history that is not loaded yet.
  const oldest = hasMore ? (messages[0]?.seq ?? 0) : 0
  const waiting = withCards(asides, messages).filter((aside) => aside.after_seq >= oldest)
  // The first unread message is unknown while older unread ones are not loaded.
  let hasNewLine = newAfter === undefined || newAfter < oldest
  const addAsidesBefore = (seq: number) => {
    for (let aside = waiting[0]; aside && aside.after_seq < seq; aside = waiting[0]) {
      items.push({ kind: 'aside', key: aside.card?.message_id ?? aside.aside_id, aside })
      waiting.shift()
      isSeparated = true
    }
  }
  for (const message of isCut ? messages.slice(1) : messages) {
    addAsidesBefore(message.seq)
    const day = dayOf(message.created_at)
    if (before ? dayOf(before.created_at) !== day : !hasMore) {
      items.push({ kind: 'day', key: `day:${message.message_id}`, day })
    }
    if (!hasNewLine && !message.is_self && message.seq > (newAfter ?? 0)) {
      items.push({ kind: 'new', key: `new:${message.message_id}` })
      hasNewLine = true
      isSeparated = true
    }
    const first =
      !before ||
      isSeparated ||
      // A card or an event line ends a group.
      isPoints(before.type) ||
      isLine(before.type) ||
      before.bot !== message.bot ||
      before.is_self !== message.is_self ||
      before.user_username !== message.user_username ||
      before.nickname !== message.nickname ||
      Date.parse(message.created_at) - Date.parse(before.created_at) > GROUP_MS
    items.push({ kind: 'message', key: message.message_id, message, first })
    before = message
    isSeparated = false
  }
  addAsidesBefore(Number.POSITIVE_INFINITY)
  const arrived = new Set(outgoing.length ? messages.slice(-200).map((message) => message.message_id) : [])
  for (const item of outgoing) if (!arrived.has(item.id)) items.push({ kind: 'outgoing', key: item.id, outgoing: item })
  return items
}

/**
 * A transfer that waits for approval is shown where it was asked for, as the newest of its notes says. After approval
 * its message takes its place.
 */
const withCards = (asides: readonly Aside[], messages: readonly Message[]): Aside[] => {
  if (!asides.some(({ card }) => card)) return [...asides]
  const newest = new Map(asides.flatMap(({ card }) => (card ? [[card.message_id, card]] : [])))
  const arrived = new Set(messages.map(({ message_id }) => message_id))
  return asides.flatMap((aside) => {
    if (!aside.card) return [aside]
    const { message_id: id, created_at } = aside.card
    const card = newest.get(id)
    newest.delete(id)
    return card && isUnapproved(card) && !arrived.has(id) ? [{ ...aside, card: { ...card, created_at } }] : []
  })
}
const isUnapproved = ({ approval, transaction_status: status }: Message) =>
  approval === 1 || (status !== TransferStatus.success && status !== TransferStatus.pending)

export const lastMessage = (items: readonly Item[]): Message | undefined => {
  const item = items.findLast((one) => one.kind === 'message')
  return item?.kind === 'message' ? item.message : undefined
}
