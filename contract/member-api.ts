import { z } from 'zod'
import { transferCalls } from './calls/points/transfer.ts'
import { RoleCode } from './code-fields.ts'
import type { ErrorName } from './errors.ts'
import { Flag, NewPassword, Nickname, PointsText, requiredName, Username, WaitsForApproval } from './fields.ts'
import { MAX_NICKNAME } from './lengths.ts'
import { AccountName, Name, oneName, ThirdPartyId, thirdPartyId } from './member-api/account-name.ts'
import { AmountAboveZero, AmountFromZero } from './member-api/amounts.ts'
import type { ApiRight } from './api/rights.ts'
import { bookCalls } from './member-api/books.ts'
import { cashCalls } from './member-api/cash.ts'
import { endpointCalls } from './member-api/endpoints.ts'
import { eventCalls } from './member-api/events.ts'
import { talkCalls } from './member-api/talk.ts'
import { pointCalls } from './member-api/points.ts'
import { TransferPage, TransferSearch } from './member-api/transfers.ts'
import { Write } from './member-api/write.ts'

/**
 * The calls for a platform's servers, POST /member-api/v1/{name}: JSON in, `{code, message, data}` out. The key that
 * signed a call names its top account; the call reaches only accounts below it. Accounts are named by `username` or by
 * the `third_party_id` that the platform gave them; a call with both or neither is refused.
 */
type ApiCall = {
  /** The part of the document that the call is in. */
  part: ApiPart
  /** What a key needs to make it. */
  right: ApiRight
  /** What the call does, as a heading. */
  summary: string
  /** What its fields do not say, in Markdown with `code` only. */
  description: string
  request: z.ZodObject
  response: z.ZodType
  /**
   * A write needs a `request_id` (UUID): repeating it has no second effect and gets the same answer. Bets, wins and
   * voids count as reads here, because their `bet_id` makes them repeatable.
   */
  effect: 'read' | 'write'
  /** Refusals beside those of every call: bad body, bad field, limit, missing signature. */
  refuses: readonly ErrorName[]
}
/**
 * Each request refuses fields that it does not have: dropped, a misspelt one would change what the call does without a
 * word. Made once, because the first parsing of a schema compiles it. A strict schema starts without its metadata.
 */
const table = <const T extends Record<string, ApiCall>>(calls: T): T =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => {
      const request = call.request.strict()
      return [name, { ...call, request: request.meta(call.request.meta() ?? {}) }]
    }),
  ) as unknown as T

/** The parts of the document in their order. */
export const apiParts = {
  Accounts: 'Create members and agents, sign them in, and read their balances.',
  Points: 'Give members points, take them, and look a transfer up.',
  Bets: 'Report the bets and wins of your games. Bets count as turnover.',
  'Requests for points':
    'Members ask for points in or out. Your platform can ask for them, follow each request, and pay or refuse it.',
  Conversations: 'Write to members, read what they write, and see who waits for an answer.',
  Transfers: 'Read what moved between accounts.',
  Books: 'Read statements, the SR02 report, closed periods and settlements.',
  Events: 'Choose where webhooks are sent, send them again, and read events by numbers without gaps.',
  Platform: 'Read the settings of the installation that your calls depend on, and try your webhooks.',
} as const
export type ApiPart = keyof typeof apiParts

const username = z.string().describe('Its username.')
const balanceAfter = PointsText.describe('Points of the wallet after it.')
const Wallets = z
  .object({
    username,
    third_party_id: thirdPartyId,
    role_id: RoleCode.describe('1: admin. 2: agent. 3: customer service. 4: member.'),
    status: Flag.describe('1: active. 0: frozen; nothing can be moved.'),
    balance: PointsText.describe('Points in the main wallet, without its credit; `-1` if `unlimited` is true.'),
    game_wallet: PointsText.describe('Points in the game wallet.'),
    unlimited: z.boolean().describe('The balance may go below zero without a limit.'),
  })
  .meta({ id: 'Balance' })
