import { z } from 'zod'
import { calls } from '../call.ts'
import { NewPassword, Nickname, Username } from '../fields.ts'
import { OwnView } from './account.ts'

/** What a sign-in gives: the token, once, and the own view that the browser keeps. */
export const Profile = OwnView.extend({ token: z.string() })

const Page = z.object({
  id: z.int(),
  /** The page's translation key in the locales, under `menu.` */
  name: z.string(),
  url: z.string(),
  /** Comma-separated: transaction, edit, delete, deposit, add, encryption_username. */
  action: z.string(),
})

export const sessionCalls = calls({
  login: {
    effect: 'read',
    request: z.object({
      username: z.string().trim().min(1).max(64),
      password: z.string().min(1).max(128),
      /** The member's page asks for a member only, the back office for everyone else. */
      face: z.enum(['office', 'member']).default('office'),
      auth_done: z.string().max(200).optional(),
    }),
    response: Profile,
    refuses: ['session.wrong_login'],
  },
  'member/signup': {
    effect: 'write',
    request: z.object({
      share_code: z.string().min(1).max(64),
      username: Username,
      nickname: Nickname.optional(),
      password: NewPassword,
      password_confirmation: z.string().max(128),
    }),
    response: Profile,
    refuses: ['signup.unknown_share_code', 'account.username_taken', 'account.passwords_differ'],
  },
  'member/invitation': {
    effect: 'read',
    request: z.object({ share_code: z.string().min(1).max(64) }),
    response: z.object({ nickname: z.string() }),
    refuses: ['signup.unknown_share_code'],
  },
  logout: { effect: 'read', request: z.object({}), response: z.null() },
  'userMenu/list': { effect: 'read', request: z.object({}), response: z.array(Page) },
  'userMenu/auth': {
    effect: 'read',
    request: z.object({ url: z.string().max(500) }),
    response: z.object({ allowed: z.boolean() }),
  },
})
