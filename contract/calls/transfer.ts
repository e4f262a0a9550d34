import { z } from 'zod'
import { calls } from '../call.ts'
import { Amount, Flag, Id, Moment, Page, perPage, PointsText, Remark } from '../fields.ts'
import type { ErrorName } from '../errors.ts'

/** 0 failed, 1 success, 2 rejected, 3 expired, 4 pending. */
export const Status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])

/** The outcome of a transfer, with the balances of both sides. */
const Moved = z.object({
  transaction_id: z.string(),
  status: Status,
  /** The balance of the funding account and of the target after the transfer. */
  balance: PointsText,
  target_balance: PointsText,
})

/** One row of the history. */
export const TransferRow = z.object({
  id: z.string(),
  transaction_id: z.string(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
  /**
   * 1 transfer in, 2 transfer out, 3 gift, 4 make-up, 5 game wallet in, 6 game wallet deduction, 7 main to game wallet,
   * 8 bet, 9 win, 10 correction.
   */
  type: z.int(),
  wallet: z.int(),
  envelope: Flag,
  member_username: z.string(),
  member_nickname: z.string(),
  amount: PointsText,
  balance: PointsText.nullable(),
  audit_amount: PointsText,
  status: Status,
  user_username: z.string(),
  remark: z.string(),
  remark_edited: z.boolean(),
  /** For a correction: the type of the corrected transfer, whose direction it reverses. */
  corrects_type: z.int().nullable(),
  /** A correction has reversed it. */
  corrected: z.boolean(),
})

const moveRefusals = [
  'account.not_found',
  'transfer.needs_payment_password',
  'transfer.wrong_payment_password',
  'transfer.payment_locked',
  'transfer.amount_invalid',
  'transfer.not_enough',
  'transfer.member_not_enough',
  'transfer.over_credit',
  'transfer.frozen',
  'transfer.to_yourself',
  'transfer.over_day_cap',
] as const satisfies readonly ErrorName[]

export const History = z.object({
  username: z.string().max(64).default(''),
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
      payment_password: z.string().min(1).max(128).optional(),
      type: z.union([z.literal(1), z.literal(2)]).default(1),
    }),
    response: Moved,
    refuses: moveRefusals,
  },
  'transaction/add': {
    effect: 'write',
    request: z.object({
      member_id: Id,
      /** 1 send, 2 receive, 3 gift, 4 make-up (needs a remark), 5 game-wallet send, 6 game-wallet deduction. */
      type: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)]),
      amount: Amount,
      /** Turnover for types 1, 3 and 4. The server calculates it for callers who may not set it. */
      audit_amount: Amount.optional(),
      remark: Remark.default(''),
      /** The member's wallet for types 1 and 3; types 5 and 6 always use the game wallet. */
      platform: z.union([z.literal(1), z.literal(2)]).default(1),
      /** For type 2: take the points although turnover remains. Needs flow_limit_modify_permission. */
      override_flow_limit: Flag.default(0),
      /** The room in which the dialog was opened; refused if it is not the member's. */
      code: z.string().max(64).optional(),
      payment_password: z.string().min(1).max(128).optional(),
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
      payment_password: z.string().min(1).max(128).optional(),
    }),
    response: Moved,
    refuses: [
      'account.not_found',
      'transfer.needs_payment_password',
      'transfer.wrong_payment_password',
      'transfer.payment_locked',
      'transfer.amount_invalid',
      'transfer.not_found',
      'transfer.already_corrected',
      'transfer.not_correctable',
      'transfer.member_not_enough',
      'transfer.not_enough',
      'transfer.over_credit',
      'transfer.frozen',
    ],
  },
  /** A member moves points from its main wallet to its game wallet. */
  'wallet/toGame': {
    effect: 'write',
    request: z.object({ amount: Amount }),
    response: z.object({
      transaction_id: z.string(),
      status: Status,
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
    refuses: ['transfer.not_found'],
  },
  'transaction/list': {
    effect: 'read',
    request: History,
    response: z.object({ data: z.array(TransferRow), ...pageInfo }),
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
          type: z.int(),
          self_username: z.string(),
          other_username: z.string(),
          amount: PointsText,
          status: Status,
          corrected: z.boolean(),
          remark: z.string(),
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
    response: z.object({ transaction_id: z.string(), status: Status, balance: PointsText }),
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
