import { Role, MessageType, AccountStatus, RoomStatus } from '@tallyroom/contract/codes'
import { type Actor, actorOfAccount, idsOfPath } from '../../identity/actor.ts'
import { keyList } from '../../data/key-list.ts'
import { type Db, one, run, type Sql, sql } from '../../data/sql.ts'
import { asRoom, sideOf } from '../room-views.ts'
import { DELAY_SECONDS, type DuePush, MAX_TRIES, type PushContent, retryAt } from './due.ts'
import { is } from '../../domain/is.ts'
import { roomsOf, perspectiveOf, type RoomWithMarks } from '../rooms.ts'

/** At most one push a room in this time, however many messages arrive. */
const INTERVAL_SECONDS = 20
/** Older messages are not pushed: the room changed in another way. */
const MAX_AGE = '15 minutes'

/** Messages of the other side in room `r` that account `p` has not read and was not notified of. */
const fresh = (fromPartner: Sql, readSeq: Sql, toldSeq: Sql): Sql =>
  sql`m.room_id = r.id and m.from_partner = ${fromPartner} and m.type <> all (array[${MessageType.event}, ${MessageType.notice}]::int[]) and m.taken_back_at is null
    and m.seq > greatest(coalesce(${readSeq}, 0), coalesce(${toldSeq}, 0))
    and m.created_at > greatest(p.created_at, now() - ${MAX_AGE}::interval)`

/** Queues pushes for the rooms. A queued push waits a moment and covers all messages that arrive meanwhile. */
export const queuePushes = (db: Db, rooms: number[]): Promise<void> =>
  run(
    db,
    sql`with receivers as (
        select r.id, p.id as subscription from rooms r join push_subscriptions p on p.account_id = r.partner_id
          left join room_reads d on d.room_id = r.id and d.account_id = p.account_id
          left join pushes w on w.subscription_id = p.id and w.room_id = r.id
        where r.id = any(${keyList('int', rooms)})
          and exists (select from messages m where ${fresh(sql`false`, sql`d.read_seq`, sql`w.told_seq`)})
        union all
        select r.id, p.id from rooms r join push_subscriptions p on p.group_id = r.group_id and p.account_id <> r.partner_id
          left join room_reads d on d.room_id = r.id and d.account_id = p.account_id
          left join pushes w on w.subscription_id = p.id and w.room_id = r.id
        where r.id = any(${keyList('int', rooms)}) and r.status <> ${is.withBot} and r.waiting_since is not null
          and (r.owner_id is null or r.owner_id = p.account_id)
          and exists (select from messages m where ${fresh(sql`true`, sql`d.read_seq`, sql`w.told_seq`)}))
      insert into pushes as w (subscription_id, room_id, top_id, due_at)
      select h.subscription, h.id, p.top_id, now() + make_interval(secs => ${DELAY_SECONDS}::int)
      from receivers h join push_subscriptions p on p.id = h.subscription
      order by 1, 2
      on conflict (subscription_id, room_id) do update set noted = w.noted + 1,
        tries = case when w.due_at is null then 0 else w.tries end,
        due_at = coalesce(w.due_at, greatest(excluded.due_at, w.sent_at + make_interval(secs => ${INTERVAL_SECONDS}::int)))`,
  )

/** Checks again at sending time: undefined when the account has read the message or may not see the room any more. */
export const loadRoomContent = async (
  db: Db,
  { accountId, itemId: roomId, toldSeq, subscriptionId }: DuePush,
  timeZone: string,
): Promise<PushContent | undefined> => {
  const actor = await actorOfAccount(db, accountId, timeZone)
  if (!actor || actor.status !== AccountStatus.active) return undefined
  const [room] = await roomsOf(db, actor, sql`r.id = ${roomId}`)
  if (!room || !shouldNotify(actor, room)) return undefined
  const isPartner = room.partnerId === actor.id
  const newest = await one<{ seq: number | null }>(
    db,
    sql`select max(m.seq) as seq from messages m, rooms r, push_subscriptions p
      where r.id = ${roomId} and p.id = ${subscriptionId}
        and ${fresh(sql`${!isPartner}`, sql`${room.readSeq}::int`, sql`${toldSeq}::int`)}`,
  )
  if (!newest?.seq) return undefined
  const title =
    (actor.role === Role.member && (await brandName(db, actor))) || asRoom(room, perspectiveOf(actor, room)).name
  return { title, body: 'push.new_message', url: urlOf(actor, room), tag: room.code, seq: newest.seq }
}

/** In the group: the room's owner, or everyone while it has none; nobody after a colleague has answered. */
const shouldNotify = (actor: Actor, room: RoomWithMarks) =>
  sideOf(actor, room) === 'partner' ||
  (room.status !== RoomStatus.ai && room.waitingSince !== null && (room.ownerId === null || room.ownerId === actor.id))

const urlOf = (actor: Actor, room: RoomWithMarks) => {
  if (actor.role === Role.member) return '/m'
  if (sideOf(actor, room) === 'partner') return '/customer_service_chat'
  return `/chat/messaging/${room.id}/${room.partnerId}/${room.code}`
}

/** The name of the room on the member's page. */
const brandName = async (db: Db, actor: Actor) => {
  const ids = idsOfPath(actor.groupPath)
  const looks = await one<{ name: string }>(
    db,
    sql`select s.name from settings s join accounts a on a.id = s.account_id
      where s.account_id = any(${ids}::int[]) order by length(a.path) desc limit 1`,
  )
  return looks?.name
}

/** The push was sent, or was not needed. Messages that arrived meanwhile make the next one. */
export const finishRoomPush = (db: Db, due: DuePush, sentSeq: number | undefined): Promise<void> =>
  run(
    db,
    sql`update pushes set tries = 0, told_seq = greatest(told_seq, ${sentSeq ?? 0}::int),
        sent_at = case when ${sentSeq !== undefined} then now() else sent_at end,
        due_at = case when noted > ${due.noted} then
          now() + make_interval(secs => case when ${sentSeq !== undefined} then ${INTERVAL_SECONDS}::int else ${DELAY_SECONDS}::int end) end
      where subscription_id = ${due.subscriptionId} and room_id = ${due.itemId}`,
  )

/** Tries again some times, then gives up: the message is no longer new. */
export const retryRoomPush = (db: Db, due: DuePush): Promise<void> =>
  run(
    db,
    sql`update pushes set due_at = case when ${due.tries < MAX_TRIES} then ${retryAt(due)} end
      where subscription_id = ${due.subscriptionId} and room_id = ${due.itemId} and tries = ${due.tries}`,
  )

export const deleteSubscription = (db: Db, id: bigint): Promise<void> =>
  run(db, sql`delete from push_subscriptions where id = ${id}`)
