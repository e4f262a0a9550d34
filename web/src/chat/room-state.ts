import type { Answer } from '@tallyroom/contract'
import type { Message, RoomChange, RoomSummary } from '@tallyroom/contract/events'

/**
 * One open room as the browser knows it. `messages` are by seq and without gaps, from some seq on up to the last.
 * Pure: the stores around it do the asking.
 */
export type RoomState = {
  code: string
  version: number
  messages: readonly Message[]
  /** Older ones than `messages[0]` exist. */
  hasMore: boolean
  /**
   * Changes of messages too old to be loaded. A page of history that was read before such a change may
   * arrive after it: then this is the newer form.
   */
  aside: ReadonlyMap<number, Message>
}

/** `known`: nothing new. `gap`: something between is missing, ask for the difference. `reset`: load afresh. */
export type Applied = { outcome: 'applied' | 'known' | 'gap' | 'reset'; state: RoomState }

export const freshRoom = (entered: Answer<'room/enter'>): RoomState => ({
  code: entered.room.code,
  version: entered.room.version,
  messages: entered.messages.toSorted((a, b) => a.seq - b.seq),
  hasMore: entered.has_more,
  aside: new Map(),
})

/** Events may come twice, late, in any order or not at all; applied in this way they end in the server's state. */
export const applyChange = (state: RoomState, change: RoomChange): Applied => {
  if (change.reset) return { outcome: 'reset', state }
  if (change.version <= state.version) return { outcome: 'known', state }
  if (change.since > state.version) return { outcome: 'gap', state }
  const first = firstSeq(state)
  const aside = new Map(state.aside)
  for (const message of change.messages) if (message.seq < first) keepNewer(aside, message)
  const messages = merge(
    state.messages,
    change.messages.filter((message) => message.seq >= first),
  )
  return { outcome: 'applied', state: { ...state, version: change.version, messages, aside } }
}

/** Puts a page of older messages before the known ones. */
export const prependOlder = (
  state: RoomState,
  page: Pick<Answer<'room/history'>, 'messages' | 'has_more'>,
): RoomState => {
  const first = firstSeq(state)
  const aside = new Map(state.aside)
  const older = page.messages
    .filter((message) => message.seq < first)
    .map((message) => {
      const newer = aside.get(message.seq)
      aside.delete(message.seq)
      return newer && newer.version > message.version ? newer : message
    })
    .toSorted((a, b) => a.seq - b.seq)
  return { ...state, messages: [...older, ...state.messages], hasMore: page.has_more, aside }
}

/** The first seq of which this state is told; what lies before it is history still to be loaded. */
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

/** A row of the room list: what everyone of the side sees, and how far this account has read. */
export const unread = (room: RoomSummary): number => Math.max(0, room.last_seq - room.read_seq)

/** The newer of two summaries; a read mark never goes back, whichever brings it. */
export const newerSummary = (known: RoomSummary | undefined, next: RoomSummary): RoomSummary => {
  if (!known) return next
  const base = next.version >= known.version ? next : known
  return withRead(base, Math.max(known.read_seq, next.read_seq))
}

export const changedSummary = (known: RoomSummary, change: RoomChange): RoomSummary =>
  change.room.version <= known.version ? known : withRead({ ...known, ...change.room }, known.read_seq)

export const withRead = (room: RoomSummary, readSeq: number): RoomSummary => {
  const read_seq = Math.max(readSeq, room.read_seq)
  const message_read = read_seq >= room.last_seq ? 1 : 0
  return read_seq === room.read_seq && message_read === room.message_read ? room : { ...room, read_seq, message_read }
}
