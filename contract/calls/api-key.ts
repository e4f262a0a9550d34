import { z } from 'zod'
import { calls } from '../call.ts'

const current_password = z.string().max(128).optional()
const KeyId = z.string().regex(/^tk_[0-9a-f]{24}$/)
/** Shown once. */
const Secret = z.object({ id: z.string(), secret: z.string() })

const KeyRow = z.object({
  id: z.string(),
  label: z.string(),
  created_at: z.string(),
  /** In the future: another key has taken over, and this one goes on until then. */
  revoked_at: z.string().nullable(),
  used_at: z.string().nullable(),
  active: z.boolean(),
})

const Delivery = z.object({
  id: z.string(),
  kind: z.string(),
  created_at: z.string(),
  /** How often it was tried. */
  tries: z.int(),
  delivered_at: z.string().nullable(),
  /** When it is tried again; null once that is over. */
  due_at: z.string().nullable(),
  /** A number of HTTP, or why there was none. */
  last_answer: z.string(),
})

/**
 * Keys of the member API, the top account's alone, and what was sent to its address. A new secret is never stored for
 * repeating, so these are not writes that can be repeated.
 */
export const apiKeyCalls = calls({
  'apiKey/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(KeyRow) }) },
  'apiKey/add': {
    effect: 'read',
    request: z.object({ label: z.string().trim().max(50).default(''), current_password }),
    response: Secret,
    refuses: ['session.needs_password', 'session.wrong_password'],
  },
  /** A new key in place of this one, which goes on for a day. */
  'apiKey/rotate': {
    effect: 'read',
    request: z.object({ id: KeyId, current_password }),
    response: Secret,
    refuses: ['api.key_not_found', 'session.needs_password', 'session.wrong_password'],
  },
  'apiKey/revoke': {
    effect: 'read',
    request: z.object({ id: KeyId }),
    response: z.null(),
    refuses: ['api.key_not_found'],
  },
  /** The last hundred, newest first. */
  'webhook/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(Delivery) }) },
})
