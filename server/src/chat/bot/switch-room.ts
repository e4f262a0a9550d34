import { RoomStatus, MessageType } from '@tallyroom/contract/codes'
import { is } from '../../domain/is.ts'
import { randomUUID } from 'node:crypto'
import type { Line } from '@tallyroom/contract/events'
import { one, run, sql, type Tx } from '../../data/sql.ts'
import { setOwner } from '../own-room.ts'
import type { Hub } from '../../live/hub.ts'
import { writeMessages } from '../messages.ts'
import type { NewMessage, RoomRow } from '../room-row.ts'
import { botWorkRows } from '../bot-queue.ts'

type EventActor = { id: number; username: string; nickname: string }

/**
 * Hands a locked room to people (1) or to the bot (3): writes an event line and raises the epoch, which makes an answer
 * that the bot is preparing too late.
 */
export const switchRoom = async (
  tx: Tx,
  hub: Hub,
  {
    room,
    status,
    line,
    who,
  }: { room: RoomRow; status: typeof RoomStatus.shown | typeof RoomStatus.ai; line: Line; who?: EventActor },
): Promise<void> => {
  if (status === RoomStatus.ai) {
    setOwner(undefined)(room)
    room.snoozedUntil = null
  }
  await run(tx, sql`update rooms set ai_epoch = ai_epoch + 1, owner_id = ${room.ownerId} where id = ${room.id}`)
  await run(tx, sql`delete from ai_work where room_id = ${room.id}`)
  if (status === RoomStatus.ai) await queueUnanswered(tx, room)
  const facts = await one<{ now: Date; isSub: 0 | 1 }>(
    tx,
    sql`select clock_timestamp() as now, coalesce((select is_sub from accounts where id = ${who?.id ?? null}), 0)::smallint as "isSub"`,
  )
  if (!facts) throw new Error('the database returned no row for the time')
  room.status = status
  const news = [{ ...toEventLine(room, line, who), senderIsSub: facts.isSub }]
  writeMessages(tx, hub, new Map([[room.id, room]]), { news, now: facts.now })
}

/** After these the bot would only repeat itself. */
const HAND_OFF_LINES: Line[] = ['asked_for_people', 'bot_did_not_know']

/** The first of the member's unanswered messages, unless the bot has already handed all of them to people. */
const firstUnanswered = async (tx: Tx, room: RoomRow): Promise<number | undefined> => {
  const open = await one<{ seq: number | null }>(
    tx,
    sql`select min(m.seq) as seq from messages m where m.room_id = ${room.id} and m.from_partner
      and m.seq > (select coalesce(max(a.seq), 0) from messages a where a.room_id = ${room.id} and not a.from_partner
        and (a.type not in (${is.event}, ${is.notice}) or a.content = any(${HAND_OFF_LINES}::text[])))`,
  )
  return open?.seq ?? undefined
}

/** Whether the member waits for an answer that the bot will not give. */
export const waitsForPeople = async (tx: Tx, room: RoomRow): Promise<boolean> =>
  room.waitingSince !== null && (await firstUnanswered(tx, room)) === undefined

const queueUnanswered = async (tx: Tx, room: RoomRow) => {
  const seq = await firstUnanswered(tx, room)
  if (seq === undefined) return
  await run(
    tx,
    botWorkRows([
      { roomId: room.id, seq },
      { roomId: room.id, seq: room.lastSeq },
    ]),
  )
}

const toEventLine = (room: RoomRow, line: Line, who: EventActor | undefined): NewMessage => ({
  roomId: room.id,
  messageId: randomUUID(),
  type: MessageType.event,
  content: line,
  senderId: who?.id ?? null,
  fromPartner: false,
  senderUsername: who?.username ?? '',
  senderNickname: who?.nickname ?? '',
  senderIsSub: 0,
})
