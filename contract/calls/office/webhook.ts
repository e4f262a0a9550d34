import { z } from 'zod'
import { calls } from '../../call.ts'

const Delivery = z.object({
  id: z.string(),
  kind: z.string(),
  created_at: z.string(),
  /** The number of attempts so far. */
  tries: z.int(),
  delivered_at: z.string().nullable(),
  /** The time of the next attempt; null when there is none. */
  due_at: z.string().nullable(),
  /** The HTTP status, or the reason why there was none. */
  last_answer: z.string(),
})

/** The deliveries to the webhook address of a top account. */
export const webhookCalls = calls({
  /** The last hundred, newest first. */
  'webhook/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(Delivery) }) },
})
