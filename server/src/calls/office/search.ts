import { MessageType, Role } from '@tallyroom/contract/codes'
import type { searchCalls } from '@tallyroom/contract/calls/office/search'
import { fold, foldWanted } from '@tallyroom/contract/text/fold'
import { namesOf } from '../../accounts/accounts.ts'
import { visibleAccounts, groupRooms } from '../../identity/actor.ts'
import { type Db, many, one, type Row, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { accented, excerptOf } from '../../lib/fold.ts'
import type { Handlers } from '../handler.ts'
import { roomColumns, type RoomRow, roomTables } from '../../chat/room-row.ts'
import { mayList } from '../../identity/policy.ts'
import { nameRank, nicknameFits, shownText, usernameFits } from '../../identity/masking.ts'
import { type Mentioned, mentionedAccounts, shownMentions } from '../../chat/bell/mentions.ts'
import { asRoom, shownFileName } from '../../chat/room-views.ts'

/** The hits that one call returns, and the most messages it scans for them, which bounds its time. */
const HITS = 20
const MAX_SCANNED = 100_000
/** Only the newest notes are searched. */
const MAX_NOTES = 20_000

type SearchCursor = { created_at: string; room_id: number; seq: number }
const cursorOf = ({ created_at, room_id, seq }: SearchCursor) => `${created_at}/${room_id}/${seq}`
const parseCursor = (cursor: string): SearchCursor => {
  const [created_at = '', room_id, seq] = cursor.split('/')
  return { created_at, room_id: Number(room_id), seq: Number(seq) }
}

const moment: Sql = {
  text: `to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`,
  values: [],
}
const newestFirst: Sql = { text: 'm.created_at desc, m.room_id desc, m.seq desc', values: [] }

type AccountHit = Row & {
  id: number
  role_id: Role
  username: string
  nickname: string
  is_sub: 0 | 1
  status: 0 | 1
}
type HitRow = Row & SearchCursor & { message_id: string; type: MessageType; content: string; from_partner: boolean }

/** The most accounts that the command palette lists. */
const ACCOUNTS = 8

export const searchHandlers = {
  'search/accounts': async ({ db, actor }, { text }) => {
    // Contacts are also found for conversations.
    const listed = [Role.agent, Role.customerService, Role.member].filter(
      (role) => actor.rights.has('chat') || mayList(actor, role),
    )
    const rows = await many<AccountHit>(
      db,
      sql`select a.id, a.role_id, a.username, a.nickname, a.is_sub, a.status from accounts a
        where ${visibleAccounts(actor)} and a.id <> ${actor.id}
          and a.role_id = any(${listed}::int[]) and (a.role_id in (${is.agent}, ${is.member}) or (a.role_id = ${is.customerService} and not a.is_key and a.group_id = ${actor.groupId}))
          and (${usernameFits(actor, sql`a.username`, text)} or ${nicknameFits(actor, sql`a.nickname_folded`, sql`a.username`, text)})
        order by ${nameRank(actor, text)}, a.id limit ${ACCOUNTS}`,
    )
    return {
      data: rows.map((row) => ({ id: row.id, role_id: row.role_id, status: row.status, ...namesOf(row, actor) })),
    }
  },

  'search/messages': async ({ db, actor }, { text, before }) => {
    const folded = foldWanted(text)
    if (folded === '') return { data: [], next: null, looked_to: null }
    const { created_at, room_id, seq } = before ? parseCursor(before) : { created_at: 'infinity', room_id: 0, seq: 0 }
    // A backward scan of the index `messages_group`; the outer limit ends it as soon as there are enough hits.
    const walk = sql`from messages m
      where m.group_id = ${actor.groupId} and (m.created_at, m.room_id, m.seq) < (${created_at}::timestamptz, ${room_id}::int, ${seq}::int)
      order by ${newestFirst}`
    const found = await many<HitRow>(
      db,
      sql`select m.message_id, m.room_id, m.seq, m.type, coalesce(m.attachment ->> 'name', m.content) as content, m.from_partner, ${moment}
        from (select m.* ${walk} limit ${MAX_SCANNED}) m
        where m.type in (${is.text}, ${is.file}) and (strpos(coalesce(m.folded, m.content), ${folded}) > 0
          or ${accented(text) !== folded} and strpos(coalesce(m.folded, m.content), ${accented(text)}) > 0)
        order by ${newestFirst} limit ${HITS + 1}`,
    )
    const hits = found.slice(0, HITS)
    const rooms = await roomsOf(db, groupRooms(actor), hits)
    const last =
      found.length > HITS
        ? hits.at(-1)
        : await one<SearchCursor>(db, sql`select m.room_id, m.seq, ${moment} ${walk} limit 1 offset ${MAX_SCANNED - 1}`)
    return {
      data: hits.flatMap((hit) => {
        const room = rooms.get(hit.room_id)
        if (!room) return []
        const content = hit.type === MessageType.file ? shownFileName(hit.content, room, actor) : hit.content
        // A hidden part of a file's name is not searchable either: searching would reveal it bit by bit.
        if (content !== hit.content && !fold(content).includes(folded)) return []
        const { code, member_id, name, username, thumbnail } = asRoom(room, { side: 'group', viewer: actor })
        return {
          ...excerptOf(content, folded),
          message_id: hit.message_id,
          code,
          room_id: room.id,
          member_id,
          seq: hit.seq,
          name,
          username,
          thumbnail,
          is_self: !hit.from_partner,
          created_at: hit.created_at,
        }
      }),
      next: last ? cursorOf(last) : null,
      looked_to: last?.created_at ?? null,
    }
  },

  'search/notes': async ({ db, actor }, { text }) => {
    const folded = foldWanted(text)
    if (folded === '') return { data: [] }
    // Viewers who mask cannot search the partner's username inside a note: searching would reveal it bit by
    // bit.
    const searched = (words: Sql) =>
      actor.masks ? sql`replace(fold(${words}), lower(p.username), chr(1))` : sql`fold(${words})`
    // The number of a mentioned account is not a word of the note.
    const withoutMentions = sql`case when c.mentions = '{}' then c.content else regexp_replace(c.content, '<@[0-9]+>', '@', 'g') end`
    const rows = await many<NoteRow>(
      db,
      sql`select n.id, n.title, n.room_id, coalesce(c.content, n.title) as words, ${mentionedAccounts(sql`c.mentions`)} as mentioned, ${moment}
        from (select n.* from notes n join rooms r on r.id = n.room_id where ${groupRooms(actor)} order by n.id desc limit ${MAX_NOTES}) n
          join rooms r on r.id = n.room_id join accounts p on p.id = r.partner_id
          cross join lateral (select n.created_at) m
          left join lateral (select c.content, c.mentions from note_contents c
            where c.note_id = n.id and strpos(${searched(withoutMentions)}, ${folded}) > 0 order by c.id desc limit 1) c on true
        where c.content is not null or strpos(${searched(sql`n.title`)}, ${folded}) > 0
        order by n.id desc limit ${HITS}`,
    )
    const rooms = await roomsOf(db, groupRooms(actor), rows)
    return {
      data: rows.flatMap((row) => {
        const room = rooms.get(row.room_id)
        if (!room) return []
        const { code, member_id, name, username } = asRoom(room, { side: 'group', viewer: actor })
        const partner = { id: room.partnerId, username: room.partnerUsername, isSub: room.partnerIsSub }
        const title = shownText(actor, partner, row.title)
        const { content } = shownMentions(actor, shownText(actor, partner, row.words), row.mentioned)
        const excerpt = excerptOf(content, folded)
        const { id: note_id, created_at } = row
        return { ...excerpt, note_id, title, code, room_id: room.id, member_id, name, username, created_at }
      }),
    }
  },
} satisfies Handlers<typeof searchCalls>

type NoteRow = Row & {
  id: number
  room_id: number
  title: string
  words: string
  mentioned: Mentioned[] | null
  created_at: string
}

const roomsOf = async (db: Db, scope: Sql, hits: { room_id: number }[]): Promise<Map<number, RoomRow>> => {
  if (hits.length === 0) return new Map()
  const ids = [...new Set(hits.map(({ room_id }) => room_id))]
  const rows = await many<RoomRow>(
    db,
    sql`select ${roomColumns} from ${roomTables} where ${scope} and r.id = any(${ids}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
