import { z } from 'zod'
import { calls } from '../call.ts'

const password = z.string().min(1).max(128)
const code = z.string().trim().min(1).max(40)
/** Of whoever has a second factor: a code of it, or a recovery code. */
const proof = z.string().trim().max(40).default('')
/** International or national, with the usual spaces and dashes, which are not kept. */
const Mobile = z
  .string()
  .transform((text) => text.replace(/[\s().-]/g, ''))
  .pipe(z.string().regex(/^\+?\d{6,15}$/))

/** Shown once; only their hashes are kept. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const proofRefuses = ['factor.unreadable', 'code.wrong'] as const
const sendRefuses = ['code.not_sent', 'code.too_many'] as const

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
  /** Sends a code to the own number, with which changes here are proved. */
  'factor/sendCode': {
    effect: 'read',
    request: z.object({ password }),
    response: z.object({ seconds: z.int() }),
    refuses: ['session.wrong_password', 'factor.not_begun', ...sendRefuses],
  },
  /** Takes the authenticator away. */
  'factor/remove': {
    effect: 'read',
    request: z.object({ password, code: proof }),
    response: z.null(),
    refuses: ['session.wrong_password', ...proofRefuses],
  },
  /** Ten new recovery codes; the old ones are worth nothing any more. */
  'factor/recoveryCodes': {
    effect: 'read',
    request: z.object({ password, code: proof }),
    response: RecoveryCodes,
    refuses: ['session.wrong_password', 'factor.not_begun', ...proofRefuses],
  },
  /** Sends a code to a new number, which counts once `factor/setPhone` got it. */
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
    refuses: ['session.wrong_password', ...proofRefuses],
  },
})
