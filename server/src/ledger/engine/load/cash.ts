import { cashMoves, type CashDirection, type CashState, isOpenCash } from '@tallyroom/contract/cash'
import { many, one, type Sql, sql, type Tx } from '../../../data/sql.ts'
import { lockKeys } from '../../../identity/api-keys.ts'
import { nearestSetting } from '../../../domain/nearest-setting.ts'
import type { CashActOrder, CashAskOrder, CashLapseOrder, Order } from '../../rules/orders.ts'
import type { CashStanding } from '../../rules/rules-cash.ts'
import { openEscrows } from '../wallet-locks.ts'

/** A locked request of the batch, changed in memory until everything is written at once. */
export type CashRow = CashStanding & {
  id: number
  topId: number
  groupId: number
  roomId: number
  memberId: number
  messageId: string
  direction: CashDirection
  amount: bigint
  state: CashState
  /** It names a bank account, which is still there. */
  accountId: number | null
  hasAccount: boolean
  /** Differs after each change of the account; null without one. */
  accountVersion: string | null
  /** A key of the member API has taken it. */
  takerIsKey: boolean
  /** The key that may have paid it at the bank. */
  maybePaidBy: number | null
  /** The bank's reference of the payment; of a key already while it has the request. */
  bankReference: string
  /** Its payment is above a limit and waits for approval. */
  isInApproval: boolean
  transferId: bigint | null
  transactionId: string | null
}

type AskFacts = { memberId: number; isOn: boolean; hasOpen: boolean; needsAccount: boolean; accounts: number[] }
/** The batch's facts about requests, read after the locks. */
export type CashFacts = {
  ids: number[]
  rows: Map<number, CashRow>
  asks: Map<number, AskFacts>
  /** The rights of the keys that act in the batch, locked; a key that is not valid any more is missing. */
  keys: Map<string, string[]>
}

const isAsk = (order: Order): order is CashAskOrder => order.kind === 'cashAsk'
const isAct = (order: Order): order is CashActOrder | CashLapseOrder =>
  order.kind === 'cashAct' || order.kind === 'cashLapse'

/** It ends the request, so the points of one out are given back or paid. */
export const endsCashRequest = ({ move }: CashActOrder): boolean => !isOpenCash(cashMoves[move].to)

type Sides = { id: number; memberId: number; groupId: number; roomId: number }

/** The accounts and rooms of the requests that the orders name. They never change, so they are read before locking. */
export const findCashRequests = async (tx: Tx, orders: Order[]): Promise<Map<number, Sides>> => {
  const asks = orders.filter(isAsk)
  if (asks.some(({ direction }) => direction === 'out'))
    await openEscrows(tx, [...new Set(asks.map(({ actor }) => actor.id))])
  const ids = orders.flatMap((order) => (isAct(order) ? [order.cashId] : []))
  if (ids.length === 0) return new Map()
  const rows = await many<Sides>(
    tx,
    sql`select id, member_id as "memberId", group_id as "groupId", room_id as "roomId" from cash_requests where id = any(${ids}::int[])`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The accounts whose wallets an order about a request needs, beside its actor's. */
export const cashAccounts = (order: Order, cashRequests: Map<number, Sides>): number[] => {
  if (isAsk(order)) return [order.room.groupId]
  if (!isAct(order) || (order.kind === 'cashAct' && !endsCashRequest(order))) return []
  const sides = cashRequests.get(order.cashId)
  const funder = order.kind === 'cashAct' ? [order.actor.funderId] : []
  return sides ? [sides.memberId, sides.groupId, ...funder] : funder
}

/** Whether a group takes requests: its own setting, or that of the nearest account above that has settings. */
export const takesCashRequests = (groupId: Sql): Sql =>
  sql`coalesce((select ${nearestSetting(sql`s.cash_requests`, sql`g.path`)} from accounts g where g.id = ${groupId}), 0) = 1`

/** The version of a bank account `b`: its time of change in microseconds, 0 for never. */
export const accountVersion: Sql = sql`coalesce((extract(epoch from b.changed_at) * 1000000)::bigint, 0)::text`

/** Locks the requests of the orders, after the wallets, and reads what new ones need to know. */
export const lockCashRequests = async (
  tx: Tx,
  orders: Order[],
  ofApprovals: number[],
): Promise<CashFacts | undefined> => {
  const asks = orders.filter(isAsk)
  const ids = [...orders.flatMap((order) => (isAct(order) ? [order.cashId] : [])), ...ofApprovals]
  if (asks.length + ids.length === 0) return undefined
  const keyIds = orders.flatMap((order) => (order.kind === 'cashAct' && order.byKey ? [order.byKey.id] : []))
  // Sent together. Who withdraws a right waits for the batch, or the batch for that.
  const [keys, found] = await Promise.all([lockKeys(tx, keyIds), lockRows(tx, asks, ids)])
  if (!found) throw new Error('the query for the requests of a batch returned no row')
  return {
    ids: found.ids,
    rows: new Map(found.rows.map((row) => [row.id, asRow(row)])),
    asks: new Map(found.asks.map((facts) => [facts.memberId, facts])),
    keys,
  }
}

const lockRows = (tx: Tx, asks: CashAskOrder[], ids: number[]) =>
  one<{ ids: number[]; rows: StoredRow[]; asks: AskFacts[] }>(
    tx,
    sql`select array(select nextval('cash_requests_id_seq')::int from generate_series(1, ${asks.length}::int)) as ids,
      (select coalesce(json_agg(r), '[]') from (
        select c.id, c.top_id as "topId", c.group_id as "groupId", c.room_id as "roomId", c.member_id as "memberId",
          c.message_id as "messageId", c.direction, c.amount::text, c.state, c.taken_by as "takenBy",
          coalesce(c.lease_until <= statement_timestamp(), false) as "isLeaseOver",
          c.expires_at <= statement_timestamp() as "isOverdue", c.account_id as "accountId",
          exists (select from bank_accounts b where b.id = c.account_id) as "hasAccount",
          (select ${accountVersion} from bank_accounts b where b.id = c.account_id) as "accountVersion",
          exists (select from approvals p where p.cash_id = c.id and p.state = 'waiting') as "isInApproval",
          exists (select from accounts k where k.id = c.taken_by and k.is_key) as "takerIsKey",
          c.maybe_paid_by as "maybePaidBy", c.bank_reference as "bankReference", c.transfer_id::text as "transferId",
          (select t.transaction_id from transfers t where t.id = c.transfer_id) as "transactionId"
        from cash_requests c where c.id = any(${ids}::int[]) order by c.id for no key update of c) r) as rows,
      (select coalesce(json_agg(json_build_object('memberId', k.member_id, 'isOn', ${takesCashRequests(sql`k.group_id`)},
          'hasOpen', exists (select from cash_requests c where c.member_id = k.member_id and c.state in ('asked', 'taken')),
          'needsAccount', coalesce((select s.is_third = 1 from bank_settings s where s.top_id = k.top_id), false),
          'accounts', array(select b.id from bank_accounts b where b.member_id = k.member_id))), '[]')
        from unnest(${asks.map(({ actor }) => actor.id)}::int[], ${asks.map(({ room }) => room.groupId)}::int[],
          ${asks.map(({ actor }) => actor.topId)}::int[]) k (member_id, group_id, top_id)) as asks`,
  )
type StoredRow = Omit<CashRow, 'amount' | 'transferId'> & { amount: string; transferId: string | null }
const asRow = (row: StoredRow): CashRow => ({
  ...row,
  amount: BigInt(row.amount),
  transferId: row.transferId === null ? null : BigInt(row.transferId),
})
