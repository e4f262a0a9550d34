import { z } from 'zod'
import { calls } from '../call.ts'
import { Amount, Flag, Id, Moment, Page, perPage, PointsText, Remark } from '../fields.ts'
import type { ErrorName } from '../errors.ts'

/** 0 failed, 1 success, 2 rejected, 3 expired, 4 pending. */
export const Status = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3), z.literal(4)])

/** What the mover is told: where both sides of it stand now. */
const Moved = z.object({
  transaction_id: z.string(),
  status: Status,
  /** The funding account's and the target's balance after it. */
  balance: PointsText,
  target_balance: PointsText,
})

/** One line of the record inquiry. */
export const TransferRow = z.object({
  id: z.string(),
  transaction_id: z.string(),
  created_at: z.string(),
  settled_at: z.string().nullable(),
  /** 1 transfer in, 2 transfer out, 3 gift, 4 make-up, 5 game wallet in, 6 game wallet deduction. */
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
})

const moving = [
  'account.not_found',
  'transfer.needs_payment_password',
  'transfer.wrong_payment_password',
  'transfer.payment_locked',
  'transfer.amount_invalid',
  'transfer.not_enough',
  'transfer.member_not_enough',
  'transfer.over_credit',
  'transfer.event_mode',
  'transfer.frozen',
  'transfer.to_yourself',
  'transfer.one_open_at_a_time',
  'room.not_found',
] as const satisfies readonly ErrorName[]

const History = z.object({
  username: z.string().max(64).default(''),
  start_time: Moment,
  end_time: Moment,
  page: Page,
  per_page: perPage(1000),
})

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
    refuses: moving,
  },
  'transaction/add': {
    effect: 'write',
    request: z.object({
      member_id: Id,
      /** 1 send, 2 receive. */
      type: z.union([z.literal(1), z.literal(2)]),
      amount: Amount,
      audit_amount: Amount.optional(),
      remark: Remark.default(''),
      platform: z.union([z.literal(1), z.literal(2)]).default(1),
      /** The room in which the dialog was opened; refused when it is another member's. */
      code: z.string().max(64).optional(),
      payment_password: z.string().min(1).max(128).optional(),
    }),
    response: Moved,
    refuses: moving,
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
    response: z.object({ data: z.array(TransferRow), total: z.int() }),
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
          remark: z.string(),
        }),
      ),
      total: z.int(),
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
    ],
  },
})
