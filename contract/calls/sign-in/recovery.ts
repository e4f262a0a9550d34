import { z } from 'zod'
import { calls } from '../../call.ts'
import { Mobile, NewPassword, typedCodeOf, TypedUsername } from '../../fields.ts'
import { Assertion, SignOptions } from './passkey.ts'
import { MAX_PASSWORD } from '../../lengths.ts'

const username = TypedUsername.min(1)
const face = z.enum(['office', 'member'])
const chosen = { new_password: NewPassword, new_password_confirmation: z.string().max(MAX_PASSWORD) }
const chosenRefuses = ['account.passwords_differ', 'account.passwords_same'] as const
const Seconds = z.object({ seconds: z.int() })
/** May be left out for ten minutes after signing in. */
const password = z.string().max(MAX_PASSWORD).default('')

/**
 * A forgotten password, replaced with a code by SMS or with a passkey, and the number of a member for it. No answer
 * says whether a name or a number exists. Without `request_id`: a code and a challenge work once.
 */
export const recoveryCalls = calls({
  /** Sends a code to the account's number, if there are such an account and number. */
  'recovery/begin': {
    effect: 'read',
    request: z.object({ username, face }),
    /** Seconds until another code may be sent. */
    response: Seconds,
    refuses: ['recovery.no_sms'],
  },
  /** Replaces the password and ends all sessions. It opens none: the user signs in, with the second factor if there is one. */
  'recovery/finish': {
    effect: 'read',
    request: z.object({ username, face, code: typedCodeOf(20).min(1), ...chosen }),
    response: z.null(),
    refuses: ['recovery.no_sms', 'recovery.wrong', ...chosenRefuses],
  },
  'recovery/beginPasskey': {
    effect: 'read',
    request: z.object({}),
    response: SignOptions,
    refuses: ['passkey.not_here', 'passkey.needs_name'],
  },
  /** The same with a passkey, which names the account. */
  'recovery/finishPasskey': {
    effect: 'read',
    request: z.object({ passkey: Assertion, face, ...chosen }),
    response: z.object({ username: z.string() }),
    refuses: ['passkey.wrong', 'passkey.too_late', 'recovery.wrong', ...chosenRefuses],
  },
  /** The member's own number. */
  'recovery/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** Masked; empty without one. */
      mobile: z.string(),
      /** Whether SMS can be sent. */
      offered: z.boolean(),
    }),
  },
  /** Sends a code to a new number, which is stored once `recovery/setPhone` gets the code. */
  'recovery/sendCode': {
    effect: 'read',
    request: z.object({ password, mobile: Mobile }),
    response: Seconds,
    refuses: ['recovery.no_sms', 'session.needs_password', 'session.wrong_password', 'code.not_sent', 'code.too_many'],
  },
  'recovery/setPhone': {
    effect: 'read',
    request: z.object({ code: typedCodeOf(20).min(1) }),
    response: z.object({ mobile: z.string() }),
    refuses: ['factor.not_begun', 'code.wrong'],
  },
  'recovery/removePhone': {
    effect: 'read',
    request: z.object({ password }),
    response: z.null(),
    refuses: ['session.needs_password', 'session.wrong_password'],
  },
})
