import type { Tx } from '../data/sql.ts'
import type { Hub } from '../live/hub.ts'
import { markRead, publishAfterCommit, saveRooms } from './messages.ts'
import type { RoomRow } from './room-row.ts'
import { sideOf } from './room-views.ts'

/** Marks a locked room as read up to a message. The other side sees it after the commit. Marks only move forward. */
export const readUpTo = async (
  tx: Tx,
  hub: Hub,
  { actor, room, seq }: { actor: { id: number }; room: RoomRow; seq: number },
): Promise<void> => {
  const marks = await markRead(tx, [[room.id, actor.id, seq]])
  const side = sideOf(actor, room) === 'partner' ? 'partnerReadSeq' : 'groupReadSeq'
  if (seq > room[side]) {
    const before = new Map([[room.id, room.version]])
    room[side] = seq
    room.version++
    await saveRooms(tx, [room])
    publishAfterCommit(tx, hub, new Map([[room.id, room]]), before, [])
  }
  const mark = { code: room.code, read_seq: seq, marked_unread: 0 as const, mark_version: marks.get(room.id) ?? 0 }
  tx.afterCommit(() => hub.notify(actor.id, 'read', mark))
}
