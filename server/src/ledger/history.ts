import { type Actor, visible } from '../actor.ts'
import { type Db, many, one, plannedAnew, type Row, type Sql, sql } from '../db.ts'
import { refuse } from '../handler.ts'
import { shownText, shownUsername, usernameFits } from '../names.ts'
import type { Status } from './rules.ts'

type Filter = { username: string; start_time: string; end_time: string; operator_id?: number | undefined }
type Search = Filter & { page: number; per_page: number; before?: string | undefined }
/** Where whoever looks stands, and when. */
type Viewer = { actor: Actor; timeZone: string }

export type HistoryRow = Row & {
  id: bigint
  transaction_id: string
  micros: bigint
  created_at: string
  settled_at: string | null
  op: number
  wallet: number
  is_envelope: boolean
  member_username: string
  member_nickname: string
  target_id: number
  member_is_sub: 0 | 1
  operator_id: number
  operator_is_sub: 0 | 1
  amount: bigint
  balance: bigint | null
  audit_amount: bigint
  status: Status
  operator: string
  remark: string
  remark_edited: boolean
  /** Of a correction: what it takes back. */
  corrects_op: number | null
  is_corrected: boolean
}

const DAY = 86_400_000
/** Counting stops so far behind where a page begins: the count of millions would take longer than the page itself. */
const COUNTED = 1001
/** No envelope waits longer for its answer (ENVELOPE_HOURS, settings.ts). */
const LONGEST_WAIT = '31 days'

/** Both ends count, and at most a year lies between them. `YYYY-MM-DD`, with or without a time. */
export const checkRange = (start: string, end: string): void => {
  const [from, to] = [start, end].map((text) => Date.parse(`${text.replace(' ', 'T')}${text.includes(' ') ? 'Z' : ''}`))
  const isReal = [start, end].every((text) => isOnCalendar(text.slice(0, 10)))
  if (!isReal || from === undefined || to === undefined || from > to || to - from > 366 * DAY)
    refuse('report.range_invalid')
}

/** There is no 30th of February, though its digits are in order. */
const isOnCalendar = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !day.startsWith('0000')
}

/** Of transfers all, or those that were offered in a room. */
export type HistoryKind = 1 | 2

/** What a member may call whoever gave to it: its group, as its room does. Nobody made what the platform reported. */
const operatorName = (actor: Actor): Sql =>
  sql`case when o.role_id = 0 then '' else ${actor.role === 4 ? sql`coalesce(nullif(g.nickname, ''), g.username)` : sql`o.username`} end`

// Funder and actor stand above the target wherever it is, so whoever may see one of them sees the target too:
// `visible` on the target is the whole scope (and, for a member, its own transfers alone).
const inSight = (actor: Actor): Sql => sql`from transfers t join accounts a on a.id = t.target_id
  where t.top_id = ${actor.topId} and ${visible(actor)}`

/**
 * The same for what is found by an index of its own: each transfer's account is looked up by its key. Left to choose, PostgreSQL
 * takes an operator's accounts for few, and reads all that was ever moved for them.
 */
const inSightEach = (actor: Actor): Sql => sql`from transfers t
  cross join lateral (select * from accounts a where a.id = t.target_id and ${visible(actor)} offset 0) a
  where t.top_id = ${actor.topId}`

/** The accounts of whoever moved it. */
const operators = sql`accounts o join accounts g on g.id = o.group_id`

/** What a search finds, checked. */
const matching = (viewer: Viewer, kind: HistoryKind, filter: Filter, { names }: Pick<Ways, 'names'>): Sql => {
  const { username, start_time, end_time, operator_id } = filter
  const { actor, timeZone } = viewer
  checkRange(start_time, end_time)
  const start = sql`(${start_time}::timestamp at time zone ${timeZone})`
  const end = sql`((${end_time}::timestamp at time zone ${timeZone}) + interval '1 second')`
  const when = operator_id === undefined ? sql`t.created_at >= ${start}` : counted(actor, operator_id, start, end)
  const named = sql`(${usernameFits(actor, sql`a.username`, username)}
      or exists (select from ${operators} where o.id = t.actor_id and ${usernameFits(actor, operatorName(actor), username)}))`
  const from = names === undefined && operator_id === undefined ? inSight(actor) : inSightEach(actor)
  return sql`${from} and ${kind === 2 ? sql`t.is_envelope` : sql`true`}
    and ${when} and t.created_at < ${end} and ${username === '' ? sql`true` : named}`
}

