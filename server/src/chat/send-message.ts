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

/** A text or image on its way into a room. */
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
export type MessageSender = { send(letter: OutgoingMessage): Promise<Message> }

/** Writes messages, many rooms and senders in one transaction: the wait is for the disk, and it is shared. */
export const makeMessageSender = (db: Database, hub: Hub): MessageSender => {
  const deliver = (letters: OutgoingMessage[]) => db.transact((tx) => deliverIn(tx, hub, letters), true)
  const send = batcher<OutgoingMessage, Message>(
    async (letters) => {
      try {
        return await deliver(letters)
      } catch (error) {
        if (letters.length === 1 && !isDuplicateRequest(error)) throw error
        // One of them spoils the batch, or another process was quicker with the same request: each by itself.
        return oneByOne(letters, deliver)
      }
    },
    // One batch at a time: two at once are smaller, and cost more than they overlap.
    { lanes: 1 },
  )
  return { send }
}

const oneByOne = async (
  letters: OutgoingMessage[],
  deliver: (letters: OutgoingMessage[]) => Promise<(Message | Error)[]>,
) => {
  const answers: (Message | Error)[] = []
  for (const letter of letters) {
    try {
      const [answer] = await deliver([letter])
      answers.push(answer ?? new Error('no answer'))
    } catch (error) {
      answers.push(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return answers
}

const requestKey = (letter: OutgoingMessage) => `${letter.actor.id}/${letter.request.id}`
/** The twin of `within(actor)` for a room that is already here. */
const isParticipant = (actor: Actor, room: RoomRow) =>
  room.partnerId === actor.id || (isOffice(actor.role) && room.groupId === actor.groupId)
export const sideOf = (actor: Pick<Actor, 'id'>, room: Pick<RoomRow, 'partnerId'>) =>
  room.partnerId === actor.id ? 'partner' : 'group'

const deliverIn = async (tx: Tx, hub: Hub, letters: OutgoingMessage[]): Promise<(Message | Error)[]> => {
  const codes = [...new Set(letters.map((letter) => letter.code))]
  // Sent together, and one after the other in the database: what the second reads is as it stands under the lock.
  const [locked, { now, active, stored }] = await Promise.all([
    lockRoomsBy(tx, sql`r.code = any(${codes}::text[])`),
    loadContext(tx, letters),
  ])
  const rooms = new Map([...locked.values()].map((room) => [room.code, room]))
  const before = new Map(stored.map((outcome) => [`${outcome.actorId}/${outcome.requestId}`, outcome]))
  const first = new Map<string, OutgoingMessage>()
  const fresh: OutgoingMessage[] = []
  const judged = letters.map((letter): Error | Message | undefined => {
    const refusal = refusalFor(letter, rooms.get(letter.code), active)
    if (refusal) return refusal
    const outcome = before.get(requestKey(letter))
    if (outcome) return attempt(() => replay(outcome, letter.request.hash) as Message)
    const twin = first.get(requestKey(letter))
    if (twin) return twin.request.hash.equals(letter.request.hash) ? undefined : new Refused('request.id_reused')
    first.set(requestKey(letter), letter)
    fresh.push(letter)
    return undefined
  })
  if (fresh.length === 0) return judged as (Message | Error)[]

  const typed = fresh.flatMap(({ actor, code, draft }) => {
    const room = rooms.get(code)
    return room ? [{ accountId: actor.id, room, inside: false, draft }] : []
  })
  await clearSentDrafts(tx, hub, typed)
  // The answers are stored with the messages, so they are made before either is written.
  const news = fresh.map((letter) => toNewMessage(letter, rooms, active))
  const outcomes: Stored[] = []
  const answers = new Map<string, Message>()
  writeMessages(tx, hub, locked, {
    news,
    now,
    also: (written) => {
      fresh.forEach((letter, at) => {
        const { actor, request } = letter
        const data = toAnswer(letter, written[at], rooms)
        answers.set(requestKey(letter), data)
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
    // Whoever writes has read what stands before, in his other tabs too.
    for (const letter of fresh) {
      const read_seq = answers.get(requestKey(letter))?.seq
      if (read_seq) hub.tell(letter.actor.id, 'read', { code: letter.code, read_seq })
    }
  })
  return judged.map(
    (answer, at) => answer ?? answers.get(requestKey(letters[at] as OutgoingMessage)) ?? new Error('no answer'),
  )
}

type SendContext = { now: Date; active: Map<number, 0 | 1>; stored: Stored[] }

/** Read after the lock: the time, who is not frozen meanwhile (with is_sub), and what was already answered. */
const loadContext = async (tx: Tx, letters: OutgoingMessage[]): Promise<SendContext> => {
  const ids = [...new Set(letters.map(({ actor }) => actor.id))]
  const keys = letters.map(({ actor, request }) => ({ actorId: actor.id, requestId: request.id }))
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
  letter: OutgoingMessage,
  room: RoomRow | undefined,
  active: SendContext['active'],
): Refused | undefined => {
  if (!room || !isParticipant(letter.actor, room)) return new Refused('room.not_found')
  if (!active.has(letter.actor.id)) return new Refused('session.dead', { reason: 'frozen' })
  // In an AI room people of the group read; the member goes on talking.
  if (sideOf(letter.actor, room) === 'partner') return undefined
  if (room.status === RoomStatus.ai) return new Refused('room.in_ai_hands')
  // One of the group talks; the others read and whisper.
  if (room.ownerId && room.ownerId !== letter.actor.id)
    return new Refused('room.held', { name: ownerName(room, letter.actor) })
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

const toAnswer = (letter: OutgoingMessage, message: MessageRow | undefined, rooms: Map<string, RoomRow>): Message => {
  const room = rooms.get(letter.code)
  if (!message || !room) throw new Error('a message was not written')
  return asMessage(message, room, { side: sideOf(letter.actor, room), viewer: letter.actor })
}
