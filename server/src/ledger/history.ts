import { type Actor, visible } from '../actor.ts'
import { type Db, many, one, type Row, type Sql, sql } from '../db.ts'
import { refuse } from '../handler.ts'
import { shownText, shownUsername, usernameFits } from '../names.ts'
import type { Status } from './rules.ts'

type Search = { username: string; start_time: string; end_time: string; page: number; per_page: number }

export type HistoryRow = Row & {
  id: bigint
  transaction_id: string
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
}

const DAY = 86_400_000

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

/** Every transfer to or from an account that the actor sees, newest first. */
export const transferPage = (db: Db, actor: Actor, timeZone: string, search: Search) =>
  page(db, actor, timeZone, search, sql`true`)

/** Those that were offered in a room. */
export const envelopePage = (db: Db, actor: Actor, timeZone: string, search: Search) =>
  page(db, actor, timeZone, search, sql`t.is_envelope`)

/** What a member may call whoever gave to it: its group, as its room does. Nobody made what the platform reported. */
const operatorName = (actor: Actor): Sql =>
  sql`case when o.role_id = 0 then '' else ${actor.role === 4 ? sql`coalesce(nullif(g.nickname, ''), g.username)` : sql`o.username`} end`

// Funder and actor stand above the target wherever it is, so whoever may see one of them sees the target too:
// `visible` on the target is the whole scope (and, for a member, its own transfers alone).
const page = async (db: Db, actor: Actor, timeZone: string, search: Search, kind: Sql) => {
  const { username, start_time, end_time, per_page } = search
  checkRange(start_time, end_time)
  const operator = operatorName(actor)
  const found = sql`from transfers t join accounts a on a.id = t.target_id join accounts o on o.id = t.actor_id
      join accounts g on g.id = o.group_id
    where t.top_id = ${actor.topId} and ${visible(actor)} and ${kind}
      and t.created_at >= ${start_time}::timestamp at time zone ${timeZone}
      and t.created_at < (${end_time}::timestamp at time zone ${timeZone}) + interval '1 second'
      and (${usernameFits(actor, sql`a.username`, username)} or ${usernameFits(actor, operator, username)})`
  const rows = await many<HistoryRow>(
    db,
    sql`with found as materialized (
        select t.*, a.username as member_username, a.nickname as member_nickname, a.is_sub as member_is_sub,
          ${operator} as operator, o.is_sub as operator_is_sub ${found}
        order by t.created_at desc, t.id desc limit ${per_page} offset ${(search.page - 1) * per_page})
      select t.id, t.transaction_id, ${moment(sql`t.created_at`, timeZone)} as created_at,
        ${moment(sql`coalesce(e.settled_at, case when e.transfer_id is null then t.created_at end)`, timeZone)} as settled_at,
        t.op, t.wallet, t.is_envelope, t.member_username, t.member_nickname, t.target_id, t.member_is_sub,
        t.actor_id as operator_id, t.operator_is_sub, t.amount, p.balance_after as balance, t.audit_amount,
        coalesce(e.status, 1) as status, t.operator, coalesce(x.remark, t.remark) as remark, x.remark is not null as remark_edited
      from found t left join envelopes e on e.transfer_id = t.id
        left join wallets w on w.account_id = t.target_id and w.kind = t.wallet
        left join lateral (select balance_after from postings where transfer_id = t.id and wallet_id = w.id
          order by leg desc limit 1) p on true
        left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true
      order by t.created_at desc, t.id desc`,
  )
  const shown = rows.map((row) => withNames(actor, row))
  if (search.page === 1 && rows.length < per_page) return { rows: shown, total: rows.length }
  const counted = await one<{ n: number }>(db, sql`select count(*)::int as n ${found}`)
  return { rows: shown, total: counted?.n ?? rows.length }
}

/** The names of both, and a remark that repeats them, as the actor sees them. */
const withNames = (actor: Actor, row: HistoryRow): HistoryRow => {
  const member = { id: row.target_id, username: row.member_username, isSub: row.member_is_sub }
  const operator = { id: row.operator_id, username: row.operator, isSub: row.operator_is_sub }
  return {
    ...row,
    member_username: shownUsername(actor, member),
    member_nickname: shownText(actor, member, row.member_nickname),
    operator: row.operator && shownUsername(actor, operator),
    remark: shownText(actor, operator, shownText(actor, member, row.remark)),
  }
}

const moment = (time: Sql, timeZone: string): Sql =>
  sql`to_char(${time} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`
