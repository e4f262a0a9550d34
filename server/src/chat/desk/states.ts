import { defaultRules } from '@tallyroom/contract/desk/rules'
import type { ColleagueState } from '@tallyroom/contract/desk/states'
import type { Logger } from 'pino'
import { type Database, many, run, type Sql, sql, type Tx } from '../../data/sql.ts'
import { repeat } from '../../lib/concurrency.ts'
import type { Hub } from '../../live/hub.ts'

const LOOK_MS = 1000
/** A phone in a pocket shows no page, and still says that somebody writes. */
const PHONE_S = 600

/** The state that colleagues see of a row `p` of `desk_people`; without a row nobody has seen the account yet. */
export const shownState: Sql = sql`case when p.is_here then p.state else 'away' end`

/** Sets what an account is, for some minutes or until it is changed. Busy and away end as "on". */
export const setState = async (
  tx: Tx,
  account: { id: number; topId: number },
  { state, minutes }: { state: ColleagueState; minutes: number | null },
): Promise<void> => {
  const until = state === 'on' || minutes === null ? sql`null` : sql`now() + make_interval(mins => ${minutes})`
  await run(
    tx,
    sql`insert into desk_people as p (account_id, top_id, state, until)
        values (${account.id}, ${account.topId}, ${state}, ${until})
      on conflict (account_id) do update set state = excluded.state, until = excluded.until, is_here = true, passes = 0,
        since = case when ${shownState} = excluded.state then p.since else now() end`,
  )
}

/** Ends what has ended by the clock. Returns the groups in which somebody is something else now. */
const endStates = async (db: Database): Promise<number[]> => {
  // Without a row nobody is judged: after a crash the table is empty, and everyone gets the whole time again.
  await run(
    db,
    sql`insert into desk_heartbeats (account_id, top_id, seen_at)
      select p.account_id, p.top_id, clock_timestamp() from desk_people p
      where p.is_here and not exists (select from desk_heartbeats s where s.account_id = p.account_id)
      order by p.account_id on conflict do nothing`,
  )
  const rows = await many<{ groupId: number }>(
    db,
    sql`with times as (select p.account_id, coalesce(s.gone_s, ${defaultRules.gone_s}) + case
            when exists (select from push_subscriptions b where b.account_id = p.account_id) then ${PHONE_S} else 0 end as gone_s
          from desk_people p join accounts a on a.id = p.account_id left join desk_settings s on s.group_id = a.group_id
          where p.is_here),
        over as (select p.account_id, coalesce(p.until <= now(), false) as is_until,
          coalesce(h.seen_at < now() - make_interval(secs => t.gone_s), false) as is_gone
        from desk_people p left join times t on t.account_id = p.account_id
          left join desk_heartbeats h on h.account_id = p.account_id
        where p.until <= now() or h.seen_at < now() - make_interval(secs => t.gone_s)
        order by p.account_id for update of p skip locked)
      update desk_people p set
        state = case when o.is_until then 'on' else p.state end,
        until = case when o.is_until then null else p.until end,
        is_here = p.is_here and not o.is_gone,
        since = case when ${shownState} is distinct from
          case when o.is_gone or not p.is_here then 'away' when o.is_until then 'on' else p.state end then now() else p.since end
      from over o join accounts a on a.id = o.account_id
      where p.account_id = o.account_id and (o.is_until or o.is_gone)
      returning a.group_id as "groupId"`,
  )
  return [...new Set(rows.map(({ groupId }) => groupId))]
}

/** Looks who is gone, each second in each copy: one of them notices it. */
export const startStates = (db: Database, hub: Pick<Hub, 'colleaguesChanged'>, log: Pick<Logger, 'error'>) =>
  repeat({
    everyMs: LOOK_MS,
    work: async () => {
      const groups = await endStates(db)
      if (groups.length > 0) hub.colleaguesChanged(groups)
    },
    onError: (error) => log.error({ err: error }, 'Could not look which colleagues are gone; trying again'),
  })