/**
 * What SR02 counts for an operator between two moments: what moved between its purse and members, and what of that was taken
 * back, each on the day on which it was settled. An envelope may have been offered before. (`case` because it nearly
 * always holds: PostgreSQL would take it for rare, and read all that the operator ever moved instead of the newest.)
 */
const counted = (actor: Actor, operatorId: number, start: Sql, end: Sql): Sql =>
  sql`a.role_id = 4 and a.id <> t.funder_id and t.op not in (7, 8, 9)
    and (select true from accounts a where a.id = t.funder_id and ${visible(actor)})
    and t.created_at >= ${start} - interval '${{ text: LONGEST_WAIT, values: [] }}' and (t.is_envelope or t.created_at >= ${start})
    and case when t.funder_id = ${operatorId}::int and tstzrange(${start}, ${end}) @> coalesce(
      (select case n.status when 1 then n.settled_at else 'infinity' end from envelopes n where n.transfer_id = t.id), t.created_at)
      then true else false end`

/** Names that many have are soon found on a walk by time; of fewer the transfers are looked up, however long ago they were. */
const FEW_NAMES = 20

/** Who has a name that is searched for, when they are few. */
const bearers = async (db: Db, actor: Actor, username: string): Promise<number[] | undefined> => {
  if (username === '') return undefined
  const found = await many<{ id: number }>(
    db,
    sql`select o.id from ${operators} where o.top_id = ${actor.topId}
      and (${usernameFits(actor, sql`o.username`, username)} or ${usernameFits(actor, operatorName(actor), username)})
      limit ${FEW_NAMES + 1}`,
  )
  return found.length > FEW_NAMES ? undefined : found.map(({ id }) => id)
}

const newestFirst = sql`order by t.created_at desc, t.id desc`

/** By which indexes it is found: those of the few who have a name, those of an operator, or any. */
type Ways = { names: number[] | undefined; operatorId: number | undefined }

/** The newest `most` of what a condition finds. */
const newest = (actor: Actor, found: Sql, { names, operatorId }: Ways, most: number): Sql => {
  const first = (way: Sql) => sql`(select t.id ${found} and ${way} ${newestFirst} limit ${most})`
  if (names !== undefined)
    return sql`${inSightEach(actor)} and t.id = any(array(select c.id from unnest(${names}::int[]) k (id)
      cross join lateral (${first(sql`t.target_id = k.id`)} union ${first(sql`t.actor_id = k.id`)}) c))`
  if (operatorId === undefined) return found
  // Most are moved by whoever funds them; the others have an index of their own.
  const ways = [
    sql`t.actor_id = ${operatorId}::int`,
    sql`t.funder_id = ${operatorId}::int and t.funder_id <> t.actor_id`,
  ] as const
  return sql`${inSightEach(actor)} and t.id = any(array(${first(ways[0])} union ${first(ways[1])}))`
}

