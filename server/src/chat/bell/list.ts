import type { Answer } from '@tallyroom/contract'
import type { CashReason } from '@tallyroom/contract/cash'
import type { BellKind } from '@tallyroom/contract/desk/bell'
import type { ApprovalState, SensitiveChangeKind } from '@tallyroom/contract/limits'
import { formatPoints } from '@tallyroom/contract/points'
import { QUOTE_LENGTH, shortText } from '@tallyroom/contract/text/cut-text'
import { type Db, many, type Row, sql } from '../../data/sql.ts'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import { roomColumns, type RoomRow, roomTables } from '../room-row.ts'
import { asRoom, shownName } from '../room-views.ts'
import { type Mentioned, mentionedAccounts, shownMentions } from './mentions.ts'
import { seenItems } from './seen.ts'

type StoredItem = Row & {
  id: number
  kind: BellKind
  createdAt: Date
  isRead: boolean
  by: Mentioned | null
  rooms: number
  roomId: number | null
  afterSeq: number | null
  words: string | null
  mentioned: Mentioned[] | null
  noteId: number | null
  noteTitle: string | null
  approvalId: number | null
  changeId: number | null
  cashId: number | null
  state: ApprovalState | null
  change: SensitiveChangeKind | null
  amount: bigint | null
  reasonCode: CashReason | null
  answer: string | null
  /** The decided transfer is about this account. */
  member: Named | null
}
type Item = Answer<'bell/list'>['data'][number]

/** The newest items of the actor, before `after`. */
export const listBell = async (
  db: Db,
  actor: Actor,
  { after, most }: { after: number | undefined; most: number },
): Promise<Answer<'bell/list'>> => {
  const found = await many<StoredItem>(
    db,
    sql`select b.id, b.kind, b.created_at as "createdAt", b.read_at is not null as "isRead",
        case when o.id is not null then json_build_object('id', o.id, 'username', o.username, 'isSub', o.is_sub,
          'nickname', o.nickname) end as by,
        b.rooms, b.room_id as "roomId", d.after_seq as "afterSeq", coalesce(d.content, c.content) as words,
        ${mentionedAccounts(sql`coalesce(d.mentions, c.mentions)`)} as mentioned, n.id as "noteId", n.title as "noteTitle",
        b.approval_id as "approvalId", b.change_id as "changeId", b.cash_id as "cashId", coalesce(p.state, s.state) as state,
        s.kind as change, coalesce(t.amount, q.amount) as amount, q.reason_code as "reasonCode",
        coalesce(p.answer, s.answer, q.reason) as answer,
        case when k.id is not null then json_build_object('id', k.id, 'username', k.username, 'isSub', k.is_sub) end as member
      from bell_items b left join accounts o on o.id = b.by_id
        left join asides d on d.room_id = b.room_id and d.aside_id = b.aside_id
        left join note_contents c on c.id = b.content_id left join notes n on n.id = c.note_id
        left join approvals p on p.id = b.approval_id left join transfers t on t.id = p.transfer_id
        left join sensitive_changes s on s.id = b.change_id left join cash_requests q on q.id = b.cash_id
        left join accounts k on k.id = t.target_id
      where ${seenItems(actor)} and (${after ?? null}::int is null or b.id < ${after ?? null})
      order by b.id desc limit ${most + 1}`,
  )
  const page = found.slice(0, most)
  const rooms = await roomsOf(db, actor, page)
  return {
    data: page.map((item) => asItem(item, rooms.get(item.roomId ?? 0), actor)),
    next: found.length > most ? (page.at(-1)?.id ?? null) : null,
  }
}

const roomsOf = async (db: Db, actor: Actor, items: StoredItem[]): Promise<Map<number, RoomRow>> => {
  const ids = items.flatMap(({ roomId }) => roomId ?? [])
  if (ids.length === 0) return new Map()
  const rooms = await many<RoomRow>(
    db,
    sql`select ${roomColumns} from ${roomTables} where r.id = any(${ids}::int[]) and ${groupRooms(actor)}`,
  )
  return new Map(rooms.map((room) => [room.id, room]))
}

const asItem = (item: StoredItem, room: RoomRow | undefined, viewer: Actor): Item => {
  const { by, noteId, noteTitle, words, answer, member } = item
  const partner = room && { id: room.partnerId, username: room.partnerUsername, isSub: room.partnerIsSub }
  const masked = (text: string) =>
    [partner, member].reduce((rest, person) => (person ? shownText(viewer, person, rest) : rest), text)
  const { content } = shownMentions(viewer, words === null ? '' : noteId ? masked(words) : words, item.mentioned)
  const shown = room && asRoom(room, { side: 'group', viewer })
  return {
    id: item.id,
    kind: item.kind,
    created_at: item.createdAt.toISOString(),
    read: item.isRead ? 1 : 0,
    name: by ? shownName(viewer, by, by.nickname) : '',
    username: by ? shownUsername(viewer, by) : '',
    rooms: item.rooms,
    room: shown ? { room_id: shown.room_id, member_id: shown.member_id, code: shown.code, name: shown.name } : null,
    at: item.afterSeq,
    note: noteId && partner ? { note_id: noteId, member_id: partner.id, title: masked(noteTitle ?? '') } : null,
    text: shortText(content || masked(answer ?? ''), QUOTE_LENGTH),
    approval_id: item.approvalId,
    change_id: item.changeId,
    cash_id: item.cashId,
    state: item.state,
    change: item.change,
    amount: item.amount === null ? null : formatPoints(item.amount),
    reason_code: item.reasonCode,
  }
}
