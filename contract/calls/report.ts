import { z } from 'zod'
import { calls } from '../call.ts'
import { Day, PointsText } from '../fields.ts'

export const reportCalls = calls({
  'report/sr02': {
    effect: 'read',
    request: z.object({ username: z.string().max(64).default(''), start_date: Day, end_date: Day }),
    response: z.object({
      total: z.object({ total_in: PointsText, total_out: PointsText }),
      data: z.array(z.object({ username: z.string(), total_in: PointsText, total_out: PointsText })),
    }),
    refuses: ['report.range_invalid'],
  },
})
