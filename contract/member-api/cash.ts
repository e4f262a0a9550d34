import { z } from 'zod'
import { cashWarnings } from '../calls/points/cash.ts'
import { allCashReasons, cashDirections, cashStates, LEASE_MINUTES } from '../cash.ts'
import { TransferStatusCode } from '../code-fields.ts'
import type { ErrorName } from '../errors.ts'
import { BankReference, PointsText, Remark, remarkOf, WaitsForApproval } from '../fields.ts'
import { MAX_REASON } from '../lengths.ts'
import { AccountName, noTwoNames, oneName, thirdPartyId } from './account-name.ts'
import { AmountAboveZero } from './amounts.ts'
import { statuses } from './points.ts'
import { Write } from './write.ts'

const CashId = z.int().describe('The number of the request.')
const CashNumber = z.int().min(1).max(2_147_483_647).describe('The number of the request.')
const CashState = z
  .enum(cashStates)
  .describe('`asked`: it waits. `taken`: someone works on it. The others are its end; `withdrawn`: cancelled.')
  .meta({ id: 'CashState' })
const CashDirection = z
  .enum(cashDirections)
  .describe('`in`: after a payment to you. `out`: for a payout.')
  .meta({ id: 'CashDirection' })

/** A time in UTC. Platforms write it with seconds, milliseconds or microseconds. */
const ApiTime = z.iso
  .datetime()
  .max(30)
  .refine((text) => text >= '0001', 'No such year')

/** A member's request for points, as the platform reads it. */
const CashRequest = z
  .object({
    id: CashId,
    username: z.string().describe("The member's username."),
    third_party_id: thirdPartyId,
    direction: CashDirection,
    amount: PointsText.describe('Points.'),
    state: CashState,
    reason: z.string().describe('Why it was refused, in the words of the office; empty for none.'),
    reason_code: z
      .enum(allCashReasons)
      .nullable()
      .describe('Why it was refused, if it is one of these reasons. The member reads it in its own language.'),
    asked_at: z.string().describe('In UTC, as in ISO 8601.'),
    ended_at: z.string().nullable().describe('The same. Null while it is open.'),
    changed_at: z.string().describe('The same: when it was asked, taken, released or ended last.'),
    maybe_paid: z
      .boolean()
      .describe(
        'A key had it until its time was over, and may have paid it at the bank. Only a person goes on with it.',
      ),
    transaction_id: z.string().nullable().describe('The transfer that paid it.'),
  })
  .meta({ id: 'CashRequest' })

const Minutes = z
  .int()
  .min(LEASE_MINUTES.least)
  .max(LEASE_MINUTES.most)
  .default(5)
  .describe('How long you have it. Take more than the bank needs.')
const Reference = BankReference.default('').describe(
  "The bank's or your own reference of the payment. The office finds it by this.",
)
const Taken = z.object({
  id: CashId,
  state: CashState,
  lease: z.int().describe('Seconds that you have it from now, unless `cash/renew` is called.'),
})
const takenRefusals = [
  'cash.not_found',
  'cash.taken',
  'cash.not_taken',
  'cash.lease_over',
  'cash.ended',
  'cash.in_approval',
] as const satisfies readonly ErrorName[]

