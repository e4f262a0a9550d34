import { z } from 'zod'
import { calls } from '../call.ts'

/** News of new messages for a browser in which no page looks (Web Push). What it has asked for ends with its session. */
export const pushCalls = calls({
  'push/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** Of this installation; a browser subscribes with it, and anew when it is another one. */
      public_key: z.string(),
      /** Whether the session that asks is subscribed. */
      subscribed: z.boolean(),
    }),
  },
  /** What the browser's own subscription says; in place of what the session had before. */
  'push/subscribe': {
    effect: 'write',
    request: z.object({
      endpoint: z.string().max(1000),
      /** The browser's public key: an uncompressed point of P-256. */
      p256dh: z.string().regex(/^[\w-]{87}=?$/),
      auth: z.string().regex(/^[\w-]{22}(==)?$/),
    }),
    response: z.null(),
    refuses: ['push.not_a_push_service'],
  },
  'push/unsubscribe': { effect: 'write', request: z.object({}), response: z.null() },
})
