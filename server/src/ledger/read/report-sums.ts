import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Role } from '@tallyroom/contract/codes'
import { officeTakingKinds, platformKinds, unreportedKinds } from '../../domain/kind-sets.ts'
import { locks } from '../../data/locks.ts'
import { spanOf } from '../../data/local-time.ts'
import { type Database, many, one, run, type Sql, sql, type Tx, withFreshPlan } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { repeat } from '../../lib/concurrency.ts'

/**
 * The sums of `report_sums`. Days only: `allBets` of everyone below a top account, `serviceBelow` what customer
 * service moved for the payers that were below an account then, `betsBelow` of members below an account (`summedPath`).
 */
export const SumKind = { person: 1, member: 2, bets: 3, allBets: 4, serviceBelow: 5, betsBelow: 6 } as const
export type SumKind = (typeof SumKind)[keyof typeof SumKind]
/**
 * `summed_spans.kinds` of a day whose sums are those of this version. Those with 4 lack two kinds, and those with 6 count a
 * paid request under the member.
 */
export const ALL_KINDS = 7

/** From `start` to before `end`. */
export type Between = { start: Sql; end: Sql }

/** Whether `t` is between the office and somebody else. */
export const isOffice = sql`t.target_id <> t.funder_id and t.op not in ${unreportedKinds}`

/** Accepted envelopes with the columns of transfers and `at`, the moment of their settling. */
export const acceptedBetween = ({ start, end }: Between, topIds: number[]): Sql =>
  sql`select t.*, n.settled_at as at from envelopes n join transfers t on t.id = n.transfer_id
    where n.status = ${is.success} and n.settled_at >= ${start} and n.settled_at < ${end} and t.top_id = any(${topIds}::int[]) and ${isOffice}`

/** Whether `t` came to pass when it was made: also in a room, when nobody had to agree. */
export const isAtOnce = sql`not (t.is_envelope and exists (select from envelopes n where n.transfer_id = t.id))`

/** The same of all transfers that came to pass. */
export const settledBetween = ({ start, end }: Between, topIds: number[]): Sql =>
  sql`(select t.*, t.created_at as at from transfers t where t.top_id = any(${topIds}::int[])
      and t.created_at >= ${start} and t.created_at < ${end} and ${isOffice} and ${isAtOnce}
    union all ${acceptedBetween({ start, end }, topIds)})`

/** The points that `t` moved; `c` is what it corrects. The amount of a correction is subtracted from what it corrects. */
export const movedBy = sql`coalesce(c.op, t.op) in ${officeTakingKinds} as takes,
  case when t.corrects is null then t.amount else -t.amount end as amount`
/** The account that counts as the maker of `t`: for points that a member asked for, the payer of the request. */
export const actedBy = sql`case when t.actor_id = t.target_id
  then coalesce((select c.ended_by from cash_requests c where c.transfer_id = t.id and c.state = 'paid'), t.actor_id)
  else t.actor_id end`
/** The points of a bet, win or void `t`. A void is subtracted from the bets. */
export const playedBy = sql`t.op <> ${is.win} as takes, case when t.op = ${is.betVoid} then -t.amount else t.amount end as amount`
/** The part of it that counts as turnover. */
export const validOf = sql`case t.op when ${is.win} then 0 when ${is.betVoid} then -coalesce(t.bet_valid, t.amount)
  else coalesce(t.bet_valid, t.amount) end`

/** The top accounts that have transfers, and the time of the first. The list of accounts has no index for them. */
const tops = sql`(with recursive tops as (select min(top_id) as id from transfers
      union all select (select min(t.top_id) from transfers t where t.top_id > tops.id) from tops where tops.id is not null)
    select id, (select min(t.created_at) from transfers t where t.top_id = tops.id) as since from tops where id is not null)`

/** The accounts of a path; that of the game account begins with a word. */
export const idsIn = (path: Sql): Sql => sql`unnest(string_to_array(trim('/' from ${path}), '/', 'house')::int[])`
/** The path of a payer after so many moves. */
export const pathAfter = (account: Sql, moves: Sql): Sql =>
  sql`coalesce((select p.path from past_places p where p.account_id = ${account} order by p.moved_at offset ${moves}::bigint limit 1),
    (select a.path from accounts a where a.id = ${account}))`
/**
 * The path below which a member `a` counts in `betsBelow`: where it was before its first move, so that a move changes no
 * sum. Who reads them adds members that came since, and subtracts those that left. `f`: a left join of `first_places`.
 */