const NewAccount = z.object({
  id: z.int().describe('Our number of the account. Calls take its names; only `transfer/list` takes that of an agent.'),
  username,
  share_code: z.string().describe('Invites members below it: `/Signup/` and this code is the address to send them.'),
})
const Person = Write.extend({
  username: Username.describe(
    '4 to 10 letters, digits, or . _ -, unique in the whole installation, whatever their case.',
  ),
  /** Unique below the top account. The calls about one account accept it in place of the username. */
  third_party_id: ThirdPartyId.optional().describe('Your own id for the account. Later calls accept it.'),
  nickname: Nickname.optional().describe('How others see the account.'),
  password: NewPassword.optional().describe('Without one, the account signs in only through `sign-in/token`.'),
  parent: Name.optional().describe('The agent above it. Without one, your top account.'),
})
const Member = z
  .object({
    username,
    third_party_id: thirdPartyId,
    nickname: z.string().describe('How others see the member.'),
    status: Flag.describe('1: active. 0: frozen.'),
    withdraw_confirm: Flag.describe('1: the member has to accept envelopes and requests for points.'),
    event_mode: Flag.describe('1: red envelopes can be neither sent nor received.'),
  })
  .meta({ id: 'Member' })
const betFields = {
  ...AccountName,
  bet_id: z.string().min(1).max(64).describe('Your id of the bet. It makes the call repeatable.'),
  amount: AmountAboveZero.describe('Points, with up to 4 decimals.'),
  request_id: z.uuid().optional().describe('Not needed here.'),
}
const transactionId = z.string().describe('The id of the transfer, a UUID.')
const BetAnswer = z.object({ transaction_id: transactionId, balance: balanceAfter })
const Bet = z
  .object({
    ...betFields,
    valid: AmountFromZero.optional().describe('What counts as turnover. Without it, the whole amount.'),
  })
  .meta(oneName)
const Win = z.object(betFields).meta(oneName)
/** Rows of a list. */
export const MAX_LISTED = 200
/** A list of what a call about one takes. */
const listOf = (row: z.ZodObject) => {
  const strict = row.strict().meta(row.meta() ?? {})
  return z.object({
    rows: z.array(strict).min(1).max(MAX_LISTED).describe(`Up to ${MAX_LISTED}, carried out in this order.`),
  })
}
const Results = z.object({
  rows: z
    .array(
      z.object({
        bet_id: z.string().nullable().describe('As in its row. Null: the row has none.'),
        code: z.int().describe('1000, or the code of its refusal.'),
        message: z.string().describe('In words.'),
        refusal: z
          .string()
          .nullable()
          .describe('Why it was refused: a name that the call about one has. Null: success.'),
        data: z
          .union([
            BetAnswer,
            z.object({
              field: z.string().describe('The first invalid field.'),
              errors: z
                .array(
                  z.object({
                    pointer: z.string().describe('Where it is in the row: a JSON pointer such as `/amount`.'),
                    reason: z.string().describe('What is wrong with it, in English.'),
                  }),
                )
                .describe('All fields of the row that are not as the document says.'),
            }),
          ])
          .nullable()
          .describe('As of the call about one; of `request.invalid` the invalid fields.'),
      }),
    )
    .describe('One for each row, in the same order.'),
})
const listNote =
  'Each row has its own result: none stops the others, and a row that is not as the document says is refused alone. ' +
  'Sending the list again is safe, also in parts. With another HTTP status than 200 send it all again.'
const addRefusals = [
  'account.not_found',
  'account.username_taken',
  'account.third_party_id_taken',
  'server.busy',
] as const satisfies readonly ErrorName[]