/** Goes on below a row that was the last of an earlier answer. */
const below = (before: string | undefined): Sql => {
  if (before === undefined) return sql`true`
  const [micros = '0', id = '0'] = before.split('-')
  return sql`(t.created_at, t.id) < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** What a search found, newest first; `next` is where the rows after these begin. */
export const historyPage = async (db: Db, viewer: Viewer, kind: HistoryKind, search: Search) => {
  const { per_page, page, before } = search
  const { actor } = viewer
  const ways = { names: await bearers(db, actor, search.username), operatorId: search.operator_id }
  const found = matching(viewer, kind, search, ways)
  const skip = before === undefined ? (page - 1) * per_page : 0
  const limit = per_page + 1
  const slice = newest(actor, sql`${found} and ${below(before)}`, ways, skip + limit)
  const read = await readRows(db, viewer, slice, { limit, skip })
  const rows = read.slice(0, per_page)
  const last = rows.at(-1)
  const next = read.length > per_page && last ? `${last.micros}-${last.id}` : null
  if (before === undefined && page === 1 && next === null) return { rows, next, total: rows.length }
  const most = skip + Math.max(COUNTED, limit)
  // The page itself has as many as are counted.
  if (next !== null && limit >= COUNTED) return { rows, next, total: most }
  const total = await one<{ n: number }>(
    db,
    plannedAnew(sql`select count(*)::int as n from (select 1 ${newest(actor, found, ways, most)} limit ${most}) c`),
  )
  return { rows, next, total: total?.n ?? rows.length }
}

/** All that a search found, up to `limit` rows. */
export const historyRows = async (db: Db, viewer: Viewer, kind: HistoryKind, filter: Filter, limit: number) => {
  const ways = { names: await bearers(db, viewer.actor, filter.username), operatorId: filter.operator_id }
  const found = matching(viewer, kind, filter, ways)
  return readRows(db, viewer, newest(viewer.actor, found, ways, limit), { limit, skip: 0 })
}

/** One transfer, when it is the actor's to see. */
export const historyRow = async (db: Db, viewer: Viewer, transactionId: string) =>
  (
    await readRows(db, viewer, sql`${inSight(viewer.actor)} and t.transaction_id = ${transactionId}`, {
      limit: 1,
      skip: 0,
    })
  )[0]

type Slice = { limit: number; skip: number }

const readRows = async (db: Db, { actor, timeZone }: Viewer, found: Sql, { limit, skip }: Slice) => {
  const rows = await many<HistoryRow>(
    db,
    // Whose downline it is and how long a time decide by which index it is found. What the rows of a page have besides is looked
    // up for them alone (`offset 0`), whatever the size of the tables.
    plannedAnew(sql`with found as materialized (
        select t.*, a.username as member_username, a.nickname as member_nickname, a.is_sub as member_is_sub ${found}
        ${newestFirst} limit ${limit} offset ${skip})
      select t.id, t.transaction_id, (extract(epoch from t.created_at) * 1000000)::bigint as micros,
        ${moment(sql`t.created_at`, timeZone)} as created_at,
        ${moment(sql`e.settled_at`, timeZone)} as settled_at,
        t.op, t.wallet, t.is_envelope, t.member_username, t.member_nickname, t.target_id, t.member_is_sub,
        t.actor_id as operator_id, o.is_sub as operator_is_sub, t.amount, p.balance_after as balance, t.audit_amount,
        coalesce(e.status, 1) as status, ${operatorName(actor)} as operator, coalesce(x.remark, t.remark) as remark,
        x.remark is not null as remark_edited, c.op as corrects_op, k.id is not null as is_corrected
      from found t cross join lateral (select * from accounts where id = t.actor_id offset 0) o
        ${actor.role === 4 ? sql`left join lateral (select * from accounts where id = o.group_id offset 0) g on true` : sql``}
        left join envelopes e on e.transfer_id = case when t.is_envelope then t.id end
        left join transfers c on c.id = t.corrects left join transfers k on k.corrects = t.id
        left join lateral (select id from wallets where account_id = t.target_id and kind = t.wallet offset 0) w on true
        left join lateral (select balance_after from postings where transfer_id = t.id and wallet_id = w.id offset 0) p on true
        left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true
      ${newestFirst}`),
  )
  return rows.map((row) => withNames(actor, row))
}

/** The names of both, and a remark that repeats them, as the actor sees them. */
const withNames = (actor: Actor, row: HistoryRow): HistoryRow => {
  const { member, operator } = sidesOf(row)
  return {
    ...row,
    settled_at: row.settled_at ?? (row.status === 4 ? null : row.created_at),
    member_username: shownUsername(actor, member),
    member_nickname: shownText(actor, member, row.member_nickname),
    operator: row.operator && shownUsername(actor, operator),
    remark: shownText(actor, operator, shownText(actor, member, row.remark)),
  }
}

const sidesOf = (row: HistoryRow) => ({
  member: { id: row.target_id, username: row.member_username, isSub: row.member_is_sub },
  operator: { id: row.operator_id, username: row.operator, isSub: row.operator_is_sub },
})

export const moment = (time: Sql, timeZone: string): Sql =>
  sql`to_char(${time} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`
