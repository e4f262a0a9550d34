import { AccountStatus, RoomStatus } from '@tallyroom/contract/codes'
import { type Db, sql } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { asRoom, sideOf } from '../room-views.ts'
import { perspectiveOf, roomsOf } from '../rooms.ts'
import type { DuePush, PushContent } from './due.ts'

/** Checks again at sending time: undefined when the account has opened the room, or may not see it any more. */
export const loadLaterContent = async (
  db: Db,
  { accountId, itemId: roomId }: DuePush,
  timeZone: string,
): Promise<PushContent | undefined> => {
  const actor = await actorOfAccount(db, accountId, timeZone)
  if (!actor || actor.status !== AccountStatus.active) return undefined
  const [room] = await roomsOf(db, actor, sql`r.id = ${roomId}`)
  if (!room || sideOf(actor, room) === 'partner' || room.status === RoomStatus.ai || !room.markedUnread)
    return undefined
  return {
    title: asRoom(room, perspectiveOf(actor, room)).name,
    body: 'push.later',
    url: `/chat/messaging/${room.id}/${room.partnerId}/${room.code}`,
    tag: room.code,
    seq: 0,
  }
}
