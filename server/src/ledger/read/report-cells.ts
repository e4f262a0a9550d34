import { Role } from '@tallyroom/contract/codes'
import { officeTakingKinds, platformKinds } from '../../domain/kind-sets.ts'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { actedBy, isOffice } from './report-sums.ts'

/** How SR02 divides what moved. Every cell leads to the transfers that it counts. */
export type Cell = {
  /** Points between office and members, or the members' bets and wins. */
  what: 'points' | 'bets'
  by: 'operator' | 'branch' | 'person' | 'member'
  id: number
  under?: number | undefined
  way?: 'in' | 'out' | undefined
}
/** From `start` to before `end`; `earliest`: when an envelope that is settled then may have been offered. */
export type Range = { start: Sql; end: Sql; earliest: Sql }

/** When the transfer `t` came to pass; never while it has not. */
const settledAt = sql`coalesce(case when t.is_envelope then
  (select case n.status when 1 then n.settled_at else 'infinity' end from envelopes n where n.transfer_id = t.id) end, t.created_at)`

/** The path of an account at a time: a moved one counts where it was then. */
const pathAt = (account: Sql, at: Sql): Sql =>
  sql`coalesce((select p.path from past_places p where p.account_id = ${account} and p.moved_at > ${at} order by p.moved_at limit 1),
    (select a.path from accounts a where a.id = ${account}))`

/** Whether a path is that of an account or below it. */
export const leadsThrough = (path: Sql, id: number): Sql => sql`(strpos(${path}, ${`/${id}/`}) > 0)`

/** The kind of a correction is that of the transfer that it corrects. */
const countsAsOut = sql`coalesce((select c.op from transfers c where c.id = t.corrects), t.op) in ${officeTakingKinds}`

/**
 * Whether SR02 counts the transfer `t` in a range: between wallets of the office and members, and their corrections, at
 * the time of settling. (`case` because it nearly always holds: PostgreSQL would estimate it as rare.)
 */
const isCounted = ({ start, end, earliest }: Range): Sql =>
  sql`${isOffice} and t.created_at >= ${earliest}
    and (t.is_envelope or t.created_at >= ${start})
    and case when (select a.role_id from accounts a where a.id = t.target_id) = ${Role.member}
      and tstzrange(${start}, ${end}) @> ${settledAt} then true else false end`

/** The paying accounts of a branch: those that were in it whenever they paid, and those that were also elsewhere. */
type Payers = 'all' | { always: number[]; sometimes: number[] }

/** `ids`: the accounts that it is all of below, the deepest last. `only`: just this account, if it is one of them. */
export const payersBelow = async (db: Db, actor: Actor, ids: number[], only?: number): Promise<Payers> => {
  if (actor.id === actor.topId && ids.every((id) => id === actor.id)) return 'all'
  const isIn = (path: Sql) =>
    sql`(${ids.map((id) => leadsThrough(path, id)).reduce((all, one) => sql`${all} and ${one}`)})`
  const among = only === undefined ? sql`true` : sql`a.id = ${only}::int`
  const found = await many<{ id: number; isMoved: boolean }>(
    db,
    sql`select a.id, exists (select from past_places p where p.account_id = a.id) as "isMoved"
      from accounts d join accounts a on a.path >= d.path and a.path < left(d.path, -1) || '0'
      where d.id = ${ids.at(-1) ?? actor.id}::int and d.top_id = ${actor.topId} and a.role_id < ${Role.member} and ${isIn(sql`a.path`)} and ${among}
      union select a.id, true from past_places p join accounts a on a.id = p.account_id
      where p.top_id = ${actor.topId} and ${isIn(sql`p.path`)} and ${among}`,
  )
  const idsOf = (moved: boolean) => found.flatMap(({ id, isMoved }) => (isMoved === moved ? [id] : []))
  return { always: idsOf(false), sometimes: idsOf(true) }
}

/** The places of these payers below all of these accounts: each with the number of moves that it was there after. */
export const positionsOf = async (
  db: Db,
  { always, sometimes }: Exclude<Payers, 'all'>,
  ids: number[],
): Promise<{ id: number; moves: number }[]> => {
  const isIn = ids.map((id) => leadsThrough(sql`p.path`, id)).reduce((all, one) => sql`${all} and ${one}`)
  const moved = await many<{ id: number; moves: number }>(
    db,
    sql`select p.id, p.moves from (select account_id as id, path, (row_number() over (partition by account_id order by moved_at) - 1)::int as moves
          from past_places where account_id = any(${sometimes}::int[])
        union all select a.id, a.path, (select count(*)::int from past_places m where m.account_id = a.id)
          from accounts a where a.id = any(${sometimes}::int[])) p where ${isIn}`,
  )
  return [...always.map((id) => ({ id, moves: 0 })), ...moved]
}

