import { z } from 'zod'
import { calls } from '../../call.ts'

const DeliveryId = z.string().regex(/^\d{1,18}$/)

const Delivery = z.object({
  delivery_id: z.string(),
  /** The id that the platform sees. */
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
  /** The last hundred, newest first; `undelivered`: of those that wait or were given up. */
  'webhook/list': {
    effect: 'read',
    request: z.object({ undelivered: z.boolean().default(false) }),
    response: z.object({ data: z.array(Delivery) }),
  },
  /**
   * Sends one event again, or without `delivery_id` all that were tried and not delivered. They keep their ids, by which the
   * platform knows a repeated one.
   */
  'webhook/resend': {
    effect: 'write',
    request: z.object({ delivery_id: DeliveryId.optional() }),
    response: z.object({ count: z.int() }),
    refuses: ['webhook.not_found'],
  },
  /** Sends a `ping` at once, to see what the address answers. It is tried once. `id`: that of the event. */
  'webhook/ping': { effect: 'write', request: z.object({}), response: z.object({ id: z.string() }) },
})
