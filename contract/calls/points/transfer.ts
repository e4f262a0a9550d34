import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { cashStates } from '../../cash.ts'
import { OfficeKindCode, OpenWalletCode, TransferKindCode, TransferStatusCode } from '../../code-fields.ts'
import { WalletKind } from '../../codes.ts'
import { Amount, Flag, FoundAmount, Id, Moment, Page, perPage, PointsText, Remark, remarkOf } from '../../fields.ts'
import { typedKey } from '../../text/typed-key.ts'
import { TRANSFER_ID } from '../../transfer-kinds.ts'
import { Assertion, confirmRefusals } from '../sign-in/passkey.ts'
import type { ErrorName } from '../../errors.ts'
import { MAX_PASSWORD, MAX_REASON, MAX_REMARK, MAX_TYPED_NAME } from '../../lengths.ts'

/** The outcome of a transfer, with the balances of both sides. */
const Moved = z.object({
  transaction_id: z.string(),
  status: TransferStatusCode,
  /** The balance of the funding account and of the target after the transfer. */
  balance: PointsText,
  target_balance: PointsText,
  /** Above a limit of the caller, or a correction that needs a second account: it waits for approval and has moved nothing. */
  approval: Flag.optional(),
})
/** What the maker says to the approver, when the transfer is above a limit. */
const Reason = remarkOf(MAX_REASON).default('')

/** Why points are held that are neither moved nor offered in a room. */
const heldFor = {
  /** It waits for approval. */
  approval: Flag.optional(),
  /** The member asked for these points: the state of its request. */
  request: z.enum(cashStates).optional(),
}

