import { unreportedKinds } from '../../data/kind-sets.ts'
import { Role } from '@tallyroom/contract/codes'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import { usernameFits } from '../../identity/masking.ts'
import { isVisible, type VisibleIds, findVisibleIds } from '../../identity/visible-ids.ts'

export type Filter = { username: string; start_time: string; end_time: string; operator_id?: number | undefined }
/** Where whoever looks stands, and when. */
export type Viewer = { actor: Actor; timeZone: string }
/** Of transfers all, or those that were offered in a room. */
export type HistoryKind = 1 | 2

const DAY = 86_400_000
/** No envelope waits longer for its answer (ENVELOPE_HOURS, settings.ts). */
const LONGEST_WAIT = '31 days'
/** Transfers of so few accounts are read side by side, each in its own order. */
const FEW = 20
/** Names that many have are soon found on a walk by time; of fewer the transfers are looked up, however long ago they were. */
const FEW_NAMES = 10

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

/** What a member may call whoever gave to it: its group, as its room does. Nobody made what the platform reported. */
export const operatorName = (actor: Actor): Sql =>
  sql`case when o.role_id = 0 then '' else ${actor.role === Role.member ? sql`coalesce(nullif(g.nickname, ''), g.username)` : sql`o.username`} end`

/** The accounts of whoever moved it. */
const operators = sql`accounts o join accounts g on g.id = o.group_id`

export const newestFirst = sql`order by t.created_at desc, t.id desc`

type Bearers = { targets: number[]; actors: number[] }

/** Who has a name that is searched for, as either side of a transfer, when they are few. */
const bearers = async (db: Db, actor: Actor, username: string): Promise<Bearers | undefined> => {
  const asTarget = usernameFits(actor, sql`o.username`, username)
  const asActor = usernameFits(actor, operatorName(actor), username)
  const found = await many<{ id: number; asTarget: boolean; asActor: boolean }>(
    db,
    // Two names are compared only where they may differ.
    actor.role === Role.member
      ? sql`select o.id, ${asTarget} as "asTarget", ${asActor} as "asActor" from ${operators}
          where o.top_id = ${actor.topId} and (${asTarget} or ${asActor}) limit ${FEW_NAMES + 1}`
      : sql`select o.id, true as "asTarget", o.role_id <> 0 as "asActor" from accounts o
          where o.top_id = ${actor.topId} and ${asTarget} limit ${FEW_NAMES + 1}`,
  )
  if (found.length > FEW_NAMES) return undefined
  const idsOf = (side: 'asTarget' | 'asActor') => found.flatMap((row) => (row[side] ? [row.id] : []))
  return { targets: idsOf('asTarget'), actors: idsOf('asActor') }
}

/**
 * What SR02 counts for an operator between two moments: what moved between its purse and members, and what of that was taken
 * back, each on the day on which it was settled. An envelope may have been offered before. (`case` because it nearly
 * always holds: PostgreSQL would take it for rare, and read all that the operator ever moved instead of the newest.)
 */
const counted = (actor: Actor, sight: VisibleIds, operatorId: number, { start, end, earliest }: Range): Sql =>
  sql`t.target_id <> t.funder_id and t.op not in ${unreportedKinds}
    and exists (select from accounts a where a.id = ${operatorId}::int and ${visibleAccounts(actor)})
    and ${typeof sight === 'object' ? sql`true` : sql`(select a.role_id from accounts a where a.id = t.target_id) = 4`}
    and t.created_at >= ${earliest} and (t.is_envelope or t.created_at >= ${start})
    and case when t.funder_id = ${operatorId}::int and tstzrange(${start}, ${end}) @> coalesce(case when t.is_envelope then
      (select case n.status when 1 then n.settled_at else 'infinity' end from envelopes n where n.transfer_id = t.id) end, t.created_at)
      then true else false end`

type Range = { start: Sql; end: Sql; earliest: Sql }

const rangeOf = ({ start_time, end_time }: Filter, timeZone: string): Range => {
  checkRange(start_time, end_time)
  const at = (moment: Sql) => sql`((${moment}) at time zone ${timeZone}::text)`
  return {
    start: at(sql`${start_time}::timestamp`),
    end: at(sql`${end_time}::timestamp + interval '1 second'`),
    earliest: at(sql`${start_time}::timestamp - interval '${{ text: LONGEST_WAIT, values: [] }}'`),
  }
}

/** Goes on below a row that was the last of an earlier answer. */
const below = (before: string | undefined): Sql => {
  if (before === undefined) return sql`true`
  const [micros = '0', id = '0'] = before.split('-')
  return sql`(t.created_at, t.id) < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** Either side's name fits, each looked up. */
const named = (actor: Actor, username: string): Sql =>
  sql`(exists (select from accounts a where a.id = t.target_id and ${usernameFits(actor, sql`a.username`, username)})
    or exists (select from ${operators} where o.id = t.actor_id and ${usernameFits(actor, operatorName(actor), username)}))`

/**
 * A search of history: makes the SQL of its newest `most` transfers (all their columns), newest first, from below `before` on.
 * What it finds has an order of its own in some index: by time, or by time for each of a few accounts, read side by side.
 */
export const historySearch = async (db: Db, { actor, timeZone }: Viewer, kind: HistoryKind, filter: Filter) => {
  const { username, operator_id } = filter
  const range = rangeOf(filter, timeZone)
  // What is counted moved between a purse and members.
  const sight = await findVisibleIds(db, actor, operator_id === undefined ? undefined : sql`a.role_id = 4`)
  const names = username === '' ? undefined : await bearers(db, actor, username)
  // Funder and actor stand above the target wherever it is, so whoever may see one of them sees the target too: the target
  // is the whole scope (and, for a member, its own transfers alone).
  const scope = sql`t.top_id = ${actor.topId} and ${isVisible(actor, sight, sql`t.target_id`)}`
  const isNamed = (): Sql => {
    if (username === '') return sql`true`
    if (!names) return named(actor, username)
    return sql`(t.target_id = any(${names.targets}::int[]) or t.actor_id = any(${names.actors}::int[]))`
  }

  const ways = (): Sql[] => {
    if (operator_id !== undefined) {
      const all = sql`${scope} and ${counted(actor, sight, operator_id, range)} and ${isNamed()}`
      // Most are moved by whoever funds them; the others have an index of their own.
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
    if (typeof sight === 'object' && sight.length <= FEW)
      return sight.map((id) => sql`t.target_id = ${id}::int and ${since} and ${isNamed()}`)
    return [sql`${scope} and ${since} and ${isNamed()}`]
  }

  const found = ways()
  return (most: number, before?: string): Sql => {
    const whole = sql`${kind === 2 ? sql`t.is_envelope` : sql`true`} and t.created_at < ${range.end} and ${below(before)}`
    const parts = found.map(
      (way) => sql`(select t.* from transfers t where ${way} and ${whole} ${newestFirst} limit ${most})`,
    )
    const first = parts[0] ?? sql`(select * from transfers where false)`
    if (parts.length < 2) return first
    const together = parts.slice(1).reduce((all, part) => sql`${all} union all ${part}`, first)
    return sql`(select * from (${together}) t ${newestFirst} limit ${most})`
  }
}
