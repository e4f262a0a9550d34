import type { Answer } from '@tallyroom/contract'
import type { Points } from '@tallyroom/contract/points'
import type { Actor } from '../actor.ts'
import type { Request } from '../handler.ts'
import type { Op } from './rules.ts'

/** Who gives an order, as he was known when his call began. What can change meanwhile is read again under the lock. */
export type Mover = Pick<
  Actor,
  'id' | 'role' | 'topId' | 'path' | 'groupId' | 'groupPath' | 'funderId' | 'username' | 'nickname'
>

/** The call that an order comes from, and what makes it repeatable. */
type Asked = { call: string; request: Request; actor: Mover }

export type MoveOrder = Asked & {
  kind: 'move'
  targetId: number
  op: Op
  wallet: 1 | 2
  /** In 1/10000 points, positive: the operation says from where to where. */
  amount: Points
  remark: string
  /** From inside a room: an envelope, shown there; `code` is the room in which its dialog was opened. */
  room: { code: string | undefined; auditAmount: Points | undefined } | undefined
}
export type AnswerOrder = Asked & { kind: 'answer'; transactionId: string; accept: boolean }
/** The deadline of an envelope has passed, or one of its sides was frozen. */
export type LapseOrder = { kind: 'lapse'; transferId: bigint }
export type Order = MoveOrder | AnswerOrder | LapseOrder

/** What the mover is told; what the member who answered is told. */
export type Moved = Answer<'transaction/add'>
export type Answered = Answer<'envelope/answer'>
