import { TransferKind, type TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import type { ApprovalState } from '@tallyroom/contract/limits'
import type { MemberApi } from '@tallyroom/contract/member-api'
import { offerKinds } from '@tallyroom/contract/member-api/points'
import { formatPoints } from '@tallyroom/contract/points'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'
import type { z } from 'zod'
import { orderSource } from '../calls/handler.ts'
import { askToCorrect } from '../calls/points/transfer/ask-to-correct.ts'
import { one, type Row, sql } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import type { MoveOrder, TransferAnswer } from '../ledger/rules/orders.ts'
import { ensure } from '../lib/refusal.ts'
import type { ApiCtx, BatchedApiCtx } from './context.ts'
import { keySource } from './key-order.ts'

type Input<N extends keyof MemberApi> = z.output<MemberApi[N]['request']>

/** Moves points as the key's own account, by the rules and limits of the office. */
const move = async (
  ctx: BatchedApiCtx,
  { username, third_party_id, amount, remark, reason }: Input<'points/give'>,
  { transferKind, room }: { transferKind: OfficeKind; room: MoveOrder['room'] },
) => {
  const member = await ctx.findMember(ctx.topId, { username, third_party_id })
  const { source, call } = await keySource(ctx)
  const moved = await ctx.services.ledger.move({
    ...orderSource(source, call),
    targetId: member.id,
    transferKind,
    wallet: WalletKind.main,
    amount,
    remark,
    reason,
    room,
  })
  return asMoved(moved)
}

const asMoved = ({ target_balance, ...moved }: TransferAnswer) => ({ ...moved, balance: target_balance })

type Found = Row & {
  transaction_id: string
  username: string
  third_party_id: string | null
  type: number
  wallet: number
  amount: bigint
  status: TransferStatus
  approval: ApprovalState | null
  remark: string
  operator: string | null
  at: Date
  corrected: boolean
}

export const pointHandlers = {
  'points/give': {
    batched: (ctx: BatchedApiCtx, given: Input<'points/give'>) =>
      move(ctx, given, { transferKind: TransferKind.send, room: undefined }),
  },
  'points/take': {
    batched: (ctx: BatchedApiCtx, given: Input<'points/take'>) =>
      move(ctx, given, { transferKind: TransferKind.receive, room: undefined }),
  },
  'points/offer': {
    batched: (ctx: BatchedApiCtx, { kind, ...given }: Input<'points/offer'>) =>
      move(ctx, given, { transferKind: offerKinds[kind], room: { code: undefined, auditAmount: undefined } }),
  },

  'points/correct': {
    batched: async (ctx: BatchedApiCtx, { transaction_id, remark }: Input<'points/correct'>) => {
      const { db, services } = ctx
      const { source, call } = await keySource(ctx)
      const asked = await askToCorrect({ db, services, ...source }, transaction_id, remark)
      const order = { ...orderSource(source, call), transactionId: transaction_id, remark }
      return asMoved(asked ?? (await services.ledger.correct(order)))
    },
  },

  'points/view': async ({ db, topId }: ApiCtx, { transaction_id }: Input<'points/view'>) => {
    const { at, amount, ...found } = ensure(
      await one<Found>(
        db,
        sql`select t.transaction_id, a.username, a.third_party_id, t.op as type, t.wallet, t.amount,
            coalesce(e.status, ${is.success})::smallint as status, p.state as approval,
            coalesce((select x.remark from remark_edits x where x.transfer_id = t.id order by x.seq desc limit 1), t.remark) as remark,
            case when o.role_id <> ${is.gameAccount} then o.username end as operator, t.created_at as at,
            exists (select from transfers c where c.corrects = t.id) as corrected
          from transfers t join accounts a on a.id = t.target_id join accounts o on o.id = t.actor_id
            left join envelopes e on e.transfer_id = t.id left join approvals p on p.transfer_id = t.id
          where t.transaction_id = ${transaction_id} and t.top_id = ${topId}`,
      ),
      'transfer.not_found',
    )
    return { ...found, amount: formatPoints(amount), created_at: at.toISOString() }
  },
}
