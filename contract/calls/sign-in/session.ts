import { z } from 'zod'
import { askedRights } from '../../asked-rights.ts'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { SecurityNotice } from '../../events.ts'
import { Id, NewPassword, Nickname, typedCodeOf, TypedUsername, Username } from '../../fields.ts'
import { typedKey, typedShareCode } from '../../text/typed-key.ts'
import { OwnView } from '../accounts/account.ts'
import { Assertion } from './passkey.ts'
import { MAX_CODE, MAX_PASSWORD } from '../../lengths.ts'

/** The answer of a sign-in: the token, returned only here, and the caller's own view. */
export const Profile = OwnView.extend({ token: z.string() })

const Page = z.object({
  id: z.int(),
  /** The page's key in the locales, below `menu.` */
  name: z.string(),
  url: z.string(),
  /** Comma-separated: transaction, edit, delete, deposit, add, encryption_username. */
  action: z.string(),
  /** The role whose accounts the page manages, if it manages any. */
  role_id: RoleCode.nullable(),
  /** What else the caller may do there, of all that the browser asks about. */
  may: z.array(z.enum(askedRights)),
})

/** Id of a session. */
const SessionId = z.string().regex(/^\d{1,18}$/)
const SessionRow = z.object({
  id: z.string(),
  /** The caller's own session. */
  current: z.boolean(),
  agent_login: z.boolean(),
  user_agent: z.string(),
  address: z.string(),
  created_at: z.string(),
  seen_at: z.string(),
  expires_at: z.string(),
})

/** A sign-in by password, or by the one-time token or passkey if there is one; the password is then ignored. */
const Login = z
  .object({
    username: TypedUsername.default(''),
    password: z.string().max(MAX_PASSWORD).default(''),
    /** `member` accepts members only, `office` everyone else. */
    face: z.enum(['office', 'member']).default('office'),
    /** The proof that `googleAuth` or `checkValidateCode` returned. */
    auth_done: z.string().max(200).optional(),
    /** The user's own password, when somebody else set the current one (session.needs_new_password). */
    new_password: NewPassword.optional(),
    new_password_confirmation: z.string().max(MAX_PASSWORD).optional(),
    agent_token: z.string().min(1).max(200).optional(),
    agent_username: TypedUsername.min(1).optional(),
    landing_token: z.string().min(1).max(200).optional(),
    /** Signs a member in; the page around the widget hands it over. */
    widget_token: z.string().min(1).max(200).optional(),
    /** The answer to `passkey/begin`. It is both factors: something the user has, and unlocks. */
    passkey: Assertion.optional(),
  })
  .superRefine(({ username, password, agent_token, landing_token, widget_token, passkey }, context) => {
    if ([agent_token, landing_token, widget_token, passkey].some((given) => given !== undefined)) return
    if (!username) context.addIssue({ code: 'custom', path: ['username'] })
    if (!password) context.addIssue({ code: 'custom', path: ['password'] })
  })

/** The sign-in that a second-factor call belongs to. Browsers leave it out: their cookie names it. */
const challenge = z.string().max(200).optional()
const username = TypedUsername.min(1)
const ShareCode = z.string().overwrite(typedShareCode).min(1).max(64)
const Proof = z.object({ auth_done: z.string() })

export const sessionCalls = calls({
  login: {
    effect: 'read',
    request: Login,
    response: Profile,
    refuses: [
      'session.wrong_login',
      'session.link_over',
      'session.needs_authenticator',
      'session.needs_sms',
      'session.needs_either',
      'session.needs_passkey',
      'passkey.wrong',
      'passkey.too_late',
      'session.needs_new_password',
      'account.passwords_differ',
      'account.passwords_same',
      'account.password_not_new',
    ],
  },
  /** Sends a code by SMS to the account whose sign-in is waiting for it. */
  sendValidateCode: {
    effect: 'read',
    /** `mobile`: the stored number, or its mask from the answer of the sign-in. */
    request: z.object({ username, mobile: z.string().overwrite(typedKey).min(1).max(40), challenge }),
    /** Seconds until the next code may be sent. */
    response: z.object({ seconds: z.int() }),
    refuses: ['code.no_sign_in', 'code.no_challenge', 'code.not_sent', 'code.too_many'],
  },
  checkValidateCode: {
    effect: 'read',
    request: z.object({ username, mobile: z.string().max(40).optional(), token: typedCodeOf(20), challenge }),
    response: Proof,
    refuses: ['code.no_sign_in', 'code.no_challenge', 'code.wrong'],
  },
  googleAuth: {
    effect: 'read',
    /** `secret`: a code of the authenticator, or a recovery code. */
    request: z.object({ username, secret: typedCodeOf(MAX_CODE), challenge }),
    response: Proof,
    refuses: ['code.no_sign_in', 'code.no_challenge', 'factor.unreadable', 'code.wrong'],
  },
  'member/signup': {
    effect: 'write',
    request: z.object({
      share_code: ShareCode,
      username: Username,
      nickname: Nickname.optional(),
      password: NewPassword,
      password_confirmation: z.string().max(MAX_PASSWORD),
    }),
    response: Profile,
    refuses: ['signup.unknown_share_code', 'signup.too_many', 'account.username_taken', 'account.passwords_differ'],
  },
  /** Who invites, and how the group looks to its members. Nothing else: the call needs no session. */
  'member/invitation': {
    effect: 'read',
    request: z.object({ share_code: ShareCode }),
    response: z.object({
      nickname: z.string(),
      /** The name of the group's rooms. */
      name: z.string(),
      /** The picture of the group's head as a data URL, or empty. */
      picture: z.string(),
      header_background_color: z.string(),
      header_font_color: z.string(),
    }),
    refuses: ['signup.unknown_share_code'],
  },
  logout: { effect: 'read', request: z.object({}), response: z.null() },
  'session/list': { effect: 'read', request: z.object({}), response: z.object({ data: z.array(SessionRow) }) },
  'session/end': {
    effect: 'write',
    request: z.object({ id: SessionId }),
    response: z.null(),
    refuses: ['session.not_found'],
  },
  /** Ends all sessions of the caller's account but this one. */
  'session/endOthers': { effect: 'write', request: z.object({}), response: z.object({ ended: z.int() }) },
  /** The sessions of an account in the caller's downline. */
  'session/listOf': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: z.object({ data: z.array(SessionRow) }),
    refuses: ['account.not_found', 'account.not_yourself'],
  },
  'session/endOf': {
    effect: 'write',
    request: z.object({ id: Id, session_id: SessionId }),
    response: z.null(),
    refuses: ['account.not_found', 'account.not_yourself', 'session.not_found'],
  },
  /** What has happened to the security of the caller's account, newest first. */
  'security/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(SecurityNotice.extend({ id: z.string(), created_at: z.string() })) }),
  },
  'userMenu/list': { effect: 'read', request: z.object({}), response: z.array(Page) },
  'userMenu/auth': {
    effect: 'read',
    request: z.object({ url: z.string().max(500) }),
    response: z.object({ allowed: z.boolean() }),
  },
})
