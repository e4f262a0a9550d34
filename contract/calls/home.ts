import { z } from 'zod'
import { calls } from '../call.ts'
import { Day, PointsText } from '../fields.ts'

/** An account of the office below one's own. */
const Colleague = z.object({ id: z.int(), role_id: z.int(), username: z.string(), nickname: z.string() })

export const homeCalls = calls({
  /** What the first page shows beside what the browser follows live (balance, rooms): its numbers, in one answer. */
  'home/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** The last seven days of the platform, today the last; for heads, else none. */
      days: z.array(z.object({ day: Day, total_in: PointsText, total_out: PointsText })),
      /** Open envelopes of the members one sees: what is held for them, and what they are asked for. */
      open: z.object({ offers: z.int(), held: PointsText, requests: z.int(), asked: PointsText }),
      /** Operators below who can spend the least, for heads. */
      low: z.array(Colleague.extend({ available: PointsText })),
      /** Who of the office below signed in last, for heads. YYYY-MM-DD HH:mm:ss in the platform's time zone. */
      sign_ins: z.array(Colleague.extend({ at: z.string() })),
    }),
  },
})
