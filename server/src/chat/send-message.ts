import { RoomStatus, isOffice } from '@tallyroom/contract/codes'
import type { Message } from '@tallyroom/contract/events'
import type { Actor } from '../identity/actor.ts'
import { batcher } from '../lib/batcher.ts'
import { type Database, one, sql, type Tx } from '../data/sql.ts'
import { clearSentDrafts } from './drafts.ts'
import type { Request } from '../lib/request.ts'
import { Refused } from '../lib/refusal.ts'
import type { Hub } from '../live/hub.ts'
import { lockRoomsBy, writeMessages } from './messages.ts'
import type { MessageRow, NewMessage, RoomRow } from './room-row.ts'
import { isDuplicateRequest, outcomeRows, outcomesOf, replay, type Stored } from '../data/idempotency.ts'
import { asMessage, ownerName } from './room-views.ts'

/** A text or image to be written into a room. */
export type OutgoingMessage = {
  actor: Actor
  code: string
  type: 1 | 2
  content: string
  width?: number
  height?: number
  request: Request
  /** The version of the sender's draft that goes with it. */
  draft?: number | undefined
}
export type MessageSender = { send(item: OutgoingMessage): Promise<Message> }

/** Writes messages of many rooms and senders in one transaction, so that they share one wait for the disk. */
export const makeMessageSender = (db: Database, hub: Hub): MessageSender => {
  const deliver = (items: OutgoingMessage[]) => db.transact((tx) => deliverIn(tx, hub, items), true)
  const send = batcher<OutgoingMessage, Message>(
    async (items) => {
      try {
        return await deliver(items)
      } catch (error) {
        if (items.length === 1 && !isDuplicateRequest(error)) throw error
        // The batch failed (a bad item, or the same request in another process): retry one by one.
        return oneByOne(items, deliver)
      }
    },
    // One batch at a time: two at once are smaller and cost more than they gain.
    { lanes: 1 },
  )
  return { send }
}

