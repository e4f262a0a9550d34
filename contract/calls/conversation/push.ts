import { z } from 'zod'
import { calls } from '../../call.ts'

/** Web Push: notifications of new messages while no page is visible. A subscription ends with its session. */
export const pushCalls = calls({
  'push/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** This installation's VAPID key. A browser subscribes with it, and again when it has changed. */
      public_key: z.string(),
      /** Whether the caller's session is subscribed. */
      subscribed: z.boolean(),
    }),
  },
  /** Stores the browser's subscription in place of the session's earlier one. */
  'push/subscribe': {
    effect: 'write',
    request: z.object({
      endpoint: z.string().max(1000),
      /** The browser's public key: an uncompressed P-256 point. */
      p256dh: z.string().regex(/^[\w-]{87}=?$/),
      auth: z.string().regex(/^[\w-]{22}(==)?$/),
    }),
    response: z.null(),
    refuses: ['push.not_a_push_service'],
  },
  'push/unsubscribe': { effect: 'write', request: z.object({}), response: z.null() },
})
