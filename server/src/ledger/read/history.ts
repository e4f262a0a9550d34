import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import type { CashState } from '@tallyroom/contract/cash'
import { Role, TransferStatus, type TransferKind } from '@tallyroom/contract/codes'
import { type Db, many, one, withFreshPlan, type Row, type Sql, sql } from '../../data/sql.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import {
  type HistoryFilter,
  type HistoryKind,
  historySearch,
  newestFirst,
  readsDecided,
  type HistoryViewer,
} from './history-search.ts'
import { givingKinds, takingKinds } from '../../domain/kind-sets.ts'
import { isVisible } from '../../identity/visible-ids.ts'
import { wasPaidBelow } from './report-cells.ts'
import { actedBy } from './report-sums.ts'
import { is } from '../../domain/is.ts'

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
  /** The kind of the transfer that this one corrects. */
  corrects_op: TransferKind | null
  is_corrected: boolean
  /** The type of its row in `envelopes`; null for one that never waited. */
  envelope_type: number | null
  /** It waits for approval. */
  is_held: boolean
  /** The state of the member's request that holds these points, or has held them. */
  cashState: CashState | null
}
/** Adds the names of both sides as the viewer sees them. `isPast`: the viewer sees its target no longer. */
export type HistoryRow = TransferColumns & {
  member_username: string
  member_nickname: string
  operator: string
  isPast: boolean
  /** Bets and wins have no operator. */
  isOperatorSeen: boolean
}

/** The most rows of a file, and of totals; for more, a shorter range is needed. */
export const MAX_ROWS = 50_000

/** Counting stops this far past the start of a page: counting millions would take longer than the page. */
const MAX_COUNTED = 1001

/** One page of a search, newest first; `next` is the place after its last row. */
export const historyPage = async (db: Db, viewer: HistoryViewer, kind: HistoryKind, search: Search) => {
  const { per_page, page, before } = search
  const newest = await historySearch(db, viewer, kind, search)
  const skip = before === undefined ? (page - 1) * per_page : 0
  const limit = per_page + 1
  const read = await readRows(db, viewer, newest(skip + limit, before), { limit, skip })
  const found = read.slice(0, per_page)
  const last = found.at(-1)
  const rows = readsDecided(viewer)
    ? found.toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    : found
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

/** Number and points of all that a search finds, in the direction of the member; undefined for more than `most`. */
export const historyTotals = async (db: Db, viewer: HistoryViewer, filter: HistoryFilter, most: number) => {
  const newest = await historySearch(db, viewer, 1, filter)
  const totals = await one<{ found: number; given: bigint; taken: bigint }>(
    db,
    withFreshPlan(sql`select count(*)::int as found,
        coalesce(sum(f.amount) filter (where f.gives), 0)::bigint as given,
        coalesce(sum(f.amount) filter (where f.takes), 0)::bigint as taken
      from (select t.amount,
          coalesce(e.status, 1) = 1 and case when c.id is null then t.op in ${givingKinds} else c.op in ${takingKinds} end as gives,
          coalesce(e.status, 1) = 1 and case when c.id is null then t.op in ${takingKinds} else c.op in ${givingKinds} end as takes
        from ${newest(most + 1)} t left join envelopes e on e.transfer_id = case when t.is_envelope then t.id end
          left join transfers c on c.id = t.corrects) f`),
  )
  return totals && totals.found <= most ? totals : undefined
}

/** One transfer, if the actor may see its target or SR02 counts it for the actor. */
export const historyRow = async (db: Db, viewer: HistoryViewer, transactionId: string) => {
  const found = sql`(select t.* from transfers t
    where t.transaction_id = ${transactionId} and t.top_id = ${viewer.actor.topId} and (${isVisible(viewer.actor, 'many', sql`t.target_id`)} or ${wasPaidBelow(viewer.actor)}))`
  return (await readRows(db, viewer, found, { limit: 1, skip: 0 }))[0]
}

type Slice = { limit: number; skip: number }

/** It waits for approval, or the payment of its request does. */
const isHeld = sql`coalesce(e.status = ${is.pending} and e.type > ${is.cashHold}, false) or coalesce(q.state = 'taken', false) and exists (
  select from approvals p where p.cash_id = q.id and p.state = 'waiting')`
/** A member sees a transfer as old as its approval. The time of the request that holds points is the member's own. */
const shownAt = sql`coalesce((select p.ended_at from approvals p
  where p.transfer_id = t.id and p.state = 'approved' and e.type <> ${is.cashHold}), t.created_at)`

/** Joins the rest of the columns for the rows of a page only, whatever the size of the tables. */
const readRows = async (db: Db, viewer: HistoryViewer, found: Sql, { limit, skip }: Slice) => {
  const { actor, timeZone } = viewer
  const onlyDecided = readsDecided(viewer)
  const rows = await many<TransferColumns>(
    db,
    // The best index depends on the downline and on the length of the range.
    withFreshPlan(sql`with found as materialized (select t.* from ${found} t ${newestFirst} limit ${limit} offset ${skip})
      select t.id, t.transaction_id, (extract(epoch from t.created_at) * 1000000)::bigint as micros,
        ${moment(onlyDecided ? shownAt : sql`t.created_at`, timeZone)} as created_at,
        ${moment(sql`e.settled_at`, timeZone)} as settled_at,
        t.op as "transferKind", t.wallet, t.is_envelope, t.target_id, ${actedBy} as operator_id, t.amount,
        coalesce(t.target_balance, e.target_balance) as balance, t.audit_amount,
        coalesce(e.status, 1) as status, coalesce(x.remark, t.remark) as remark,
        x.remark is not null as remark_edited, c.op as corrects_op, k.id is not null as is_corrected,
        q.state as "cashState", e.type as envelope_type,
        ${onlyDecided ? sql`false` : isHeld} as is_held
      from found t left join envelopes e on e.transfer_id = case when t.is_envelope then t.id end
        left join cash_requests q on q.transfer_id = case when e.type = ${is.cashHold} then t.id end
        left join transfers c on c.id = t.corrects left join transfers k on k.corrects = t.id
        left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true
      ${newestFirst}`),
  )
  const sides = await sidesOf(db, actor, rows)
  return rows.map((row) => withNames(actor, row, sides))
}

type Side = Named & {
  nickname: string
  role: Role | 0
  groupUsername: string
  groupNickname: string
  isSeen: boolean
}

/** Loads each account of a page once. */
const sidesOf = async (db: Db, actor: Actor, rows: TransferColumns[]): Promise<(id: number) => Side> => {
  const ids = [...new Set(rows.flatMap((row) => [row.target_id, row.operator_id]))]
  const found = await many<Side>(
    db,
    sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role, g.username as "groupUsername",
        g.nickname as "groupNickname", ${visibleAccounts(actor)} as "isSeen"
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
    isPast: !member.isSeen,
    isOperatorSeen: operator.username !== '' && mover.isSeen,
  }
}

/** The same name as `operatorName` in SQL. */
const operatorOf = (actor: Actor, { role, username, groupUsername, groupNickname }: Side): string => {
  if (role === Role.game) return ''
  return actor.role === Role.member ? groupNickname || groupUsername : username
}

export const moment = (time: Sql, timeZone: string): Sql =>
  sql`to_char(${time} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS')`
