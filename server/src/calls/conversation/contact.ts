import { RoomType } from '@tallyroom/contract/codes'
import type { Parsed } from '@tallyroom/contract'
import type { Contact, contactCalls } from '@tallyroom/contract/calls/conversation/contact'
import { foldWanted } from '@tallyroom/contract/text/fold'
import type { Actor } from '../../identity/actor.ts'
import { contactsOf, createRoomWith, uplineOf } from '../../chat/contacts.ts'
import { type Db, many, one, type Row, run, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { lockRoomsBy, saveRooms, publishAfterCommit } from '../../chat/messages.ts'
import { nicknameFits, shownKey, shownText, shownUsername, usernameFits } from '../../identity/masking.ts'
import { mediaUrl } from '../../chat/media-url.ts'

type ContactRow = Row & {
  id: number
  type: 0 | 1 | 2
  room_id: number | null
  username: string
  own_nickname: string
  alias: string
  is_sub: 0 | 1
  thumbnail_id: string | null
  status: 0 | 1
  frozen: boolean
  third_party_id: string | null
}

/** Contacts with their rooms. In the room with the upline the actor is the partner, and has no alias for the upline. */
const contacts = (actor: Actor): Sql =>
  sql`(select a.*, case a.role_id when 4 then 1 else 0 end as type, r.id as room_id, r.last_message_at,
      coalesce(r.alias, '') as alias, coalesce(r.contact_status, 1) as contact_status
    from accounts a left join rooms r on r.group_id = ${actor.groupId} and r.partner_id = a.id where ${contactsOf(actor)}
    union all
    select a.*, 2, r.id, r.last_message_at, '', 1
    from accounts a left join rooms r on r.group_id = a.id and r.partner_id = ${actor.id} where ${uplineOf(actor)}) a`

const columns: Sql = {
  text: `a.id, a.type, a.room_id, a.username, a.nickname as own_nickname, a.alias, a.is_sub, a.thumbnail_id,
    a.contact_status as status, a.status = ${is.frozen.text} as frozen, a.third_party_id`,
  values: [],
}

const namesOf = (row: ContactRow, actor: Actor) => {
  const account = { id: row.id, username: row.username, isSub: row.is_sub }
  return {
    username: shownUsername(actor, account),
    alias: shownText(actor, account, row.alias),
    own_nickname: shownText(actor, account, row.own_nickname),
  }
}

const asContact = (row: ContactRow, actor: Actor): Contact => {
  const { username, alias, own_nickname } = namesOf(row, actor)
  return {
    member_id: row.id,
    friend_id: row.id,
    room_id: row.room_id,
    username,
    nickname: alias || own_nickname,
    thumbnail: mediaUrl(row.thumbnail_id),
    third_party_id: shownKey(actor, { id: row.id, username: row.username, isSub: row.is_sub }, row.third_party_id),
    type: row.type,
    status: row.status,
    frozen: row.frozen,
  }
}

/**
 * Fuzzy matches a part of a name, else the whole. Masked usernames match as a whole only: a search must not unmask
 * them.
 */
const matches = (actor: Actor, text: string, fuzzy: boolean): Sql => {
  if (text === '') return sql`true`
  if (!fuzzy) return sql`${foldWanted(text)}::text in (lower(a.username), a.nickname_folded, fold(a.alias))`
  return sql`(${usernameFits(actor, sql`a.username`, text)}
    or ${nicknameFits(actor, sql`a.nickname_folded`, sql`a.username`, text)} or ${nicknameFits(actor, sql`fold(a.alias)`, sql`a.username`, text)})`
}

/** Sorts by type, then by name; for viewers who mask not by name, because the order would reveal letters. */
const order = (actor: Actor): Sql =>
  actor.masks
    ? sql`a.type, a.id`
    : sql`a.type, lower(coalesce(nullif(a.alias, ''), nullif(a.nickname, ''), a.username)), a.id`

const page = async (db: Db, actor: Actor, input: Parsed<'friend/list'>) => {
  const { status, username, fuzzy, type, page: current, per_page } = input
  const kind = type === undefined ? sql`true` : sql`a.type = ${type}`
  const found = sql`${contacts(actor)}
    where a.contact_status = ${status} and ${kind} and ${matches(actor, username, fuzzy === 1)}`
  const [rows, counted] = await Promise.all([
    many<ContactRow>(
      db,
      sql`select ${columns} from ${found} order by ${order(actor)} limit ${per_page} offset ${(current - 1) * per_page}`,
    ),
    one<{ total: number }>(db, sql`select count(*)::int as total from ${found}`),
  ])
  const pages = Math.ceil((counted?.total ?? 0) / per_page)
  return {
    data: rows.map((row) => asContact(row, actor)),
    pagination: {
      pages,
      current,
      previous: current > 1 ? current - 1 : null,
      next: current < pages ? current + 1 : null,
    },
  }
}

const iso = (column: Sql): Sql => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

export const contactHandlers = {
  'friend/list': ({ db, actor }, input) => page(db, actor, input),

  'customer/list': ({ db, actor }, input) => page(db, actor, { ...input, type: 1 }),

  'friend/view': async ({ db, actor }, { member_id }) => {
    type Viewed = ContactRow & { created_at: string; last_seen_at: string | null; message_time: string | null }
    const row = ensure(
      await one<Viewed>(
        db,
        sql`select ${columns}, ${iso(sql`a.created_at`)} as created_at, ${iso(sql`a.last_seen_at`)} as last_seen_at,
            ${iso(sql`a.last_message_at`)} as message_time
          from ${contacts(actor)} where a.id = ${member_id}`,
      ),
      'account.not_found',
    )
    const { alias, own_nickname } = namesOf(row, actor)
    const { created_at, last_seen_at, message_time } = row
    return { ...asContact(row, actor), alias, own_nickname, created_at, last_seen_at, message_time }
  },

  'friend/edit': async ({ db, services, actor }, { member_id, nickname, status }) => {
    const found = ensure(
      await one<ContactRow>(db, sql`select ${columns} from ${contacts(actor)} where a.id = ${member_id}`),
      'account.not_found',
    )
    // The alias belongs to the group's side; an agent has none for its upline.
    if (found.type === RoomType.upline) return refuse('access.denied')
    await createRoomWith(db, actor, member_id)
    const rooms = await lockRoomsBy(db, sql`r.group_id = ${actor.groupId} and r.partner_id = ${member_id}`)
    const room = ensure([...rooms.values()][0], 'account.not_found')
    await run(
      db,
      sql`update rooms set alias = coalesce(${nickname ?? null}, alias), contact_status = coalesce(${status ?? null}, contact_status)
        where id = ${room.id}`,
    )
    if (nickname === undefined || nickname === room.alias) return null
    // The alias shows in the lists of the whole group.
    const before = new Map([[room.id, room.version]])
    room.alias = nickname
    room.version++
    await saveRooms(db, [room])
    publishAfterCommit(db, services.hub, rooms, before, [])
    return null
  },
} satisfies Handlers<typeof contactCalls>
