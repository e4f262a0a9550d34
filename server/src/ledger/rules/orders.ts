import type { TransferKind } from '@tallyroom/contract/codes'
import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import type { Actor } from '../../identity/actor.ts'
import type { Request } from '../../lib/request.ts'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'

/** Who gives an order, as he was known when his call began. What can change meanwhile is read again under the lock. */
export type Mover = Pick<
  Actor,
  'id' | 'role' | 'topId' | 'path' | 'groupId' | 'groupPath' | 'funderId' | 'username' | 'nickname'
>

/** The call that an order comes from, what makes it repeatable, and where it came from, for the audit log. */
type RequestFields = {
  call: string
  request: Request
  actor: Mover
  from?: { session: { id: bigint }; address: string } | undefined
}

export type MoveOrder = RequestFields & {
  kind: 'move'
  targetId: number
  transferKind: OfficeKind
  wallet: 1 | 2
  /** In 1/10000 points, positive: the operation says from where to where. */
  amount: Points
  remark: string
  /** From inside a room: an offer, shown there; `code` is the room in which its dialog was opened. */
  room: { code: string | undefined; auditAmount: Points | undefined; overridesFlow?: boolean | undefined } | undefined
}
export type AnswerOrder = RequestFields & { kind: 'answer'; transactionId: string; accept: boolean }
/** A member's own points, from its main to its game wallet. */
export type ToGameOrder = RequestFields & { kind: 'toGame'; amount: Points }
export type CorrectOrder = RequestFields & { kind: 'correct'; transactionId: string; remark: string }
/** What the platform reports of a member's game. It is repeatable by the bet's own id, and by its request's where it has one. */
export type BetOrder = {
  kind: 'bet'
  report?: Report | undefined
  transferKind: typeof TransferKind.bet | typeof TransferKind.win
  topId: number
  houseId: number
  memberId: number
  betId: string
  amount: Points
  /** How much of it is turnover. */
  counts: Points
}
/** The request of the platform's that a bet comes by; `actorId` is the negative id of its top account. */
export type Report = { actorId: number; call: string; request: Request }
/** The deadline of an envelope has passed, or one of its sides was frozen. */
export type LapseOrder = { kind: 'lapse'; transferId: bigint }
export type Order = MoveOrder | AnswerOrder | ToGameOrder | CorrectOrder | BetOrder | LapseOrder
/** Those that somebody asked for with a request_id. */
export type AskedOrder = Extract<Order, RequestFields>
/** What makes an order repeatable; nothing for what the house does by itself. */
export const requestOf = (order: Order): Report | undefined => {
  if (order.kind === 'lapse') return undefined
  return order.kind === 'bet' ? order.report : { ...order, actorId: order.actor.id }
}

/** What the mover is told; what the member who answered, or moved its own, is told. */
export type Moved = Answer<'transaction/add'>
export type EnvelopeAnswer = Answer<'envelope/answer'>
export type MovedOwn = Answer<'wallet/toGame'>
/** What the platform is told of a bet or a win: the balance after it of the wallet that the member plays from. */
export type BetAnswer = { transaction_id: string; balance: string }
