import { officeTakingKinds, unreportedKinds } from '../../domain/kind-sets.ts'
import { type Database, run, type Sql, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import { NAME } from './time-zone.ts'

/** `o`: what the correction `t` corrects. */
export const corrected = sql`left join transfers o on o.id = t.corrects`
/** Between members and the office: not to the own game wallet (7), no bet or win (8, 9), no correction of those. */
export const isOfficeTransfer = sql`(t.op not in ${unreportedKinds} and t.funder_id <> t.target_id)`
export const state = sql`coalesce(e.status, 1)`

/** Each transfer that day totals count, by paying account, with `at`, when it was settled. */
export const counted: Sql = (() => {
  const amount = sql`case when t.op = ${is.correction} then -t.amount else t.amount end`
  const takes = sql`coalesce(o.op, t.op) in ${officeTakingKinds}`
  return sql`select t.funder_id as account_id, coalesce(e.settled_at, t.created_at) as at, t.top_id,
      case when ${takes} then 0 else ${amount} end as total_in, case when ${takes} then ${amount} else 0 end as total_out
    from transfers t ${corrected} join accounts a on a.id = t.target_id left join envelopes e on e.transfer_id = t.id
    where a.role_id = ${is.member} and ${isOfficeTransfer} and ${state} = ${is.success}`
})()

/**
 * Counts all days once more, from the transfers and in another time zone, also those on which accounts were moved. A server
 * with the former time zone transfers nothing from then on. The role must own the tables: past places cannot be changed
 * otherwise.
 */
export const rebuildDays = (db: Database, timeZone: string): Promise<void> =>
  db.transact(async (tx) => {
    // A batch and a move lock wallets first, and then read what is committed: each comes before this, or after it.
    await run(tx, sql`lock table wallets, past_places, day_totals in exclusive mode`)
    const day = (at: Sql) => sql`(${at} at time zone ${timeZone}::text)::date`
    await run(tx, sql`delete from day_totals`)
    await run(
      tx,
      sql`insert into day_totals (account_id, day, top_id, total_in, total_out)
        select account_id, ${day(sql`at`)}, top_id, sum(total_in)::bigint, sum(total_out)::bigint from (${counted}) c group by 1, 2, 3`,
    )
    await run(tx, sql`alter table past_places disable trigger past_places_append_only`)
    await run(
      tx,
      sql`with places as (select p.id, p.account_id, p.moved_at, ${day(sql`p.moved_at`)} as day,
            lag(p.id) over (partition by p.account_id order by p.id) as before from past_places p),
          left_on as (select p.id, p.before, p.day, coalesce(sum(c.total_in), 0)::bigint as total_in, coalesce(sum(c.total_out), 0)::bigint as total_out
            from places p left join (${counted}) c on c.account_id = p.account_id and c.at <= p.moved_at and ${day(sql`c.at`)} = p.day
            group by p.id, p.before, p.day)
        update past_places p set last_day = l.day, last_in = l.total_in, last_out = l.total_out,
          first_day = coalesce(b.day, '-infinity'), first_in = coalesce(b.total_in, 0), first_out = coalesce(b.total_out, 0)
        from left_on l left join left_on b on b.id = l.before where p.id = l.id`,
    )
    await run(tx, sql`alter table past_places enable trigger past_places_append_only`)
    await run(
      tx,
      sql`insert into installation (name, value) values (${NAME}, ${timeZone}) on conflict (name) do update set value = excluded.value`,
    )
  })
