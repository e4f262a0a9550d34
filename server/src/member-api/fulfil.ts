import type { MemberApi } from '@tallyroom/contract/member-api'
import { isOpenCash } from '@tallyroom/contract/cash'
import type { z } from 'zod'
import { maskedNumber } from '../accounts/bank.ts'
import { asCashRow, findCashRequests } from '../calls/points/cash/list.ts'
import { once } from '../data/idempotency.ts'
import { besideTransaction, one, sql } from '../data/sql.ts'
import { audit } from '../identity/audit.ts'
import { unmasked } from '../identity/masking.ts'
import type { KeyOfOrder } from '../ledger/rules/orders.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { invalidFields } from './invalid-fields.ts'
import { keySource } from './key-order.ts'
import { orderSource } from '../calls/handler.ts'
import { sealedAddress } from './sealed-media.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

const RIGHT = 'cash:fulfil'

/**
 * An order of the key's account about a request. The account has no group, so it acts as a colleague of the request's own:
 * with the wallet of its head, by the limits of the key.
 */
const orderOf = async (ctx: BatchedApiCtx, id: number, lease?: KeyOfOrder['lease']) => {
  const group = ensure(
    await one<{ groupId: number; groupPath: string; funderId: number }>(
      ctx.db,
      sql`select g.id as "groupId", g.path as "groupPath", g.id as "funderId"
        from cash_requests c join accounts g on g.id = c.group_id where c.id = ${id} and c.top_id = ${ctx.topId}`,
    ),
    'cash.not_found',
  )
  const { source, call } = await keySource(ctx)
  const order = orderSource({ ...source, actor: { ...source.actor, ...group } }, call)
  return { ...order, cashId: id, byKey: { id: ctx.keyId, right: RIGHT, ...(lease ? { lease } : {}) } as const }
}

/** The calls of a key that pays or refuses members' requests, by the rules of the office. */
export const fulfilHandlers = {
  'cash/view': async (ctx: ApiCtx, { id }: Input<'cash/view'>) => {
    const { db, services, topId } = ctx
    const [found] = await findCashRequests(db, sql`c.id = ${id} and c.top_id = ${topId}`)
    const row = ensure(found, 'cash.not_found')
    const others = await one<{ thirdPartyId: string | null; operator: string | null; changedAt: Date; name: string }>(
      db,
      sql`select a.third_party_id as "thirdPartyId", o.username as operator, c.changed_at as "changedAt",
          coalesce(b.account_name, '') as name
        from cash_requests c join accounts a on a.id = c.member_id left join accounts o on o.id = c.taken_by
          left join bank_accounts b on b.id = c.account_id where c.id = ${id}`,
    )
    const { thirdPartyId, operator, changedAt, name } = ensure(others, 'cash.not_found')
    const shown = asCashRow(row, unmasked)
    const whole = isOpenCash(row.state) && ctx.rights.includes(RIGHT) ? row.numberNow : null
    // Its own transaction: that of the read may be on a standby.
    if (whole !== null) {
      const facts = { request: id, account_no: maskedNumber(whole) }
      const target = { id: row.memberId, topId }
      await besideTransaction(() => services.db.transact((tx) => audit(tx, ctx, 'masked_shown', target, facts)))
    }
    const { bank, account_no } = shown.account_now ?? shown
    return {
      id,
      username: row.username,
      third_party_id: thirdPartyId,
      direction: row.direction,
      amount: shown.amount,
      state: row.state,
      reason: row.reason,
      reason_code: row.reasonCode,
      asked_at: shown.asked_at,
      ended_at: shown.ended_at,
      changed_at: changedAt.toISOString(),
      maybe_paid: row.maybePaidBy !== null,
      transaction_id: row.transactionId,
      operator,
      lease: row.lease,
      bank,
      account_name: name,
      account_no: whole ?? account_no,
      slip: row.slip ? sealedAddress(services, row.slip) : null,
      pay_to: row.payTo,
      turnover_due: shown.turnover_due,
      warnings: shown.warnings,
    }
  },

  'cash/take': {
    batched: async (ctx: BatchedApiCtx, { id, minutes, reference }: Input<'cash/take'>) => {
      const seconds = minutes * 60
      const order = await orderOf(ctx, id, { seconds, reference })
      return { ...(await ctx.services.ledger.actOnCashRequest({ ...order, move: 'take' })), lease: seconds }
    },
  },

  'cash/renew': {
    batched: async ({ db, report, keepRight, topId, actor }: BatchedApiCtx, given: Input<'cash/renew'>) => {
      const { id, minutes, reference } = given
      if (!report) throw new Error('a write of a key needs a request_id')
      const seconds = minutes * 60
      return once(db, report, async (tx) => {
        const found = ensure(
          await one<{ isOwn: boolean }>(
            tx,
            sql`select state = 'taken' and taken_by = ${actor.id} and lease_until > clock_timestamp() as "isOwn"
              from cash_requests where id = ${id} and top_id = ${topId} for no key update`,
          ),
          'cash.not_found',
        )
        // After the request, as the ledger locks them.
        await keepRight(tx)
        if (!found.isOwn) return refuse('cash.lease_over')
        // While its payment waits for approval, the request is kept for longer.
        const renewed = await one<{ state: 'taken' }>(
          tx,
          sql`update cash_requests set lease_until = greatest(lease_until, clock_timestamp() + make_interval(secs => ${seconds}::int)),
              bank_reference = case when ${reference} = '' then bank_reference else ${reference} end
            where id = ${id} returning state`,
        )
        return { id, state: ensure(renewed, 'cash.not_found').state, lease: seconds }
      })
    },
  },

  'cash/giveBack': {
    batched: async (ctx: BatchedApiCtx, { id }: Input<'cash/giveBack'>) =>
      ctx.services.ledger.actOnCashRequest({ ...(await orderOf(ctx, id)), move: 'giveBack' }),
  },

  'cash/pay': {
    batched: async (ctx: BatchedApiCtx, { id, amount, reference, remark, reason }: Input<'cash/pay'>) => {
      const pay = { amount, remark, bankReference: reference, auditAmount: undefined, overridesTurnover: false, reason }
      const {
        balance: _,
        target_balance: balance,
        ...paid
      } = await ctx.services.ledger.payCashRequest({
        ...(await orderOf(ctx, id)),
        pay,
      })
      return { ...paid, balance }
    },
  },

  'cash/refuse': {
    batched: async (ctx: BatchedApiCtx, { id, reason = '', reason_code: reasonCode }: Input<'cash/refuse'>) => {
      if (!reason && !reasonCode)
        throw invalidFields([{ path: ['reason'], reason: 'Give at least one of reason and reason_code' }])
      return ctx.services.ledger.actOnCashRequest({
        ...(await orderOf(ctx, id)),
        move: 'refuse',
        reason,
        reasonCode,
      })
    },
  },
}
