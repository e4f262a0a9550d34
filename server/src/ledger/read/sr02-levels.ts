import { Role } from '@tallyroom/contract/codes'
import { type Db, type LeftJoined, many, one, type Sql, sql, withFreshPlan } from '../../data/sql.ts'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import type { Named } from '../../identity/masking.ts'
import { findVisibleIds } from '../../identity/visible-ids.ts'
import { rangeOf } from './history-search.ts'
import { daysInPositions, totalsByPosition, totalInPosition, wasThere } from './totals-by-position.ts'
import { isBetOf, leadsThrough, paidBelow, payersBelow, positionsOf, type Range } from './report-cells.ts'
import { cover, type Days, daysOf, daySumsOf, summedSpans, sumsOf } from './report-cover.ts'
import {
  acceptedBetween,
  actedBy,
  isAtOnce,
  isOffice,
  movedBy,
  playedBy,
  settledBetween,
  SumKind,
  summedPath,
  validOf,
} from './report-sums.ts'
import { is } from '../../domain/is.ts'

export type LevelRow = LeftJoined<Named & { nickname: string; role: Role }> & {
  day: string | null
  given: bigint
  taken: bigint
  valid: bigint | null
}

/** Up to this many payers have their transfers or sums read one by one; for more, all of the time are read. */
const MANY = 300
/** The same for their envelopes: there the offers of 31 days are read, or the accepted ones of all. */
const FEW = 20

/** The day totals of an account and those below it, each in the place where the payer was. */
const daysByPosition = (actor: Actor, under: number, { start_date, end_date }: Days): Sql => {
  const isIn = (path: Sql) => sql`${leadsThrough(path, under)} and ${leadsThrough(path, actor.id)}`
  const elsewhere = (path: Sql, sign: 1 | -1) => sql`select d.account_id, d.day, ${path} as path,
      ${sign}::int * ${totalInPosition('in')} as total_in, ${sign}::int * ${totalInPosition('out')} as total_out, ${sign}::int as n
    from ${daysInPositions(sql`${start_date}::date`, sql`${end_date}::date`)}
    where p.top_id = ${actor.topId} and ${isIn(path)}`
  return sql`(select d.account_id, d.day, a.path, d.total_in, d.total_out, 1 as n from day_totals d join accounts a on a.id = d.account_id
      where d.top_id = ${actor.topId} and d.day between ${start_date}::date and ${end_date}::date and ${isIn(sql`a.path`)}
    union all ${elsewhere(sql`p.path`, 1)} union all ${elsewhere(sql`a.path`, -1)})`
}

/**
 * SR02 of an account and those below it, by what is directly below it (`branch`) or by who paid (`operator`): from the
 * day totals. Rows with a day are the sums of the day.
 */
export const byPosition = (db: Db, actor: Actor, under: number, by: 'branch' | 'operator', days: Days) => {
  const below = sql`substr(d.path, strpos(d.path, ${`/${under}/`}) + ${`/${under}/`.length}::int)`
  const key =
    by === 'operator' ? sql`d.account_id` : sql`coalesce(nullif(split_part(${below}, '/', 1), '')::int, ${under}::int)`
  return many<LevelRow>(
    db,
    withFreshPlan(sql`select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role, s.day::text, s.given, s.taken, null::bigint as valid
      from (select k.id, k.day, sum(k.total_in)::bigint as given, sum(k.total_out)::bigint as taken
        from (select d.*, ${key} as id from ${daysByPosition(actor, under, days)} d) k
        group by grouping sets ((k.id), (k.day)) having ${wasThere}) s left join accounts a on a.id = s.id
      order by s.day nulls first, ${actor.masks ? sql`a.id` : sql`lower(a.username)`}`),
  )
}

/** `under`: whose branch; `most`: so many rows, those that moved most, while the days have all. */
type Asked<By> = { under: number; by: By; days: Days; timeZone: string; most: number }

/**
 * The rows of a report: `open` has (id, day, given, taken, valid) of days without sums, `summed` (id, given, taken, valid)
 * of the others, and `days` (day, given, taken).
 */
type Parts = { open: Sql; summed: Sql; days: Sql; isBets: boolean }

const rowsOf = (db: Db, actor: Actor, { open, summed, days, isBets }: Parts, most: number) =>
  many<LevelRow>(
    db,
    // A day or a year, a branch or everything: they need different plans.
    withFreshPlan(sql`with open as materialized (${open}),
      sums as (select id, sum(given)::bigint as given, sum(taken)::bigint as taken, sum(valid)::bigint as valid
        from (select id, given, taken, valid from open union all ${summed}) r group by id)
      select a.id, a.username, a.nickname, a.is_sub as "isSub", a.role_id as role, s.day::text, s.given, s.taken,
        ${isBets ? sql`s.valid` : sql`null::bigint as valid`}
      from ((select id, null::date as day, given, taken, valid from sums order by abs(given) + abs(taken) desc, id limit ${most}::int)
          union all select null, d.day, d.given, d.taken, null from (${days}) d) s left join accounts a on a.id = s.id
      order by s.day nulls first, ${actor.masks ? sql`a.id` : sql`lower(a.username)`}`),
  )

