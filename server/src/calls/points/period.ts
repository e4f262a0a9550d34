import type { periodCalls } from '@tallyroom/contract/calls/points/period'
import { formatPoints } from '@tallyroom/contract/points'
import { one, run, sql } from '../../data/sql.ts'
import { audit } from '../../identity/audit.ts'
import { closePeriod } from '../../ledger/engine/close-period.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Ctx, Handlers } from '../handler.ts'
import { closedPeriods, settlements } from './period/list.ts'

const MAX_PERIODS = 200
const MAX_SETTLEMENTS = 500

/** Says that what an account below owes for a closed period is paid. @throws Refused settlement.not_found, settlement.already_settled */
export const settle = async (
  ctx: Pick<Ctx, 'db' | 'actor' | 'caller'>,
  uplineId: number,
  { id, remark }: { id: number; remark: string },
): Promise<void> => {
  const { db, actor } = ctx
  const found = ensure(
    await one<{ state: string; downlineId: number; topId: number; amount: bigint }>(
      db,
      sql`select state, downline_id as "downlineId", top_id as "topId", amount from settlements
        where id = ${id} and upline_id = ${uplineId} for no key update`,
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
}

export const periodHandlers = {
  'period/list': ({ db, actor, services }) =>
    closedPeriods(db, { actor, timeZone: services.settings.timeZone }, { limit: MAX_PERIODS }),

  'period/close': async (ctx, days) => {
    const { db, actor, services } = ctx
    const { id, accounts } = await closePeriod(db, actor, services.settings.timeZone, days)
    // `ledger:check` counts the balances again.
    await audit(db, ctx, 'period_closed', actor, { ...days, accounts })
    return { id }
  },

  'settlement/list': ({ db, actor, services }) =>
    settlements(db, { actor, timeZone: services.settings.timeZone }, { limit: MAX_SETTLEMENTS }),

  'settlement/settle': async (ctx, asked) => {
    await settle(ctx, ctx.actor.id, asked)
    return null
  },
} satisfies Handlers<typeof periodCalls>
