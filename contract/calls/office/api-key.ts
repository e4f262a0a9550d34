import { z } from 'zod'
import { calls } from '../../call.ts'
import { nameOf } from '../../fields.ts'
import { MAX_NAME, MAX_PASSWORD } from '../../lengths.ts'

const current_password = z.string().max(MAX_PASSWORD).optional()
const KeyId = z.string().regex(/^tk_[0-9a-f]{24}$/)
/** The secret is shown only in this answer. */
const Secret = z.object({ id: z.string(), secret: z.string() })

const KeyRow = z.object({
  id: z.string(),
  label: z.string(),
  created_at: z.string(),
  /** A future time: a new key has replaced this one, which works until then. */
  revoked_at: z.string().nullable(),
  used_at: z.string().nullable(),
  active: z.boolean(),
  /** Webhooks are signed with this key now. */
  signs_webhooks: z.boolean(),
  /** It makes no calls. */
  only_webhooks: z.boolean(),
})

/**
 * The keys of the member API, for the top account only. These calls take no `request_id`: storing their answers for
 * repeats would store new secrets.
 */
export const apiKeyCalls = calls({
  'apiKey/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(KeyRow) }) },
  'apiKey/add': {
    effect: 'read',
    request: z.object({
      label: nameOf(MAX_NAME).default(''),
      only_webhooks: z.boolean().default(false),
      current_password,
    }),
    response: Secret,
    refuses: ['session.needs_password', 'session.wrong_password'],
  },
  /** Makes a new key; the old one works for another day, and signs webhooks until then if it does. */
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
})
