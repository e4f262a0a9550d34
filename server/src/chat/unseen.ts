import { many, type Row, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import type { NewMessage, Question, RoomRow } from './room-row.ts'

/** So many messages back a room is searched for what a sender had not seen. */
const MAX_UNSEEN = 500

type Answer = { room: RoomRow; seen: number | undefined }

/** Loads into the rooms what their answers' senders had not seen. Costs nothing unless the partner wrote meanwhile. */
export const loadUnseen = async (tx: Tx, answers: Answer[]): Promise<void> => {
  const from = new Map<RoomRow, number>()
  for (const { room, seen } of answers)
    if (seen !== undefined && seen < room.lastSeq && room.waitingSince)
      from.set(room, Math.max(room.lastSeq - MAX_UNSEEN, Math.min(seen, from.get(room) ?? seen)))
  if (from.size === 0) return
  const rooms = [...from.keys()]
  const rows = await many<Row & Question & { roomId: number }>(
    tx,
    sql`select m.room_id as "roomId", m.seq, m.created_at as at
      from unnest(${rooms.map(({ id }) => id)}::int[], ${[...from.values()]}::int[]) w (room_id, seen)
      join messages m on m.room_id = w.room_id and m.seq > w.seen
      where m.from_partner and m.taken_back_at is null and m.type not in (${is.event}, ${is.notice}) order by m.seq`,
  )
  for (const room of rooms) {
    // An answered message stays answered, also when the sender of the next answer had an older screen.
    const isOpen = ({ roomId, seq }: Question & { roomId: number }) => roomId === room.id && seq >= (room.askedSeq ?? 0)
    room.questions = rows.filter(isOpen).map(({ seq, at }) => ({ seq, at }))
  }
}

/**
 * Counts a new message of the partner as unanswered; a message of the group answers all that its sender had seen.
 * @returns the message with which the wait began that this one ends
 */
export const countUnanswered = (room: RoomRow, { fromPartner, seen }: NewMessage, now: Date): number | null => {
  const before = room.questions ?? []
  if (fromPartner) {
    room.questions = [...before, { seq: room.lastSeq, at: now }]
    if (!room.waitingSince) room.askedSeq = room.lastSeq
    room.waitingSince ??= now
    room.unanswered++
    return null
  }
  room.questions = before.filter(({ seq }) => seq > (seen ?? room.lastSeq))
  const asked = room.askedSeq
  const [next] = room.questions
  room.askedSeq = next?.seq ?? null
  room.waitingSince = next?.at ?? null
  room.unanswered = room.questions.length
  return asked === room.askedSeq ? null : asked
}