export const summedPath = sql`coalesce(f.path, a.path)`

const given = sql`coalesce(sum(amount) filter (where not takes), 0)::bigint`
const taken = sql`coalesce(sum(amount) filter (where takes), 0)::bigint`

const sumDay = async (tx: Tx, timeZone: string, day: string): Promise<void> => {
  const range = spanOf(sql`${day}::date`, sql`${day}::date`, timeZone)
  const all = await many<{ id: number }>(tx, sql`select id from ${tops} t`)
  const topIds = all.map(({ id }) => id)
  await run(
    tx,
    sql`delete from report_sums where kind = any('{1,2,3,4,5,6}') and is_month = false and starts = ${day}::date`,
  )
  // A day that is summed once more would leave its month with the sums of before.
  await run(tx, sql`delete from summed_spans where is_month and starts = date_trunc('month', ${day}::date)::date`)
  await run(
    tx,
    sql`delete from report_sums where kind = any('{1,2,3}') and is_month and starts = date_trunc('month', ${day}::date)::date`,
  )
  await run(
    tx,
    withFreshPlan(sql`with moved as materialized (
        select t.top_id, t.funder_id, ${actedBy} as person_id, t.target_id, ${movedBy},
          (select count(*) from past_places p where p.account_id = t.funder_id and p.moved_at <= t.at)::smallint as moves
        from ${settledBetween(range, topIds)} t join accounts m on m.id = t.target_id and m.role_id = ${Role.member}
          left join transfers c on c.id = t.corrects),
      bets as materialized (select t.top_id, t.target_id, ${playedBy}, ${validOf} as valid
        from transfers t where t.top_id = any(${topIds}::int[]) and t.op in ${platformKinds}
          and t.created_at >= ${range.start} and t.created_at < ${range.end}),
      served as (select v.top_id, ${given} as given, ${taken} as taken, ${pathAfter(sql`v.funder_id`, sql`v.moves`)} as path
        from moved v join accounts c on c.id = v.person_id and c.role_id = ${Role.customerService}
        group by v.top_id, v.funder_id, v.moves),
      played as (select a.top_id, a.id, ${given} as given, ${taken} as taken, sum(valid)::bigint as valid, ${summedPath} as path
        from bets b join accounts a on a.id = b.target_id left join first_places f on f.account_id = a.id group by a.id, f.path),
      sums as (insert into report_sums (kind, is_month, starts, of_id, moves, id, top_id, total_in, total_out, valid)
        select case grouping(person_id) when 0 then ${SumKind.person}::int else ${SumKind.member}::int end, false, ${day}::date,
          funder_id, moves, coalesce(person_id, target_id), top_id, ${given}, ${taken}, 0
        from moved group by grouping sets ((top_id, funder_id, moves, person_id), (top_id, funder_id, moves, target_id))
        union all select case grouping(target_id) when 0 then ${SumKind.bets}::int else ${SumKind.allBets}::int end, false, ${day}::date,
          coalesce(target_id, top_id), 0, coalesce(target_id, top_id), top_id, ${given}, ${taken}, sum(valid)::bigint
        from bets group by grouping sets ((top_id, target_id), (top_id))
        union all select ${SumKind.serviceBelow}::int, false, ${day}::date, i.id, 0, i.id, v.top_id,
          sum(v.given)::bigint, sum(v.taken)::bigint, 0
        from served v cross join lateral ${idsIn(sql`v.path`)} i (id) group by i.id, v.top_id
        union all select ${SumKind.betsBelow}::int, false, ${day}::date, i.id, 0, i.id, y.top_id,
          sum(y.given)::bigint, sum(y.taken)::bigint, sum(y.valid)::bigint
        from played y cross join lateral ${idsIn(sql`y.path`)} i (id) where i.id not in (y.id, y.top_id) group by i.id, y.top_id)
      ${marked(sql`false`, day, timeZone)}`),
  )
}

const sumMonth = async (tx: Tx, timeZone: string, month: string): Promise<void> => {
  const those = sql`kind = any('{1,2,3}') and is_month = false and starts >= ${month}::date and starts < ${month}::date + interval '1 month'`
  await run(tx, sql`delete from report_sums where kind = any('{1,2,3}') and is_month and starts = ${month}::date`)
  await run(
    tx,
    withFreshPlan(sql`with sums as (insert into report_sums (kind, is_month, starts, of_id, moves, id, top_id, total_in, total_out, valid)
        select kind, true, ${month}::date, of_id, moves, id, top_id, sum(total_in)::bigint, sum(total_out)::bigint, sum(valid)::bigint
        from report_sums where ${those} group by kind, of_id, moves, id, top_id)
      ${marked(sql`true`, month, timeZone)}`),
  )
}

