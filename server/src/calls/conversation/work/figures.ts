import type { Answer, Parsed } from '@tallyroom/contract'
import { isOperator } from '@tallyroom/contract/codes'
import type { WorkCount, WorkLevel } from '@tallyroom/contract/desk/waits'
import { spanOf } from '../../../data/local-time.ts'
import { type Db, many, one, type Sql, sql, withFreshPlan } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import { type Actor, visibleAccounts } from '../../../identity/actor.ts'
import { type Named, shownText, shownUsername } from '../../../identity/masking.ts'
import { checkRange } from '../../../ledger/read/history-search.ts'
import { ensure } from '../../../lib/refusal.ts'

export type WorkViewer = { actor: Actor; timeZone: string }
export type WorkFilter = Pick<Parsed<'report/work'>, 'by' | 'start_date' | 'end_date' | 'group'>
type Report = Answer<'report/work'>
type Figures = Report['total']

/** The most rows of an answer. */
const MOST = 5000

/** DESK-09: who is no head sees the own work only. */
const seesOnlyOwn = ({ role }: Pick<Actor, 'role'>): boolean => !isOperator(role)

/** A condition on the group of a row, which the viewer may see. */
const inGroups = (actor: Actor, group: number | undefined, column: Sql): Sql => {
  if (seesOnlyOwn(actor)) return sql`${column} = ${actor.groupId}`
  if (group !== undefined) return sql`${column} = ${group}`
  return sql`${column} in (select a.id from accounts a where ${visibleAccounts(actor)} and a.role_id <= ${is.agent})`
}

const ensureGroup = async (db: Db, actor: Actor, group: number | undefined): Promise<void> => {
  if (group === undefined) return
  const isOwn = seesOnlyOwn(actor) && group === actor.groupId
  const found = await one(
    db,
    sql`select a.id from accounts a where a.id = ${group} and a.role_id <= ${is.agent} and not a.is_key
      and (${visibleAccounts(actor)} or ${isOwn}::boolean)`,
  )
  ensure(found, 'account.not_found')
}

/**
 * What is not about one colleague says how long members waited, through all colleagues: else it would change with the
 * choice of the rows, and a member that is handed on would hardly have waited.
 */
export const asOfMembers = <F extends Pick<WorkFilter, 'by'>>(filter: F): F =>
  filter.by === 'person' ? { ...filter, by: 'group' } : filter

const keyOf = (by: WorkLevel, timeZone: string): Sql =>
  ({
    person: sql`t.person_id`,
    group: sql`t.group_id`,
    hour: sql`extract(hour from t.from_at at time zone ${timeZone}::text)::int`,
  })[by]

/**
 * The waits `t` of a report, with the row of each as `key`. A person's lengths begin when it got the conversation.
 * `mine`: counts for who looks; a wait that another one ended may be there because the viewer has passed it.
 */
export const waitsOf = async (db: Db, { actor, timeZone }: WorkViewer, filter: WorkFilter): Promise<Sql> => {
  const { by, start_date, end_date, group } = filter
  checkRange(start_date, end_date)
  await ensureGroup(db, actor, group)
  const { start, end } = spanOf(sql`${start_date}::date`, sql`${end_date}::date`, timeZone)
  const onlyOwn = seesOnlyOwn(actor)
  const [late, clock, open] =
    by === 'person' || onlyOwn
      ? [sql`t.own_late_at`, sql`t.own_clock_s`, sql`t.own_open_s`]
      : [sql`t.late_at`, sql`t.clock_s`, sql`t.open_s`]
  return sql`select t.room_id, t.asked_seq, t.ended_seq, t.asked_at, t.from_at, t.ended_at, t.outcome, t.person_id, t.passed_by,
      t.is_first, ${keyOf(by, timeZone)} as key, ${clock} as clock, ${open} as open,
      (not ${onlyOwn}::boolean or t.person_id = ${actor.id}) is true as mine,
      case when ${onlyOwn}::boolean then ${actor.id} = any(t.passed_by) else cardinality(t.passed_by) > 0 end as passed,
      (t.outcome = 'missed' or ((t.outcome is null or t.outcome = 'answer') and coalesce(t.ended_at, now()) > ${late})) is true as missed
    from desk_waits t where ${inGroups(actor, group, sql`t.group_id`)} and t.from_at >= ${start} and t.from_at < ${end}
      and t.outcome is distinct from 'bot'
      and (not ${onlyOwn}::boolean or t.person_id = ${actor.id} or ${actor.id} = any(t.passed_by))`
}

