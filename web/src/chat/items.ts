import type { Message } from '@tallyroom/contract/events'
import { isLine, isPoints } from './kinds.ts'
import type { Outgoing } from './outbox.ts'
import { dayOf } from './time.ts'

/** A row of the message list. Keys stay the same when older rows come, and when what was sent arrives in its room. */
export type Item =
  | { kind: 'day'; key: string; day: string }
  | { kind: 'message'; key: string; message: Message; first: boolean }
  | { kind: 'outgoing'; key: string; outgoing: Outgoing }

/** How long one talks on without being named again. */
const BREATH_MS = 5 * 60_000

/**
 * A day stands above its first message, as a row of its own. Above the oldest loaded message it stands only when there
 * is nothing older: else it would go away again with the next page, and the view would move.
 */
export const itemsOf = (messages: readonly Message[], outgoing: readonly Outgoing[], hasMore: boolean): Item[] => {
  const items: Item[] = []
  let before: Message | undefined
  for (const message of messages) {
    const day = dayOf(message.created_at)
    if (before ? dayOf(before.created_at) !== day : !hasMore) {
      items.push({ kind: 'day', key: `day:${message.message_id}`, day })
    }
    const first =
      !before ||
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
  }
  const there = new Set(outgoing.length ? messages.slice(-200).map((message) => message.message_id) : [])
  for (const item of outgoing) if (!there.has(item.id)) items.push({ kind: 'outgoing', key: item.id, outgoing: item })
  return items
}
