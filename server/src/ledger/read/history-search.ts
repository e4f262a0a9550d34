import { Role } from '@tallyroom/contract/codes'
import type { Actor } from '../../identity/actor.ts'
import { endAt, firstAt } from '../../data/local-time.ts'
import { type Db, many, type Sql, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import { usernameFits } from '../../identity/masking.ts'
import { filterBranches, type TransferFilter } from './history-filter.ts'
import { isVisible, findVisibleIds } from '../../identity/visible-ids.ts'
import { type Cell, cellBranches, paidCashRequests, type Range } from './report-cells.ts'
import { actedBy } from './report-sums.ts'
import { is } from '../../domain/is.ts'

export type HistoryFilter = TransferFilter & {
  username: string
  /** Only the transfers of this account, in place of a name. */
  member_id?: number | undefined
  start_time: string
  end_time: string
  operator_id?: number | undefined
  cell?: Cell | undefined
}
/** The reader of a history, and the platform's time zone. */
export type HistoryViewer = {
  actor: Actor
  timeZone: string
  /** The zone of the times that are shown; by default that of the days. */
  timesIn?: string
  /** Leaves out what nobody has approved. Members always read so, and programs that pass rows on to them set it. */
  onlyDecided?: boolean
}
export const timesOf = ({ timesIn, timeZone }: HistoryViewer): string => timesIn ?? timeZone
/** 1 all transfers, 2 envelopes only. */
export type HistoryKind = 1 | 2

const DAY = 86_400_000
/** The longest life of an envelope (the maximum of ENVELOPE_HOURS in settings.ts, rounded up). */
const LONGEST_WAIT = '31 days'
/** Up to this many accounts are searched by one index scan each; more by one scan by time. */
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
  sql`case when o.role_id = ${is.gameAccount} then '' else ${actor.role === Role.member ? sql`coalesce(nullif(g.nickname, ''), g.username)` : sql`o.username`} end`

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
      : sql`select o.id, true as "asTarget", o.role_id <> ${is.gameAccount} as "asActor" from accounts o
          where o.top_id = ${actor.topId} and ${asTarget} limit ${FEW_NAMES + 1}`,
  )
  if (parts.length > FEW_NAMES) return undefined
  const idsOf = (side: 'asTarget' | 'asActor') => parts.flatMap((row) => (row[side] ? [row.id] : []))
  return { targets: idsOf('asTarget'), actors: idsOf('asActor') }
}

const namesOf = async (db: Db, actor: Actor, { username, member_id: targetId }: HistoryFilter) => {
  if (targetId !== undefined) return { targets: [targetId], actors: [] }
  return username === '' ? undefined : accountsNamed(db, actor, username)
}

/** The times of a search, both included, but for a midnight at its end. */
export const rangeOf = (
  { start_time, end_time }: Pick<HistoryFilter, 'start_time' | 'end_time'>,
  timeZone: string,
): Range => {
  checkRange(start_time, end_time)
  const start = firstAt(sql`${start_time}`, timeZone)
  return {
    start,
    end: endAt(end_time, timeZone),
    earliest: sql`(${start} - interval '${{ text: LONGEST_WAIT, values: [] }}')`,
  }
}

export const readsDecided = ({ actor, onlyDecided }: HistoryViewer) => onlyDecided ?? actor.role === Role.member

/** Neither waits for approval nor was left without one. */
const isDecided = sql`not (t.is_envelope and exists (select from envelopes h
  where h.transfer_id = t.id and h.type > ${is.cashHold} and h.status <> ${is.success}))`

/** Continues after the last row of an earlier answer. */
const below = (before: string | undefined): Sql => {
  if (before === undefined) return sql`true`
  const [micros = '0', id = '0'] = before.split('-')
  return sql`(t.created_at, t.id) < ('epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${id}::bigint)`
}

/** Whether the name of either side matches, looked up for each row. */
const nameMatches = (actor: Actor, username: string): Sql =>
  sql`(exists (select from accounts a where a.id = t.target_id and ${usernameFits(actor, sql`a.username`, username)})
    or exists (select from ${operators} where o.id = ${actedBy} and ${usernameFits(actor, operatorName(actor), username)}))`

/**
 * Prepares a history search. The returned function makes the SQL for its newest `most` transfers (all columns), newest
 * first, after `before`. Every branch follows an index: by time, or by time for each of a few accounts.
 */
export const historySearch = async (db: Db, viewer: HistoryViewer, kind: HistoryKind, filter: HistoryFilter) => {
  const { actor, timeZone } = viewer
  const { username, member_id: targetId, operator_id } = filter
  const cell: Cell | undefined =
    filter.cell ?? (operator_id === undefined ? undefined : { what: 'points', by: 'operator', id: operator_id })
  const range = rangeOf(filter, timeZone)
  const counted = cell && (await cellBranches(db, actor, range, cell))
  const visibleIds = counted ? [] : await findVisibleIds(db, actor)
  const names = await namesOf(db, actor, filter)
  const { conditions, isRare } = await filterBranches(db, actor, filter)
  // Funder and actor are above the target in the tree, so an account that may see one of them may see the target too:
  // the target alone decides (members see only their own transfers).
  const scope = sql`t.top_id = ${actor.topId} and ${isVisible(actor, visibleIds, sql`t.target_id`)}`
  const isNamed = (): Sql => {
    if (username === '' && targetId === undefined) return sql`true`
    if (!names) return nameMatches(actor, username)
    return sql`(t.target_id = any(${names.targets}::int[]) or ${actedBy} = any(${names.actors}::int[]))`
  }

  const branches = (): Sql[] => {
    if (counted) return counted.map((one) => sql`${one} and ${isNamed()}`)
    const since = sql`t.created_at >= ${range.start}`
    const together = [sql`${scope} and ${since} and ${isNamed()}`]
    // Otherwise the index of words would be read again for each account.
    if (isRare) return together
    if (names) {
      const others = sql`not t.target_id = any(${names.targets}::int[])`
      return [
        ...names.targets.map((id) => sql`${scope} and ${since} and t.target_id = ${id}::int`),
        ...names.actors.map((id) => sql`${scope} and ${since} and t.actor_id = ${id}::int and ${others}`),
        ...(names.actors.length === 0
          ? []
          : [
              sql`${scope} and ${since} and t.id in ${paidCashRequests(names.actors, sql`c.ended_at >= ${range.start}`)}
                and ${others} and not t.actor_id = any(${names.actors}::int[])`,
            ]),
      ]
    }
    if (typeof visibleIds === 'object' && visibleIds.length <= FEW)
      return visibleIds.map((id) => sql`t.target_id = ${id}::int and ${since} and ${isNamed()}`)
    return together
  }

  const parts = branches().flatMap((part) => conditions.map((one) => sql`${part} and ${one}`))
  return (most: number, before?: string): Sql => {
    const whole = sql`${kind === 2 ? sql`t.is_envelope` : sql`true`} and t.created_at < ${range.end} and ${below(before)}
      and ${readsDecided(viewer) ? isDecided : sql`true`}`
    const selects = parts.map(
      (part) => sql`(select t.* from transfers t where ${part} and ${whole} ${newestFirst} limit ${most})`,
    )
    const first = selects[0] ?? sql`(select * from transfers where false)`
    if (selects.length < 2) return first
    const together = selects.slice(1).reduce((all, part) => sql`${all} union all ${part}`, first)
    return sql`(select * from (${together}) t ${newestFirst} limit ${most})`
  }
}
