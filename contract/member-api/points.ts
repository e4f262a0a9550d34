import { z } from 'zod'
import { TransferStatusCode } from '../code-fields.ts'
import { TransferKind } from '../codes.ts'
import type { ErrorName } from '../errors.ts'
import { PointsText, remarkOf, WaitsForApproval } from '../fields.ts'
import { MAX_REASON, MAX_REMARK } from '../lengths.ts'
import { correctionRefusals } from '../calls/points/transfer.ts'
import { approvalStates } from '../limits.ts'
import { AccountName, Name, oneName, thirdPartyId } from './account-name.ts'
import { AmountAboveZero } from './amounts.ts'
import { Write } from './write.ts'

/** The kinds that a key offers in a conversation, by their names. */
export const offerKinds = { send: TransferKind.send, gift: TransferKind.gift, make_up: TransferKind.makeUp } as const
type OfferKind = keyof typeof offerKinds

export const statuses = '0: failed. 1: success. 2: rejected. 3: expired. 4: pending.'
const transactionId = z.string().describe('The id of the transfer, a UUID.')
const Moving = Write.extend({
  ...AccountName,
  amount: AmountAboveZero.describe('Points, with up to 4 decimals.'),
  remark: remarkOf(MAX_REMARK).default('').describe('What it is for. The member reads it.'),
  reason: remarkOf(MAX_REASON).default('').describe('To the approver, if it is above a limit of the key.'),
})
const Moved = z.object({
  transaction_id: transactionId,
  status: TransferStatusCode.describe(statuses),
  balance: PointsText.describe("Points of the member's main wallet after it."),
  approval: WaitsForApproval.describe('1: it waits for approval and has moved nothing.'),
})

const refusals = [
  'account.not_found',
  'transfer.amount_invalid',
  'transfer.frozen',
] as const satisfies readonly ErrorName[]
const givingRefusals = [
  ...refusals,
  'transfer.not_enough',
  'transfer.over_credit',
  'transfer.over_day_cap',
] as const satisfies readonly ErrorName[]

export const pointCalls = {
  'points/give': {
    part: 'Points',
    right: 'points:give',
    summary: 'Give points',
    description:
      "Moves points from your top account to a member's main wallet at once. The member has to bet the amount before a " +
      'payout. The conversation does not show it; `points/offer` does.',
    effect: 'write',
    request: Moving.meta(oneName),
    response: Moved,
    refuses: givingRefusals,
  },
  'points/take': {
    part: 'Points',
    right: 'points:take',
    summary: 'Take points',
    description: "Moves points from a member's main wallet to your top account at once, never below zero.",
    effect: 'write',
    request: Moving.meta(oneName),
    response: Moved,
    refuses: [...refusals, 'transfer.member_not_enough'],
  },
  'points/offer': {
    part: 'Points',
    right: 'points:give',
    summary: 'Offer points in the conversation',
    description:
      'Gives points as the office does in a conversation. With `withdraw_confirm` it is a red envelope, which the member ' +
      'accepts or rejects: `status` is 4 then, and the event `envelope.settled` says what became of it.',
    effect: 'write',
    request: Moving.extend({
      kind: z
        .enum(Object.keys(offerKinds) as [OfferKind, ...OfferKind[]])
        .default('send')
        .describe('`make_up` is a compensation and needs a remark.'),
    }).meta(oneName),
    response: Moved,
    refuses: [
      ...givingRefusals,
      'transfer.event_mode',
      'transfer.remark_needed',
      'transfer.over_envelope_cap',
      'room.not_found',
    ],
  },
  'points/correct': {
    part: 'Points',
    right: 'points:correct',
    summary: 'Correct a transfer',
    description:
      'Takes a transfer back, once: one that was paid from or to the wallet of your top account, by a key or in the office. ' +
      'If your platform wants a second admin for corrections, it waits for one; `approval` is 1 then.',
    effect: 'write',
    request: Write.extend({
      transaction_id: z.uuid().describe('The id of the transfer that is taken back.'),
      remark: remarkOf(MAX_REMARK).min(1).describe('Why. The member reads it.'),
    }),
    response: Moved.extend({
      transaction_id: z.string().describe('The id of the correction; of the transfer while it waits.'),
    }),
    refuses: [...correctionRefusals, 'change.waits_already'],
  },
  'points/view': {
    part: 'Points',
    right: 'statements',
    summary: 'Look up a transfer',
    description: 'Returns one transfer, also while it waits for approval.',
    effect: 'read',
    request: z.object({ transaction_id: z.uuid().describe('Its id, from an answer or an event.') }),
    response: z.object({
      transaction_id: transactionId,
      username: Name.describe("The member's username."),
      third_party_id: thirdPartyId,
      type: z.int().describe('Its kind, as in `transfer/list`.'),
      wallet: z.int().describe("The member's wallet. 1: main. 2: game."),
      amount: PointsText.describe('Points, never below zero: the kind says which way they go.'),
      status: TransferStatusCode.describe(statuses),
      approval: z.enum(approvalStates).nullable().describe('Null: it needed none.'),
      remark: z.string().describe('The remark.'),
      operator: z.string().nullable().describe('The account that moved the points. Null: bets, wins and voids.'),
      created_at: z.string().describe('In UTC, as in ISO 8601.'),
      corrected: z.boolean().describe('A correction has taken it back.'),
    }),
    refuses: ['transfer.not_found'],
  },
} as const
