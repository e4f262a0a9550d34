import { z } from 'zod'
import { AnyRoleCode, RoleCode, TransferKindCode, WalletCode } from '../code-fields.ts'
import type { ErrorName } from '../errors.ts'
import { Day, Flag, perPage, PointsText, Remark } from '../fields.ts'
import { MAX_TYPED_NAME } from '../lengths.ts'
import { heldReasons, statementScopes } from '../statement.ts'
import { AccountName, noTwoNames, thirdPartyId } from './account-name.ts'
import { cursor, next } from './paging.ts'
import { kinds, localTime } from './transfers.ts'
import { Write } from './write.ts'

const MOST = 500
const pageFields = (call: string) => ({
  after: cursor(call),
  per_page: perPage(MOST).describe('Rows in an answer.'),
})

const inZone = 'Days begin at midnight in the `time_zone` of `platform/view`.'
const days = {
  start_date: Day.describe('The first day, `YYYY-MM-DD`.'),
  end_date: Day.describe('The last day, which is included; at most a year later.'),
}
const about = {
  username: AccountName.username.describe(
    'The username. Without this and `third_party_id` it is your top account; give at most one.',
  ),
  third_party_id: AccountName.third_party_id,
}

const Named = z.object({
  username: z.string().describe('Its username.'),
  third_party_id: thirdPartyId,
  nickname: z.string().describe('Its nickname.'),
})

const Asked = z.object({
  ...about,
  scope: z
    .enum(statementScopes)
    .default('own')
    .describe(
      '`own`: its own wallets. `direct`: of the accounts directly below it. `branch`: its own and all below it.',
    ),
  wallet: z
    .literal([0, 1, 2, 3])
    .default(0)
    .describe('0: main and game wallet. 1: main. 2: game. 3: what is held for requests and offers.'),
  ...days,
  by: z
    .string()
    .max(MAX_TYPED_NAME)
    .default('')
    .describe('Only what this account moved: its whole username. Empty: everybody.'),
})

const Line = z
  .object({
    id: z.string().describe('Names the movement: the same in every answer.'),
    at: z.string().describe(localTime),
    transaction_id: z.string().describe('The id of the transfer, a UUID.'),
    type: TransferKindCode.describe(kinds),
    corrects_type: TransferKindCode.nullable().describe(
      'Of a correction: the kind of the transfer that it takes back.',
    ),
    account: Named.describe('Whose wallet it is.'),
    wallet: WalletCode.describe('1: main. 2: game. 3: held.'),
    other: Named.extend({
      role_id: AnyRoleCode.describe('0: the games, which have no name. Others as in `balance/list`.'),
      wallet: WalletCode.describe('1: main. 2: game. 3: held.'),
    }).describe('The other side.'),
    by: z.string().describe('The account that moved the points; empty for bets, wins and voids.'),
    remark: z.string().describe('The remark.'),
    amount: PointsText.describe('Points, with a minus when they leave the wallet.'),
    balance: PointsText.nullable().describe(
      'Points of all wallets of the statement together after it. Null with `by`.',
    ),
  })
  .meta({ id: 'StatementLine' })

const Held = z.object({
  at: z.string().describe(localTime),
  transaction_id: z.string().describe('The id of the transfer, a UUID.'),
  reason: z
    .enum(heldReasons)
    .describe('`envelope`: a red envelope. `request`: a request for points. `approval`: it waits for approval.'),
  account: Named.describe('Whose points are held.'),
  member: Named.describe('The member that it is about.'),
  remark: z.string().describe('The remark.'),
  amount: PointsText.describe('Points.'),
})

const totals = {
  total_in: PointsText.describe('Points that members got; of `bets`: what they won.'),
  total_out: PointsText.describe('Points that members gave; of `bets`: what they bet.'),
}

const statementRefusals = [
  'account.not_found',
  'report.range_invalid',
  'statement.in_future',
  'statement.unknown_person',
] as const satisfies readonly ErrorName[]

