import type { periodCalls } from '@tallyroom/contract/calls/points/period'
import { formatPoints } from '@tallyroom/contract/points'
import { many, one, run, sql } from '../../data/sql.ts'
import type { Actor } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import { closePeriod } from '../../ledger/engine/close-period.ts'
import { moment } from '../../ledger/read/history.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Handlers } from '../handler.ts'

const MAX_PERIODS = 200
const MAX_SETTLEMENTS = 500

type PeriodRow = Named & {
  periodId: number
  start_date: string
  end_date: string
  next: string
  closed_at: string
  accounts: number
  opening: bigint
  in: bigint
  out: bigint
  closing: bigint
  held: bigint
}
type Person = Named & { nickname: string }
type SettlementRow = {
  id: number
  start_date: string
  end_date: string
  upline: Person
  downline: Person
  amount: bigint
  state: 'open' | 'settled'
  settled_at: string | null
  remark: string
}
const person = (alias: 'u' | 'd') => ({
  text: `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'nickname', ${alias}.nickname, 'isSub', ${alias}.is_sub)`,
  values: [],
})
const namesOf = (actor: Actor, one: Person) => ({
  username: shownUsername(actor, one),
  nickname: shownText(actor, one, one.nickname),
})

export const periodHandlers = {
  'period/list': async ({ db, actor, services }) => {
    const rows = await many<PeriodRow>(
      db,
      sql`select p.id as "periodId", p.start_date::text, p.end_date::text, (p.end_date + 1)::text as next,
          ${moment(sql`p.closed_at`, services.settings.timeZone)} as closed_at, a.id, a.username, a.is_sub as "isSub", s.*
        from closed_periods p join accounts a on a.id = p.closed_by
          cross join lateral (select count(*)::int as accounts, coalesce(sum(b.opening), 0)::bigint as opening,
              coalesce(sum(b.total_in), 0)::bigint as in, coalesce(sum(b.total_out), 0)::bigint as out,
              coalesce(sum(b.closing), 0)::bigint as closing, coalesce(sum(b.held), 0)::bigint as held
            from closed_balances b where b.period_id = p.id) s
        where p.account_id = ${actor.id} order by p.ends_at desc limit ${MAX_PERIODS}`,
    )
    return {
      data: rows.map((row) => ({
        id: row.periodId,
        start_date: row.start_date,
        end_date: row.end_date,
        closed_at: row.closed_at,
        closed_by: shownUsername(actor, row),
        accounts: row.accounts,
        opening: formatPoints(row.opening),
        in: formatPoints(row.in),
        out: formatPoints(row.out),
        closing: formatPoints(row.closing),
        held: formatPoints(row.held),
      })),
      next_start: rows[0]?.next ?? null,
    }
  },

  'period/close': async (ctx, days) => {
    const { db, actor, services } = ctx
    const { id, accounts } = await closePeriod(db, actor, services.settings.timeZone, days)
    // `ledger:check` counts the balances again.
    await audit(db, ctx, 'period_closed', actor, { ...days, accounts })
    return { id }
  },

  'settlement/list': async ({ db, actor, services }) => {
    const rows = await many<SettlementRow>(
      db,
      sql`select s.id, p.start_date::text, p.end_date::text, ${person('u')} as upline, ${person('d')} as downline, s.amount,
          s.state, ${moment(sql`s.settled_at`, services.settings.timeZone)} as settled_at, s.remark
        from settlements s join closed_periods p on p.id = s.period_id join accounts u on u.id = s.upline_id
          join accounts d on d.id = s.downline_id
        where s.upline_id = ${actor.id} or s.downline_id = ${actor.id} order by s.id desc limit ${MAX_SETTLEMENTS}`,
    )
    return {
      data: rows.map(({ upline, downline, amount, ...row }) => ({
        ...row,
        upline: namesOf(actor, upline),
        downline: namesOf(actor, downline),
        amount: formatPoints(amount),
        own: upline.id === actor.id ? (1 as const) : (0 as const),
      })),
    }
  },

  'settlement/settle': async (ctx, { id, remark }) => {
    const { db, actor } = ctx
    const found = ensure(
      await one<{ state: string; downlineId: number; topId: number; amount: bigint }>(
        db,
        sql`select state, downline_id as "downlineId", top_id as "topId", amount from settlements
          where id = ${id} and upline_id = ${actor.id} for no key update`,
      ),
      'settlement.not_found',
    )
    if (found.state !== 'open') return refuse('settlement.already_settled')
    await run(
      db,
      sql`update settlements set state = 'settled', settled_at = clock_timestamp(), settled_by = ${actor.id}, remark = ${remark}
        where id = ${id}`,
    )
    const target = { id: found.downlineId, topId: found.topId }
    await audit(db, ctx, 'settlement_settled', target, { amount: formatPoints(found.amount), remark })
    return null
  },
} satisfies Handlers<typeof periodCalls>