const given = sql`coalesce(sum(amount) filter (where not takes), 0)::bigint as given`
const taken = sql`coalesce(sum(amount) filter (where takes), 0)::bigint as taken`
const ofDays = sql`select day, sum(given)::bigint as given, sum(taken)::bigint as taken`

/** `read` for each gap, together. */
const ofGaps = (gaps: Days[], timeZone: string, read: (range: Range) => Sql): Sql =>
  gaps
    .map((gap) =>
      read(rangeOf({ start_time: `${gap.start_date} 00:00:00`, end_time: `${gap.end_date} 23:59:59` }, timeZone)),
    )
    .reduce(
      (all, one) => sql`${all} union all ${one}`,
      sql`select 0 as id, null::date as day, 0::bigint as given, 0::bigint as taken, 0::bigint as valid where false`,
    )

/** Transfers with `at`, when they came to pass, of these payers or below the actor's top account. */
const settledBy = (actor: Actor, range: Range, payers: number[] | 'all'): Sql => {
  const all = settledBetween(range, [actor.topId])
  if (payers === 'all' || payers.length > MANY) return all
  const { start, end, earliest } = range
  const ofPayer = (from: Sql, isIts: Sql) => {
    const times = sql`t.created_at >= ${from} and t.created_at < ${end} and ${isIts}`
    return sql`unnest(${payers}::int[]) v (id) cross join lateral (
      select * from transfers t where t.actor_id = v.id and t.funder_id = v.id and ${times}
      union all select * from transfers t where t.funder_id = v.id and t.funder_id <> t.actor_id and ${times}) t`
  }
  const made = sql`select t.*, t.created_at as at from ${ofPayer(start, isAtOnce)} where ${isOffice}`
  return payers.length > FEW
    ? sql`(${made} union all ${acceptedBetween(range, [actor.topId])})`
    : sql`(${made} union all select t.*, n.settled_at from ${ofPayer(earliest, sql`t.is_envelope`)} join envelopes n on n.transfer_id = t.id
        where n.status = ${is.success} and n.settled_at >= ${start} and n.settled_at < ${end} and ${isOffice})`
}

/**
 * Whether an account of the office, which may have a sum below it, is below the actor: `now`, and `always` for all that
 * ever was below that account.
 */
const isBelow = async (db: Db, actor: Actor, under: number): Promise<{ now: boolean; always: boolean }> => {
  const found = await one<{ now: boolean; elsewhere: boolean }>(
    db,
    sql`select exists (select from accounts a where a.id = ${under}::int and a.role_id < ${Role.member} and ${visibleAccounts(actor)}) as now,
      exists (select from past_places p where p.top_id = ${actor.topId} and ${leadsThrough(sql`p.path`, under)}
        and not ${leadsThrough(sql`p.path`, actor.id)}) as elsewhere`,
  )
  return { now: found?.now === true, always: found?.now === true && !found.elsewhere }
}

/** The sums of one account in `serviceBelow` or `betsBelow`. */
const sumsBelow = (kind: SumKind, days: string[], under: number): Sql =>
  sql`select s.starts as day, s.total_in as given, s.total_out as taken from ${daySumsOf(kind, days)} s where s.of_id = ${under}::int`

/**
 * SR02 by the person who made the transfers or by member: from the sums of days and months that are over, and for other
 * days from the transfers. The days of all are those of the day totals; customer service alone has none there.
 */
export const byTransfer = async (
  db: Db,
  actor: Actor,
  { under, by, days, timeZone, most }: Asked<'person' | 'service' | 'member'>,
) => {
  const ids = [actor.id, ...(under === actor.id ? [] : [under])]
  const payers = await payersBelow(db, actor, ids)
  const positions = payers === 'all' ? [] : await positionsOf(db, payers, ids)
  const spans = await summedSpans(db, days, timeZone)
  const found = cover(days, spans)
  const few = payers === 'all' ? [] : [...payers.always, ...payers.sometimes]
  const isWanted = (id: Sql) =>
    by === 'service' ? sql`(select a.role_id from accounts a where a.id = ${id}) = ${Role.customerService}` : sql`true`
  const byService =
    by === 'service' ? sql`join accounts w on w.id = s.id and w.role_id = ${Role.customerService}` : sql``
  const open = ofGaps(found.gaps, timeZone, (range) => {
    const id = by === 'member' ? sql`t.target_id` : actedBy
    return sql`select id, day, ${given}, ${taken}, 0::bigint as valid from (
        select ${id} as id, (t.at at time zone ${timeZone}::text)::date as day, ${movedBy}
        from ${settledBy(actor, range, payers === 'all' ? payers : few)} t join accounts m on m.id = t.target_id and m.role_id = ${Role.member}
          left join transfers c on c.id = t.corrects
        where ${paidBelow(payers, ids, sql`t.at`)} and ${isWanted(id)}) g group by id, day`
  })
  const isIts =
    payers === 'all'
      ? sql`s.top_id = ${actor.topId}`
      : sql`(s.of_id, s.moves) in (select * from unnest(${positions.map(({ id }) => id)}::int[], ${positions.map(({ moves }) => moves)}::smallint[]))
          ${few.length <= MANY ? sql`and s.of_id = any(${few}::int[])` : sql``}`
  // A sum below an account does not say whether the actor was above it.
  const { below, each } = daysOf(found, spans, by === 'service' && (await isBelow(db, actor, under)).always)
  const range = { start: sql`${days.start_date}::date`, end: sql`${days.end_date}::date`, among: sql`true` }
  const daysOfAll = payers === 'all' ? totalsByPosition(actor, payers, range) : daysByPosition(actor, under, days)
  const sums = sql`${sumsOf(by === 'member' ? SumKind.member : SumKind.person, found)} s ${byService} where ${isIts}`
  return rowsOf(
    db,
    actor,
    {
      open,
      summed: sql`select s.id, s.total_in, s.total_out, 0 from ${sums}`,
      days:
        by === 'service'
          ? sql`${ofDays} from (select day, given, taken from open union all ${sumsBelow(SumKind.serviceBelow, below, under)}
              union all select s.starts, s.total_in, s.total_out from ${daySumsOf(SumKind.person, each)} s ${byService} where ${isIts}) r
            group by day`
          : sql`select day, sum(total_in)::bigint as given, sum(total_out)::bigint as taken from ${daysOfAll} d group by day having ${wasThere}`,
      isBets: false,
    },
    most,
  )
}

