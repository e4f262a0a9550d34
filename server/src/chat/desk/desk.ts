import { type Db, many, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import type { Hub } from '../../live/hub.ts'
import { mentionedAccounts } from '../bell/mentions.ts'
import { asTransfer, type StoredTransfer, transferFields, transferTables } from '../message-transfer.ts'
import { ownerColumns } from '../own-room.ts'
import type { RoomRow } from '../room-row.ts'
import { asRoom } from '../room-views.ts'
import { asAside, type AsideRow } from './aside.ts'
import type { Aside } from '@tallyroom/contract/events'

type NewAside = {
  asideId: string
  kind: Aside['kind']
  /** Has `<@ID>` for each of `mentions` (chat/bell/mentions.ts). */
  content?: string
  mentions?: number[]
  senderId: number
  targetId?: number | null
  transferId?: bigint
  /** It ends the wait that began with this message. */
  answersSeq?: number | null
}

/** The most asides beside one page of messages. */
const MAX_ASIDES = 300

export const findAsides = async (db: Db, condition: Sql): Promise<AsideRow[]> => {
  const rows = await many<Omit<AsideRow, 'transfer'> & { transfer: StoredTransfer | null }>(
    db,
    sql`select d.aside_id as "asideId", d.room_id as "roomId", d.seq, d.after_seq as "afterSeq", d.kind, d.content, ${mentionedAccounts(sql`d.mentions`)} as mentioned,
        d.sender_id as "senderId", s.username as "senderUsername", s.nickname as "senderNickname", s.is_sub as "senderIsSub",
        d.target_id as "targetId", coalesce(t.username, '') as "targetUsername", coalesce(t.nickname, '') as "targetNickname",
        coalesce(t.is_sub, 0)::smallint as "targetIsSub", d.created_at as "createdAt",
        case when d.transfer_id is not null then (select ${transferFields} from transfers t ${transferTables}
          where t.id = d.transfer_id) end as transfer
      from asides d join accounts s on s.id = d.sender_id left join accounts t on t.id = d.target_id where ${condition}`,
  )
  return rows.map(({ transfer, ...aside }) => ({ ...aside, transfer: transfer ? asTransfer(transfer) : undefined }))
}

/** The asides of a page of messages. The first page also gets those before it, the last one all that follow. */
export const asidesForPage = async (db: Db, room: RoomRow, from: number, to: number): Promise<AsideRow[]> => {
  const first = from > 1 ? from : 0
  const last = to < room.lastSeq ? to : 2 ** 31 - 1
  const found = await findAsides(
    db,
    sql`d.room_id = ${room.id} and d.after_seq between ${first} and ${last} order by d.seq desc limit ${MAX_ASIDES}`,
  )
  return found.toReversed()
}

type DeskUpdate = {
  change?: (room: RoomRow) => void
  /** The aside that records the change in the room. The id is the same in all of them. */
  aside?: NewAside | ((room: RoomRow) => NewAside)
}

/** Changes the group's side of locked rooms (status, owner, waiting) and sends the change to the group only. */
export const changeDesks = async (
  tx: Tx,
  hub: Hub,
  rooms: RoomRow[],
  { change, aside }: DeskUpdate,
): Promise<AsideRow[]> => {
  if (rooms.length === 0) return []
  for (const room of rooms) {
    change?.(room)
    room.deskVersion++
    if (aside) room.asideSeq++
  }
  const column = <T>(pick: (room: RoomRow) => T) => rooms.map(pick)
  await run(
    tx,
    sql`update rooms r set status = v.status, ${ownerColumns}, assigned_at = v.assigned_at,
        attended_at = case when v.owner_id is distinct from r.owner_id and v.owner_id is not null then coalesce(v.assigned_at, clock_timestamp())
          else r.attended_at end, waiting_since = v.waiting_since, snoozed_until = v.snoozed_until, snoozed_by = v.snoozed_by,
        unanswered = v.unanswered, asked_seq = v.asked_seq, aside_seq = v.aside_seq, desk_version = v.desk_version, desk_xid = pg_current_xact_id()
      from unnest(${column((r) => r.id)}::int[], ${column((r) => r.status)}::smallint[], ${column((r) => r.ownerId)}::int[],
        ${column((r) => r.waitingSince)}::timestamptz[], ${column((r) => r.unanswered)}::int[], ${column((r) => r.asideSeq)}::int[], ${column((r) => r.deskVersion)}::bigint[],
        ${column((r) => r.assignedAt)}::timestamptz[], ${column((r) => r.snoozedUntil)}::timestamptz[], ${column((r) => r.snoozedBy)}::int[], ${column((r) => r.askedSeq)}::int[])
        v (id, status, owner_id, waiting_since, unanswered, aside_seq, desk_version, assigned_at, snoozed_until, snoozed_by, asked_seq)
      where r.id = v.id`,
  )
  const asideOf = typeof aside === 'function' ? aside : aside && (() => aside)
  const written = asideOf ? await writeAsides(tx, rooms, asideOf) : []
  const changedRooms = rooms.map((room) => ({ ...room }))
  tx.afterCommit(() => {
    for (const room of changedRooms) {
      const asides = written.filter(({ roomId }) => roomId === room.id)
      hub.deskChanged(
        room,
        (viewer) => ({
          code: room.code,
          room: asRoom(room, { side: 'group', viewer }),
          asides: asides.map((one) => asAside(one, room, viewer)),
        }),
        asideOf ? [asideOf(room).senderId] : [],
      )
    }
  })
  return written
}

const writeAsides = async (tx: Tx, rooms: RoomRow[], asideOf: (room: RoomRow) => NewAside): Promise<AsideRow[]> => {
  const column = <T>(pick: (room: RoomRow) => T) => rooms.map(pick)
  const own = <T>(pick: (aside: NewAside) => T) => rooms.map((room) => pick(asideOf(room)))
  await run(
    tx,
    sql`insert into asides (room_id, seq, top_id, after_seq, aside_id, kind, content, sender_id, target_id, transfer_id,
        answers_seq, mentions)
      select v.room_id, v.seq, v.top_id, v.after_seq, v.aside_id, v.kind, v.content, v.sender_id, v.target_id, v.transfer_id,
        v.answers_seq, v.mentions::int[] from unnest(${column((r) => r.id)}::int[], ${column((r) => r.asideSeq)}::int[], ${column((r) => r.topId)}::int[],
        ${column((r) => r.lastSeq)}::int[], ${own((a) => a.asideId)}::uuid[], ${own((a) => a.kind)}::text[],
        ${own((a) => a.content ?? '')}::text[], ${own((a) => a.senderId)}::int[], ${own((a) => a.targetId ?? null)}::int[],
        ${own((a) => a.transferId ?? null)}::bigint[], ${own((a) => a.answersSeq ?? null)}::int[],
        ${own((a) => `{${(a.mentions ?? []).join()}}`)}::text[])
        v (room_id, seq, top_id, after_seq, aside_id, kind, content, sender_id, target_id, transfer_id, answers_seq, mentions)`,
  )
  return findAsides(
    tx,
    sql`d.aside_id = any(${own((a) => a.asideId)}::uuid[]) and d.room_id = any(${column((r) => r.id)}::int[])`,
  )
}

/** Records that the partners' last messages need no answer. The rooms are locked. */
export const settleRooms = (tx: Tx, hub: Hub, rooms: RoomRow[], by: { asideId: string; senderId: number }) => {
  const asked = new Map(rooms.map(({ id, askedSeq }) => [id, askedSeq]))
  return changeDesks(tx, hub, rooms, {
    aside: ({ id }) => ({ ...by, kind: 'settled', answersSeq: asked.get(id) ?? null }),
    change: (one) => {
      one.askedSeq = null
      one.waitingSince = null
      one.unanswered = 0
    },
  })
}
