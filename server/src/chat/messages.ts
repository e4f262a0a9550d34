import { cutText } from '@tallyroom/contract/text/cut-text'
import { fold } from '@tallyroom/contract/text/fold'
import { type Db, many, type Sql, sql, type Tx } from '../data/sql.ts'
import { unmasked } from '../identity/masking.ts'
import { foldedBeside } from '../lib/fold.ts'
import type { Hub } from '../live/hub.ts'
import type { NoticeFor } from './notices.ts'
import { botWorkRows } from './bot-queue.ts'
import { isOwnedByAnswer, ownerColumns } from './own-room.ts'
import { asTransfer, type StoredTransfer, transferFields, transferTables } from './message-transfer.ts'
import {
  type MessageCash,
  type MessageRow,
  type NewMessage,
  type Notice,
  type QuotedMessage,
  roomColumns,
  type RoomRow,
  roomTables,
} from './room-row.ts'
import { quoteOf } from './quotes.ts'
import { asChange } from './room-views.ts'
import { countUnanswered } from './unseen.ts'
import { isLine, RoomStatus, MessageType } from '@tallyroom/contract/codes'

/** Locks rooms until the end of the transaction, in the order of their ids. */
export const lockRooms = (tx: Tx, ids: number[]): Promise<Map<number, RoomRow>> =>
  ids.length === 0 ? Promise.resolve(new Map()) : lockRoomsBy(tx, sql`r.id = any(${ids}::int[])`)

