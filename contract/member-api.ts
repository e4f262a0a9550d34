import { z } from 'zod'
import { transferCalls } from './calls/points/transfer.ts'
import type { ErrorName } from './errors.ts'
import { PointsText } from './fields.ts'
import { AccountName, oneName } from './member-api/account-name.ts'
import { AmountAboveZero, AmountFromZero } from './member-api/amounts.ts'
import { accountCalls } from './member-api/accounts.ts'
import { bankCalls } from './member-api/bank.ts'
import type { ApiRight } from './api/rights.ts'
import { bookCalls } from './member-api/books.ts'
import { cashCalls } from './member-api/cash.ts'
import { endpointCalls } from './member-api/endpoints.ts'
import { eventCalls } from './member-api/events.ts'
import { talkCalls } from './member-api/talk.ts'
import { pointCalls } from './member-api/points.ts'
import { sandboxCalls } from './member-api/sandbox.ts'
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
  Accounts: 'Create, find, change and move members and agents, sign them in, and read their balances.',
  Points: 'Give members points, take them, and look a transfer up.',
  Bets: 'Report the bets and wins of your games. Bets count as turnover.',
  'Requests for points':
    'Members ask for points in or out. Your platform can ask for them, follow each request, and pay or refuse it.',
  Conversations: 'Write to members, read what they write, and see who waits for an answer.',
  Transfers: 'Read what moved between accounts.',
  Books: 'Read statements, the SR02 report, closed periods and settlements.',
  Events: 'Choose where webhooks are sent, send them again, and read events by numbers without gaps.',
  Platform: 'Read the settings of the installation that your calls depend on, and try your webhooks.',
  Sandbox: 'Make members act, and let time pass, where nothing is worth anything.',
} as const
export type ApiPart = keyof typeof apiParts

const balanceAfter = PointsText.describe('Points of the wallet after it.')
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
export const memberApi = table({
  ...accountCalls,
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
  ...pointCalls,
  ...cashCalls,
  ...bankCalls,
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
  ...sandboxCalls,
})
export type MemberApi = typeof memberApi
export type ApiName = keyof MemberApi
/** The calls about a list, by the call that each row is. Their rows are checked and carried out one by one. */
export const listCalls = { 'bet/reportMany': 'bet/report', 'win/reportMany': 'win/report' } as const
export type ListCall = keyof typeof listCalls
