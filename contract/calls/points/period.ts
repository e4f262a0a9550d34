import { z } from 'zod'
import { calls } from '../../call.ts'
import { Day, Flag, Id, PointsText, Remark } from '../../fields.ts'

const Named = z.object({ username: z.string(), nickname: z.string() })

/** A closed period of the caller's branch. */
const Period = z.object({
  id: z.int(),
  start_date: Day,
  end_date: Day,
  /** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  closed_at: z.string(),
  closed_by: z.string(),
  accounts: z.int(),
  opening: PointsText,
  in: PointsText,
  out: PointsText,
  closing: PointsText,
  held: PointsText,
})

/** What an agent got from its upline in a closed period, less what the upline took back. */
const Settlement = z.object({
  id: z.int(),
  start_date: Day,
  end_date: Day,
  upline: Named,
  downline: Named,
  /** Has a minus when the upline owes the downline. */
  amount: PointsText,
  state: z.literal(['open', 'settled']),
  /** The caller is the upline, who says that it is settled. */
  own: Flag,
  settled_at: z.string().nullable(),
  remark: z.string(),
})

export const periodCalls = calls({
  /** Newest first, at most 200. `next_start`: the day on which the next period begins; null before the first closing. */
  'period/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(Period), next_start: Day.nullable() }),
  },
  /**
   * Closes the books of the caller's branch: the closing is the opening of the next period, and nothing is written into
   * a closed period again. It cannot be undone; what was wrong is corrected in the next period.
   */
  'period/close': {
    effect: 'write',
    request: z.object({ start_date: Day, end_date: Day }),
    response: z.object({ id: z.int() }),
    refuses: ['report.range_invalid', 'period.not_over', 'period.overlaps', 'period.gap'],
  },
  /** Newest first, at most 500: those with the caller's direct downline, and those with its upline. */
  'settlement/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(Settlement) }),
  },
  'settlement/settle': {
    effect: 'write',
    request: z.object({ id: Id, remark: Remark.default('') }),
    response: z.null(),
    refuses: ['settlement.not_found', 'settlement.already_settled'],
  },
})
