import { isLine, MessageType, RoomStatus } from '@tallyroom/contract/codes'
import type { Message } from '@tallyroom/contract/events'
import type { ApiRight } from '@tallyroom/contract/api/rights'
import { type Actor, chatGroup } from '../identity/actor.ts'
import { keyRefusal, lockKeys } from '../identity/api-keys.ts'
import { batcher } from '../lib/batcher.ts'
import type { BatchFacts } from '../lib/measures.ts'
import { type Database, one, sql, type Tx } from '../data/sql.ts'
import { makeDeskNotices } from './notices.ts'
import { clearSentDrafts } from './drafts.ts'
import { findQuoted } from './quotes.ts'
import type { IdempotencyKey } from '../lib/idempotency-key.ts'
import { Refused } from '../lib/refusal.ts'
import type { BatchTraces } from '../lib/traces.ts'
import type { Hub } from '../live/hub.ts'
import { findMessages, lockRoomsBy, writeMessages } from './messages.ts'
import type { Attachment, MessageRow, NewMessage, QuotedMessage, RoomRow } from './room-row.ts'
import {
  constraintOf,
  isDuplicateWrite,
  isOfFormerKey,
  type NewOutcome,
  outcomeRows,
  outcomesOf,
  replay,
  type Stored,
} from '../data/idempotency.ts'
import { ownIfFree } from './own-room.ts'
import { asMessage, ownerName, sideOf } from './room-views.ts'
import { loadTimed, removeTimed } from './timed-texts.ts'
import { loadUnseen } from './unseen.ts'
import { is } from '../domain/is.ts'

/** A message of a person to send into a room. */
type OutgoingMessage = {
  actor: Actor
  code: string
  type: 1 | 2 | 14 | 15 | 16
  /** The call that sends it: its name is stored with the answer. */
  call: 'sendMessage' | 'message/sendFile' | 'api/message/send' | 'api/sandbox/act'
  content: string
  width?: number
  height?: number
  attachment?: Attachment
  idempotencyKey: IdempotencyKey
  /** The version of the sender's draft that this message sends. */
  draft?: number | undefined
  /** The id of the message that it answers. */
  quote?: string | undefined
  /** The newest `seq` that the sender had on the screen. */
  seen?: number | undefined
  /** It was to be sent later: its row of `timed_acts`, which has the id of the request, goes with it. */
  isTimed?: true
  /** A key sends it, into any room below its top account. */
  byKey?: { id: string; right: ApiRight }
}
export type MessageSender = { send(message: OutgoingMessage): Promise<Message> }

/** Writes messages of many rooms and senders in one transaction, which shares the wait for the disk. */
export const makeMessageSender = (
  db: Database,
  hub: Hub,
  settings: { timeZone: string },
  watched: { onBatch?: (batch: BatchFacts) => void; traces?: BatchTraces | undefined } = {},
): MessageSender => {
  const notices = makeDeskNotices(settings)
  const deliver = (outgoing: OutgoingMessage[]) => db.transact((tx) => deliverIn({ tx, hub, notices }, outgoing), true)
  const send = batcher<OutgoingMessage, Message>(async (outgoing) => {
    try {
      return await deliver(outgoing)
    } catch (error) {
      if (outgoing.length === 1 && !isDuplicateWrite(error)) throw asRefusal(error)
      // The batch failed (a bad item, or the same request elsewhere): retry one by one.
      return oneByOne(outgoing, deliver)
    }
  }, watched)
  return { send }
}

const oneByOne = async (
  outgoing: OutgoingMessage[],
  deliver: (outgoing: OutgoingMessage[]) => Promise<(Message | Error)[]>,
) => {
  const answers: (Message | Error)[] = []
  for (const message of outgoing) {
    try {
      const [answer] = await deliver([message])
      answers.push(answer ?? new Error('no answer'))
    } catch (error) {
      answers.push(asRefusal(error))
    }
  }
  return answers
}

/** The message is there, but its outcome is no longer kept: it was repeated after that time. */
const asRefusal = (error: unknown): Error => {
  if (constraintOf(error) === 'messages_room_id_message_id_key') return new Refused('request.too_old')
  return error instanceof Error ? error : new Error(String(error))
}

const outcomeKey = (message: OutgoingMessage) => `${message.actor.id}/${message.idempotencyKey.id}`
const timedOf = (outgoing: OutgoingMessage[]) =>
  outgoing.flatMap(({ isTimed, idempotencyKey }) => (isTimed ? [idempotencyKey.id] : []))
/** The condition of `joinedRooms(actor)` for a room that is already loaded. */
const isParticipant = ({ actor, byKey }: Pick<OutgoingMessage, 'actor' | 'byKey'>, room: RoomRow) =>
  byKey ? room.topId === actor.topId : room.partnerId === actor.id || room.groupId === chatGroup(actor)
/** A notice answers nobody. */
const isAnswer = ({ actor, type }: OutgoingMessage, room: RoomRow) => !isLine(type) && sideOf(actor, room) === 'group'

