import { BULK } from '@tallyroom/contract/calls/conversation/desk'
import { many, one, sql, type Tx } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import type { Hub } from '../../live/hub.ts'
import { lockRoomsBy } from '../messages.ts'
import { type Colleague, setOwner } from '../own-room.ts'
import type { RoomRow } from '../room-row.ts'
import { type NewBellItem, ringBells } from '../bell/ring.ts'
import { changeDesks } from './desk.ts'

type Gift = { actor: Actor; asideId: string; given: Colleague | undefined; note: string; after: number }

/**
 * Gives the actor's next rooms, at most `BULK`, to a colleague or to nobody. Locks the actor's state first, as the assigner
 * does: meanwhile it gets no room.
 */
export const giveAll = async (
  tx: Tx,
  hub: Hub,
  { actor, asideId, given, note, after }: Gift,
): Promise<{ rooms: RoomRow[]; next: number | null }> => {
  await one(tx, sql`select account_id from desk_people where account_id = ${actor.id} for update`)
  const isOwn = sql`${groupRooms(actor)} and r.owner_id = ${actor.id} and r.status <> ${is.withBot}`
  const found = await many<{ id: number }>(
    tx,
    sql`select r.id from rooms r where ${isOwn} and r.id > ${after} order by r.id limit ${BULK + 1}`,
  )
  const ids = found.slice(0, BULK).map(({ id }) => id)
  const rooms = [...(await lockRoomsBy(tx, sql`r.id = any(${ids}::int[]) and ${isOwn}`)).values()]
  const aside = { asideId, content: note, senderId: actor.id }
  await changeDesks(tx, hub, rooms, {
    aside: given
      ? { ...aside, kind: 'handed', targetId: given.id }
      : { ...aside, kind: 'released', targetId: actor.id },
    change: setOwner(given),
  })
  if (given) await ringBells(tx, hub, handedOver(rooms, { asideId, byId: actor.id, accountId: given.id }))
  return { rooms, next: found.length > BULK ? (ids.at(-1) ?? null) : null }
}

/** One item for all rooms that were handed over at once. */
export const handedOver = (
  rooms: readonly RoomRow[],
  { asideId, ...who }: { accountId: number; byId: number; asideId: string },
): NewBellItem[] => {
  const [first] = rooms
  return first
    ? [{ ...who, kind: 'handed', roomId: rooms.length === 1 ? first.id : null, asideId, rooms: rooms.length }]
    : []
}
