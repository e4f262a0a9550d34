import { TAKE_BACK_MINUTES } from '@tallyroom/contract/take-back'
import { is } from '../domain/is.ts'
import { isLine, MessageType } from '@tallyroom/contract/codes'
import type { Actor } from '../identity/actor.ts'
import { one, run, sql, type Tx } from '../data/sql.ts'
import type { Hub } from '../live/hub.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import { restartJob } from './bot-queue.ts'
import { findMessages, writeMessages } from './messages.ts'
import type { RoomRow } from './room-row.ts'

type Found = {
  seq: number
  type: MessageType
  senderId: number | null
  isTakenBack: boolean
  isLate: boolean
  isLast: boolean
  now: Date
}

/** The types that people write; the others are points and event lines. */
const WRITTEN = [MessageType.text, MessageType.image, MessageType.voice, MessageType.file]

/**
 * Takes back a message of a locked room. Its words move to `taken_back_messages` in this transaction, so that no later
 * reader of `messages` finds them. After the commit both sides get it and the messages that quote it.
 */
export const takeBack = async (
  tx: Tx,
  hub: Hub,
  { actor, room, messageId }: { actor: Actor; room: RoomRow; messageId: string },
): Promise<void> => {
  const message = ensure(
    await one<Found>(
      tx,
      sql`select m.seq, m.type, m.sender_id as "senderId", m.taken_back_at is not null as "isTakenBack",
          m.created_at < clock_timestamp() - make_interval(mins => ${TAKE_BACK_MINUTES}) as "isLate",
          m.seq = (select n.seq from messages n where n.room_id = m.room_id and n.type not in (${is.event}, ${is.notice})
            order by n.seq desc limit 1) as "isLast",
          clock_timestamp() as now
        from messages m where m.room_id = ${room.id} and m.message_id = ${messageId}`,
    ),
    'message.not_found',
  )
  const isWritten = WRITTEN.some((type) => type === message.type)
  if (!isWritten && !isLine(message.type)) return refuse('message.is_points')
  if (!isWritten || message.senderId !== actor.id) return refuse('message.not_yours')
  if (message.isTakenBack) return refuse('message.already_taken_back')
  if (message.isLate) return refuse('message.too_late')
  await moveWords(tx, room, message)
  await restartJob(tx, { roomId: room.id, seq: message.seq })
  Object.assign(room, await stillAsked(tx, room))
  // The list shows the last message: without this its words would stay there.
  if (message.isLast) Object.assign(room, { lastType: MessageType.text, lastContent: '' })
  const changed = await findMessages(
    tx,
    sql`m.room_id = ${room.id} and m.seq >= ${message.seq}
      and (m.seq = ${message.seq} or m.quoted_seq = ${message.seq})`,
  )
  writeMessages(tx, hub, new Map([[room.id, room]]), { changed, now: message.now })
}

type Asked = Pick<RoomRow, 'waitingSince' | 'unanswered' | 'askedSeq'>
/** The question that the partner still waits for; one that was taken back needs no answer. Called after its words are gone. */
const stillAsked = async (tx: Tx, room: RoomRow): Promise<Asked | undefined> => {
  if (!room.waitingSince) return undefined
  return one<Asked>(
    tx,
    // The condition on the group lets its index by time find them in a long room too.
    sql`select min(created_at) as "waitingSince", count(*)::int as unanswered, min(seq) as "askedSeq" from messages
      where group_id = ${room.groupId} and room_id = ${room.id} and from_partner
      and taken_back_at is null and type not in (${is.event}, ${is.notice}) and created_at >= ${room.waitingSince}::timestamptz`,
  )
}

const moveWords = (tx: Tx, room: RoomRow, { seq, now }: Found): Promise<void> =>
  run(
    tx,
    sql`with kept as (
        insert into taken_back_messages (room_id, seq, top_id, type, content, width, height, attachment, taken_back_at)
        select m.room_id, m.seq, m.top_id, m.type, m.content, m.width, m.height, m.attachment, ${now}::timestamptz
        from messages m where m.room_id = ${room.id} and m.seq = ${seq} returning type, content),
      file as (
        update media d set taken_back_at = ${now}::timestamptz from kept
        where kept.type <> ${MessageType.text} and d.room_id = ${room.id} and d.id = substr(kept.content, length('/media/') + 1))
      update messages set type = ${MessageType.text}, content = '', folded = null, width = null, height = null, attachment = null,
        taken_back_at = ${now}::timestamptz
      where room_id = ${room.id} and seq = ${seq}`,
  )