const marked = (isMonth: Sql, starts: string, timeZone: string): Sql =>
  sql`insert into summed_spans (is_month, starts, time_zone, kinds)
    values (${isMonth}, ${starts}::date, ${timeZone}::text, ${ALL_KINDS}::int)
    on conflict (is_month, starts) do update set time_zone = excluded.time_zone, kinds = excluded.kinds`

/** A month whose days are all summed, or else the newest day that is over and is not. Days begin with the first month. */
const nextSpan = (tx: Tx, timeZone: string, today: string) =>
  one<{ month: string | null; day: string | null }>(
    tx,
    sql`select (select min(m.month)::text from (select date_trunc('month', starts)::date as month, count(*) as n
          from summed_spans where not is_month and time_zone = ${timeZone} group by 1) m
        where m.n = (m.month + interval '1 month')::date - m.month
          and not exists (select from summed_spans s where s.is_month and s.starts = m.month and s.time_zone = ${timeZone})) as month,
      (select max(d.day)::date::text from generate_series(
          (select date_trunc('month', min(t.since) at time zone ${timeZone}) from ${tops} t),
          (${today}::date - 1)::timestamp, interval '1 day') d (day)
        where not exists (select from summed_spans s where not s.is_month and s.starts = d.day
          and s.time_zone = ${timeZone} and s.kinds = ${ALL_KINDS}::int)) as day`,
  )

/** The day it was when somebody looked, and the number of a transaction that began then. */
export type Look = { today: string; next: string }
type Pass = { look: Look | undefined; isSummed: boolean; isWaiting: boolean }

/**
 * Sums a day or a month. A day is over for the ledger when every transaction has ended that had begun when it was first
 * seen to be over: a batch takes its number, as it locks its wallets, before its time, and may commit after midnight.
 * `look`: what the pass before returned. Another copy may be at it.
 */
export const sumNext = (db: Database, timeZone: string, look?: Look): Promise<Pass> =>
  db.transact(async (tx) => {
    const lock = await one<{ got: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${locks.reportSums}::bigint) as got`,
    )
    if (!lock?.got) return { look, isSummed: false, isWaiting: true }
    const now = await one<{ today: string; oldest: string }>(
      tx,
      sql`select (statement_timestamp() at time zone ${timeZone})::date::text as today,
        pg_snapshot_xmin(pg_current_snapshot())::text as oldest`,
    )
    if (!now) throw new Error('the query for the time returned no row')
    const { today, oldest } = now
    if (look?.today !== today) {
      // A number of its own: that of a snapshot may be lower than those of transactions that run.
      const own = await one<{ next: string }>(tx, sql`select pg_current_xact_id()::text as next`)
      return { look: own && { today, next: own.next }, isSummed: false, isWaiting: true }
    }
    if (BigInt(oldest) < BigInt(look.next)) return { look, isSummed: false, isWaiting: true }
    const span = await nextSpan(tx, timeZone, today)
    if (span?.month) await sumMonth(tx, timeZone, span.month)
    else if (span?.day) await sumDay(tx, timeZone, span.day)
    return { look, isSummed: Boolean(span?.month ?? span?.day), isWaiting: false }
  })

/** Sums all days that are over, at once: for tests and benches. */
export const sumAll = async (db: Database, timeZone: string): Promise<void> => {
  let pass = await sumNext(db, timeZone)
  while (pass.isSummed || pass.isWaiting) {
    if (pass.isWaiting) await pause(10)
    pass = await sumNext(db, timeZone, pass.look)
  }
}

/** Looks once a minute until it is stopped, and works for a tenth of the time at most. Stopping waits for what is under way. */
export const startSumming = (
  db: Database,
  settings: { timeZone: string },
  log: Pick<Logger, 'error'>,
  everyMs = 60_000,
): (() => Promise<void>) => {
  let look: Look | undefined
  return repeat({
    everyMs,
    atOnce: true,
    work: async (isStopped) => {
      const until = performance.now() + everyMs / 10
      for (let hasMore = true; hasMore && !isStopped() && performance.now() < until; ) {
        const pass = await sumNext(db, settings.timeZone, look)
        look = pass.look
        hasMore = pass.isSummed
      }
    },
    onError: (error) => log.error({ err: error }, 'Could not sum a day for the reports; trying again'),
  })
}