type Delivery = { tx: Tx; hub: Hub; notices: ReturnType<typeof makeDeskNotices> }

const deliverIn = async ({ tx, hub, notices }: Delivery, outgoing: OutgoingMessage[]): Promise<(Message | Error)[]> => {
  const codes = [...new Set(outgoing.map((message) => message.code))]
  // Sent together and run in order: the second query reads the state under the lock.
  const [locked, { now, active, stored }, keys] = await Promise.all([
    lockRoomsBy(tx, sql`r.code = any(${codes}::text[])`),
    loadContext(tx, outgoing),
    lockKeys(tx, [...new Set(outgoing.flatMap(({ byKey }) => byKey?.id ?? []))]),
  ])
  const rooms = new Map([...locked.values()].map((room) => [room.code, room]))
  const before = new Map(stored.map((outcome) => [`${outcome.actorId}/${outcome.requestId}`, outcome]))
  const [quoteFor, repeated, timedRefusal] = await Promise.all([
    loadQuotes(tx, outgoing, rooms),
    loadSent(tx, stored, rooms),
    loadTimed(tx, timedOf(outgoing)),
  ])
  const first = new Map<string, OutgoingMessage>()
  const fresh: OutgoingMessage[] = []
  const results = outgoing.map((message): Error | Message | undefined => {
    const room = rooms.get(message.code)
    const { actor, byKey } = message
    const refusal = (byKey && keyRefusal(keys.get(byKey.id), byKey.right)) ?? refusalFor(message, room, active)
    if (refusal) return refusal
    const outcome = before.get(outcomeKey(message))
    if (outcome) return attempt(() => sentAnswer(message, outcome, repeated, rooms))
    const unquotable =
      quoteRefusal(message, quoteFor(message)) ?? (message.isTimed && timedRefusal(message.idempotencyKey.id))
    if (unquotable) return unquotable
    const twin = first.get(outcomeKey(message))
    if (twin)
      return twin.idempotencyKey.hash.equals(message.idempotencyKey.hash) ? undefined : new Refused('request.id_reused')
    first.set(outcomeKey(message), message)
    fresh.push(message)
    // Before the next one is decided: of two colleagues who answer at once the first one has the room.
    if (room && !byKey && isAnswer(message, room))
      ownIfFree(room, { ...actor, isSub: active.get(actor.id) ?? 0, groupId: room.groupId })
    return undefined
  })
  if (fresh.length === 0) return results as (Message | Error)[]

  const typed = fresh.flatMap(({ actor, code, draft }) => {
    const room = rooms.get(code)
    return room ? [{ accountId: actor.id, room, inside: false, draft }] : []
  })
  const answers = fresh.flatMap((message) => {
    const room = rooms.get(message.code)
    return room && isAnswer(message, room) ? [{ room, seen: message.seen }] : []
  })
  const asked = fresh.flatMap(({ actor, code }) => {
    const room = rooms.get(code)
    return room && sideOf(actor, room) === 'partner' ? [room] : []
  })
  const [noticeFor] = await Promise.all([
    notices.load(tx, asked),
    clearSentDrafts(tx, hub, typed),
    loadUnseen(tx, answers),
    removeTimed(tx, timedOf(fresh)),
  ])
  // The answers are stored in the same statement as the messages, so they are made first.
  const news = fresh.map((message) => ({ ...toNewMessage(message, rooms, active), quote: quoteFor(message) }))
  const outcomes: NewOutcome[] = []
  const sent = new Map<string, Message>()
  writeMessages(tx, hub, locked, {
    news,
    now,
    noticeFor,
    also: (written) => {
      fresh.forEach((message, at) => {
        const { actor, idempotencyKey } = message
        const data = toAnswer(message, written[at], rooms)
        sent.set(outcomeKey(message), data)
        outcomes.push({
          actorId: actor.id,
          requestId: idempotencyKey.id,
          call: message.call,
          bodyHash: idempotencyKey.hash,
          // A repeat reads the message itself: with its words the outcome would be as large again.
          answer: { data: { message_id: idempotencyKey.id } },
        })
      })
      return outcomeRows(outcomes)
    },
  })
  tx.afterCommit(() => {
    // A sender has read everything before its message, also in its other tabs.
    for (const message of fresh) {
      const read_seq = sent.get(outcomeKey(message))?.seq
      if (read_seq) hub.notify(message.actor.id, 'read', { code: message.code, read_seq })
    }
  })
  return results.map(
    (answer, at) => answer ?? sent.get(outcomeKey(outgoing[at] as OutgoingMessage)) ?? new Error('no answer'),
  )
}

type SendContext = { now: Date; active: Map<number, 0 | 1>; stored: Stored[] }

