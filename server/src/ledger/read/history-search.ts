import { unreportedKinds } from '../../data/kind-sets.ts'
import { Role } from '@tallyroom/contract/codes'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import { usernameFits } from '../../identity/masking.ts'
import { isVisible, type VisibleIds, findVisibleIds } from '../../identity/visible-ids.ts'

export type HistoryFilter = { username: string; start_time: string; end_time: string; operator_id?: number | undefined }
/** The reader of a history, and the platform's time zone. */
export type HistoryViewer = { actor: Actor; timeZone: string }
/** 1 all transfers, 2 envelopes only. */
export type HistoryKind = 1 | 2

const DAY = 86_400_000
/** The longest life of an envelope (the maximum of ENVELOPE_HOURS in settings.ts, rounded up). */
const LONGEST_WAIT = '31 days'
/** For up to this many accounts, one index scan each; with more, one scan by time. */
const FEW = 20
/** Frequent names are found quickly by a scan by time. For up to this many accounts their transfers are looked up. */
const FEW_NAMES = 10

/** Both ends are included, and at most a year lies between them. `YYYY-MM-DD`, with or without a time. */
export const checkRange = (start: string, end: string): void => {
  const [from, to] = [start, end].map((text) => Date.parse(`${text.replace(' ', 'T')}${text.includes(' ') ? 'Z' : ''}`))
  const isReal = [start, end].every((text) => isOnCalendar(text.slice(0, 10)))
  if (!isReal || from === undefined || to === undefined || from > to || to - from > 366 * DAY)
    refuse('report.range_invalid')
}

/** False for days such as 30 February. */
const isOnCalendar = (day: string) => {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !day.startsWith('0000')
}

/** The operator's name: members see their group's name, as in their room. The platform's bets and wins have none. */
const operatorName = (actor: Actor): Sql =>
  sql`case when o.role_id = 0 then '' else ${actor.role === Role.member ? sql`coalesce(nullif(g.nickname, ''), g.username)` : sql`o.username`} end`

/** The accounts of the operators. */
const operators = sql`accounts o join accounts g on g.id = o.group_id`

export const newestFirst = sql`order by t.created_at desc, t.id desc`

type NamedAccounts = { targets: number[]; actors: number[] }

/** The accounts whose name matches, as target or as operator of a transfer; undefined when they are many. */
const accountsNamed = async (db: Db, actor: Actor, username: string): Promise<NamedAccounts | undefined> => {
  const asTarget = usernameFits(actor, sql`o.username`, username)
  const asActor = usernameFits(actor, operatorName(actor), username)
  const parts = await many<{ id: number; asTarget: boolean; asActor: boolean }>(
    db,
    // Members see operators under another name, so only for them both names are compared.
    actor.role === Role.member
      ? sql`select o.id, ${asTarget} as "asTarget", ${asActor} as "asActor" from ${operators}
          where o.top_id = ${actor.topId} and (${asTarget} or ${asActor}) limit ${FEW_NAMES + 1}`
      : sql`select o.id, true as "asTarget", o.role_id <> 0 as "asActor" from accounts o
          where o.top_id = ${actor.topId} and ${asTarget} limit ${FEW_NAMES + 1}`,
  )
  if (parts.length > FEW_NAMES) return undefined
  const idsOf = (side: 'asTarget' | 'asActor') => parts.flatMap((row) => (row[side] ? [row.id] : []))
  return { targets: idsOf('asTarget'), actors: idsOf('asActor') }
}

/**
 * The transfers that SR02 counts for an operator between two times: between its wallets and members, and their
 * corrections, each at the time it was settled. Envelopes may have been offered earlier. (`case` because it nearly always
 * holds: PostgreSQL would estimate it as rare and read all the operator's transfers instead of the newest.)
 */
const countedInReport = (
  actor: Actor,
  visibleIds: VisibleIds,
  operatorId: number,
  { start, end, earliest }: Range,
): Sql =>
  sql`t.target_id <> t.funder_id and t.op not in ${unreportedKinds}
    and exists (select from accounts a where a.id = ${operatorId}::int and ${visibleAccounts(actor)})
    and ${typeof visibleIds === 'object' ? sql`true` : sql`(select a.role_id from accounts a where a.id = t.target_id) = 4`}
    and t.created_at >= ${earliest} and (t.is_envelope or t.created_at >= ${start})
    and case when t.funder_id = ${operatorId}::int and tstzrange(${start}, ${end}) @> coalesce(case when t.is_envelope then
      (select case n.status when 1 then n.settled_at else 'infinity' end from envelopes n where n.transfer_id = t.id) end, t.created_at)
      then true else false end`