/** One row of the history. */
export const TransferRow = z.object({
  id: z.string(),
  transaction_id: z.string(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
  type: TransferKindCode,
  wallet: OpenWalletCode,
  envelope: Flag,
  member_username: z.string(),
  member_nickname: z.string(),
  amount: PointsText,
  balance: PointsText.nullable(),
  audit_amount: PointsText,
  status: TransferStatusCode,
  user_username: z.string(),
  remark: z.string(),
  remark_edited: z.boolean(),
  /** The type of the transfer that this one corrects, whose direction it reverses. */
  corrects_type: TransferKindCode.nullable(),
  /** A correction has reversed it. */
  corrected: z.boolean(),
  ...heldFor,
  /** The member has another upline now: the viewer sees what the report counts of that time, and changes nothing. */
  past: Flag.optional(),
})

/** A row as the office's lists link it: the accounts of both names, where the viewer may see them. */
export const LinkedTransferRow = TransferRow.extend({ member_id: Id.optional(), user_id: Id.optional() })

const moveRefusals = [
  'account.not_found',
  ...confirmRefusals,
  'transfer.amount_invalid',
  'transfer.not_enough',
  'transfer.member_not_enough',
  'transfer.over_credit',
  'transfer.frozen',
  'transfer.to_yourself',
  'transfer.over_day_cap',
] as const satisfies readonly ErrorName[]

/** Why an earlier transfer is not reversed. */
export const correctionRefusals = [
  'transfer.amount_invalid',
  'transfer.not_found',
  'transfer.already_corrected',
  'transfer.not_correctable',
  'transfer.member_not_enough',
  'transfer.not_enough',
  'transfer.over_credit',
  'transfer.frozen',
] as const satisfies readonly ErrorName[]

/** Narrows a search of transfers. All that is given must fit. */
const Filter = z.object({
  /** Both ends are included; the same twice is one amount. */
  min_amount: FoundAmount.optional(),
  max_amount: FoundAmount.optional(),
  types: z.array(TransferKindCode).max(20).default([]),
  statuses: z.array(TransferStatusCode).max(5).default([]),
  /**
   * What the remark contains, from the beginning of a word on; signs alone find nothing. Scripts without spaces have no such beginning. For viewers
   * who see names masked it is searched as they see it.
   */
  remark: z.string().trim().max(MAX_REMARK).default(''),
  /** The whole transaction id, or the number of the transfer. */
  id: z.string().overwrite(typedKey).regex(TRANSFER_ID).optional(),
  /** The `code` of the conversation in which it was made. */
  room: z.string().max(64).optional(),
})

export const History = Filter.extend({
  /** A part of the member's or the operator's username. */
  username: z.string().max(MAX_TYPED_NAME).default(''),
  /** Only the transfers with this account, in place of a name. */
  member_id: Id.optional(),
  start_time: Moment,
  end_time: Moment,
  page: Page,
  per_page: perPage(1000),
  /** `next` of an earlier answer. Unlike pages it neither repeats nor skips rows when new transfers arrive. */
  before: z
    .string()
    .regex(/^\d{1,16}-\d{1,18}$/)
    .optional(),
  /**
   * Only what the report counts for this operator: transfers between it and members, and their corrections. Both times
   * then mean the time of settling. What was given or taken, less the corrections, equals the report exactly.
   */
  operator_id: Id.optional(),
  /**
   * The same for any cell of the report: by paying account, branch, the person who made the transfer, or member; below
   * `under`; what was given or taken. Transfers count where the payer was then, also those of members that were moved.
   */
  cell: z
    .object({
      by: z.enum(['operator', 'branch', 'person', 'member']).describe('The view of the report.'),
      id: Id.describe('The account of the row.'),
      under: Id.optional().describe('The account below which the report was opened.'),
      way: z.enum(['in', 'out']).optional().describe('The column: given or taken. Without it, both.'),
      what: z.enum(['points', 'bets']).default('points').describe('Points of the office, or bets and wins.'),
    })
    .optional(),
})
/**
 * `total` counts to at most 1,001 past the start of the page (or past its end, if that is further): then there are
 * more.
 */
const pageInfo = { total: z.int(), next: z.string().nullable() }

export const transferCalls = calls({
  'user/transaction': {
    effect: 'write',
    request: z.object({
      id: Id,
      amount: Amount,
      remark: Remark.default(''),
      payment_password: z.string().min(1).max(MAX_PASSWORD).optional(),
      /** In place of the payment password: the answer to `passkey/beginPoints` for these fields and this `request_id`. */
      passkey: Assertion.optional(),
      type: OpenWalletCode.default(WalletKind.main),
      reason: Reason,
    }),
    response: Moved,
    refuses: moveRefusals,
  },
  'transaction/add': {
    effect: 'write',
    request: z.object({
      member_id: Id,
      /** 1 send, 2 receive, 3 gift, 4 make-up (needs a remark), 5 game-wallet send, 6 game-wallet deduction. */
      type: OfficeKindCode,
      amount: Amount,
      /** Turnover for types 1, 3 and 4. The server calculates it for callers who may not set it. */
      audit_amount: Amount.optional(),
      remark: Remark.default(''),
      /** The member's wallet for types 1 and 3; types 5 and 6 always use the game wallet. */
      platform: OpenWalletCode.default(WalletKind.main),
      /** Type 2 only: takes the points although turnover remains. Needs flow_limit_modify_permission. */
      override_flow_limit: Flag.default(0),
      /** The room in which the dialog was opened; refused if it is not the member's. */
      code: z.string().max(64).optional(),
      reason: Reason,
      payment_password: z.string().min(1).max(MAX_PASSWORD).optional(),
      /** As in `user/transaction`. */
      passkey: Assertion.optional(),
    }),
    response: Moved,
    refuses: [
      ...moveRefusals,
      'transfer.event_mode',
      'transfer.one_open_at_a_time',
      'transfer.remark_needed',
      'transfer.flow_limit_open',
      'transfer.over_envelope_cap',
      'room.not_found',
    ],
  },
  /** Reverses an earlier transfer, once. The remark is required. */
  'transaction/correct': {
    effect: 'write',
    request: z.object({
      transaction_id: z.uuid(),
      remark: Remark.min(1),
      payment_password: z.string().min(1).max(MAX_PASSWORD).optional(),
      passkey: Assertion.optional(),
    }),
    response: Moved,
    refuses: ['account.not_found', ...askRefusals, ...confirmRefusals, ...correctionRefusals],
  },
  /** A member moves points from its main wallet to its game wallet. */
  'wallet/toGame': {
    effect: 'write',
    request: z.object({ amount: Amount }),
    response: z.object({
      transaction_id: z.string(),
      status: TransferStatusCode,
      /** The balances of the main and the game wallet after it. */
      balance: PointsText,
      game_wallet: PointsText,
    }),
    refuses: ['transfer.amount_invalid', 'transfer.not_enough', 'transfer.frozen'],
  },
  'transaction/edit': {
    effect: 'write',
    request: z.object({ transaction_id: z.uuid(), remark: Remark }),
    response: z.null(),
    refuses: ['transfer.not_found', 'transfer.period_closed'],
  },
  'transaction/list': {
    effect: 'read',
    request: History,
    response: z.object({ data: z.array(LinkedTransferRow), ...pageInfo }),
    refuses: ['report.range_invalid'],
  },
  /**
   * How many transfers a search finds, and their points: to members and from members, of those that have moved. Null
   * for more than 50,000, the most that a file holds.
   */
  'transaction/totals': {
    effect: 'read',
    request: History.omit({ page: true, per_page: true, before: true }),
    response: z.object({ totals: z.object({ found: z.int(), given: PointsText, taken: PointsText }).nullable() }),
    refuses: ['report.range_invalid'],
  },
  'redEnvelope/record': {
    effect: 'read',
    request: History,
    response: z.object({
      data: z.array(
        z.object({
          transaction_id: z.string(),
          created_at: z.string(),
          /** 1 sent, 2 received. */
          type: z.literal([1, 2]),
          /**
           * What the record has: red envelopes, which waited for consent; points that moved at once in a conversation;
           * what the member asked for; and, for the office, what had to be approved.
           */
          made_as: z.enum(['envelope', 'direct', 'request', 'approval']),
          self_username: z.string(),
          other_username: z.string(),
          amount: PointsText,
          status: TransferStatusCode,
          corrected: z.boolean(),
          remark: z.string(),
          ...heldFor,
        }),
      ),
      ...pageInfo,
    }),
    refuses: ['report.range_invalid'],
  },
  /** The member's answer to an envelope. */
  'envelope/answer': {
    effect: 'write',
    request: z.object({ transaction_id: z.uuid(), accept: z.boolean() }),
    response: z.object({ transaction_id: z.string(), status: TransferStatusCode, balance: PointsText }),
    refuses: [
      'envelope.not_found',
      'envelope.already_settled',
      'envelope.expired',
      'envelope.member_not_enough',
      'transfer.event_mode',
      'transfer.frozen',
      'transfer.flow_limit_open',
    ],
  },
})