/** Whether the payer of `t` was below all of these accounts when it was settled. */
export const paidBelow = (payers: Payers, ids: number[], at = settledAt): Sql => {
  if (payers === 'all') return sql`true`
  const path = pathAt(sql`t.funder_id`, at)
  const wasIn = ids.map((id) => leadsThrough(path, id)).reduce((all, one) => sql`${all} and ${one}`)
  if (payers.sometimes.length === 0) return sql`t.funder_id = any(${payers.always}::int[])`
  return sql`(t.funder_id = any(${payers.always}::int[]) or case when t.funder_id = any(${payers.sometimes}::int[]) then ${wasIn} else false end)`
}

/**
 * Whether SR02 of the actor counts the transfer `t`: its payer was below the actor when it was settled. The accounts may
 * be elsewhere now.
 */
export const wasPaidBelow = (actor: Actor): Sql =>
  sql`(${isOffice} and ${settledAt} < 'infinity'
    and (select a.role_id from accounts a where a.id = t.target_id) = ${Role.member}
    and ${leadsThrough(pathAt(sql`t.funder_id`, settledAt), actor.id)})`

/** Up to this many payers are searched one by one; more by one search by time. */
const FEW = 8

/** Whether `t` is a bet, win or void, in a range, of a member `a` that the actor sees and for which this is true. */
export const isBetOf = (actor: Actor, { start, end }: Range, member: Sql): Sql =>
  sql`t.top_id = ${actor.topId} and t.op in ${platformKinds} and t.created_at >= ${start} and t.created_at < ${end}
    and case when (select true from accounts a where a.id = t.target_id and ${visibleAccounts(actor)} and ${member}) then true else false end`

const betBranch = (actor: Actor, range: Range, { by, id, under, way }: Cell): Sql => {
  const isUnder = under === undefined ? sql`true` : leadsThrough(sql`a.path`, under)
  const isWay = way === undefined ? sql`true` : sql`(t.op <> ${is.win}) = ${way === 'out'}`
  if (by === 'member') return sql`t.target_id = ${id}::int and ${isBetOf(actor, range, isUnder)} and ${isWay}`
  const isIts = by === 'branch' ? leadsThrough(sql`a.path`, id) : sql`a.group_id = ${id}::int`
  return sql`${isBetOf(actor, range, sql`${isIts} and ${isUnder}`)} and ${isWay}`
}

/** The transfers of the requests for points out `c` that these people paid. */
export const paidCashRequests = (people: number[], isThen: Sql): Sql =>
  sql`(select c.transfer_id from cash_requests c
    where c.ended_by = any(${people}::int[]) and c.state = 'paid' and c.direction = 'out' and ${isThen})`

/** The conditions on `t` for what a cell counts, each following an index. */
export const cellBranches = async (db: Db, actor: Actor, range: Range, cell: Cell): Promise<Sql[]> => {
  if (cell.what === 'bets') return [betBranch(actor, range, cell)]
  const ids = [actor.id, ...(cell.under === undefined ? [] : [cell.under]), ...(cell.by === 'branch' ? [cell.id] : [])]
  const payers = await payersBelow(db, actor, ids, cell.by === 'operator' ? cell.id : undefined)
  const way = cell.way === undefined ? sql`true` : sql`${countsAsOut} = ${cell.way === 'out'}`
  const all = sql`t.top_id = ${actor.topId} and ${isCounted(range)} and ${paidBelow(payers, ids)} and ${way}`
  if (cell.by === 'person')
    return [
      sql`${all} and t.actor_id = ${cell.id}::int and ${actedBy} = t.actor_id`,
      sql`${all} and t.actor_id <> ${cell.id}::int and t.id in ${paidCashRequests([cell.id], sql`c.ended_at >= ${range.start} and c.ended_at < ${range.end}`)}`,
    ]
  if (cell.by === 'member') return [sql`${all} and t.target_id = ${cell.id}::int`]
  const few = cell.by === 'operator' ? [cell.id] : payers === 'all' ? [] : [...payers.always, ...payers.sometimes]
  // Most transfers have the payer as actor; the others have an index of their own.
  if (few.length > 0 && few.length <= FEW)
    return few.flatMap((id) => [
      sql`${all} and t.actor_id = ${id}::int and t.funder_id = ${id}::int`,
      sql`${all} and t.funder_id = ${id}::int and t.funder_id <> t.actor_id`,
    ])
  return payers !== 'all' && few.length === 0 ? [] : [sql`${all} and t.created_at >= ${range.earliest}`]
}
