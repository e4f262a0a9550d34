import type { MemberApi } from '@tallyroom/contract/member-api'
import type { CashDirection, CashReason, CashState } from '@tallyroom/contract/cash'
import { formatPoints } from '@tallyroom/contract/points'
import type { z } from 'zod'
import { inStates } from '../calls/points/cash/list.ts'
import { orderSource } from '../calls/handler.ts'
import { ownAccounts, ownRoom } from '../calls/points/cash.ts'
import { many, one, type Row, sql } from '../data/sql.ts'
import { actorOfAccount } from '../identity/actor.ts'
import { ensure } from '../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { memberBelow } from './named-account.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

type CashRequestRow = Row & {
  id: number
  username: string
  third_party_id: string | null
  direction: CashDirection
  amount: bigint
  state: CashState
  reason: string
  reason_code: CashReason | null
  askedAt: Date
  endedAt: Date | null
  changedAt: Date
  maybe_paid: boolean
  transaction_id: string | null
}

/** The calls of a platform about members' requests for points. It asks and withdraws in the member's name. */
export const cashHandlers = {
  'cash/ask': {
    batched: async (ctx: BatchedApiCtx, { direction, amount, ...who }: Input<'cash/ask'>) => {
      const member = await ctx.findMember(ctx.topId, who)
      const { report, ...order } = await orderOf(ctx, member.id)
      const room = ensure(await ownRoom(ctx.db, order.actor), 'room.not_found')
      const [first] = await ownAccounts(ctx.db, order.actor)
      const account = first && { id: first.id, bank: first.bank, number: first.account_no }
      return ctx.services.ledger.askForPoints({ ...order, report, direction, amount, room, account, slip: '' })
    },
  },

  'cash/withdraw': {
    batched: async (ctx: BatchedApiCtx, { id }: Input<'cash/withdraw'>) => {
      const found = ensure(
        await one<{ memberId: number }>(
          ctx.db,
          sql`select member_id as "memberId" from cash_requests where id = ${id} and top_id = ${ctx.topId}`,
        ),
        'cash.not_found',
      )
      return ctx.services.ledger.actOnCashRequest({
        ...(await orderOf(ctx, found.memberId)),
        cashId: id,
        move: 'withdraw',
      })
    },
  },

  'cash/list': async (
    ctx: ApiCtx,
    { states, since, until, changed_since, before, per_page, ...who }: Input<'cash/list'>,
  ) => {
    const isOne = who.username !== undefined || who.third_party_id !== undefined
    const member = isOne ? await memberBelow(ctx, who) : undefined
    const rows = await many<CashRequestRow>(
      ctx.db,
      sql`select c.id, a.username, a.third_party_id, c.direction, c.amount, c.state, c.reason, c.reason_code, c.asked_at as "askedAt",
          c.ended_at as "endedAt", c.changed_at as "changedAt",
          c.maybe_paid_by is not null as maybe_paid, t.transaction_id
        from cash_requests c join accounts a on a.id = c.member_id
          left join transfers t on t.id = c.transfer_id and c.state = 'paid'
        where c.top_id = ${ctx.topId} and ${inStates(states)}
          and ${member === undefined ? sql`true` : sql`c.member_id = ${member.id}`}
          and ${since === undefined ? sql`true` : sql`c.asked_at >= ${since}::timestamptz`}
          and ${until === undefined ? sql`true` : sql`c.asked_at < ${until}::timestamptz`}
          and ${changed_since === undefined ? sql`true` : sql`c.changed_at >= ${changed_since}::timestamptz`}
          and ${before === undefined ? sql`true` : sql`c.id < ${before}`}
        order by c.id desc limit ${per_page + 1}`,
    )
    const page = rows.slice(0, per_page)
    return {
      data: page.map(({ askedAt, endedAt, changedAt, amount, ...row }) => ({
        ...row,
        amount: formatPoints(amount),
        asked_at: askedAt.toISOString(),
        ended_at: endedAt?.toISOString() ?? null,
        changed_at: changedAt.toISOString(),
      })),
      next: rows.length > per_page ? (page.at(-1)?.id ?? null) : null,
      cursor: before === undefined ? await changesCursor(ctx) : null,
    }
  },
}

/**
 * The time from which a platform reads changes the next time: somewhat before the newest one that this database shows,
 * because a batch that changed a request earlier may commit after it. Not by the clock: a standby may lag behind.
 */
const changesCursor = async ({ db, topId }: ApiCtx): Promise<string | null> => {
  const found = await one<{ at: Date | null }>(
    db,
    sql`select max(changed_at) - make_interval(secs => ${SECONDS_OF_A_BATCH}::int) as at from cash_requests where top_id = ${topId}`,
  )
  return found?.at?.toISOString() ?? null
}
/** Far more than the ledger lets a batch take. */
const SECONDS_OF_A_BATCH = 120

/** An order in the name of a member; the platform's own request makes it repeatable. */
const orderOf = async ({ db, services, caller, report }: BatchedApiCtx, memberId: number) => {
  if (!report) throw new Error('a request of the platform needs a request_id')
  const actor = ensure(await actorOfAccount(db, memberId, services.settings.timeZone), 'account.not_found')
  return { report, ...orderSource({ actor, idempotencyKey: report.idempotencyKey, caller }, report.call) }
}
