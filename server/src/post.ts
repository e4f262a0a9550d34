import type { Message } from '@tallyroom/contract/events'
import type { Actor } from './actor.ts'
import { batcher } from './batcher.ts'
import { type Database, many, sql, type Tx } from './db.ts'
import { Refused, type Request } from './handler.ts'
import type { Hub } from './hub.ts'
import { lockRooms, type MessageFacts, type NewMessage, type RoomRow, writeMessages } from './messages.ts'
import { findOutcomes, isDuplicateRequest, replay, storeOutcomes } from './requests.ts'
import { asMessage } from './room-views.ts'

/** A text or image on its way into a room. */
export type Letter = {
  actor: Actor
  roomId: number
  type: 1 | 2
  content: string
  width?: number
  height?: number
  request: Request
}
export type Post = { send(letter: Letter): Promise<Message> }

/** Writes messages, many rooms and senders in one transaction: the wait is for the disk, and it is shared. */
export const makePost = (db: Database, hub: Hub): Post => {
  const deliver = (letters: Letter[]) => db.transact((tx) => deliverIn(tx, hub, letters))
  const send = batcher<Letter, Message>(
    async (letters) => {
      try {
        return await deliver(letters)
      } catch (error) {
        if (letters.length === 1 && !isDuplicateRequest(error)) throw error
        // One of them spoils the batch, or another process was quicker with the same request: each by itself.
        return oneByOne(letters, deliver)
      }
    },
    { lanes: 2 },
  )
  return { send }
}

const oneByOne = async (letters: Letter[], deliver: (letters: Letter[]) => Promise<(Message | Error)[]>) => {
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

const keyOf = (letter: Letter) => `${letter.actor.id}/${letter.request.id}`
export const sideOf = (actor: Pick<Actor, 'id'>, room: Pick<RoomRow, 'partnerId'>) =>
  room.partnerId === actor.id ? 'partner' : 'group'

const deliverIn = async (tx: Tx, hub: Hub, letters: Letter[]): Promise<(Message | Error)[]> => {
  const rooms = await lockRooms(tx, [...new Set(letters.map((letter) => letter.roomId))])
  const active = await stillActive(tx, letters)
  const stored = await findOutcomes(
    tx,
    letters.map(({ actor, request }) => ({ actorId: actor.id, requestId: request.id })),
  )
  const before = new Map(stored.map((outcome) => [`${outcome.actorId}/${outcome.requestId}`, outcome]))
  const first = new Map<string, Letter>()
  const fresh: Letter[] = []
  const judged = letters.map((letter): Error | Message | undefined => {
    const refusal = judge(letter, rooms.get(letter.roomId), active)
    if (refusal) return refusal
    const outcome = before.get(keyOf(letter))
    if (outcome) return attempt(() => replay(outcome, letter.request.hash) as Message)
    const twin = first.get(keyOf(letter))
    if (twin) return twin.request.hash.equals(letter.request.hash) ? undefined : new Refused('request.id_reused')
    first.set(keyOf(letter), letter)
    fresh.push(letter)
    return undefined
  })
  if (fresh.length === 0) return judged as (Message | Error)[]

  const written = await writeMessages(
    tx,
    hub,
    rooms,
    fresh.map((letter) => asNew(letter, rooms)),
  )
  const answers = new Map(fresh.map((letter, at) => [keyOf(letter), answerOf(letter, written[at], rooms)]))
  await storeOutcomes(
    tx,
    fresh.map((letter) => ({
      actorId: letter.actor.id,
      requestId: letter.request.id,
      call: 'sendMessage',
      bodyHash: letter.request.hash,
      answer: { data: answers.get(keyOf(letter)) },
    })),
  )
  return judged.map((answer, at) => answer ?? answers.get(keyOf(letters[at] as Letter)) ?? new Error('no answer'))
}

/** Who was frozen since the call began writes nothing more. */
const stillActive = async (tx: Tx, letters: Letter[]): Promise<Set<number>> => {
  const ids = [...new Set(letters.map(({ actor }) => actor.id))]
  const rows = await many<{ id: number }>(tx, sql`select id from accounts where id = any(${ids}) and status = 1`)
  return new Set(rows.map(({ id }) => id))
}

const judge = (letter: Letter, room: RoomRow | undefined, active: Set<number>): Refused | undefined => {
  if (!room) return new Refused('room.not_found')
  if (!active.has(letter.actor.id)) return new Refused('session.dead', { reason: 'frozen' })
  // In an AI room people of the group read; the member goes on talking.
  if (room.status === 3 && sideOf(letter.actor, room) === 'group') return new Refused('room.in_ai_hands')
  return undefined
}

const attempt = <T>(work: () => T): T | Error => {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const asNew = (
  { actor, roomId, type, content, width, height, request }: Letter,
  rooms: Map<number, RoomRow>,
): NewMessage => ({
  roomId,
  messageId: request.id,
  type,
  content,
  width,
  height,
  senderId: actor.id,
  senderUsername: actor.username,
  senderNickname: actor.nickname,
  fromPartner: rooms.get(roomId)?.partnerId === actor.id,
})

const answerOf = (letter: Letter, message: MessageFacts | undefined, rooms: Map<number, RoomRow>): Message => {
  const room = rooms.get(letter.roomId)
  if (!message || !room) throw new Error('a message was not written')
  return asMessage(message, room, { side: sideOf(letter.actor, room), viewer: letter.actor })
}