/** The condition is true of the rooms as they are once they are locked: a room may be moved while this waits. */
export const lockRoomsBy = async (tx: Tx, condition: Sql): Promise<Map<number, RoomRow>> => {
  const rows = await many<RoomRow>(
    tx,
    sql`select ${roomColumns}, ${isOwnedByAnswer(sql`g.path`)} as "isOwnedByAnswer",
        ${hoursVersion} as "hoursVersion" from ${roomTables}
      where ${condition} order by r.id for no key update of r`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Null without opening hours. One look at a primary key. */
const hoursVersion = sql`(select h.version from desk_hours h where h.group_id = r.group_id and h.is_on)`

const PREVIEW_LENGTH = 120

type MessageWrites = {
  news?: NewMessage[]
  /** Messages whose transfer has changed. */
  changed?: MessageRow[]
  /** The time of the new messages, by the database's clock. */
  now: Date
  /** Adds the notice that the server writes after a message. */
  noticeFor?: NoticeFor
  /** Another insert or update for the same statement. */
  also?: (written: MessageRow[]) => Sql
}

/**
 * Writes new messages and marks changed ones in locked rooms, in one statement, the last of the transaction. Both sides
 * get the change after the commit. Updates the rows in `rooms`.
 */
export const writeMessages = (
  tx: Tx,
  hub: Hub,
  rooms: Map<number, RoomRow>,
  { news = [], changed = [], now, noticeFor, also }: MessageWrites,
): MessageRow[] => {
  const before = new Map([...rooms.values()].map((room) => [room.id, room.version]))
  const notices: MessageRow[] = []
  const written = news.map((message) => {
    const room = roomOf(rooms, message.roomId)
    const notice = noticeFor?.(message, room, now)
    const row = appendMessage(message, room, now)
    if (notice) notices.push(appendMessage(notice, room, now))
    return row
  })
  const touched = changed.map((message) => ({ ...message, version: ++roomOf(rooms, message.roomId).version }))
  const grown = [...rooms.values()].filter((room) => room.version !== before.get(room.id))
  const forBot = written.filter(
    (message) =>
      message.fromPartner &&
      // Only people pay.
      message.type !== MessageType.cash &&
      roomOf(rooms, message.roomId).status === RoomStatus.ai,
  )
  const parts = [
    ...(written.length ? [messageRows(rooms, [...written, ...notices]), readRows(readsOf(written))] : []),
    ...(forBot.length ? [botWorkRows(forBot)] : []),
    ...(touched.length ? [versionRows(touched)] : []),
    ...(also ? [also(written)] : []),
  ]
  const withs = parts.map(
    (part, at) => sql`${{ text: at ? `, part_${at} as (` : 'with part_0 as (', values: [] }}${part})`,
  )
  tx.last(withs.reduceRight((rest, part) => sql`${part}${rest}`, sql` ${roomRows(grown)}`))
  publishAfterCommit(tx, hub, rooms, before, [...written, ...notices, ...touched])
  return written
}

/** Gives a message its `seq` and updates the room's last message. */
const appendMessage = (message: NewMessage, room: RoomRow, now: Date): MessageRow => {
  room.lastSeq++
  room.version++
  // A line answers nothing, and the list keeps showing the last message.
  if (isLine(message.type)) return { ...message, seq: room.lastSeq, version: room.version, createdAt: now }
  room.lastType = message.type
  room.lastContent = previewOf(message)
  room.lastAt = now
  // A message of the partner shows a hidden room again.
  if (message.fromPartner && room.status === RoomStatus.hidden) room.status = 1
  if (message.fromPartner) room.snoozedUntil = null
  if (message.fromPartner) room.partnerReadSeq = room.lastSeq
  else if (!message.isApproved) room.groupReadSeq = room.lastSeq
  const answersSeq = countUnanswered(room, message, now)
  return { ...message, seq: room.lastSeq, version: room.version, createdAt: now, answersSeq }
}

/** The list shows this of a message, and so does a quote of it (quotes.ts). */
const previewOf = ({ type, content, attachment }: NewMessage): string => {
  if (attachment && 'ms' in attachment) return String(attachment.ms)
  if (attachment && 'name' in attachment) return cutText(attachment.name, PREVIEW_LENGTH)
  return type === MessageType.image ? '' : cutText(content, PREVIEW_LENGTH)
}

/** The text that search compares, when it is not the content itself: of a file its name. */
const searchText = ({ type, content, attachment }: NewMessage): string | null => {
  if (attachment) return 'name' in attachment ? fold(attachment.name) : null
  return type === MessageType.text ? foldedBeside(content) : null
}

const roomOf = (rooms: Map<number, RoomRow>, id: number) => {
  const room = rooms.get(id)
  if (!room) throw new Error(`room ${id} is not locked: call lockRooms() first`)
  return room
}

const messageRows = (rooms: Map<number, RoomRow>, written: MessageRow[]): Sql => {
  const column = <T>(pick: (message: MessageRow) => T) => written.map(pick)
  return sql`insert into messages (room_id, seq, top_id, message_id, version, type, content, sender_id, from_partner,
      width, height, transfer_id, created_at, group_id, folded, quoted_seq, attachment, answers_seq)
    select * from unnest(${column((m) => m.roomId)}::int[], ${column((m) => m.seq)}::int[],
      ${column((m) => roomOf(rooms, m.roomId).topId)}::int[], ${column((m) => m.messageId)}::uuid[],
      ${column((m) => m.version)}::bigint[], ${column((m) => m.type)}::smallint[], ${column((m) => m.content)}::text[],
      ${column((m) => m.senderId)}::int[], ${column((m) => m.fromPartner)}::boolean[],
      ${column((m) => m.width ?? null)}::int[], ${column((m) => m.height ?? null)}::int[],
      ${column((m) => m.transfer?.id ?? m.transferId ?? null)}::bigint[], ${column((m) => m.createdAt)}::timestamptz[],
      ${column((m) => roomOf(rooms, m.roomId).groupId)}::int[],
      ${column(searchText)}::text[], ${column((m) => m.quote?.seq ?? null)}::int[],
      ${column((m) => (m.attachment ? JSON.stringify(m.attachment) : null))}::jsonb[],
      ${column((m) => m.answersSeq ?? null)}::int[])`
}

const versionRows = (touched: MessageRow[]): Sql =>
  sql`update messages m set version = v.version, answers_seq = coalesce(v.answers_seq, m.answers_seq)
    from unnest(${touched.map((m) => m.roomId)}::int[], ${touched.map((m) => m.seq)}::int[],
      ${touched.map((m) => m.version)}::bigint[], ${touched.map((m) => m.answersSeq ?? null)}::int[])
      v (room_id, seq, version, answers_seq)
    where m.room_id = v.room_id and m.seq = v.seq`

type ReadMark = [roomId: number, accountId: number, seq: number]
/** A sender has read everything before its own message; the last message of each sender counts. */
const readsOf = (written: MessageRow[]): ReadMark[] => {
  const reads = new Map<string, ReadMark>()
  for (const { roomId, senderId, seq, isApproved } of written)
    if (senderId !== null && !isApproved) reads.set(`${roomId}/${senderId}`, [roomId, senderId, seq])
  return [...reads.values()]
}

/** `alone`: nothing else of the room changes, so the account's other pages find the change by `marked_xid`. */
const readRows = (reads: ReadMark[], alone = false): Sql =>
  sql`insert into room_reads (room_id, account_id, read_seq, marked_xid)
    select v.*, case when ${alone}::boolean then pg_current_xact_id() end from unnest(${reads.map(([room]) => room)}::int[], ${reads.map(([, account]) => account)}::int[],
      ${reads.map(([, , seq]) => seq)}::int[]) v
    on conflict (room_id, account_id) do update set read_seq = greatest(room_reads.read_seq, excluded.read_seq),
      marked_unread = 0, mark_version = room_reads.mark_version + room_reads.marked_unread,
      marked_xid = case when room_reads.marked_unread = 1 then pg_current_xact_id() else coalesce(excluded.marked_xid, room_reads.marked_xid) end`

/** Moves read marks forward only and removes unread marks. Returns each room's mark version. */
export const markRead = async (tx: Tx, reads: ReadMark[]): Promise<Map<number, number>> => {
  const rows = await many<{ roomId: number; version: number }>(
    tx,
    sql`${readRows(reads, true)} returning room_id as "roomId", mark_version as version`,
  )
  return new Map(rows.map(({ roomId, version }) => [roomId, version]))
}

const roomRows = (rooms: RoomRow[]): Sql => {
  for (const room of rooms) room.deskVersion++
  const column = <T>(pick: (room: RoomRow) => T) => rooms.map(pick)
  return sql`update rooms r set status = v.status, version = v.version, last_seq = v.last_seq, last_message_type = v.last_type,
      last_message_content = v.last_content, last_message_at = v.last_at, group_read_seq = v.group_read,
      partner_read_seq = v.partner_read, desk_version = v.desk_version, waiting_since = v.waiting_since, unanswered = v.unanswered,
      asked_seq = v.asked_seq,      ${ownerColumns}, snoozed_until = v.snoozed_until, away_told_at = v.away_told_at, assigned_at = case when v.owner_id = r.owner_id then r.assigned_at end,
      attended_at = case when v.waiting_since is null and v.last_at is distinct from r.last_message_at then v.last_at else r.attended_at end, changed_xid = pg_current_xact_id()
    from unnest(${column((r) => r.id)}::int[], ${column((r) => r.status)}::smallint[], ${column((r) => r.version)}::bigint[],
      ${column((r) => r.lastSeq)}::int[], ${column((r) => r.lastType)}::smallint[], ${column((r) => r.lastContent)}::text[],
      ${column((r) => r.lastAt)}::timestamptz[], ${column((r) => r.groupReadSeq)}::int[], ${column((r) => r.partnerReadSeq)}::int[],
      ${column((r) => r.deskVersion)}::bigint[], ${column((r) => r.waitingSince)}::timestamptz[], ${column((r) => r.unanswered)}::int[],
      ${column((r) => r.ownerId)}::int[], ${column((r) => r.snoozedUntil)}::timestamptz[], ${column((r) => r.awayToldAt)}::timestamptz[],
      ${column((r) => r.askedSeq)}::int[])
      v (id, status, version, last_seq, last_type, last_content, last_at, group_read, partner_read, desk_version, waiting_since,
        unanswered, owner_id, snoozed_until, away_told_at, asked_seq)
    where r.id = v.id`
}

/** Stores the changes of locked rooms. */
export const saveRooms = (tx: Tx, rooms: RoomRow[]) => many(tx, roomRows(rooms))

/**
 * After the commit, sends the change of every room whose version has grown past `before` to both sides. The hub also queues
 * pushes for browsers without an open page (push/with-push.ts).
 */
export const publishAfterCommit = (
  tx: Tx,
  hub: Hub,
  rooms: Map<number, RoomRow>,
  before: Map<number, number>,
  messages: MessageRow[],
) => {
  const grown = [...rooms.values()].filter((room) => room.version !== before.get(room.id)).map((room) => ({ ...room }))
  tx.afterCommit(() => {
    for (const room of grown) {
      const inRoom = messages.filter((message) => message.roomId === room.id)
      const since = before.get(room.id) ?? 0
      hub.roomChanged(
        room,
        (side, viewer = unmasked) => asChange(room, since, inRoom, { side, viewer }),
        sendersOf(inRoom),
      )
    }
  })
}

const sendersOf = (messages: MessageRow[]) => [...new Set(messages.flatMap(({ senderId }) => senderId ?? []))]

/** The request of message `m`, for its card. */
const cashOf: Sql = {
  text: `case when m.type = ${MessageType.cash} then (select json_build_object('id', c.id, 'direction', c.direction,
    'state', c.state, 'bank', c.bank, 'accountNo', c.account_no, 'slip', c.slip, 'reason', c.reason, 'reasonCode', c.reason_code, 'takenBy', c.taken_by,
    'taker', (select json_build_array(k.username, k.nickname, k.is_sub) from accounts k where k.id = c.taken_by),
    'maybePaid', (select json_build_array(k.id, k.username, k.nickname, c.bank_reference) from accounts k
      where k.id = c.maybe_paid_by and c.state in ('asked', 'taken')), 'expiresAt', c.expires_at, 'endedAt', c.ended_at, 'isInApproval', c.state = 'taken' and exists (select from approvals p
      where p.cash_id = c.id and p.state = 'waiting')) from cash_requests c where c.message_id = m.message_id) end`,
  values: [],
}
/** The texts of notice `m`, if the desk wrote it. */
const noticeOf: Sql = {
  text: `case when m.type = ${MessageType.notice} and m.sender_id is null then (select json_build_object('texts', d.texts, 'language', d.language)
    from desk_texts d where d.id = m.content::int) end`,
  values: [],
}
const iso = (time: string) => new Date(time).toISOString()

/** Stored messages, by a condition on the alias `m`. */
export const findMessages = async (db: Db, condition: Sql): Promise<MessageRow[]> => {
  const rows = await many<
    Omit<MessageRow, 'transfer' | 'quote' | 'cash' | 'notice'> & {
      notice: Notice | null
      quote: QuotedMessage | null
      cash: MessageCash | null
      transfer: StoredTransfer | null
    }
  >(
    db,
    sql`select m.room_id as "roomId", m.message_id as "messageId", m.seq, m.version::int, m.type, m.content,
        m.from_partner as "fromPartner", m.width, m.height, m.attachment, m.created_at as "createdAt",
        m.sender_id as "senderId", coalesce(s.username, '') as "senderUsername", coalesce(s.nickname, '') as "senderNickname",
        coalesce(s.is_sub, 0)::smallint as "senderIsSub", coalesce(s.is_key, false) as "senderIsKey",
        m.taken_back_at is not null as "isTakenBack", ${quoteOf} as quote, ${cashOf} as cash, ${noticeOf} as notice,
        case when t.id is not null then ${transferFields} end as transfer
      from messages m left join accounts s on s.id = m.sender_id left join transfers t on t.id = m.transfer_id
      ${transferTables}
      where ${condition}`,
  )
  return rows.map(({ transfer, quote, cash, notice, ...message }) => ({
    ...message,
    notice: notice ?? undefined,
    quote: quote ?? undefined,
    cash: cash ? { ...cash, expiresAt: iso(cash.expiresAt), endedAt: cash.endedAt && iso(cash.endedAt) } : undefined,
    transfer: transfer ? asTransfer(transfer) : undefined,
  }))
}