export const memberApi = table({
  'member/add': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Create a member',
    description:
      'Creates a member and its conversation with the group above it. Usernames are short and unique in the whole ' +
      'installation: if yours do not fit, make one up and name the account by `third_party_id`.',
    effect: 'write',
    request: Person,
    response: NewAccount,
    refuses: addRefusals,
  },
  'agent/add': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Create an agent',
    description:
      'Creates an agent, who has its own members, customer service and points. If your platform wants a second admin for ' +
      'raised credit limits, the agent has no credit until another admin has approved it; `approval` is 1 then.',
    effect: 'write',
    request: Person.extend({
      limit_of_credit: AmountFromZero.optional().describe('How far below zero the balance may go.'),
    }),
    response: NewAccount.extend({ approval: WaitsForApproval.describe('1: the credit waits for approval.') }),
    refuses: addRefusals,
  },
  'member/set': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Change a member',
    description:
      'Changes what `set` names of a member, and nothing else. A frozen member is signed out, and nothing can be moved. ' +
      'Name a member who signed up by a share link by its username, and give it your own id.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      set: z
        .strictObject({
          nickname: requiredName(MAX_NICKNAME).optional().describe('How others see the member.'),
          status: Flag.optional().describe('1: active. 0: frozen.'),
          withdraw_confirm: Flag.optional().describe('1: the member has to accept envelopes and requests for points.'),
          event_mode: Flag.optional().describe('1: red envelopes can be neither sent nor received.'),
          third_party_id: ThirdPartyId.nullable()
            .optional()
            .describe('Your own id for the member; null takes it away.'),
        })
        .refine((set) => Object.keys(set).length > 0, 'Give at least one field')
        .meta({ minProperties: 1 })
        .describe('The fields to change.'),
    }).meta(oneName),
    response: Member,
    refuses: ['account.not_found', 'account.third_party_id_taken'],
  },
  'sign-in/token': {
    part: 'Accounts',
    right: 'signin',
    summary: 'Create a sign-in link',
    description:
      'Returns a token for one sign-in and the address to send the browser to. The first browser that opens it is signed in, so ' +
      'redirect to it at once and keep it out of logs: a proxy logs paths, and with `agent` the token is in the query.',
    effect: 'read',
    request: z
      .object({
        ...AccountName,
        kind: z
          .enum(['agent', 'landing'])
          .describe('`agent`: the back office, without logout. `landing`: an ordinary session, also for members.'),
      })
      .meta(oneName),
    response: z.object({
      token: z.string().describe('It is in `url` too.'),
      url: z.string().describe('Send the browser here. Without `PUBLIC_URL` it begins at the path.'),
      expires_in: z.int().describe('Seconds.'),
    }),
    refuses: ['account.not_found'],
  },
  'event-mode/set': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Turn activity mode on or off',
    description:
      'While it is on, red envelopes can be neither sent nor received. For an agent it applies to its whole group.',
    effect: 'write',
    request: Write.extend({ ...AccountName, event_mode: Flag.describe('1: on. 0: off.') }).meta(oneName),
    response: z.object({ username, event_mode: Flag.describe('1: on. 0: off.') }),
    refuses: ['account.not_found'],
  },
  'bet/report': {
    part: 'Bets',
    right: 'bets',
    summary: 'Report a bet',
    description:
      'Takes the points of a bet from the game wallet, or from the main wallet of a member without one. The same bet again gets the same answer; other details for the same `bet_id` are refused with 1409.',
    effect: 'read',
    request: Bet,
    response: BetAnswer,
    refuses: [
      'account.not_found',
      'bet.id_reused',
      'bet.voided',
      'transfer.amount_invalid',
      'transfer.frozen',
      'transfer.member_not_enough',
      'server.busy',
    ],
  },
  'win/report': {
    part: 'Bets',
    right: 'bets',
    summary: 'Report a win',
    description: 'Adds the win of a bet. Each `bet_id` has one win, repeatable like the bet itself.',
    effect: 'read',
    request: Win,
    response: BetAnswer,
    refuses: [
      'account.not_found',
      'bet.not_found',
      'bet.id_reused',
      'bet.voided',
      'transfer.amount_invalid',
      'server.busy',
    ],
  },
  'bet/reportMany': {
    part: 'Bets',
    right: 'bets',
    summary: 'Report a list of bets',
    description: `Reports up to ${MAX_LISTED} bets like \`bet/report\`, in one call. ${listNote}`,
    effect: 'read',
    request: listOf(Bet),
    response: Results,
    refuses: [],
  },
  'win/reportMany': {
    part: 'Bets',
    right: 'bets',
    summary: 'Report a list of wins',
    description: `Reports up to ${MAX_LISTED} wins like \`win/report\`, in one call. ${listNote}`,
    effect: 'read',
    request: listOf(Win),
    response: Results,
    refuses: [],
  },
  'bet/void': {
    part: 'Bets',
    right: 'bets',
    summary: 'Void a bet',
    description:
      'Gives the points of a bet without a win back, and what it filled of the turnover is due again. Repeatable by its ' +
      '`bet_id`. After it, the bet and its win are refused. If no answer to `bet/report` has arrived, repeat that first: ' +
      'a bet that we do not know cannot be voided, and would be taken later.',
    effect: 'read',
    request: z.object({ bet_id: betFields.bet_id, request_id: betFields.request_id }),
    response: BetAnswer,
    refuses: ['bet.not_found', 'bet.has_win', 'transfer.amount_invalid', 'server.busy'],
  },
  'balance/list': {
    part: 'Accounts',
    right: 'accounts:read',
    summary: 'List balances',
    description: 'Returns the balances of up to 500 accounts. Unknown names are left out.',
    effect: 'read',
    request: z.object({
      usernames: z.array(Name).max(500).default([]).describe('Their usernames. Give these, your own ids, or both.'),
      third_party_ids: z.array(ThirdPartyId).max(500).default([]).describe('Your own ids of them.'),
    }),
    response: z.object({ data: z.array(Wallets).describe('In the order in which the accounts were made.') }),
    refuses: [],
  },
  ...pointCalls,
  ...cashCalls,
  ...talkCalls,
  'transfer/list': {
    part: 'Transfers',
    right: 'statements',
    summary: 'List transfers',
    description:
      'Returns the transfers between two times, newest first. All times are those of the `time_zone` of `platform/view`.',
    effect: 'read',
    request: TransferSearch,
    response: TransferPage,
    refuses: [...transferCalls['transaction/list'].refuses, 'account.not_found'],
  },
  ...bookCalls,
  ...eventCalls,
  ...endpointCalls,
  'webhook/ping': {
    part: 'Platform',
    right: 'settings',
    summary: 'Send a test webhook',
    description:
      'Sends the event `ping` to all your endpoints, once and within a second. `endpoint/ping` tries one and returns its answer.',
    effect: 'write',
    request: Write,
    response: z.object({ id: z.uuid().describe('The id of the event.') }),
    refuses: [],
  },
  'platform/view': {
    part: 'Platform',
    right: 'settings',
    summary: 'Read the settings',
    description: 'Returns what your calls depend on. A good first call: it needs no account.',
    effect: 'read',
    request: z.object({}),
    response: z.object({
      time_zone: z
        .string()
        .describe('The zone of the days and of the times that do not end in `Z`, such as `Asia/Kuala_Lumpur`.'),
      now: z.string().describe('The time of the server in UTC, as in ISO 8601: compare your clock with it.'),
      version: z.string().describe('The version of Tallyroom that answers.'),
      caps: z
        .object({
          per_envelope: PointsText.nullable().describe('For one red envelope or request for points.'),
          per_day: PointsText.nullable().describe('For what an agent or your top account gives its members in a day.'),
        })
        .describe('The most points; null: no limit.'),
      languages: z.array(z.string()).describe('The languages of `Accept-Language` that messages are written in.'),
    }),
    refuses: [],
  },
})
export type MemberApi = typeof memberApi
export type ApiName = keyof MemberApi
/** The calls about a list, by the call that each row is. Their rows are checked and carried out one by one. */
export const listCalls = { 'bet/reportMany': 'bet/report', 'win/reportMany': 'win/report' } as const
export type ListCall = keyof typeof listCalls