/** The days that `betsBelow` lacks: of members that have come below an account since, less those that have left. */
const movedSince = (under: number, { topId }: Actor, days: string[]): Sql =>
  sql`select s.starts, n.sign * s.total_in, n.sign * s.total_out from first_places f join accounts a on a.id = f.account_id
      cross join lateral (select ${leadsThrough(sql`a.path`, under)}::int - ${leadsThrough(summedPath, under)}::int as sign) n
      join ${daySumsOf(SumKind.bets, days)} s on s.of_id = a.id
    where a.top_id = ${topId} and n.sign <> 0`

/**
 * Members' wins (`given`), bets (`taken`) and what of the bets counts as turnover, by member, by the agent whose member it
 * is, or by what is directly below an account. Members count where they are now: their history goes along with them.
 */
export const byBets = async (
  db: Db,
  actor: Actor,
  { under, by, days, timeZone, most }: Asked<'branch' | 'operator' | 'member'>,
) => {
  const child = sql`split_part(substr(m.path, strpos(m.path, ${`/${under}/`}) + ${`/${under}/`.length}::int), '/', 1)::int`
  const keys = {
    member: sql`m.id`,
    operator: sql`m.group_id`,
    // A member directly below it is the account's own.
    branch: sql`case when m.parent_id = ${under}::int then ${under}::int else ${child} end`,
  }
  const spans = await summedSpans(db, days, timeZone)
  const found = cover(days, spans)
  const open = ofGaps(
    found.gaps,
    timeZone,
    (range) => sql`select id, day, ${given}, ${taken}, sum(valid)::bigint as valid from (
        select ${keys[by]} as id, (t.created_at at time zone ${timeZone}::text)::date as day, ${playedBy},
          ${validOf} as valid
        from transfers t join accounts m on m.id = t.target_id
        where ${isBetOf(actor, range, leadsThrough(sql`a.path`, under))}) g group by id, day`,
  )
  const isIn = leadsThrough(sql`a.path`, under)
  const members = await findVisibleIds(db, actor, sql`a.role_id = ${Role.member} and ${isIn}`)
  const few = typeof members === 'object' ? members : undefined
  const those = sql`a.id = s.of_id ${few ? sql`and s.of_id = any(${few}::int[])` : sql`and ${visibleAccounts(actor)} and ${isIn}`}`
  const isAll = members === 'all' && under === actor.id
  const { below, each } = daysOf(found, spans, (await isBelow(db, actor, under)).now)
  const summedDays = isAll
    ? sumsBelow(SumKind.allBets, [...below, ...each], under)
    : sql`${sumsBelow(SumKind.betsBelow, below, under)} union all ${movedSince(under, actor, below)}
        union all select s.starts, s.total_in, s.total_out from ${daySumsOf(SumKind.bets, each)} s join accounts a on ${those}`
  return rowsOf(
    db,
    actor,
    {
      open,
      // Added up before the join: a year has hundreds of thousands of sums.
      summed: sql`select ${keys[by]} as id, s.given, s.taken, s.valid
        from (select s.of_id, sum(s.total_in)::bigint as given, sum(s.total_out)::bigint as taken, sum(s.valid)::bigint as valid
          from ${sumsOf(SumKind.bets, found)} s where s.top_id = ${actor.topId} ${few ? sql`and s.of_id = any(${few}::int[])` : sql``}
          group by s.of_id) s join accounts a on ${those} join accounts m on m.id = a.id`,
      days: sql`${ofDays} from (select day, given, taken from open union all ${summedDays}) r group by day
        having sum(given) <> 0 or sum(taken) <> 0`,
      isBets: true,
    },
    most,
  )
}
