import type { Actor } from '../../identity/actor.ts'
import { Role, TransferStatus, type TransferKind } from '@tallyroom/contract/codes'
import { type Db, many, one, withFreshPlan, type Row, type Sql, sql } from '../../data/sql.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import {
  type HistoryFilter,
  type HistoryKind,
  historySearch,
  newestFirst,
  type HistoryViewer,
} from './history-search.ts'
import { isVisible } from '../../identity/visible-ids.ts'

type Search = HistoryFilter & { page: number; per_page: number; before?: string | undefined }

/** The columns of a transfer. */
type TransferColumns = Row & {
  id: bigint
  transaction_id: string
  micros: bigint
  created_at: string
  settled_at: string | null
  transferKind: TransferKind
  wallet: 1 | 2
  is_envelope: boolean
  target_id: number
  operator_id: number
  amount: bigint
  balance: bigint | null
  audit_amount: bigint
  status: TransferStatus
  remark: string
  remark_edited: boolean
  /** Of a correction: the kind of the corrected transfer. */
  corrects_op: TransferKind | null
  is_corrected: boolean
}
/** With the names of both sides as the viewer sees them. */
export type HistoryRow = TransferColumns & { member_username: string; member_nickname: string; operator: string }

/** Counting stops this far past the start of a page: counting millions would take longer than the page. */
const MAX_COUNTED = 1001

/** One page of a search, newest first; `next` is the place after its last row. */
export const historyPage = async (db: Db, viewer: HistoryViewer, kind: HistoryKind, search: Search) => {
  const { per_page, page, before } = search
  const newest = await historySearch(db, viewer, kind, search)
  const skip = before === undefined ? (page - 1) * per_page : 0
  const limit = per_page + 1
  const read = await readRows(db, viewer, newest(skip + limit, before), { limit, skip })
  const rows = read.slice(0, per_page)
  const last = rows.at(-1)
  const next = read.length > per_page && last ? `${last.micros}-${last.id}` : null
  if (before === undefined && page === 1 && next === null) return { rows, next, total: rows.length }
  const most = skip + Math.max(MAX_COUNTED, limit)
  // The page already has as many rows as would be counted.
  if (next !== null && limit >= MAX_COUNTED) return { rows, next, total: most }
  const total = await one<{ n: number }>(db, withFreshPlan(sql`select count(*)::int as n from ${newest(most)} c`))
  return { rows, next, total: total?.n ?? rows.length }
}

/** All rows of a search, up to `limit`. */
export const historyRows = async (
  db: Db,
  viewer: HistoryViewer,
  kind: HistoryKind,
  filter: HistoryFilter,
  limit: number,
) => {
  const newest = await historySearch(db, viewer, kind, filter)
  return readRows(db, viewer, newest(limit), { limit, skip: 0 })
}

/** One transfer, if the actor may see it. */
export const historyRow = async (db: Db, viewer: HistoryViewer, transactionId: string) => {
  const found = sql`(select t.* from transfers t
    where t.transaction_id = ${transactionId} and t.top_id = ${viewer.actor.topId} and ${isVisible(viewer.actor, 'many', sql`t.target_id`)})`
  return (await readRows(db, viewer, found, { limit: 1, skip: 0 }))[0]
}

type Slice = { limit: number; skip: number }

/** Joins the rest of the columns for the rows of a page only, whatever the size of the tables. */
const readRows = async (db: Db, { actor, timeZone }: HistoryViewer, found: Sql, { limit, skip }: Slice) => {
  const rows = await many<TransferColumns>(
    db,
    // The best index depends on the downline and on the length of the range.
    withFreshPlan(sql`with found as materialized (select t.* from ${found} t ${newestFirst} limit ${limit} offset ${skip})
      select t.id, t.transaction_id, (extract(epoch from t.created_at) * 1000000)::bigint as micros,
        ${moment(sql`t.created_at`, timeZone)} as created_at,
        ${moment(sql`e.settled_at`, timeZone)} as settled_at,
        t.op as "transferKind", t.wallet, t.is_envelope, t.target_id, t.actor_id as operator_id, t.amount,
        coalesce(t.target_balance, e.target_balance) as balance, t.audit_amount,
        coalesce(e.status, 1) as status, coalesce(x.remark, t.remark) as remark,
        x.remark is not null as remark_edited, c.op as corrects_op, k.id is not null as is_corrected
      from found t left join envelopes e on e.transfer_id = case when t.is_envelope then t.id end
        left join transfers c on c.id = t.corrects left join transfers k on k.corrects = t.id
        left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true
      ${newestFirst}`),
  )
  const sides = await sidesOf(db, rows)
  return rows.map((row) => withNames(actor, row, sides))
}

type Side = Named & { nickname: string; role: Role | 0; groupUsername: string; groupNickname: string }

/** Loads each account of a page once. */
const sidesOf = async (db: Db, rows: TransferColumns[]): Promise<(id: number) => Side> => {
  const ids = [...new Set(rows.flatMap((row) => [row.target_id, row.operator_id]))]
  const found = await many<Side>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role, g.username as "groupUsername",
        g.nickname as "groupNickname"
      from accounts a join accounts g on g.id = a.group_id where a.id = any(${ids}::int[])`,
  )
  const byId = new Map(found.map((side) => [side.id, side]))
  return (id) => {
    const side = byId.get(id)
    if (!side) throw new Error(`account ${id} of a transfer does not exist`)
    return side
  }
}

/** Adds both names, and masks names in the remark, for the actor. */
const withNames = (actor: Actor, row: TransferColumns, sideOf: (id: number) => Side): HistoryRow => {
  const member = sideOf(row.target_id)
  const mover = sideOf(row.operator_id)
  const operator = { ...mover, username: operatorOf(actor, mover) }
  return {
    ...row,
    settled_at: row.settled_at ?? (row.status === TransferStatus.pending ? null : row.created_at),
    member_username: shownUsername(actor, member),
    member_nickname: shownText(actor, member, member.nickname),
    operator: operator.username && shownUsername(actor, operator),
    remark: shownText(actor, operator, shownText(actor, member, row.remark)),
  }
}

/** The same name as `operatorName` in SQL. */
const operatorOf = (actor: Actor, { role, username, groupUsername, groupNickname }: Side): string => {
  if (role === Role.game) return ''
  return actor.role === Role.member ? groupNickname || groupUsername : username
}

export const moment = (time: Sql, timeZone: string): Sql =>
  sql`to_char(${time} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`
