import { RoomStatus } from '@tallyroom/contract/codes'
import { MAX_LATER_DAYS, MIN_LATER_MS } from '@tallyroom/contract/desk/later'
import { randomUUID } from 'node:crypto'
import { type Database, many, one, sql, type Tx } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { lockRoomsBy } from '../messages.ts'
import { raiseRooms } from '../raise-rooms.ts'
import type { RoomRow } from '../room-row.ts'
import { changeDesks } from './desk.ts'

/** So many rooms come back in one transaction. */
const SLICE = 200
/** The clock of a device is behind by a little. */
const GRACE_MS = 5000

/** @throws Refused later.wrong_time unless it is a minute to 30 days from now */
export const ensureLater = (iso: string): Date => {
  const ms = Date.parse(iso) - Date.now()
  return ms >= MIN_LATER_MS - GRACE_MS && ms <= MAX_LATER_DAYS * 86_400_000 + GRACE_MS
    ? new Date(iso)
    : refuse('later.wrong_time')
}

/** Whether the partner of a locked room has written after this message. */
export const hasWrittenSince = async (tx: Tx, room: Pick<RoomRow, 'id' | 'lastSeq'>, seq: number): Promise<boolean> =>
  room.lastSeq > seq &&
  (await one(
    tx,
    sql`select 1 as found from messages where room_id = ${room.id} and seq > ${seq} and from_partner limit 1`,
  )) !== undefined

export const snoozeRoom =
  (accountId: number, until: Date) =>
  (room: RoomRow): void => {
    room.snoozedUntil = until
    room.snoozedBy = accountId
    // Who puts it away has seen it: it is not one that nobody answers (DESK-03).
    room.assignedAt = null
  }

export const wakeRoom = (room: RoomRow): void => {
  room.snoozedUntil = null
}

/**
 * Brings back the rooms whose time has come, with a line that says so, and marks them as unread for their owner, else for
 * who has put them away. Any number of copies may call it: the condition holds under the lock. @returns how many
 */
export const wakeDue = async (db: Database, hub: Hub): Promise<number> => {
  const due = await many<{ id: number }>(
    db,
    sql`select id from rooms where snoozed_until <= now() order by snoozed_until limit ${SLICE}`,
  )
  if (due.length === 0) return 0
  return db.transact(async (tx) => {
    const ids = due.map(({ id }) => id)
    const locked = await lockRoomsBy(tx, sql`r.id = any(${ids}::int[]) and r.snoozed_until <= now()`)
    const rooms = [...locked.values()]
    const asideId = randomUUID()
    const personOf = ({ ownerId, snoozedBy, groupId }: RoomRow) => ownerId ?? snoozedBy ?? groupId
    await changeDesks(tx, hub, rooms, {
      aside: (room) => ({ asideId, kind: 'due', senderId: personOf(room), targetId: personOf(room) }),
      change: (room) => {
        wakeRoom(room)
        // It was hidden meanwhile, and was to come back.
        if (room.status === RoomStatus.hidden) room.status = RoomStatus.shown
      },
    })
    await raiseRooms(
      tx,
      hub,
      rooms.map((room) => ({ accountId: personOf(room), room, why: 'back' })),
    )
    return rooms.length
  })
}