/** Read after the lock: the time, the senders that are not frozen (with is_sub), and stored outcomes. */
const loadContext = async (tx: Tx, outgoing: OutgoingMessage[]): Promise<SendContext> => {
  const ids = [...new Set(outgoing.map(({ actor }) => actor.id))]
  const keys = outgoing.map(({ actor, idempotencyKey }) => ({ actorId: actor.id, requestId: idempotencyKey.id }))
  const row = await one<{ now: Date; active: [number, 0 | 1][] | null; stored: StoredText[] | null }>(
    tx,
    sql`select clock_timestamp() as now,
      (select json_agg(json_build_array(id, is_sub)) from accounts where id = any(${ids}::int[]) and status = ${is.active}) as active,
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
  message: OutgoingMessage,
  room: RoomRow | undefined,
  active: SendContext['active'],
): Refused | undefined => {
  if (!room || !isParticipant(message, room)) return new Refused('room.not_found')
  if (!active.has(message.actor.id)) return new Refused('session.dead', { reason: 'frozen' })
  // In an AI room the group only reads; the member keeps writing, and so may a platform say what nobody has asked.
  if (!isAnswer(message, room)) return undefined
  if (room.status === RoomStatus.ai) return new Refused('room.in_ai_hands')
  // Only the room's owner writes to the partner; colleagues read and write internal notes.
  if (room.ownerId && room.ownerId !== message.actor.id)
    return new Refused('room.held', { name: ownerName(room, message.actor) })
  return undefined
}

type QuoteFor = (message: OutgoingMessage) => QuotedMessage | undefined

/** Read under the rooms' locks: nobody takes back a message while another one that quotes it is written. */
const loadQuotes = async (tx: Tx, outgoing: OutgoingMessage[], rooms: Map<string, RoomRow>): Promise<QuoteFor> => {
  const wantedBy = (message: OutgoingMessage) => {
    const room = rooms.get(message.code)
    const messageId = message.quote
    return room && messageId && isParticipant(message, room) ? { roomId: room.id, messageId } : undefined
  }
  const find = await findQuoted(
    tx,
    outgoing.flatMap((message) => wantedBy(message) ?? []),
  )
  return (message) => {
    const wanted = wantedBy(message)
    return wanted && find(wanted)
  }
}

const quoteRefusal = ({ quote }: OutgoingMessage, found: QuotedMessage | undefined): Refused | undefined => {
  if (!quote) return undefined
  if (!found || isLine(found.type)) return new Refused('message.quote_not_found')
  return found.isTakenBack ? new Refused('message.quote_taken_back') : undefined
}

/** The messages of requests that already have their outcome, as they are now. */
const loadSent = async (tx: Tx, stored: Stored[], rooms: Map<string, RoomRow>): Promise<Map<string, MessageRow>> => {
  if (stored.length === 0) return new Map()
  const ids = stored.map(({ requestId }) => requestId)
  const inRooms = [...rooms.values()].map(({ id }) => id)
  const found = await findMessages(tx, sql`m.room_id = any(${inRooms}::int[]) and m.message_id = any(${ids}::uuid[])`)
  return new Map(found.map((message) => [`${message.roomId}/${message.messageId}`, message]))
}

/**
 * The answer to a repeated request: the message as it is now. Older versions stored a copy, which may hold words that were
 * taken back since.
 */
const sentAnswer = (
  message: OutgoingMessage,
  outcome: Stored,
  sent: Map<string, MessageRow>,
  rooms: Map<string, RoomRow>,
): Message => {
  replay(outcome, message)
  const row = sent.get(`${rooms.get(message.code)?.id}/${outcome.requestId}`)
  // Deleted since: nobody gets its words again.
  if (!row) throw new Refused('request.too_old')
  // Text is comparable; other content is the address of a file, which each upload makes.
  const isComparable = message.type === MessageType.text && !row.isTakenBack
  if (isOfFormerKey(outcome, message) && isComparable && row.content !== message.content)
    throw new Refused('request.id_reused')
  return toAnswer(message, row, rooms)
}

const attempt = <T>(work: () => T): T | Error => {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const toNewMessage = (
  { actor, code, type, content, width, height, attachment, idempotencyKey, seen, byKey }: OutgoingMessage,
  rooms: Map<string, RoomRow>,
  active: SendContext['active'],
): NewMessage => ({
  roomId: rooms.get(code)?.id ?? 0,
  messageId: idempotencyKey.id,
  type,
  content,
  width,
  height,
  attachment,
  senderId: actor.id,
  senderUsername: actor.username,
  senderNickname: actor.nickname,
  senderIsSub: active.get(actor.id) ?? 0,
  senderIsKey: byKey !== undefined,
  fromPartner: rooms.get(code)?.partnerId === actor.id,
  seen,
})

const toAnswer = (message: OutgoingMessage, row: MessageRow | undefined, rooms: Map<string, RoomRow>): Message => {
  const room = rooms.get(message.code)
  if (!row || !room) throw new Error(`message ${message.idempotencyKey.id} has no row or no room`)
  return asMessage(row, room, { side: sideOf(message.actor, room), viewer: message.actor })
}
