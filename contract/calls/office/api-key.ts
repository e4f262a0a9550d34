import { z } from 'zod'
import { calls } from '../../call.ts'
import { Flag, nameOf, WaitsForApproval } from '../../fields.ts'
import { MAX_NAME, MAX_PASSWORD } from '../../lengths.ts'
import { apiDates } from '../../api/dates.ts'
import { apiRights } from '../../api/rights.ts'

const current_password = z.string().max(MAX_PASSWORD).optional()
const ApiRight = z.enum(apiRights)
const KeyId = z.string().regex(/^tks?_[0-9a-f]{24}$/)
/** The secret is shown only in this answer. `approval`: the key is made, and what it may do waits. */
const Secret = z.object({ id: z.string(), secret: z.string(), approval: WaitsForApproval })

/** An address or a network of them, in CIDR form. */
const Network = z.string().trim().min(1).max(50)
/** What a key may do. Without terms it may do nothing. */
const terms = {
  rights: z.array(ApiRight).max(50).default([]),
  /** Empty: from everywhere. */
  addresses: z.array(Network).max(50).default([]),
  /** The last day on which it works, in the platform's time zone. Null: it does not expire. */
  expires_on: z.iso.date().nullable().default(null),
  /** The most calls in a second; null: as the installation says. */
  per_second: z.int().min(1).max(1_000_000).nullable().default(null),
  /** The date of the form of its calls that name none. Null: the form without a date. */
  version: z.enum(apiDates).nullable().default(null),
}

const KeyRow = z.object({
  id: z.string(),
  label: z.string(),
  /** The account that it acts as, for its limits. Null until an older key makes its first call. */
  actor_id: z.int().nullable(),
  rights: z.array(ApiRight),
  addresses: z.array(z.string()),
  expires_on: z.string().nullable(),
  per_second: z.int().nullable(),
  version: z.enum(apiDates).nullable(),
  created_at: z.string(),
  /** A future time: a new key has replaced this one, which works until then. */
  revoked_at: z.string().nullable(),
  used_at: z.string().nullable(),
  active: z.boolean(),
  /** Webhooks are signed with this key now. */
  signs_webhooks: z.boolean(),
  /** It works in the platform's sandbox alone. */
  is_sandbox: z.boolean(),
  /** The days of UTC on which it made calls, the newest first. */
  days: z.array(z.object({ day: z.string(), calls: z.int(), refused: z.int() })),
})

/**
 * The keys of the member API, for the top account only. Calls that return a secret take no `request_id`: storing their
 * answers for repeats would store new secrets.
 */
export const apiKeyCalls = calls({
  'apiKey/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(KeyRow) }) },
  'apiKey/add': {
    effect: 'read',
    /** `sandbox`: the key is for the platform's sandbox, which is made with its first one. */
    request: z.object({ label: nameOf(MAX_NAME).default(''), sandbox: Flag.default(0), ...terms, current_password }),
    response: Secret,
    refuses: ['api.network_invalid', 'session.needs_password', 'session.wrong_password', 'change.signed_in_by_link'],
  },
  /** Changes what a key may do, and what the key may do that has replaced it or that it has replaced. */
  'apiKey/set': {
    effect: 'write',
    request: z.object({ id: KeyId, ...terms, current_password }),
    response: z.object({ approval: WaitsForApproval }),
    refuses: [
      'api.key_not_found',
      'api.network_invalid',
      'session.needs_password',
      'session.wrong_password',
      'change.waits_already',
      'change.signed_in_by_link',
    ],
  },
  /** Makes a new key; the old one works for another day, and signs webhooks until then if it does. */
  'apiKey/rotate': {
    effect: 'read',
    request: z.object({ id: KeyId, current_password }),
    response: z.object({ id: z.string(), secret: z.string() }),
    refuses: ['api.key_not_found', 'session.needs_password', 'session.wrong_password'],
  },
  'apiKey/revoke': {
    effect: 'read',
    request: z.object({ id: KeyId }),
    response: z.null(),
    refuses: ['api.key_not_found'],
  },
  /** Removes all accounts and conversations of the sandbox. Its keys and endpoints stay. */
  'apiKey/emptySandbox': {
    effect: 'read',
    request: z.object({}),
    response: z.null(),
    refuses: ['api.no_sandbox'],
  },
})
