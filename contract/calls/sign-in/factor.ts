import { z } from 'zod'
import { calls } from '../../call.ts'
import { Mobile, typedCodeOf } from '../../fields.ts'
import { MAX_CODE, MAX_PASSWORD } from '../../lengths.ts'

const password = z.string().min(1).max(MAX_PASSWORD)
const code = typedCodeOf(MAX_CODE).min(1)
/** A code of the second factor, a recovery code, or the code of `passkey/prove`. Empty without a second factor. */
const proof = typedCodeOf(MAX_CODE).default('')

const OfficeRole = z.union([z.literal(1), z.literal(2), z.literal(3)])

/** Shown once; only their hashes are stored. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const proofRefuses = ['factor.unreadable', 'code.wrong'] as const
const sendRefuses = ['code.not_sent', 'code.too_many'] as const

/**
 * The second factor of the caller's own account. These calls take no `request_id`: storing their answers for repeats
 * would store secrets. Repeating them is safe.
 */
export const factorCalls = calls({
  'factor/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      authenticator: z.boolean(),
      /** The masked number; empty without one. */
      mobile: z.string(),
      /** How many recovery codes are unused. */
      recovery_codes: z.int(),
      passkeys: z.int(),
    }),
  },
  /**
   * Makes a secret for an authenticator, in use once `factor/confirm` gets a code of it. Replaces an unconfirmed one.
   */
  'factor/begin': {
    effect: 'read',
    request: z.object({ password, code: proof }),
    response: z.object({ secret: z.string(), url: z.string() }),
    refuses: ['session.wrong_password', 'factor.already_on', ...proofRefuses],
  },
  'factor/confirm': {
    effect: 'read',
    request: z.object({ code }),
    response: RecoveryCodes,
    refuses: ['factor.not_begun', 'factor.unreadable', 'code.wrong'],
  },
  /** Sends a code to the account's own number, to prove changes with. */
  'factor/sendCode': {
    effect: 'read',
    request: z.object({ password }),
    response: z.object({ seconds: z.int() }),
    refuses: ['session.wrong_password', 'factor.not_begun', ...sendRefuses],
  },
  /** Removes the authenticator. */
  'factor/remove': {
    effect: 'read',
    request: z.object({ password, code: proof }),
    response: z.null(),
    refuses: ['session.wrong_password', 'factor.required', ...proofRefuses],
  },
  /** Makes ten new recovery codes; the old ones stop working. */
  'factor/recoveryCodes': {
    effect: 'read',
    request: z.object({ password, code: proof }),
    response: RecoveryCodes,
    refuses: ['session.wrong_password', 'factor.not_begun', ...proofRefuses],
  },
  /** Sends a code to a new number, which is stored once `factor/setPhone` gets the code. */
  'factor/sendPhoneCode': {
    effect: 'read',
    request: z.object({ password, code: proof, mobile: Mobile }),
    response: z.object({ seconds: z.int() }),
    refuses: ['session.wrong_password', ...proofRefuses, ...sendRefuses],
  },
  'factor/setPhone': {
    effect: 'read',
    request: z.object({ code }),
    response: z.object({ mobile: z.string() }),
    refuses: ['factor.not_begun', 'code.wrong'],
  },
  'factor/removePhone': {
    effect: 'read',
    request: z.object({ password, code: proof }),
    response: z.null(),
    refuses: ['session.wrong_password', 'factor.required', ...proofRefuses],
  },
  /** The roles of the platform that need a second factor. Only the top account sets them. */
  'factor/required': { effect: 'read', request: z.object({}), response: z.object({ roles: z.array(OfficeRole) }) },
  /** Ends the sessions of those who need one and have none: they sign in and set it up. */
  'factor/require': {
    effect: 'write',
    request: z.object({ roles: z.array(OfficeRole).max(3), current_password: z.string().max(MAX_PASSWORD).optional() }),
    response: z.null(),
    refuses: ['factor.need_own', 'session.needs_password', 'session.wrong_password'],
  },
})
