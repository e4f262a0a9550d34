import { FlowStatus, Role } from '@tallyroom/contract/codes'
import { transferKinds } from '@tallyroom/contract/transfer-kinds'
import type { flowCalls } from '@tallyroom/contract/calls/points/flow'
import { formatPoints } from '@tallyroom/contract/points'
import { visibleAccounts } from '../../identity/actor.ts'
import { one, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { turnoverLimits } from '../../ledger/read/turnover-limits.ts'

export const flowHandlers = {
  'member/flowLimit': async ({ db, services, actor }, { member_id, page, per_page }) => {
    if (actor.role !== Role.member && !actor.seesFlowLimits) return refuse('access.denied')
    const member = ensure(
      await one<{ id: number; due: bigint }>(
        db,
        sql`select a.id, w.flow_due as due from accounts a join wallets w on w.account_id = a.id and w.kind = ${is.mainWallet}
          where a.id = ${member_id} and a.role_id = ${is.member} and ${visibleAccounts(actor)}`,
      ),
      'account.not_found',
    )
    const { rows, total } = await turnoverLimits(db, member.id, services.settings.timeZone, { page, per_page })
    return {
      total,
      open: formatPoints(member.due),
      data: rows.map((row) => {
        const { isBonus } = transferKinds[row.transferKind]
        return {
          transaction_id: row.transaction_id,
          type: row.transferKind,
          bonus: formatPoints(isBonus ? row.amount : 0n),
          depositAmount: formatPoints(isBonus ? 0n : row.amount),
          limit_flowAmount: formatPoints(row.asked),
          valid_flowAmount: formatPoints(row.filled),
          status: row.lifted ? FlowStatus.lifted : row.filled === row.asked ? FlowStatus.filled : FlowStatus.open,
          operation_time: row.opened_at,
          created_at: row.created_at,
          updated_at: row.updated_at,
        }
      }),
    }
  },
} satisfies Handlers<typeof flowCalls>
