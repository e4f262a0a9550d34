import { z } from 'zod'
import { calls } from '../../call.ts'
import { FlowStatusCode, TransferKindCode } from '../../code-fields.ts'
import { Id, Page, perPage, PointsText } from '../../fields.ts'

/** Turnover that came with points: the amount that the member must bet before points are paid out. */
export const FlowLimitRow = z.object({
  /** The transfer that opened it. */
  transaction_id: z.string(),
  /** The kind of that transfer (`type` of transaction/list). */
  type: TransferKindCode,
  /** The transfer's amount: `bonus` for gifts and make-ups, else `depositAmount`; the other one is zero. */
  bonus: PointsText,
  depositAmount: PointsText,
  limit_flowAmount: PointsText,
  valid_flowAmount: PointsText,
  status: FlowStatusCode,
  /** When it was opened, YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  operation_time: z.string(),
  /** When its transfer was made, and when the limit was last opened or lifted. Bets do not change these times. */
  created_at: z.string(),
  updated_at: z.string(),
})

export const flowCalls = calls({
  /** The flow limits of a member, newest first. Bets fill the oldest open one. Members see their own. */
  'member/flowLimit': {
    effect: 'read',
    request: z.object({
      member_id: Id,
      /** Accepted for compatibility and ignored: the session names the caller. */
      user_id: Id.optional(),
      page: Page,
      per_page: perPage(50_000),
    }),
    response: z.object({
      data: z.array(FlowLimitRow),
      total: z.int(),
      /** The turnover that remains, all limits together. */
      open: PointsText,
    }),
    refuses: ['account.not_found'],
  },
})
