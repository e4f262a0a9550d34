import { z } from 'zod'
import { calls } from '../../call.ts'
import { OfficeKindCode, OpenWalletCode } from '../../code-fields.ts'
import { WalletKind } from '../../codes.ts'
import type { ErrorName } from '../../errors.ts'
import { Amount, Id, requiredName, typedCodeOf, TypedUsername } from '../../fields.ts'
import { MAX_CODE, MAX_PASSKEY_NAME, MAX_PASSWORD } from '../../lengths.ts'

/** Base64url, as browsers encode the parts of a passkey's answer. */
const bytes = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w-]+$/)
const named = { id: bytes(1400), rawId: bytes(1400), type: z.literal('public-key') }

/** What a passkey has signed. Its other fields are of no use to the server. */
export const Assertion = z.object({
  ...named,
  response: z.object({ clientDataJSON: bytes(4000), authenticatorData: bytes(2000), signature: bytes(8000) }),
})
export type Assertion = z.output<typeof Assertion>

/** The fields of calls that the payment password or a passkey confirms. */
export const confirmRefusals = [
  'transfer.needs_payment_password',
  'transfer.wrong_payment_password',
  'transfer.payment_locked',
  'passkey.wrong',
  'passkey.too_late',
] as const satisfies readonly ErrorName[]

/** A new passkey. */
const Created = z.object({
  ...named,
  response: z.object({
    clientDataJSON: bytes(4000),
    attestationObject: bytes(40_000),
    transports: z.array(z.string().max(30)).max(10).default([]),
  }),
})
export type Created = z.output<typeof Created>

const Descriptor = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })

/** Asks a browser for a signature, in the form that browsers take (PublicKeyCredentialRequestOptionsJSON). */
export const SignOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Empty: the user chooses among all passkeys of this host. */
  allowCredentials: z.array(Descriptor),
})
export type SignOptions = z.output<typeof SignOptions>

/** Asks a browser for a new passkey (PublicKeyCredentialCreationOptionsJSON). */
const CreateOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  challenge: z.string(),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})

const Name = requiredName(MAX_PASSKEY_NAME)
/** The account's password. A member may leave it out for ten minutes after signing in. */
const password = z.string().max(MAX_PASSWORD).default('')
/** The second factor: a code, a recovery code, or what `passkey/prove` returned. */
const code = typedCodeOf(MAX_CODE).default('')

/** The sign-in that waits for its second factor. Browsers leave it out: their cookie names it. */
const waiting = { username: TypedUsername.min(1), challenge: z.string().max(200).optional() }

const siteRefuses = ['passkey.not_here', 'passkey.needs_name'] as const
const signRefuses = ['passkey.too_late', 'passkey.wrong'] as const
const proofRefuses = ['session.needs_password', 'session.wrong_password', 'code.wrong', 'factor.unreadable'] as const

/**
 * Passkeys: of anyone who signs in, and of the caller's own account. Without `request_id`: a challenge works once, so a
 * repeated call has no second effect.
 */
export const passkeyCalls = calls({
  /** Begins a sign-in; `login` takes the signature. */
  'passkey/begin': { effect: 'read', request: z.object({}), response: SignOptions, refuses: siteRefuses },
  /** Begins the second step of a sign-in by password. */
  'passkey/beginStep': {
    effect: 'read',
    request: z.object(waiting),
    response: SignOptions,
    refuses: ['code.no_sign_in', 'code.no_challenge', 'passkey.none_here', ...siteRefuses],
  },
  'passkey/finishStep': {
    effect: 'read',
    request: z.object({ ...waiting, passkey: Assertion }),
    response: z.object({ auth_done: z.string() }),
    refuses: ['code.no_sign_in', 'code.no_challenge', ...signRefuses],
  },
  'passkey/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      data: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          /** The host at which it works. */
          host: z.string(),
          created_at: z.string(),
          used_at: z.string().nullable(),
          /** There may be a copy of it: its counter went back. */
          copied: z.boolean(),
        }),
      ),
      /** Whether the page at this address can make and use passkeys, and if not, why. */
      here: z.enum(['yes', 'not_here', 'needs_name']),
    }),
  },
  'passkey/beginAdd': {
    effect: 'read',
    request: z.object({ password, code }),
    response: CreateOptions,
    refuses: ['passkey.too_many', ...siteRefuses, ...proofRefuses],
  },
  'passkey/add': {
    effect: 'read',
    request: z.object({ passkey: Created, name: Name }),
    response: z.object({
      id: z.int(),
      /** Shown once. Empty when the account has recovery codes, and for members. */
      recovery_codes: z.array(z.string()),
    }),
    refuses: [...signRefuses, 'passkey.too_many'],
  },
  'passkey/rename': {
    effect: 'write',
    request: z.object({ id: Id, name: Name }),
    response: z.null(),
    refuses: ['passkey.not_found'],
  },
  'passkey/remove': {
    effect: 'read',
    request: z.object({ id: Id, password, code }),
    response: z.null(),
    refuses: ['passkey.not_found', 'factor.required', ...proofRefuses],
  },
  /**
   * Begins the confirmation of points: the challenge is the hash of payer, member, amount, kind, wallet and request. The
   * fields are those of the call that moves them; `request` is its `request_id`.
   */
  'passkey/beginPoints': {
    effect: 'read',
    request: z.discriminatedUnion('call', [
      z.object({
        call: z.literal('user/transaction'),
        id: Id,
        amount: Amount,
        type: OpenWalletCode.default(WalletKind.main),
        request: z.uuid(),
      }),
      z.object({
        call: z.literal('transaction/add'),
        member_id: Id,
        type: OfficeKindCode,
        amount: Amount,
        platform: OpenWalletCode.default(WalletKind.main),
        request: z.uuid(),
      }),
      z.object({ call: z.literal('transaction/correct'), transaction_id: z.uuid(), request: z.uuid() }),
      z.object({ call: z.literal('cash/pay'), id: Id, amount: Amount, request: z.uuid() }),
      z.object({ call: z.literal('approval/approve'), id: Id, request: z.uuid() }),
    ]),
    response: SignOptions,
    refuses: ['passkey.none_here', 'transfer.not_found', 'cash.not_found', 'approval.not_found', ...siteRefuses],
  },
  /** Begins the proof by which the second factor is changed. */
  'passkey/beginProof': {
    effect: 'read',
    request: z.object({}),
    response: SignOptions,
    refuses: ['passkey.none_here', ...siteRefuses],
  },
  /** Returns a code for the `code` fields of this session, valid once and for two minutes. */
  'passkey/prove': {
    effect: 'read',
    request: z.object({ passkey: Assertion }),
    response: z.object({ code: z.string() }),
    refuses: signRefuses,
  },
})
