import type { Aside, Message } from '@tallyroom/contract/events'
import { isLine, isPoints } from '../model/message-kinds.ts'
import type { Outgoing } from '../model/outbox.ts'
import { dayOf } from './time.ts'

/** A row of the message list. Keys stay the same when older rows come, and when what was sent arrives in its room. */
export type Item =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'message'; key: string; message: Message; first: boolean }
  | { kind: 'aside'; key: string; aside: Aside }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing }
  /** Here begins what was not read when the room was opened. */
  | { kind: 'new'; key: string }

/** How long one talks on without being named again. */
const BREATH_MS = 5 * 60_000

/**
 * A day stands above its first message, as a row of its own. Above the oldest loaded message it stands only when there
 * is nothing older: else it would go away again with the next page, and the view would move. For the same reason the
 * oldest loaded message waits for what is older: only that says whether it begins anew, and how high it is.
 */
export const itemsOf = (
  messages: readonly Message[],
  outgoing: readonly Outgoing[],
  hasMore: boolean,
  asides: readonly Aside[] = [],
  /** The seq up to which the room was read when it was opened. */
  readUpTo?: number,
): Item[] => {
  const items: Item[] = []
  const isCut = hasMore && messages.length > 1
  let before = isCut ? messages[0] : undefined
  /** Something stands between a message and the one before it. */
  let apart = false
  // Those before the oldest loaded message belong to history that is still to be loaded.
  const oldest = hasMore ? (messages[0]?.seq ?? 0) : 0
  const waiting = asides.filter((aside) => aside.after_seq >= oldest)
  // Unless what is older is here, nobody knows where the new ones begin.
  let isNewSaid = readUpTo === undefined || readUpTo < oldest
  const sayBefore = (seq: number) => {
    for (let aside = waiting[0]; aside && aside.after_seq < seq; aside = waiting[0]) {
      items.push({ kind: 'aside', key: aside.aside_id, aside })
      waiting.shift()
      apart = true
    }
  }
  for (const message of isCut ? messages.slice(1) : messages) {
    sayBefore(message.seq)
    const day = dayOf(message.created_at)
    if (before ? dayOf(before.created_at) !== day : !hasMore) {
      items.push({ kind: 'day', key: `day:${message.message_id}`, day })
    }
    if (!isNewSaid && !message.is_self && message.seq > (readUpTo ?? 0)) {
      items.push({ kind: 'new', key: `new:${message.message_id}` })
      isNewSaid = true
      apart = true
    }
    const first =
      !before ||
      apart ||
      // A card or a line is not talk: what follows it begins anew.
      isPoints(before.type) ||
      isLine(before.type) ||
      before.bot !== message.bot ||
      before.is_self !== message.is_self ||
      before.user_username !== message.user_username ||
      before.nickname !== message.nickname ||
      Date.parse(message.created_at) - Date.parse(before.created_at) > BREATH_MS
    items.push({ kind: 'message', key: message.message_id, message, first })
    before = message
    apart = false
  }
  sayBefore(Number.POSITIVE_INFINITY)
  const there = new Set(outgoing.length ? messages.slice(-200).map((message) => message.message_id) : [])
  for (const item of outgoing) if (!there.has(item.id)) items.push({ kind: 'outgoing', key: item.id, outgoing: item })
  return items
}
