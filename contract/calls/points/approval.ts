import { z } from 'zod'
import { calls } from '../../call.ts'
import { MessageTypeCode, OfficeKindCode, OpenWalletCode } from '../../code-fields.ts'
import { Assertion, confirmRefusals } from '../sign-in/passkey.ts'
import { Decided, Decision, decisionRefusals, DecisionList } from '../../approval-fields.ts'
import { Flag, Id, PointsText, requiredReason } from '../../fields.ts'
import { LimitPartName } from './limit.ts'
import { MAX_PASSWORD, MAX_REASON } from '../../lengths.ts'

const Difference = z.object({ before: PointsText, after: PointsText })

/** A transfer above a limit of its maker. Its points are held until it is decided. */
export const ApprovalRow = Decision.extend({
  transaction_id: z.string(),
  type: OfficeKindCode,
  wallet: OpenWalletCode,
  amount: PointsText,
  /** It pays the request for points of this number. */
  cash_id: z.int().nullable(),
  member_id: z.int(),
  member_username: z.string(),
  member_nickname: z.string(),
  /** The wallet that pays or receives. */
  funder_name: z.string(),
  /** Why it waits: the limit that it is above, and whose limit that is. */
  over: LimitPartName,
  most: PointsText,
  holder_name: z.string(),
  /** What the maker says to the approver, and the remark of the transfer. */
  reason: z.string(),
  remark: z.string(),
  /** The bank's reference, of the payment of a member's request that has one. */
  bank_reference: z.string().optional(),
  /** Both wallets without this transfer and with it, while it waits. */
  funder: Difference.nullable(),
  target: Difference.nullable(),
  /** The room of the member, if the caller may open it. */
  room: z.object({ room_id: z.int(), code: z.string() }).nullable(),
  /** The last messages with the member, oldest first; only of a single approval that waits. */
  messages: z.array(
    z.object({ at: z.string(), from_member: Flag, name: z.string(), type: MessageTypeCode, content: z.string() }),
  ),
  /** Stands for everything above that may change. An approval must repeat it. */
  seen: z.string(),
})
export type ApprovalRow = z.output<typeof ApprovalRow>

export const approvalCalls = calls({
  /** What the caller may decide, and what it has made: waiting ones oldest first, ended ones newest first. */
  'approval/list': {
    effect: 'read',
    request: DecisionList,
    response: z.object({ data: z.array(ApprovalRow), next: z.int().nullable() }),
  },
  /** How many wait for the caller's decision, sensitive changes included: for the menu. */
  'approval/open': { effect: 'read', request: z.object({}), response: z.object({ open: z.int() }) },
  /** Carries out the transfer, if nothing has changed since the caller looked at it. */
  'approval/approve': {
    effect: 'write',
    request: z.object({
      id: Id,
      seen: z.string().min(1).max(64),
      payment_password: z.string().min(1).max(MAX_PASSWORD).optional(),
      passkey: Assertion.optional(),
    }),
    response: Decided.extend({ transaction_id: z.string().optional() }),
    refuses: [
      ...decisionRefusals,
      ...confirmRefusals,
      'approval.changed',
      'transfer.frozen',
      'transfer.event_mode',
      'transfer.flow_limit_open',
      'transfer.one_open_at_a_time',
      'transfer.amount_invalid',
      'transfer.over_envelope_cap',
      'transfer.member_not_enough',
      'cash.account_gone',
      'account.not_found',
    ],
  },
  'approval/refuse': {
    effect: 'write',
    request: z.object({ id: Id, reason: requiredReason(MAX_REASON) }),
    response: Decided,
    refuses: decisionRefusals,
  },
  /** The maker takes it back; its points are free again. */
  'approval/withdraw': {
    effect: 'write',
    request: z.object({ id: Id }),
    response: Decided,
    refuses: decisionRefusals,
  },
})
