import { Role } from '@tallyroom/contract/codes'
import { isTaking } from '@tallyroom/contract/transfer-kinds'
import type { transferCalls } from '@tallyroom/contract/calls/points/transfer'
import { formatPoints } from '@tallyroom/contract/points'
import { visibleAccounts } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { one, run, sql } from '../../data/sql.ts'
import { type Handlers, orderSource } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { findMessages, lockRooms, writeMessages } from '../../chat/messages.ts'
import { confirmPoints } from '../../ledger/engine/confirmation.ts'
import { isTransferClosed } from '../../ledger/read/closed.ts'
import { historyPage, historyTotals, MAX_ROWS } from '../../ledger/read/history.ts'
import { addedPoints, correctedPoints, movedPoints } from '../../ledger/engine/points-of-call.ts'
import { askToCorrect } from './transfer/ask-to-correct.ts'
import { asLinkedRow, heldFor, madeAs } from '../../ledger/read/transfer-row.ts'

export const transferHandlers = {
  'user/transaction': {
    batched: async (ctx, { id, amount, remark, type, reason, ...given }) => {
      if (amount === 0n) return refuse('transfer.amount_invalid')
      const points = movedPoints({ id, amount, type })
      await confirmPoints(ctx, given, points)
      return ctx.services.ledger.move({
        ...orderSource(ctx, 'user/transaction'),
        targetId: id,
        transferKind: points.kind,
        wallet: points.wallet,
        amount: points.amount,
        remark,
        reason,
        room: undefined,
      })
    },
  },

  'transaction/add': {
    batched: async (ctx, input) => {
      const { member_id, type, amount, audit_amount, remark, code, reason } = input
      if (amount <= 0n) return refuse('transfer.amount_invalid')
      const points = addedPoints(input)
      await confirmPoints(ctx, input, points)
      return ctx.services.ledger.move({
        ...orderSource(ctx, 'transaction/add'),
        targetId: member_id,
        transferKind: type,
        wallet: points.wallet,
        amount,
        remark,
        reason,
        room: { code, auditAmount: audit_amount, overridesTurnover: input.override_flow_limit === 1 },
      })
    },
  },

  'transaction/correct': {
    batched: async (ctx, { transaction_id, remark, ...given }) => {
      await confirmPoints(ctx, given, () => correctedPoints(ctx.db, ctx.actor, transaction_id))
      return (
        (await askToCorrect(ctx, transaction_id, remark)) ??
        ctx.services.ledger.correct({
          ...orderSource(ctx, 'transaction/correct'),
          transactionId: transaction_id,
          remark,
        })
      )
    },
  },

  'wallet/toGame': {
    batched: (ctx, { amount }) => ctx.services.ledger.toGame({ ...orderSource(ctx, 'wallet/toGame'), amount }),
  },

  'envelope/answer': {
    batched: (ctx, { transaction_id, accept }) =>
      ctx.services.ledger.answer({ ...orderSource(ctx, 'envelope/answer'), transactionId: transaction_id, accept }),
  },

  'transaction/edit': async (ctx, { transaction_id, remark }) => {
    const { db, services, actor } = ctx
    const transfer = ensure(
      await one<{
        id: bigint
        topId: number
        targetId: number
        roomId: number | null
        remark: string
        isAway: boolean
      }>(
        db,
        sql`select t.id, t.top_id as "topId", t.target_id as "targetId", t.room_id as "roomId", t.remark,
            not exists (select from accounts a where a.id = t.target_id and ${visibleAccounts(actor)}) as "isAway"
          from transfers t
          where t.transaction_id = ${transaction_id}
            and (t.funder_id = ${actor.funderId} or exists (select from accounts a where a.id = t.actor_id and ${visibleAccounts(actor)}))`,
      ),
      'transfer.not_found',
    )
    // Its receiver has been moved elsewhere: the words would appear in a conversation that the actor no longer sees.
    if (transfer.isAway) return refuse('access.denied')
    // A period that is being closed waits for the edit, or the edit for it: closing locks the wallets.
    await run(
      db,
      sql`select 1 from wallets w where w.id in (select q.wallet_id from postings q where q.transfer_id = ${transfer.id})
        order by w.id for share`,
    )
    if (await isTransferClosed(db, transfer.id)) return refuse('transfer.period_closed')
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
    return { ...found, data: rows.map(asLinkedRow) }
  },

  'transaction/totals': async ({ db, services, actor }, search) => {
    const totals = await historyTotals(db, { actor, timeZone: services.settings.timeZone }, search, MAX_ROWS)
    if (!totals) return { totals: null }
    const { found, given, taken } = totals
    return { totals: { found, given: formatPoints(given), taken: formatPoints(taken) } }
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
          made_as: madeAs(row, isMember),
          self_username,
          other_username,
          amount: formatPoints(row.amount),
          status: row.status,
          corrected: row.is_corrected,
          remark: row.remark,
          ...heldFor(row),
        }
      }),
    }
  },
} satisfies Handlers<typeof transferCalls>
