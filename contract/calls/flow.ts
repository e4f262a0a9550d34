import { z } from 'zod'
import { calls } from '../call.ts'
import { Id, Page, perPage, PointsText } from '../fields.ts'

/** Turnover that came with points: so much is to be bet before the member is paid out. */
export const FlowLimitRow = z.object({
  /** Of the transfer that opened it. */
  transaction_id: z.string(),
  /** What opened it: a transfer's type (transaction/list). */
  type: z.int(),
  /** The points that came with it: `bonus` of gifts and make-ups, `depositAmount` of all others; the other one is zero. */
  bonus: PointsText,
  depositAmount: PointsText,
  limit_flowAmount: PointsText,
  valid_flowAmount: PointsText,
  /** 0 unfinished, 1 finished, 2 lifted because the transfer was corrected. */
  status: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** When it was opened, YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  operation_time: z.string(),
  /** When its transfer was made, and when the limit was last opened or lifted. Bets change no time: they fill all limits. */
  created_at: z.string(),
  updated_at: z.string(),
})

export const flowCalls = calls({
  /** The flow limits of a member, newest first; bets fill the oldest that is open. A member sees its own. */
  'member/flowLimit': {
    effect: 'read',
    request: z.object({
      member_id: Id,
      /** Sent for compatibility; who asks is known from the session. */
      user_id: Id.optional(),
      page: Page,
      per_page: perPage(50_000),
    }),
    response: z.object({
      data: z.array(FlowLimitRow),
      total: z.int(),
      /** What is still to be bet, all limits together. */
      open: PointsText,
    }),
    refuses: ['account.not_found'],
  },
})
