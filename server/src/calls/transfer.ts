import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { isTaking, transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { transferCalls } from '@tallyroom/contract/calls/transfer'
import { formatPoints } from '@tallyroom/contract/points'
import { visibleAccounts } from '../identity/actor.ts'
import { audit } from '../identity/audit.ts'
import { one, run, sql } from '../data/sql.ts'
import type { BatchedCtx, Handlers } from './handler.ts'
import { ensure, refuse } from '../lib/refusal.ts'
import { findMessages, lockRooms, writeMessages } from '../chat/messages.ts'
import { checkPaymentPassword } from '../ledger/engine/payment-password.ts'
import { historyPage } from '../ledger/read/history.ts'
import { asTransferRow } from '../ledger/read/transfer-row.ts'

export const transferHandlers = {
  'user/transaction': {
    batched: async (ctx, { id, amount, remark, type, payment_password }) => {
      if (amount === 0n) return refuse('transfer.amount_invalid')
      await checkPaymentPassword(ctx, payment_password)
      const gives = amount > 0n
      const [give, take] =
        type === WalletKind.main
          ? [TransferKind.send, TransferKind.receive]
          : [TransferKind.gameSend, TransferKind.gameDeduct]
      return ctx.services.ledger.move({
        ...requestFields(ctx, 'user/transaction'),
        targetId: id,
        transferKind: gives ? give : take,
        wallet: type,
        amount: gives ? amount : -amount,
        remark,
        room: undefined,
      })
    },
  },

  'transaction/add': {
    batched: async (ctx, input) => {
      const { member_id, type, amount, audit_amount, remark, platform, code, payment_password } = input
      if (amount <= 0n) return refuse('transfer.amount_invalid')
      await checkPaymentPassword(ctx, payment_password)
      const isGame = transferKinds[type].targetWallet === 'game'
      return ctx.services.ledger.move({
        ...requestFields(ctx, 'transaction/add'),
        targetId: member_id,
        transferKind: type,
        wallet: isGame ? WalletKind.game : platform,
        amount,
        remark,
        room: { code, auditAmount: audit_amount, overridesTurnover: input.override_flow_limit === 1 },
      })
    },
  },

  'transaction/correct': {
    batched: async (ctx, { transaction_id, remark, payment_password }) => {
      await checkPaymentPassword(ctx, payment_password)
      return ctx.services.ledger.correct({
        ...requestFields(ctx, 'transaction/correct'),
        transactionId: transaction_id,
        remark,
      })
    },
  },

  'wallet/toGame': {
    batched: (ctx, { amount }) => ctx.services.ledger.toGame({ ...requestFields(ctx, 'wallet/toGame'), amount }),
  },

  'envelope/answer': {
    batched: (ctx, { transaction_id, accept }) =>
      ctx.services.ledger.answer({ ...requestFields(ctx, 'envelope/answer'), transactionId: transaction_id, accept }),
  },

  'transaction/edit': async (ctx, { transaction_id, remark }) => {
    const { db, services, actor } = ctx
    const transfer = ensure(
      await one<{ id: bigint; topId: number; targetId: number; roomId: number | null; remark: string }>(
        db,
        sql`select t.id, t.top_id as "topId", t.target_id as "targetId", t.room_id as "roomId", t.remark from transfers t
          where t.transaction_id = ${transaction_id}
            and (t.funder_id = ${actor.funderId} or exists (select from accounts a where a.id = t.actor_id and ${visibleAccounts(actor)}))`,
      ),
      'transfer.not_found',
    )
    // Edits of one transfer wait for each other. A row lock would need the right to change transfers.
    await run(db, sql`select pg_advisory_xact_lock(hashtextextended(${`remark:${transfer.id}`}, 0))`)
    const edit = await one<{ old_remark: string }>(
      db,
      sql`with last as (select seq, remark from remark_edits where transfer_id = ${transfer.id} order by seq desc limit 1)
        insert into remark_edits (transfer_id, seq, top_id, actor_id, old_remark, remark)
        select ${transfer.id}, coalesce((select seq from last), 0) + 1, ${transfer.topId}, ${actor.id},
          coalesce((select remark from last), ${transfer.remark}), ${remark} returning old_remark`,
    )
    const target = { id: transfer.targetId, topId: transfer.topId }
    await audit(db, ctx, 'remark_edited', target, { transaction_id, remark: [edit?.old_remark ?? '', remark] })
    if (transfer.roomId !== null) {
      const rooms = await lockRooms(db, [transfer.roomId])
      const changed = await findMessages(db, sql`m.transfer_id = ${transfer.id}`)
      writeMessages(db, services.hub, rooms, { changed, now: new Date() })
    }
    return null
  },

  'transaction/list': async ({ db, services, actor }, search) => {
    const { timeZone } = services.settings
    const { rows, ...found } = await historyPage(db, { actor, timeZone }, 1, search)
    return { ...found, data: rows.map(asTransferRow) }
  },

  'redEnvelope/record': async ({ db, services, actor }, search) => {
    const { timeZone } = services.settings
    const { rows, ...found } = await historyPage(db, { actor, timeZone }, 2, search)
    const isMember = actor.role === Role.member
    return {
      ...found,
      data: rows.map((row) => {
        const sides = [row.operator, row.member_username] as const
        const [self_username, other_username] = isMember ? [sides[1], sides[0]] : sides
        return {
          transaction_id: row.transaction_id,
          created_at: row.created_at,
          // The direction is reversed for members: what the group sends, the member receives.
          type: isTaking(row.transferKind) === isMember ? 1 : 2,
          self_username,
          other_username,
          amount: formatPoints(row.amount),
          status: row.status,
          corrected: row.is_corrected,
          remark: row.remark,
        }
      }),
    }
  },
} satisfies Handlers<typeof transferCalls>

const requestFields = ({ actor, request, caller }: BatchedCtx, call: string) => ({
  actor,
  request,
  call,
  from: { session: actor.session, address: caller.address },
})
