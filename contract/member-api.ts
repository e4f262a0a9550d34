import { z } from 'zod'
import { cashDirections, cashStates } from './cash.ts'
import { transferCalls } from './calls/transfer.ts'
import { RoleCode } from './code-fields.ts'
import type { ErrorName } from './errors.ts'
import { Amount, Flag, NewPassword, Nickname, PointsText, Username } from './fields.ts'

/**
 * The calls for a platform's servers, POST /member-api/v1/{name}: JSON in, `{code, message, data}` out. The key that
 * signed a call names its top account; the call reaches only accounts below it. Accounts are named by `username` or by
 * the `third_party_id` that the platform gave them; a call with both or neither is refused.
 */
type ApiCall = {
  summary: string
  request: z.ZodObject
  response: z.ZodType
  /**
   * A write needs a `request_id` (UUID): repeating it has no second effect and gets the same answer. Bets and wins
   * count as reads here, because their `bet_id` makes them repeatable.
   */
  effect: 'read' | 'write'
  /** Refusals beside those of every call: bad body, bad field, limit, missing signature. */
  refuses: readonly ErrorName[]
}
const table = <const T extends Record<string, ApiCall>>(calls: T): T => calls

const Name = z.string().trim().min(1).max(64)
/** The platform's own id of an account. Compared exactly, including case. */
const ThirdPartyId = z.string().trim().min(1).max(64)
/** Exactly one of the two. */
const AccountName = { username: Name.optional(), third_party_id: ThirdPartyId.optional() }
const Write = z.object({ request_id: z.uuid() })
const Wallets = z.object({
  username: z.string(),
  role_id: RoleCode,
  status: Flag,
  balance: PointsText,
  game_wallet: PointsText,
  unlimited: z.boolean(),
})
const NewAccount = z.object({ id: z.int(), username: z.string(), share_code: z.string() })
const Person = Write.extend({
  username: Username,
  /** Unique below the top account. The calls about one account accept it in place of the username. */
  third_party_id: ThirdPartyId.optional(),
  nickname: Nickname.optional(),
  password: NewPassword.optional(),
  parent: Name.optional(),
})
const BetReport = z.object({
  ...AccountName,
  bet_id: z.string().min(1).max(64),
  amount: Amount.refine((points) => points > 0n),
  request_id: z.uuid().optional(),
})
const BetAnswer = z.object({ transaction_id: z.string(), balance: PointsText })

/** A member's request for points, as the platform reads it. */
const CashRequest = z.object({
  id: z.int(),
  username: z.string(),
  third_party_id: z.string().nullable(),
  direction: z.enum(cashDirections),
  amount: PointsText,
  state: z.enum(cashStates),
  /** Why it was refused. */
  reason: z.string(),
  asked_at: z.string(),
  ended_at: z.string().nullable(),
  /** The transfer that paid it. */
  transaction_id: z.string().nullable(),
})

const addRefusals = [
  'account.not_found',
  'account.username_taken',
  'account.third_party_id_taken',
  'server.busy',
] as const satisfies readonly ErrorName[]

export const memberApi = table({
  'member/add': {
    summary:
      'Makes a member with its room. `parent`: an agent, or by default the top account. `third_party_id`: your own id for the member, which later calls accept in place of the username.',
    effect: 'write',
    request: Person,
    response: NewAccount,
    refuses: addRefusals,
  },
  'agent/add': {
    summary: 'Makes an agent. `limit_of_credit`: how far below zero its balance may go.',
    effect: 'write',
    request: Person.extend({ limit_of_credit: Amount.refine((points) => points >= 0n).optional() }),
    response: NewAccount,
    refuses: addRefusals,
  },
  'sign-in/token': {
    summary:
      'A token for one sign-in within a minute, and the address to send the browser to. `agent`: the back office without logout; `landing`: an ordinary session, also for members.',
    effect: 'read',
    request: z.object({ ...AccountName, kind: z.enum(['agent', 'landing']) }),
    response: z.object({ token: z.string(), url: z.string(), expires_in: z.int() }),
    refuses: ['account.not_found'],
  },
  'event-mode/set': {
    summary: 'Switches event mode: while it is on, no red envelopes. For an agent it applies to its whole group.',
    effect: 'write',
    request: Write.extend({ ...AccountName, event_mode: Flag }),
    response: z.object({ username: z.string(), event_mode: Flag }),
    refuses: ['account.not_found'],
  },
  'bet/report': {
    summary:
      'A bet of a member. `valid`: what counts as turnover, by default all of it. Repeatable by its bet_id: the same bet again gets the same answer, a different bet with the same bet_id is refused with 1409. A request_id is not needed.',
    effect: 'read',
    request: BetReport.extend({ valid: Amount.refine((points) => points >= 0n).optional() }),
    response: BetAnswer,
    refuses: [
      'account.not_found',
      'bet.id_reused',
      'transfer.amount_invalid',
      'transfer.frozen',
      'transfer.member_not_enough',
      'server.busy',
    ],
  },
  'win/report': {
    summary: 'The win of a bet. One win for each bet_id, repeatable like the bet itself. A request_id is not needed.',
    effect: 'read',
    request: BetReport,
    response: BetAnswer,
    refuses: ['account.not_found', 'bet.not_found', 'bet.id_reused', 'transfer.amount_invalid', 'server.busy'],
  },
  'balance/list': {
    summary: 'Balances of up to 500 accounts; unknown names are left out.',
    effect: 'read',
    request: z.object({ usernames: z.array(Name).min(1).max(500) }),
    response: z.object({ data: z.array(Wallets) }),
    refuses: [],
  },
  'cash/ask': {
    summary:
      "Asks for points in a member's name: `in` after a payment to you, `out` for a payout. Points out are held until the request ends. A member has one open request at a time; its first bank account is used.",
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      direction: z.enum(cashDirections),
      amount: Amount.refine((points) => points > 0n),
    }),
    response: z.object({ id: z.int(), state: z.enum(cashStates), balance: PointsText }),
    refuses: [
      'account.not_found',
      'room.not_found',
      'cash.off',
      'cash.one_at_a_time',
      'cash.account_missing',
      'transfer.amount_invalid',
      'transfer.frozen',
      'transfer.event_mode',
      'transfer.flow_limit_open',
      'transfer.not_enough',
      'transfer.over_envelope_cap',
    ],
  },
  'cash/withdraw': {
    summary: 'Takes a request back that nobody has taken yet. Held points are free again.',
    effect: 'write',
    request: Write.extend({ id: z.int().min(1).max(2_147_483_647) }),
    response: z.object({ id: z.int(), state: z.enum(cashStates) }),
    refuses: ['cash.not_found', 'cash.taken', 'cash.ended'],
  },
  'cash/list': {
    summary: 'Requests for points, newest first. `before`: the id of the last row of an earlier answer.',
    effect: 'read',
    request: z.object({
      ...AccountName,
      states: z.array(z.enum(cashStates)).max(cashStates.length).default([]),
      before: z.int().min(1).max(2_147_483_647).optional(),
      per_page: z.int().min(1).max(500).default(100),
    }),
    response: z.object({ data: z.array(CashRequest) }),
    refuses: ['account.not_found'],
  },
  'transfer/list': {
    summary: 'Transfers between two times, newest first, in the time zone of the platform.',
    effect: 'read',
    request: transferCalls['transaction/list'].request,
    response: transferCalls['transaction/list'].response,
    refuses: transferCalls['transaction/list'].refuses,
  },
})
export type MemberApi = typeof memberApi
export type ApiName = keyof MemberApi