/** Calls about members' requests for points. */
export const cashCalls = {
  'cash/ask': {
    part: 'Requests for points',
    right: 'cash:ask',
    summary: 'Ask for points',
    description:
      "Asks for points in a member's name. The office or a key with `cash:fulfil` pays it. Points out are held until the request ends. A member has one open request at a time, and its first bank account is used.",
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      direction: CashDirection,
      amount: AmountAboveZero.describe('Points, with up to 4 decimals.'),
    }).meta(oneName),
    response: z.object({
      id: CashId,
      state: CashState,
      balance: PointsText.describe('Points of the wallet after it.'),
    }),
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
    part: 'Requests for points',
    right: 'cash:ask',
    summary: 'Cancel a request',
    description: 'Cancels a request that nobody has taken yet. Held points become available again.',
    effect: 'write',
    request: Write.extend({ id: CashNumber }),
    response: z.object({ id: CashId, state: CashState }),
    refuses: ['cash.not_found', 'cash.taken', 'cash.ended'],
  },
  'cash/list': {
    part: 'Requests for points',
    right: 'cash:read',
    summary: 'List requests',
    description:
      'Returns requests for points, newest first. To follow them without webhooks, or after they were away, send the ' +
      '`cursor` of the last answer as `changed_since`: it returns what has changed since, and some of it again.',
    effect: 'read',
    request: z
      .object({
        ...AccountName,
        states: z.array(CashState).max(cashStates.length).default([]).describe('Empty: all states.'),
        since: ApiTime.optional().describe('Asked at this time or later. In UTC, as in ISO 8601.'),
        until: ApiTime.optional().describe('Asked before this time. In UTC, as in ISO 8601.'),
        changed_since: ApiTime.optional().describe('Changed at this time or later: a time, or `cursor` of an answer.'),
        before: z.int().min(1).max(2_147_483_647).optional().describe('`next` of the answer before.'),
        per_page: z.int().min(1).max(500).default(100).describe('Rows in an answer.'),
      })
      .meta(noTwoNames('username')),
    response: z.object({
      data: z.array(CashRequest).describe('Newest first.'),
      next: z.int().nullable().describe('Send it as `before` to get the rows that follow. Null: there are none.'),
      cursor: z
        .string()
        .nullable()
        .describe(
          'Send it as `changed_since` the next time. Null with `before`, and while nobody has asked for points.',
        ),
    }),
    refuses: ['account.not_found'],
  },
  'cash/view': {
    part: 'Requests for points',
    right: 'cash:read',
    summary: 'Look at a request',
    description:
      'Returns one request with what you need to decide about it. The whole number of the bank account is only there while ' +
      'the request is open and for a key with the right `cash:fulfil`, and the log names who has read it.',
    effect: 'read',
    request: z.object({ id: CashNumber }),
    response: CashRequest.extend({
      operator: z.string().nullable().describe('Who has taken it. Null: nobody.'),
      lease: z.int().nullable().describe('Seconds until it is open again, unless `cash/renew` is called.'),
      bank: z.string().describe("The bank of the member's account; empty for none."),
      account_name: z.string().describe('Whose account it is.'),
      account_no: z
        .string()
        .describe(
          'Its number, masked or whole. A bank code comes before it with two underscores, such as `062000__12345678`.',
        ),
      slip: z
        .string()
        .nullable()
        .describe(
          'The photo of the slip: an address that anybody may open for 5 minutes. Without `PUBLIC_URL` a path.',
        ),
      pay_to: z.string().describe('Points in: your account that the member was shown to pay to; empty for none.'),
      turnover_due: PointsText.describe(
        'Points out: turnover that is missing. While there is some, it cannot be paid.',
      ),
      warnings: z
        .array(z.enum(cashWarnings))
        .describe(
          '`account_changed`: in the last 24 hours. `account_gone`: the member has removed it; it cannot be paid. ' +
            '`first_out`: nothing was paid out before. `five_times`: at least five times the usual amount. ' +
            '`receiving_changed`: your account in `pay_to` has changed or is off. `slip_used`: another request has the same ' +
            'slip or a picture of it. `same_amount`: another member asked for the same amount within five minutes.',
        ),
    }),
    refuses: ['cash.not_found'],
  },
  'cash/take': {
    part: 'Requests for points',
    right: 'cash:fulfil',
    summary: 'Take a request',
    description:
      'Nobody else can pay a request while you have it. Take it before you pay at the bank, and end it with `cash/pay`, ' +
      '`cash/refuse` or `cash/giveBack` in time. If the time for points out ends without one of them, you may have paid: ' +
      'then only a person in the office can go on with it, after looking at the bank. Your own again: for so many minutes from now.',
    effect: 'write',
    request: Write.extend({ id: CashNumber, minutes: Minutes, reference: Reference }),
    response: Taken,
    refuses: ['cash.not_found', 'cash.taken', 'cash.ended', 'cash.in_approval', 'cash.maybe_paid'],
  },
  'cash/renew': {
    part: 'Requests for points',
    right: 'cash:fulfil',
    summary: 'Keep a request',
    description: 'Keeps a request that you have for so many minutes from now.',
    effect: 'write',
    request: Write.extend({ id: CashNumber, minutes: Minutes, reference: Reference }),
    response: Taken,
    refuses: ['cash.not_found', 'cash.lease_over'],
  },
  'cash/giveBack': {
    part: 'Requests for points',
    right: 'cash:fulfil',
    summary: 'Give a request back',
    description: 'Says that you have paid nothing and do not go on with it. Anybody may take it again.',
    effect: 'write',
    request: Write.extend({ id: CashNumber }),
    response: z.object({ id: CashId, state: CashState }),
    refuses: takenRefusals,
  },
  'cash/pay': {
    part: 'Requests for points',
    right: 'cash:fulfil',
    summary: 'Pay a request',
    description:
      'Ends a request that you have with its transfer, between the member and the head of its group. Points out: call it ' +
      'after you have paid at the bank. Above a limit of the key it waits for approval; `approval` is 1 then, the request ' +
      'stays yours, and `request.paid` or `request.released` says how it ended.',
    effect: 'write',
    request: Write.extend({
      id: CashNumber,
      amount: AmountAboveZero.describe('The amount of the request. Another one is refused.'),
      reference: Reference,
      remark: Remark.default('').describe('What it is for. The member reads it.'),
      reason: remarkOf(MAX_REASON).default('').describe('To the approver, if it is above a limit of the key.'),
    }),
    response: z.object({
      id: CashId,
      state: CashState,
      transaction_id: z.string().describe('The id of the transfer, a UUID.'),
      status: TransferStatusCode.describe(statuses),
      balance: PointsText.describe("Points of the member's main wallet after it."),
      approval: WaitsForApproval.describe('1: it waits for approval and has moved nothing.'),
    }),
    refuses: [
      ...takenRefusals,
      'cash.account_gone',
      'account.not_found',
      'transfer.amount_invalid',
      'transfer.not_enough',
      'transfer.member_not_enough',
      'transfer.over_credit',
      'transfer.frozen',
      'transfer.event_mode',
      'transfer.flow_limit_open',
      'transfer.over_envelope_cap',
      'transfer.over_day_cap',
    ],
  },
  'cash/refuse': {
    part: 'Requests for points',
    right: 'cash:fulfil',
    summary: 'Refuse a request',
    description: 'Ends a request that you have. Points that were held become available again.',
    effect: 'write',
    request: Write.extend({
      id: CashNumber,
      reason_code: z
        .enum(allCashReasons)
        .optional()
        .describe('One of the usual reasons. The member reads it in its own language. Give this, `reason` or both.'),
      reason: remarkOf(MAX_REASON).min(1).optional().describe('Why, in your own words. The member reads it as it is.'),
    }).meta({ anyOf: [{ required: ['reason'] }, { required: ['reason_code'] }] }),
    response: z.object({ id: CashId, state: CashState }),
    refuses: takenRefusals,
  },
} as const
