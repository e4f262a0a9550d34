import type { CashDirection, CashMove, CashReason } from '@tallyroom/contract/cash'
import type { TransferKind } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import type { Actor } from '../../identity/actor.ts'
import type { IdempotencyKey, RepeatableWrite } from '../../lib/idempotency-key.ts'
import type { ApiRight } from '@tallyroom/contract/api/rights'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'

/** The actor of an order, as of the start of its call. What can change meanwhile is read again under the lock. */
export type OrderActor = Pick<
  Actor,
  'id' | 'role' | 'topId' | 'path' | 'groupId' | 'groupPath' | 'funderId' | 'username' | 'nickname'
>

/** The order's call, its idempotency key, and its origin for the audit log. */
type OrderSource = {
  call: string
  idempotencyKey: IdempotencyKey
  actor: OrderActor
  from?: { session: { id: bigint }; address: string } | undefined
}

export type MoveOrder = OrderSource & {
  kind: 'move'
  actor: OrderActor & Pick<Actor, 'rights'>
  targetId: number
  transferKind: OfficeKind
  wallet: 1 | 2
  /** In 1/10000 points, positive: the kind decides the direction. */
  amount: Points
  remark: string
  /** Offered from inside a room and shown there; `code` is the room in which the dialog was opened. */
  room:
    | { code: string | undefined; auditAmount: Points | undefined; overridesTurnover?: boolean | undefined }
    | undefined
  /** The actor's words to the approver, if it is above a limit. */
  reason?: string | undefined
}
export type AnswerOrder = OrderSource & { kind: 'answer'; transactionId: string; accept: boolean }
/** A member's points, from its main to its game wallet. */
export type ToGameOrder = OrderSource & { kind: 'toGame'; amount: Points }
export type CorrectOrder = OrderSource & {
  kind: 'correct'
  transactionId: string
  remark: string
  /** The actor approves a correction that `maker` has asked for; it is made in the maker's name. */
  approves?: { sensitiveChangeId: number; maker: OrderActor } | undefined
}
/** A bet, win or void that the platform reports. Repeatable by its `betId`, and by its request if that has an id. */
export type BetOrder = {
  kind: 'bet'
  report?: RepeatableWrite | undefined
  transferKind: typeof TransferKind.bet | typeof TransferKind.win | typeof TransferKind.betVoid
  topId: number
  gameAccountId: number
  memberId: number
  betId: string
  amount: Points
  /** How much of the amount counts as turnover. */
  counts: Points
}
/** A member's request for points. Points out are held at once. */
export type CashAskOrder = OrderSource & {
  kind: 'cashAsk'
  /** The platform's write, when it asks in the member's name. */
  report?: RepeatableWrite | undefined
  direction: CashDirection
  amount: Points
  /** The member's room with its group, whose head pays and receives. */
  room: { id: number; groupId: number }
  /** Its bank account, with the masked number. */
  account: { id: number; bank: string; number: string } | undefined
  slip: string
  /** Points in: the group's account that the member was shown, and how it was written. */
  payTo?: { id: number; version: number; text: string } | undefined
}
/** A key, the right that its call needs, and its lease. `reference`: how it will pay, for who has to look later. */
export type KeyOfOrder = { id: string; right: ApiRight; lease?: { seconds: number; reference: string } }
/** Moves a request to its next state; `pay` with what its transfer needs. */
export type CashActOrder = OrderSource & {
  kind: 'cashAct'
  cashId: number
  report?: RepeatableWrite | undefined
  move: Exclude<CashMove, 'lapse' | 'expire'>
  reason?: string
  reasonCode?: CashReason | undefined
  /** A person has looked whether the key that had it paid it at the bank (`maybePaidBy` in rules-cash.ts). */
  hasLooked?: boolean
  /** The key of the member API that acts. Its actor has the group of the request. */
  byKey?: KeyOfOrder | undefined
  pay?: {
    amount: Points
    remark: string
    bankReference?: string | undefined
    /** The version of the bank account that the taker has seen; undefined from a client that does not say it. */
    accountVersion?: string | null | undefined
    auditAmount: Points | undefined
    overridesTurnover: boolean
    /** The taker's words to the approver, if it is above a limit. */
    reason?: string | undefined
  }
}
/** Ends a request that is overdue, or gives back one whose lease is over. */
export type CashLapseOrder = { kind: 'cashLapse'; cashId: number }
type CashOrder = CashAskOrder | CashActOrder | CashLapseOrder
/** Ends an envelope that is overdue or has a frozen side. */
export type LapseOrder = { kind: 'lapse'; transferId: bigint }
/** Decides on a transfer that waits for approval, or takes it back. `seen`: what the approver was shown (rules-approval.ts). */
export type DecideOrder = OrderSource & {
  kind: 'decide'
  approvalId: number
  move: 'approve' | 'refuse' | 'withdraw'
  seen?: string
  reason?: string
}
/** Ends an approval that is overdue or has a frozen side. */
export type ApprovalLapseOrder = { kind: 'approvalLapse'; approvalId: number }
/** Orders of the server itself, which have no idempotency key. */
export type ServerOrder = LapseOrder | CashLapseOrder | ApprovalLapseOrder
export type Order =
  | MoveOrder
  | AnswerOrder
  | ToGameOrder
  | CorrectOrder
  | BetOrder
  | CashOrder
  | LapseOrder
  | DecideOrder
  | ApprovalLapseOrder
export const isServerOrder = (order: Order): order is ServerOrder =>
  order.kind === 'lapse' || order.kind === 'cashLapse' || order.kind === 'approvalLapse'
/** Orders that come with an idempotency key. */
export type RepeatableOrder = Extract<Order, OrderSource>
/** Undefined for orders of the server itself, which are not repeated. */
export const writeOf = (order: Order): RepeatableWrite | undefined => {
  if (isServerOrder(order)) return undefined
  if (order.kind === 'bet') return order.report
  const report = 'report' in order ? order.report : undefined
  return report ?? { ...order, actorId: order.actor.id }
}

/** The answers to the actor, to the member who answered an envelope, and to the member who moved its own points. */
export type TransferAnswer = Answer<'transaction/add'>
export type EnvelopeAnswer = Answer<'envelope/answer'>
export type ToGameAnswer = Answer<'wallet/toGame'>
export type CashAskAnswer = Answer<'cash/ask'>
export type CashActAnswer = Answer<'cash/take'>
export type CashPayAnswer = Answer<'cash/pay'>
export type DecideAnswer = Answer<'approval/approve'>
/** The answer to the platform: the balance of the wallet that the member plays from, after the bet or win. */
export type BetAnswer = { transaction_id: string; balance: string }
