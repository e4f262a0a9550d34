import { run, sql, type Tx } from '../data/sql.ts'
import type { Hub } from '../live/hub.ts'
import type { RoomRow } from './room-row.ts'
import { markUnread } from './unread-marks.ts'

/** Who looks at an open page needs no notification. */
export const DELAY_SECONDS = 2

export type RaisedRoom = {
  accountId: number
  room: Pick<RoomRow, 'id' | 'code' | 'topId'>
  /** A snoozed room is back, which its line says to the group's pages. */
  why: 'back' | 'reminder' | 'unsent'
}

/** Raises rooms to one person each: marks them as unread, and tells the person's pages and its browsers without one. */
export const raiseRooms = async (tx: Tx, hub: Pick<Hub, 'notify'>, raised: RaisedRoom[]): Promise<void> => {
  // Two reminders of one room are one mark.
  const pairs = [...new Map(raised.map((one) => [`${one.room.id}/${one.accountId}`, one])).values()]
  if (pairs.length === 0) return
  await markUnread(tx, hub, pairs)
  const column = <T>(pick: (one: RaisedRoom) => T) => pairs.map(pick)
  await run(
    tx,
    sql`insert into approval_pushes (subscription_id, about, item_id, top_id, due_at)
      select p.id, 'later', v.room_id, v.top_id, now() + make_interval(secs => ${DELAY_SECONDS}::int)
      from unnest(${column((r) => r.accountId)}::int[], ${column((r) => r.room.id)}::int[], ${column((r) => r.room.topId)}::int[])
        v (account_id, room_id, top_id) join push_subscriptions p on p.account_id = v.account_id
      order by 1, 3 on conflict do nothing`,
  )
  tx.afterCommit(() => {
    for (const { accountId, room, why } of raised)
      if (why !== 'back') hub.notify(accountId, 'later', { code: room.code, why })
  })
}