/** Calls that read the books. They answer with what the office sees as the top account. */
export const bookCalls = {
  'statement/view': {
    part: 'Books',
    right: 'statements',
    summary: 'Read the sums of a statement',
    description:
      'Returns opening, in, out and closing of an account or of all below it: `opening + in - out = closing`, and with ' +
      `\`by\` also \`+ others\`. ${inZone} For a closed period send its days.`,
    effect: 'read',
    request: Asked.meta(noTwoNames('username')),
    response: z.object({
      account: Named.extend({ role_id: RoleCode.describe('As in `balance/list`.') }).describe('Whose statement it is.'),
      upline: Named.describe('The account directly above; its names are empty for your top account.'),
      accounts: z.int().describe('How many accounts have a wallet in it.'),
      closed_until: Day.nullable().describe('The last day of the closed periods that the account was in.'),
      drawn_up: z.string().describe(`Now. ${localTime}`),
      time_zone: z.string().describe('The zone of its days and times.'),
      opening: PointsText.describe('Points at the beginning of the first day.'),
      in: PointsText.describe('Points that came.'),
      out: PointsText.describe('Points that went.'),
      others: PointsText.describe('With `by`: what others moved. Else zero.'),
      closing: PointsText.describe('Points at the end of the last day.'),
      held: PointsText.describe('Held at the end, beside the closing. Zero for `wallet` 2 and 3.'),
      lines: z.int().describe('How many movements `statement/lines` lists.'),
      held_lines: z.array(Held).describe('What is held at the end.'),
      held_cut: z.boolean().describe('More is held than is listed.'),
    }),
    refuses: statementRefusals,
  },
  'statement/lines': {
    part: 'Books',
    right: 'statements',
    summary: 'List the movements of a statement',
    description: `Returns the movements of a statement, oldest first. Send the same fields with each page. ${inZone}`,
    effect: 'read',
    request: Asked.extend({
      ...pageFields('lines'),
      after: cursor('lines', String.raw`\d{1,16}-\d{1,10}-\d{1,18}`),
    }).meta(noTwoNames('username')),
    response: z.object({ data: z.array(Line).describe('Oldest first.'), next }),
    refuses: statementRefusals,
  },
  'sr02/view': {
    part: 'Books',
    right: 'statements',
    summary: 'Read the SR02 report',
    description:
      'Returns the points between the office and members, or bets and wins, by day and by account. `total` and `days` ' +
      `are of all pages. ${inZone}`,
    effect: 'read',
    request: z
      .object({
        ...about,
        ...days,
        by: z
          .enum(['operator', 'branch', 'service', 'person', 'member'])
          .default('operator')
          .describe(
            'A row for each paying account (`operator`), for each account directly below with all below it (`branch`), ' +
              'for each person who moved points, of customer service (`service`) or anyone (`person`), or for each member.',
          ),
        what: z
          .enum(['points', 'bets'])
          .default('points')
          .describe('`points`: between the office and members. `bets`: by branch, paying account or member.'),
        ...pageFields('sr02'),
      })
      .meta(noTwoNames('username')),
    response: z.object({
      total: z.object(totals).describe('Of all rows, also those that are left out.'),
      data: z
        .array(
          z.object({
            username: z.string().describe('Its username.'),
            third_party_id: thirdPartyId,
            ...totals,
            nickname: z.string().optional().describe('Its nickname; may be missing by `operator`.'),
            role_id: RoleCode.optional().describe('As in `balance/list`; may be missing by `operator`.'),
            own: Flag.optional().describe('1: by `branch`, the account itself without those below it.'),
            valid: PointsText.optional().describe('Of `bets`: what counts as turnover.'),
          }),
        )
        .describe('In the order in which the accounts were made.'),
      cut: z.boolean().describe('There are more than 5,000 persons or members: those that moved least are left out.'),
      days: z
        .array(z.object({ day: Day.describe('The day.'), ...totals }))
        .describe('Only days on which points moved.'),
      next,
    }),
    refuses: ['account.not_found', 'report.range_invalid'],
  },
  'period/list': {
    part: 'Books',
    right: 'statements',
    summary: 'List closed periods',
    description: `Returns the periods that your top account has closed, newest first. ${inZone}`,
    effect: 'read',
    request: z.object(pageFields('period')),
    response: z.object({
      data: z
        .array(
          z.object({
            id: z.int().describe('Our number of the period.'),
            start_date: Day.describe('Its first day.'),
            end_date: Day.describe('Its last day.'),
            closed_at: z.string().describe(localTime),
            closed_by: z.string().describe('The account that closed it.'),
            accounts: z.int().describe('How many accounts it was closed with.'),
            opening: PointsText.describe('Points of all at its beginning.'),
            in: PointsText.describe('Points that came.'),
            out: PointsText.describe('Points that went.'),
            closing: PointsText.describe('Points of all at its end.'),
            held: PointsText.describe('Held at its end, beside the closing.'),
          }),
        )
        .describe('Newest first.'),
      next,
    }),
    refuses: [],
  },
  'settlement/list': {
    part: 'Books',
    right: 'statements',
    summary: 'List settlements',
    description: 'Returns what the agents directly below your top account owe it for its closed periods, newest first.',
    effect: 'read',
    request: z.object(pageFields('settlement')),
    response: z.object({
      data: z
        .array(
          z.object({
            id: z.int().describe('Our number of the settlement.'),
            start_date: Day.describe('The first day of its period.'),
            end_date: Day.describe('The last day of its period.'),
            downline: Named.describe('The agent.'),
            amount: PointsText.describe('Points that the agent owes, with a minus when it is owed them.'),
            state: z.literal(['open', 'settled']).describe('`settled`: the office says that it is paid.'),
            settled_at: z.string().nullable().describe(`Null while it is open. ${localTime}`),
            remark: z.string().describe('What was written when it was settled.'),
          }),
        )
        .describe('Newest first.'),
      next,
    }),
    refuses: [],
  },
  'settlement/settle': {
    part: 'Books',
    right: 'settlements',
    summary: 'Settle',
    description: 'Says that what an agent owes for a closed period is paid. It moves no points, and cannot be undone.',
    effect: 'write',
    request: Write.extend({
      id: z.int().min(1).max(2_147_483_647).describe('Our number of the settlement, from `settlement/list`.'),
      remark: Remark.default('').describe('Such as the reference of the payment. The agent reads it.'),
    }),
    response: z.object({
      id: z.int().describe('Our number of the settlement.'),
      state: z.literal('settled').describe('`settled`.'),
    }),
    refuses: ['settlement.not_found', 'settlement.already_settled'],
  },
} as const