/** Which of the waits `t` a figure counts. */
export const counts: Record<WorkCount, Sql> = {
  waits: sql`t.mine`,
  first: sql`t.mine and t.is_first and t.outcome = 'answer'`,
  answers: sql`t.mine and t.outcome = 'answer'`,
  settled: sql`t.mine and t.outcome = 'settled'`,
  waiting: sql`t.mine and t.outcome is null`,
  missed: sql`t.mine and t.missed`,
  passed: sql`t.passed`,
}

type Counted = Record<WorkCount, number> & {
  isTotal: boolean
  key: number | null
  firstOpen: number[] | null
  clock: number[] | null
  open: number[] | null
}

/** `percentile_disc` answers with a length that occurs: 1 is the longest. */
const lengths = (column: Sql, condition: Sql): Sql =>
  sql`percentile_disc('{0.5,0.9,1}'::float8[]) within group (order by ${column}) filter (where ${condition})`
const counted = (name: WorkCount): Sql => sql`(count(*) filter (where ${counts[name]}))::int`

const asLengths = (found: (number | null)[] | null) => {
  const [median, p90, longest] = found ?? []
  return typeof median === 'number' && typeof p90 === 'number' && typeof longest === 'number'
    ? { median, p90, longest }
    : null
}

const none: Figures = {
  waits: 0,
  first: 0,
  answers: 0,
  settled: 0,
  waiting: 0,
  missed: 0,
  passed: 0,
  first_open: null,
  clock: null,
  open: null,
  on_s: 0,
}

const asFigures = ({ isTotal: _, key: __, firstOpen, clock, open, ...rest }: Counted): Figures => ({
  ...rest,
  first_open: asLengths(firstOpen),
  clock: asLengths(clock),
  open: asLengths(open),
  on_s: 0,
})

/** The whole report: its rows by their key, and all of them together. */
const figuresOf = async (db: Db, viewer: WorkViewer, filter: WorkFilter) => {
  const waits = await waitsOf(db, viewer, filter)
  const isByPerson = filter.by === 'person'
  const rows = await many<Counted>(
    db,
    withFreshPlan(sql`with t as materialized (${waits}),
      passes as (select p.id as key, count(*)::int as n from t cross join lateral unnest(t.passed_by) p (id)
        where ${isByPerson}::boolean and (t.mine or t.passed) group by p.id),
      figures as (select grouping(t.key) = 1 as "isTotal", t.key, ${counted('waits')} as waits, ${counted('first')} as first,
          ${counted('answers')} as answers, ${counted('settled')} as settled, ${counted('waiting')} as waiting,
          ${counted('missed')} as missed, ${counted('passed')} as passed,
          ${lengths(sql`t.open`, counts.first)} as "firstOpen", ${lengths(sql`t.clock`, counts.answers)} as clock,
          ${lengths(sql`t.open`, counts.answers)} as open
        from t group by grouping sets ((t.key), ()))
      select f."isTotal", f.key, f.waits, f.first, f.answers, f.settled, f.waiting, f.missed,
          case when ${isByPerson}::boolean and not f."isTotal" then coalesce(p.n, 0) else f.passed end as passed,
          f."firstOpen", f.clock, f.open
        from figures f left join passes p on p.key = f.key and not f."isTotal"
      union all select false, p.key, 0, 0, 0, 0, 0, 0, p.n, null, null, null from passes p
        where not exists (select from figures f where f.key = p.key)`),
  )
  const all = rows.find(({ isTotal }) => isTotal)
  return {
    rows: new Map(rows.filter(({ isTotal }) => !isTotal).map((row) => [row.key, asFigures(row)])),
    total: all ? asFigures(all) : none,
  }
}

