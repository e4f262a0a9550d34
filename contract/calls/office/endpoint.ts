import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { WaitsForApproval } from '../../fields.ts'
import { MAX_PASSWORD } from '../../lengths.ts'
import {
  Endpoint,
  endpointUpdate,
  endpointFields,
  Pinged,
  resendFields,
  Resent,
  Secret,
} from '../../member-api/endpoints.ts'

const current_password = z.string().max(MAX_PASSWORD).optional()
const id = z.string().regex(/^whe_[0-9a-f]{24}$/)
const fresh = ['session.needs_password', 'session.wrong_password'] as const

const Delivery = z.object({
  /** The id that the receiver sees. */
  event: z.string(),
  seq: z.int(),
  kind: z.string(),
  at: z.string(),
  /** The number of attempts so far. */
  tries: z.int(),
  tried_at: z.string().nullable(),
  delivered_at: z.string().nullable(),
  /** The time of the next attempt; null when there is none. */
  due_at: z.string().nullable(),
  /** The HTTP status, or the reason why there was none; the beginning of the answer; how long it took. */
  answer: z.string(),
  answer_body: z.string(),
  ms: z.int().nullable(),
  /** What was sent. */
  data: z.string(),
})

/**
 * The endpoints of a top account. Calls that return a secret take no `request_id`: storing their answers for repeats would
 * store new secrets.
 */
export const endpointOfficeCalls = calls({
  'endpoint/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(Endpoint) }) },
  'endpoint/add': {
    effect: 'read',
    request: z.object({ ...endpointFields, current_password }),
    response: Secret,
    refuses: [...askRefusals, ...fresh, 'endpoint.too_many', 'setting.url_invalid'],
  },
  'endpoint/set': {
    effect: 'write',
    request: z.object({ id, ...endpointUpdate, current_password }),
    response: z.object({ approval: WaitsForApproval }),
    refuses: [...askRefusals, ...fresh, 'endpoint.not_found', 'setting.url_invalid'],
  },
  'endpoint/remove': {
    effect: 'write',
    request: z.object({ id }),
    response: z.null(),
    refuses: ['endpoint.not_found'],
  },
  'endpoint/rotate': {
    effect: 'read',
    request: z.object({ id, current_password }),
    response: Secret.omit({ approval: true }),
    refuses: [...fresh, 'endpoint.not_found', 'endpoint.key_form'],
  },
  'endpoint/ping': { effect: 'write', request: z.object({ id }), response: Pinged, refuses: ['endpoint.not_found'] },
  'endpoint/resend': {
    effect: 'write',
    request: z.object({ id, ...resendFields }),
    response: Resent,
    refuses: ['endpoint.not_found', 'webhook.not_found'],
  },
  /** The last hundred, newest first; `undelivered`: of those that wait or were given up. */
  'endpoint/deliveries': {
    effect: 'read',
    request: z.object({ id, undelivered: z.boolean().default(false) }),
    response: z.object({ data: z.array(Delivery) }),
    refuses: ['endpoint.not_found'],
  },
})
