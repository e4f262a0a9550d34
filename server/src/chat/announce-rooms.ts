import { keyList } from '../data/key-list.ts'
import { type Db, many, sql } from '../data/sql.ts'
import { unmasked } from '../identity/masking.ts'
import type { Hub } from '../live/hub.ts'
import { roomColumns, type RoomRow, roomTables } from './room-row.ts'
import { asChange, asRoom } from './room-views.ts'

/**
 * Sends rooms as they are now, without messages. A page that has this version drops it; one that is behind and has the room
 * open asks for the difference, and one that only lists it has what it needs.
 */
export const announceRooms = async (
  db: Db,
  hub: Pick<Hub, 'roomChanged' | 'deskChanged'>,
  ids: number[],
): Promise<void> => {
  const rooms = await many<RoomRow>(
    db,
    sql`select ${roomColumns} from ${roomTables} where r.id = any(${keyList('int', ids)}) order by r.id`,
  )
  for (const room of rooms) {
    hub.roomChanged(room, (side, viewer = unmasked) => asChange(room, room.version, [], { side, viewer }))
    hub.deskChanged(room, (viewer) => ({
      code: room.code,
      room: asRoom(room, { side: 'group', viewer }),
      asides: [],
    }))
  }
}