/** Seconds in which people were on, by the key of the rows. */
const secondsOn = async (db: Db, { actor, timeZone }: WorkViewer, filter: WorkFilter): Promise<Map<number, number>> => {
  const { by, start_date, end_date, group } = filter
  const { start, end } = spanOf(sql`${start_date}::date`, sql`${end_date}::date`, timeZone)
  const spells = sql`select s.account_id, s.group_id, greatest(s.started_at, ${start}) as from_at, least(s.until_at, ${end}) as until_at
    from desk_spells s where ${inGroups(actor, group, sql`s.group_id`)} and s.until_at > ${start} and s.started_at < ${end}
      and (not ${seesOnlyOwn(actor)}::boolean or s.account_id = ${actor.id})`
  const parts =
    by === 'hour'
      ? sql`select extract(hour from h.at at time zone ${timeZone}::text)::int as key,
            least(s.until_at, h.at + interval '1 hour') - greatest(s.from_at, h.at) as length
          from s cross join lateral generate_series(date_trunc('hour', s.from_at, ${timeZone}::text), s.until_at, interval '1 hour') h (at)
          where h.at < s.until_at`
      : sql`select ${by === 'person' ? sql`s.account_id` : sql`s.group_id`} as key, s.until_at - s.from_at as length from s`
  const rows = await many<{ key: number; seconds: number }>(
    db,
    sql`with s as (${spells}), parts as (${parts})
      select p.key, floor(extract(epoch from sum(p.length)))::float8 as seconds from parts p group by p.key`,
  )
  return new Map(rows.map(({ key, seconds }) => [key, seconds]))
}

export const workReport = async (db: Db, viewer: WorkViewer, filter: WorkFilter): Promise<Report> => {
  const { actor, timeZone } = viewer
  const { rows, total: own } = await figuresOf(db, viewer, filter)
  const { total } = filter.by === 'person' ? await figuresOf(db, viewer, asOfMembers(filter)) : { total: own }
  const on = await secondsOn(db, viewer, filter)
  for (const [key, seconds] of on) rows.set(key, { ...(rows.get(key) ?? none), on_s: seconds })
  const ids = filter.by === 'hour' ? [] : [...rows.keys()].flatMap((key) => key ?? [])
  const names = new Map((await accountsOf(db, ids)).map((account) => [account.id, account]))
  const named = [...rows]
    // A colleague who looks has a row for waits of others that it has passed.
    .filter(([key]) => filter.by !== 'person' || !seesOnlyOwn(actor) || key === actor.id)
    .map(([key, figures]) => {
      const account = key === null ? undefined : names.get(key)
      return { row: key, ...figures, ...(account ? shownNames(actor, account) : { username: '', nickname: '' }) }
    })
    .toSorted((a, b) => a.username.localeCompare(b.username, 'en') || (a.row ?? -1) - (b.row ?? -1))
  const since = await one<{ since: Date }>(db, sql`select since from desk_waits_mark`)
  return {
    data: named.slice(0, MOST),
    total: { ...total, on_s: [...on.values()].reduce((sum, seconds) => sum + seconds, 0) },
    cut: named.length > MOST,
    only_own: seesOnlyOwn(actor),
    time_zone: timeZone,
    since: (since?.since ?? new Date()).toISOString(),
  }
}

export type NamedAccount = Named & { nickname: string }
const accountsOf = (db: Db, ids: number[]): Promise<NamedAccount[]> =>
  many<NamedAccount>(
    db,
    sql`select id, username, nickname, is_sub as "isSub" from accounts where id = any(${ids}::int[])`,
  )
export const shownNames = (actor: Actor, account: NamedAccount) => ({
  username: shownUsername(actor, account),
  nickname: shownText(actor, account, account.nickname),
})
