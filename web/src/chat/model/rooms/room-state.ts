import type { Answer } from '@tallyroom/contract'
import type { Message, RoomChange, RoomSummary } from '@tallyroom/contract/events'
import { unreadIn } from '@tallyroom/contract/unread'

/**
 * One open room in the browser. `messages` are by seq, without gaps, up to the newest. Pure functions: the stores make
 * the calls.
 */
export type RoomState = {
  code: string
  version: number
  messages: readonly Message[]
  /** Messages older than `messages[0]` exist. */
  hasMore: boolean
  /**
   * Changes of messages that are older than the loaded ones, by seq. A history page that was read before such a change
   * may arrive after it; then the change wins.
   */
  olderUpdates: ReadonlyMap<number, Message>
}

/** `known`: nothing new. `gap`: a change in between is missing, call `room/sync`. `reset`: load the room again. */
export type ApplyResult = { outcome: 'applied' | 'known' | 'gap' | 'reset'; state: RoomState }

export const freshRoom = (entered: Answer<'room/enter'>): RoomState => ({
  code: entered.room.code,
  version: entered.room.version,
  messages: entered.messages.toSorted((a, b) => a.seq - b.seq),
  hasMore: entered.has_more,
  olderUpdates: new Map(),
})

/**
 * Applies one change. Events may be repeated, late, out of order or lost: with `room/sync` the state still converges to
 * the server's.
 */
export const applyChange = (state: RoomState, change: RoomChange): ApplyResult => {
  if (change.reset) return { outcome: 'reset', state }
  if (change.version <= state.version) return { outcome: 'known', state }
  if (change.since > state.version) return { outcome: 'gap', state }
  const first = firstSeq(state)
  const olderUpdates = new Map(state.olderUpdates)
  for (const message of change.messages) if (message.seq < first) keepNewer(olderUpdates, message)
  const messages = merge(
    state.messages,
    change.messages.filter((message) => message.seq >= first),
  )
  return { outcome: 'applied', state: { ...state, version: change.version, messages, olderUpdates } }
}

/** Puts a page of older messages before the known ones. */
export const prependOlder = (
  state: RoomState,
  page: Pick<Answer<'room/history'>, 'messages' | 'has_more'>,
): RoomState => {
  const first = firstSeq(state)
  const olderUpdates = new Map(state.olderUpdates)
  const older = page.messages
    .filter((message) => message.seq < first)
    .map((message) => {
      const newer = olderUpdates.get(message.seq)
      olderUpdates.delete(message.seq)
      return newer && newer.version > message.version ? newer : message
    })
    .toSorted((a, b) => a.seq - b.seq)
  return { ...state, messages: [...older, ...state.messages], hasMore: page.has_more, olderUpdates }
}

/** Messages before this seq are not loaded yet. */
const firstSeq = (state: RoomState) => (state.hasMore ? (state.messages[0]?.seq ?? Number.POSITIVE_INFINITY) : 0)

const keepNewer = (map: Map<number, Message>, message: Message) => {
  const known = map.get(message.seq)
  if (!known || known.version < message.version) map.set(message.seq, message)
}

const merge = (known: readonly Message[], news: readonly Message[]): readonly Message[] => {
  if (news.length === 0) return known
  const last = known.at(-1)?.seq ?? 0
  const bySeq = new Map<number, Message>()
  for (const message of news) keepNewer(bySeq, message)
  const changed = known.map((message) => {
    const other = bySeq.get(message.seq)
    return other && other.version > message.version ? other : message
  })
  const added = [...bySeq.values()].filter((message) => message.seq > last).sort((a, b) => a.seq - b.seq)
  return [...changed, ...added]
}

/** Merges two summaries: the newer desk version wins, a read mark never goes back, the newer unread mark wins. */
export const newerSummary = (known: RoomSummary | undefined, next: RoomSummary): RoomSummary => {
  if (!known) return next
  const base = next.desk_version >= known.desk_version ? next : known
  const newer = next.mark_version > known.mark_version ? next : known
  return withRead(withDelivered(withDelivered(base, known), next), Math.max(known.read_seq, next.read_seq), newer)
}

/** Applies an event's fields, which are the same for everyone on this side; keeps the account's own read marks. */
export const changedSummary = (known: RoomSummary, { room }: { room: RoomChange['room'] }): RoomSummary =>
  room.desk_version <= known.desk_version
    ? known
    : withRead(withDelivered({ ...room, ...ownOf(known) }, known), known.read_seq, known)

/** What an event does not have. Nothing else may stay: a field that is absent now would keep its old value. */
const ownOf = ({ message_read, read_seq, marked_unread, mark_version }: RoomSummary) => ({
  message_read,
  read_seq,
  marked_unread,
  mark_version,
})

/** Receipts do not raise the version, so keep the higher ones. */
const withDelivered = (
  room: RoomSummary,
  known: Pick<RoomSummary, 'delivered_seq' | 'other_delivered_seq'>,
): RoomSummary =>
  room.delivered_seq >= known.delivered_seq && room.other_delivered_seq >= known.other_delivered_seq
    ? room
    : {
        ...room,
        delivered_seq: Math.max(room.delivered_seq, known.delivered_seq),
        other_delivered_seq: Math.max(room.other_delivered_seq, known.other_delivered_seq),
      }

type Mark = Pick<RoomSummary, 'marked_unread' | 'mark_version'>
export const withRead = (room: RoomSummary, readSeq: number, mark: Mark): RoomSummary => {
  const read_seq = Math.max(readSeq, room.read_seq)
  const { marked_unread, mark_version } = mark
  const message_read: 0 | 1 = unreadIn({ ...room, read_seq }) === 0 && !marked_unread ? 1 : 0
  const next = { read_seq, message_read, marked_unread, mark_version }
  return Object.entries(next).every(([field, value]) => room[field as keyof typeof next] === value)
    ? room
    : { ...room, ...next }
}
