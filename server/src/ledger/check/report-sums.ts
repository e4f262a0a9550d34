import { Role } from '@tallyroom/contract/codes'
import { platformKinds, unreportedKinds } from '../../domain/kind-sets.ts'
import { type Sql, sql } from '../../data/sql.ts'
import {
  actedBy,
  ALL_KINDS,
  idsIn,
  movedBy,
  pathAfter,
  playedBy,
  summedPath,
  SumKind,
  validOf,
} from '../read/report-sums.ts'

/** Adds up the transfers of summed days, one row for each of the sums that a transfer is in. */
const counted = (timeZone: string): Sql => {
  const day = (at: Sql) => sql`join summed_spans d on not d.is_month and d.time_zone = ${timeZone}
    and d.starts = (${at} at time zone ${timeZone})::date`
  return sql`select k.kind, d.starts, t.funder_id as of_id,
      (select count(*) from past_places p where p.account_id = t.funder_id and p.moved_at <= coalesce(e.settled_at, t.created_at)) as moves,
      k.id, t.top_id, ${movedBy}, 0::bigint as valid
    from transfers t join accounts m on m.id = t.target_id and m.role_id = ${Role.member}
      left join transfers c on c.id = t.corrects left join envelopes e on e.transfer_id = t.id
      ${day(sql`coalesce(e.settled_at, t.created_at)`)}
      cross join lateral (values (${SumKind.person}::int, ${actedBy}), (${SumKind.member}::int, t.target_id)) k (kind, id)
    where t.funder_id <> t.target_id and t.op not in ${unreportedKinds} and coalesce(e.status, 1) = 1
    union all select k.kind, d.starts, k.id, 0, k.id, t.top_id, ${playedBy}, ${validOf}
    from transfers t ${day(sql`t.created_at`)}
      cross join lateral (values (${SumKind.bets}::int, t.target_id), (${SumKind.allBets}::int, t.top_id)) k (kind, id)
    where t.op in ${platformKinds}`
}

/** Adds up those below each account, for days that have all kinds of sums. */
const countedBelow = (timeZone: string): Sql => {
  const rows = sql`from report_sums r join summed_spans s on not s.is_month and s.starts = r.starts and s.time_zone = ${timeZone}
    and s.kinds = ${ALL_KINDS}::int`
  return sql`select ${SumKind.serviceBelow}::int as kind, r.starts, i.id as of_id, r.top_id, r.total_in, r.total_out, 0 as valid
    ${rows} join accounts c on c.id = r.id and c.role_id = ${Role.customerService}
      cross join lateral ${idsIn(pathAfter(sql`r.of_id`, sql`r.moves`))} i (id)
    where r.kind = ${SumKind.person}::int and not r.is_month
    union all select ${SumKind.betsBelow}::int, r.starts, i.id, r.top_id, r.total_in, r.total_out, r.valid
    ${rows} join accounts a on a.id = r.id left join first_places f on f.account_id = a.id
      cross join lateral ${idsIn(summedPath)} i (id)
    where r.kind = ${SumKind.bets}::int and not r.is_month and i.id not in (a.id, a.top_id)`
}

/** Days compared with the transfers, months and the sums below accounts with the days. Sums of another time zone are not used, and replaced. */
export const reportSumBreaches = (timeZone: string): Sql => {
  const summed = (
    isMonth: Sql,
  ) => sql`from report_sums r join summed_spans s on s.is_month = r.is_month and s.starts = r.starts
    and s.time_zone = ${timeZone} where r.is_month = ${isMonth}`
  const differs = sql`having sum(total_in) <> 0 or sum(total_out) <> 0 or sum(valid) <> 0`
  const what = sql`'kind ' || kind || ' of account ' || of_id || ', ' || id || ' on ' || starts`
  return sql`select min(top_id) as top_id, ${what} as what from (
      select kind, r.starts, of_id, moves, id, top_id, total_in, total_out, valid ${summed(sql`false`)} and r.kind <= ${SumKind.allBets}::int
      union all select kind, starts, of_id, moves, id, top_id, case when takes then 0 else -amount end, case when takes then -amount else 0 end, -valid
      from (${counted(timeZone)}) n) d
    group by kind, starts, of_id, moves, id ${differs}
    union all select min(top_id), ${what} || ' (month)' from (
      select kind, r.starts, of_id, moves, id, top_id, total_in, total_out, valid ${summed(sql`true`)}
      union all select r.kind, date_trunc('month', r.starts)::date, r.of_id, r.moves, r.id, r.top_id, -r.total_in, -r.total_out, -r.valid
      ${summed(sql`false`)} and r.kind < ${SumKind.allBets}::int and exists (select from summed_spans m
        where m.is_month and m.time_zone = ${timeZone} and m.starts = date_trunc('month', r.starts)::date)) d
    group by kind, starts, of_id, moves, id ${differs}
    union all select min(top_id), ${what} from (
      select kind, r.starts, of_id, moves, id, top_id, total_in, total_out, valid ${summed(sql`false`)} and r.kind > ${SumKind.allBets}::int
      union all select kind, starts, of_id, 0, of_id, top_id, -total_in, -total_out, -valid from (${countedBelow(timeZone)}) b) d
    group by kind, starts, of_id, moves, id ${differs}
    union all select r.top_id, 'kind ' || r.kind || ' of account ' || r.of_id || ' on ' || r.starts || ', which is not summed'
    from report_sums r where not exists (select from summed_spans s where s.is_month = r.is_month and s.starts = r.starts)`
}
