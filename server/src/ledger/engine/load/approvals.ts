import type { ApprovalState } from '@tallyroom/contract/limits'
import type { OfficeKind } from '@tallyroom/contract/transfer-kinds'
import { many, type Sql, sql, type Tx } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import { mayDecideTransfer } from '../../../identity/approvers.ts'
import type { ApprovalLapseOrder, DecideOrder, Order, OrderActor } from '../../rules/orders.ts'
import type { EnvelopeKind } from '@tallyroom/contract/codes'
import type { Hold } from '../../rules/rules-approval.ts'

/** How a request for points is to be paid, as its taker has asked for. */
export type PayTerms = { auditAmount?: string; remark?: string; bankReference?: string; overridesTurnover?: boolean }

/** An approval of the batch with its transfer. What can change is read again under its lock. */
export type ApprovalFacts = {
  id: number
  topId: number
  transferId: bigint
  transactionId: string
  transferKind: OfficeKind
  funderId: number
  targetId: number
  wallet: 1 | 2
  amount: bigint
  auditAmount: bigint
  overridesTurnover: boolean
  roomId: number | null
  /** Where its points are held; by a `cashHold`: it pays that request. */
  hold: Hold | typeof EnvelopeKind.cashHold
  cashId: number | null
  maker: OrderActor
  makerIsFrozen: boolean
  /** The accounts that decide in this batch and may do so. */
  deciders: number[]
  needsConsent: boolean
  terms: PayTerms
  state: ApprovalState
  isOverdue: boolean
  /** The version of the last change of a message in the conversation. */
  conversation: bigint
}

const isAbout = (order: Order): order is DecideOrder | ApprovalLapseOrder =>
  order.kind === 'decide' || order.kind === 'approvalLapse'

/** The room in which the transfer `t` was offered, else that of the target `k` with its own group. */
export const conversationRoom: Sql = sql`coalesce(t.room_id,
  (select r.id from rooms r where r.partner_id = t.target_id and r.group_id = k.group_id))`
/** Grows with every new, changed or taken back message. */
export const conversationVersion = (room: Sql): Sql =>
  sql`coalesce((select max(m.version) from messages m where m.room_id = ${room}), 0)`

const makerColumns = sql`json_build_object('id', a.id, 'role', a.role_id, 'topId', a.top_id, 'path', a.path,
  'groupId', a.group_id, 'groupPath', g.path, 'funderId', case when a.is_funded then a.id else a.group_id end,
  'username', a.username, 'nickname', a.nickname)`

/** The approvals that the orders name, read before locking to know what to lock. */
export const findApprovals = async (tx: Tx, orders: Order[]): Promise<ApprovalFacts[]> => {
  const ids = orders.filter(isAbout).map(({ approvalId }) => approvalId)
  if (ids.length === 0) return []
  return many<ApprovalFacts>(
    tx,
    sql`select p.id, p.top_id as "topId", p.transfer_id as "transferId", t.transaction_id as "transactionId",
        t.op as "transferKind", t.funder_id as "funderId", t.target_id as "targetId", t.wallet, t.amount,
        t.audit_amount as "auditAmount", t.overrides_flow as "overridesTurnover", t.room_id as "roomId", e.type as hold,
        p.cash_id as "cashId", ${makerColumns} as maker, a.status = ${is.frozen} as "makerIsFrozen", '{}'::int[] as deciders,
        p.needs_consent as "needsConsent", p.terms, p.state, p.expires_at <= now() as "isOverdue", 0::bigint as conversation
      from approvals p join transfers t on t.id = p.transfer_id join envelopes e on e.transfer_id = t.id
        join accounts a on a.id = p.maker_id join accounts g on g.id = a.group_id
      where p.id = any(${ids}::int[])`,
  )
}

/** The accounts whose wallets an order about an approval needs, beside its actor's. */
export const approvalAccounts = (order: Order, approvals: ApprovalFacts[]): number[] => {
  if (!isAbout(order)) return []
  const found = approvals.find(({ id }) => id === order.approvalId)
  return found ? [found.funderId, found.targetId, found.maker.id, found.maker.funderId] : []
}

type Locked = Pick<ApprovalFacts, 'id' | 'state' | 'isOverdue' | 'makerIsFrozen' | 'deciders' | 'conversation'>

/** Locks approvals, after the wallets and the requests for points. */
export const lockApprovals = async (
  tx: Tx,
  orders: Order[],
  found: ApprovalFacts[],
): Promise<Map<number, ApprovalFacts> | undefined> => {
  if (found.length === 0) return undefined
  const actorIds = orders.flatMap((order) => (order.kind === 'decide' ? [order.actor.id] : []))
  const rows = await many<Locked>(
    tx,
    sql`select p.id, p.state, p.expires_at <= statement_timestamp() as "isOverdue", a.status = ${is.frozen} as "makerIsFrozen",
        array(select v.id from unnest(${actorIds}::int[]) v (id) where ${mayDecideTransfer(sql`v.id`)}) as deciders,
        ${conversationVersion(conversationRoom)} as conversation
      from approvals p join transfers t on t.id = p.transfer_id join accounts k on k.id = t.target_id
        join accounts a on a.id = p.maker_id join accounts h on h.id = p.holder_id
      where p.id = any(${found.map(({ id }) => id)}::int[]) order by p.id for no key update of p`,
  )
  const now = new Map(rows.map((row) => [row.id, row]))
  return new Map(found.map((row) => [row.id, { ...row, ...now.get(row.id) }]))
}