const oneByOne = async (
  items: OutgoingMessage[],
  deliver: (items: OutgoingMessage[]) => Promise<(Message | Error)[]>,
) => {
  const answers: (Message | Error)[] = []
  for (const item of items) {
    try {
      const [answer] = await deliver([item])
      answers.push(answer ?? new Error('no answer'))
    } catch (error) {
      answers.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return answers
}

const requestKey = (item: OutgoingMessage) => `${item.actor.id}/${item.request.id}`
/** The same rule as `joinedRooms(actor)`, for a room that is already loaded. */
const isParticipant = (actor: Actor, room: RoomRow) =>
  room.partnerId === actor.id || (isOffice(actor.role) && room.groupId === actor.groupId)
export const sideOf = (actor: Pick<Actor, 'id'>, room: Pick<RoomRow, 'partnerId'>) =>
  room.partnerId === actor.id ? 'partner' : 'group'

const deliverIn = async (tx: Tx, hub: Hub, items: OutgoingMessage[]): Promise<(Message | Error)[]> => {
  const codes = [...new Set(items.map((item) => item.code))]
  // Both queries are pipelined on one connection, so the second runs after the lock is held.
  const [locked, { now, active, stored }] = await Promise.all([
    lockRoomsBy(tx, sql`r.code = any(${codes}::text[])`),
    loadContext(tx, items),
  ])
  const rooms = new Map([...locked.values()].map((room) => [room.code, room]))
  const before = new Map(stored.map((outcome) => [`${outcome.actorId}/${outcome.requestId}`, outcome]))
  const first = new Map<string, OutgoingMessage>()
  const fresh: OutgoingMessage[] = []
  const results = items.map((item): Error | Message | undefined => {
    const refusal = refusalFor(item, rooms.get(item.code), active)
    if (refusal) return refusal
    const outcome = before.get(requestKey(item))
    if (outcome) return attempt(() => replay(outcome, item.request.hash) as Message)
    const duplicate = first.get(requestKey(item))
    if (duplicate)
      return duplicate.request.hash.equals(item.request.hash) ? undefined : new Refused('request.id_reused')
    first.set(requestKey(item), item)
    fresh.push(item)
    return undefined
  })
  if (fresh.length === 0) return results as (Message | Error)[]

  const typed = fresh.flatMap(({ actor, code, draft }) => {
    const room = rooms.get(code)
    return room ? [{ accountId: actor.id, room, inside: false, draft }] : []
  })
  await clearSentDrafts(tx, hub, typed)
  // The answers are stored with the messages, so they are made before either is written.
  const news = fresh.map((item) => toNewMessage(item, rooms, active))
  const outcomes: Stored[] = []
  const answers = new Map<string, Message>()
  writeMessages(tx, hub, locked, {
    news,
    now,
    also: (written) => {
      fresh.forEach((item, at) => {
        const { actor, request } = item
        const data = toAnswer(item, written[at], rooms)
        answers.set(requestKey(item), data)
        outcomes.push({
          actorId: actor.id,
          requestId: request.id,
          call: 'sendMessage',
          bodyHash: request.hash,
          answer: { data },
        })
      })
      return outcomeRows(outcomes)
    },
  })
  tx.afterCommit(() => {
    // Writing marks everything before as read, in the sender's other tabs too.
    for (const item of fresh) {
      const read_seq = answers.get(requestKey(item))?.seq
      if (read_seq) hub.tell(item.actor.id, 'read', { code: item.code, read_seq })
    }
  })
  return results.map(
    (answer, at) => answer ?? answers.get(requestKey(items[at] as OutgoingMessage)) ?? new Error('no answer'),
  )
}

type SendContext = { now: Date; active: Map<number, 0 | 1>; stored: Stored[] }

/** Runs after the lock: the time, which senders are still active (with is_sub), and stored answers of repeated requests. */
const loadContext = async (tx: Tx, items: OutgoingMessage[]): Promise<SendContext> => {
  const ids = [...new Set(items.map(({ actor }) => actor.id))]
  const keys = items.map(({ actor, request }) => ({ actorId: actor.id, requestId: request.id }))
  const row = await one<{ now: Date; active: [number, 0 | 1][] | null; stored: StoredText[] | null }>(
    tx,
    sql`select clock_timestamp() as now,
      (select json_agg(json_build_array(id, is_sub)) from accounts where id = any(${ids}::int[]) and status = 1) as active,
      (select json_agg(o) from (${outcomesOf(keys)}) o) as stored`,
  )
  const stored = (row?.stored ?? []).map((outcome) => ({
    ...outcome,
    bodyHash: Buffer.from(outcome.bodyHash.slice(2), 'hex'),
  }))
  return { now: row?.now ?? new Date(), active: new Map(row?.active), stored }
}
type StoredText = Omit<Stored, 'bodyHash'> & { bodyHash: string }

const refusalFor = (
  item: OutgoingMessage,
  room: RoomRow | undefined,
  active: SendContext['active'],
): Refused | undefined => {
  if (!room || !isParticipant(item.actor, room)) return new Refused('room.not_found')
  if (!active.has(item.actor.id)) return new Refused('session.dead', { reason: 'frozen' })
  // In an AI room the group may only read; the partner goes on writing.
  if (sideOf(item.actor, room) === 'partner') return undefined
  if (room.status === RoomStatus.ai) return new Refused('room.in_ai_hands')
  // Only the owner writes to the partner; colleagues read and write internal notes.
  if (room.ownerId && room.ownerId !== item.actor.id)
    return new Refused('room.held', { name: ownerName(room, item.actor) })
  return undefined
}

const attempt = <T>(work: () => T): T | Error => {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const toNewMessage = (
  { actor, code, type, content, width, height, request }: OutgoingMessage,
  rooms: Map<string, RoomRow>,
  active: SendContext['active'],
): NewMessage => ({
  roomId: rooms.get(code)?.id ?? 0,
  messageId: request.id,
  type,
  content,
  width,
  height,
  senderId: actor.id,
  senderUsername: actor.username,
  senderNickname: actor.nickname,
  senderIsSub: active.get(actor.id) ?? 0,
  fromPartner: rooms.get(code)?.partnerId === actor.id,
})

const toAnswer = (item: OutgoingMessage, message: MessageRow | undefined, rooms: Map<string, RoomRow>): Message => {
  const room = rooms.get(item.code)
  if (!message || !room) throw new Error('a message was not written')
  return asMessage(message, room, { side: sideOf(item.actor, room), viewer: item.actor })
}
