import { z } from 'zod'
import { calls } from '../call.ts'

const password = z.string().min(1).max(128)
const code = z.string().trim().min(1).max(40)
/** International or national, with the usual spaces and dashes, which are not kept. */
const Mobile = z
  .string()
  .transform((text) => text.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?\d{6,15}$/))

/** Shown once; only their hashes are kept. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/**
 * The second factor of one's own account. None of these calls is stored for repeating: what some of them answer
 * is never written down. To make one again is safe.
 */
export const factorCalls = calls({
  'factor/view': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      authenticator: z.boolean(),
      /** The number's mask; empty without one. */
      mobile: z.string(),
      /** How many recovery codes are unused. */
      recovery_codes: z.int(),
    }),
  },
  /** A new secret for an authenticator. It counts once `factor/confirm` got a code of it; beginning again makes another. */
  'factor/begin': {
    effect: 'read',
    request: z.object({ password }),
    response: z.object({ secret: z.string(), url: z.string() }),
    refuses: ['session.wrong_password', 'factor.already_on'],
  },
  'factor/confirm': {
    effect: 'read',
    request: z.object({ code }),
    response: RecoveryCodes,
    refuses: ['factor.not_begun', 'factor.unreadable', 'code.wrong'],
  },
  /** Takes the authenticator away; `code`: one that it shows, or a recovery code. */
  'factor/remove': {
    effect: 'read',
    request: z.object({ password, code }),
    response: z.null(),
    refuses: ['session.wrong_password', 'factor.unreadable', 'code.wrong'],
  },
  /** Ten new recovery codes; the old ones are worth nothing any more. */
  'factor/recoveryCodes': {
    effect: 'read',
    request: z.object({ password }),
    response: RecoveryCodes,
    refuses: ['session.wrong_password', 'factor.not_begun'],
  },
  /** Sends a code to a new number, which counts once `factor/setPhone` got it. */
  'factor/sendPhoneCode': {
    effect: 'read',
    request: z.object({ password, mobile: Mobile }),
    response: z.object({ seconds: z.int() }),
    refuses: ['session.wrong_password', 'code.not_sent'],
  },
  'factor/setPhone': {
    effect: 'read',
    request: z.object({ code }),
    response: z.object({ mobile: z.string() }),
    refuses: ['factor.not_begun', 'code.wrong'],
  },
  'factor/removePhone': {
    effect: 'read',
    request: z.object({ password }),
    response: z.null(),
    refuses: ['session.wrong_password'],
  },
})
