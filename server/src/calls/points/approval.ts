import type { approvalCalls } from '@tallyroom/contract/calls/points/approval'
import { ensure } from '../../lib/refusal.ts'
import { one, sql } from '../../data/sql.ts'
import { mayDecideSensitiveChange, mayDecideTransfer } from '../../identity/approvers.ts'
import { isWaiting } from '../../ledger/engine/sensitive-changes.ts'
import { confirmPoints } from '../../ledger/engine/confirmation.ts'
import { approvedPoints } from '../../ledger/engine/points-of-call.ts'
import { approvalList } from './approval/list.ts'
import { type Handlers, orderSource } from '../handler.ts'

export const approvalHandlers = {
  'approval/list': ({ db, actor }, search) => approvalList(db, actor, search),
  'approval/open': async ({ db, actor }) =>
    ensure(
      await one<{ open: number }>(
        db,
        sql`select (select count(*) from approvals p join accounts a on a.id = p.maker_id join accounts h on h.id = p.holder_id
            where p.state = 'waiting' and p.top_id = ${actor.topId} and ${mayDecideTransfer(sql`${actor.id}::int`)})::int
          + (select count(*) from sensitive_changes c join accounts a on a.id = c.maker_id
            where ${isWaiting} and c.top_id = ${actor.topId} and ${mayDecideSensitiveChange(sql`${actor.id}::int`)})::int as open`,
      ),
      'server.failed',
    ),
  'approval/approve': {
    batched: async (ctx, { id, seen, ...given }) => {
      await confirmPoints(ctx, given, () => approvedPoints(ctx.db, ctx.actor, id))
      return ctx.services.ledger.decide({
        ...orderSource(ctx, 'approval/approve'),
        approvalId: id,
        move: 'approve',
        seen,
      })
    },
  },
  'approval/refuse': {
    batched: (ctx, { id, reason }) =>
      ctx.services.ledger.decide({ ...orderSource(ctx, 'approval/refuse'), approvalId: id, move: 'refuse', reason }),
  },
  'approval/withdraw': {
    batched: (ctx, { id }) =>
      ctx.services.ledger.decide({ ...orderSource(ctx, 'approval/withdraw'), approvalId: id, move: 'withdraw' }),
  },
} satisfies Handlers<typeof approvalCalls>