type Range = { start: Sql; end: Sql; earliest: Sql }

const rangeOf = ({ start_time, end_time }: HistoryFilter, timeZone: string): Range => {
  checkRange(start_time, end_time)
  const at = (moment: Sql) => sql`((${moment}) at time zone ${timeZone}::text)`
  return {
    start: at(sql`${start_time}::timestamp`),
    end: at(sql`${end_time}::timestamp + interval '1 second'`),
    earliest: at(sql`${start_time}::timestamp - interval '${{ text: LONGEST_WAIT, values: [] }}'`),
  }
}

/** Continues after the last row of an earlier answer. */
const below = (before: string | undefined): Sql => {
  if (before === undefined) return sql`true`
  const [micros = '0', id = '0'] = before.split('-')
  return sql`(t.created_at, t.id) < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** Whether the name of either side matches, looked up for each row. */
const nameMatches = (actor: Actor, username: string): Sql =>
  sql`(exists (select from accounts a where a.id = t.target_id and ${usernameFits(actor, sql`a.username`, username)})
    or exists (select from ${operators} where o.id = t.actor_id and ${usernameFits(actor, operatorName(actor), username)}))`

/**
 * Prepares a history search. The returned function makes the SQL for its newest `most` transfers (all columns), newest
 * first, after `before`. Every branch follows an index: by time, or by time for each of a few accounts.
 */
export const historySearch = async (
  db: Db,
  { actor, timeZone }: HistoryViewer,
  kind: HistoryKind,
  filter: HistoryFilter,
) => {
  const { username, operator_id } = filter
  const range = rangeOf(filter, timeZone)
  // The report counts transfers with members only.
  const visibleIds = await findVisibleIds(db, actor, operator_id === undefined ? undefined : sql`a.role_id = 4`)
  const names = username === '' ? undefined : await accountsNamed(db, actor, username)
  // Funder and actor are above the target in the tree, so an account that may see one of them may see the target too:
  // the target alone decides (members see only their own transfers).
  const scope = sql`t.top_id = ${actor.topId} and ${isVisible(actor, visibleIds, sql`t.target_id`)}`
  const isNamed = (): Sql => {
    if (username === '') return sql`true`
    if (!names) return nameMatches(actor, username)
    return sql`(t.target_id = any(${names.targets}::int[]) or t.actor_id = any(${names.actors}::int[]))`
  }

  const branches = (): Sql[] => {
    if (operator_id !== undefined) {
      const all = sql`${scope} and ${countedInReport(actor, visibleIds, operator_id, range)} and ${isNamed()}`
      // Most transfers have the funder as actor; the others have an index of their own.
      return [
        sql`${all} and t.actor_id = ${operator_id}::int`,
        sql`${all} and t.funder_id = ${operator_id}::int and t.funder_id <> t.actor_id`,
      ]
    }
    const since = sql`t.created_at >= ${range.start}`
    if (names) {
      const others = sql`not t.target_id = any(${names.targets}::int[])`
      return [
        ...names.targets.map((id) => sql`${scope} and ${since} and t.target_id = ${id}::int`),
        ...names.actors.map((id) => sql`${scope} and ${since} and t.actor_id = ${id}::int and ${others}`),
      ]
    }
    if (typeof visibleIds === 'object' && visibleIds.length <= FEW)
      return visibleIds.map((id) => sql`t.target_id = ${id}::int and ${since} and ${isNamed()}`)
    return [sql`${scope} and ${since} and ${isNamed()}`]
  }

  const parts = branches()
  return (most: number, before?: string): Sql => {
    const whole = sql`${kind === 2 ? sql`t.is_envelope` : sql`true`} and t.created_at < ${range.end} and ${below(before)}`
    const selects = parts.map(
      (part) => sql`(select t.* from transfers t where ${part} and ${whole} ${newestFirst} limit ${most})`,
    )
    const first = selects[0] ?? sql`(select * from transfers where false)`
    if (selects.length < 2) return first
    const together = selects.slice(1).reduce((all, part) => sql`${all} union all ${part}`, first)
    return sql`(select * from (${together}) t ${newestFirst} limit ${most})`
  }
}
