import type { LimitPart } from '@tallyroom/contract/limits'
import { isTaking, type OfficeKind } from '@tallyroom/contract/transfer-kinds'
import { TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { one, type Sql, sql, type Tx } from '../../../data/sql.ts'
import { idsOfPath } from '../../../identity/actor.ts'
import type { CashActOrder, MoveOrder, Order, OrderActor } from '../../rules/orders.ts'
import type { Party } from '../../rules/rules.ts'
import type { Limit } from '../../rules/rules-limits.ts'
import { type LockedWallet, lockWallets, openEscrows } from '../wallet-locks.ts'

/** A row of `transfer_limits` and of `member_limit_sums`, as JSON. */
export type LimitRow = {
  accountId: number
  topId: number
  transferKind: OfficeKind
  most: Record<LimitPart, string | null>
  hour: string
  hourUsed: string
  day: string
  dayUsed: string
}
export type LimitSum = { accountId: number; memberId: number; transferKind: OfficeKind; used: string }
/** A limit of the batch. `hour` and `day` are those that its sums belong to. */
export type BatchLimit = Limit & { hour: string; day: string }

const dayIn = (timeZone: string) => sql`(statement_timestamp() at time zone ${timeZone}::text)::date`
const hourIn = (timeZone: string) => sql`date_trunc('hour', statement_timestamp(), ${timeZone}::text)`

/**
 * The limit `l` as JSON. Sums of an hour or day that is over are 0; those of a later one count, because another batch may
 * have been a moment ahead.
 */
const limitJson = (timeZone: string): Sql =>
  sql`json_build_object('accountId', l.account_id, 'topId', l.top_id, 'transferKind', l.op,
    'most', json_build_object('transfer', l.per_transfer::text, 'hour', l.per_hour::text, 'day', l.per_day::text,
      'member', l.per_member::text),
    'hour', greatest(l.hour, ${hourIn(timeZone)})::text, 'day', greatest(l.day, ${dayIn(timeZone)})::text,
    'hourUsed', (case when l.hour >= ${hourIn(timeZone)} then l.hour_used else 0 end)::text,
    'dayUsed', (case when l.day >= ${dayIn(timeZone)} then l.day_used else 0 end)::text)`

type Wanted = { holderIds: number[]; targetIds: number[] }
const isSet = sql`(l.per_transfer is not null or l.per_hour is not null or l.per_day is not null or l.per_member is not null)`

/**
 * The limits of accounts, and what they count for receivers, as two columns of a query. `lock`: until the end of the
 * transaction, so that no other batch counts by the same sums. The sums by receiver are under the lock of its wallets.
 */
export const limitColumns = ({ holderIds, targetIds }: Wanted, timeZone: string, lock: Sql): Sql =>
  sql`(select coalesce(json_agg(${limitJson(timeZone)}), '[]') from (select l.* from transfer_limits l
      where l.account_id = any(${holderIds}::int[]) and ${isSet} order by l.account_id, l.op ${lock}) l) as limits,
    (select coalesce(json_agg(json_build_object('accountId', m.account_id, 'memberId', m.member_id, 'transferKind', m.op,
        'used', m.used::text)), '[]')
      from member_limit_sums m where m.account_id = any(${holderIds}::int[]) and m.member_id = any(${targetIds}::int[])
        and m.day >= ${dayIn(timeZone)}) as "limitSums"`

type PayOrder = CashActOrder & { pay: NonNullable<CashActOrder['pay']> }
const isPay = (order: Order): order is PayOrder => order.kind === 'cashAct' && order.pay !== undefined
/** The orders that limits and caps are about. */
export const limitedOrders = (orders: Order[]) =>
  orders.filter((order): order is MoveOrder | PayOrder => order.kind === 'move' || isPay(order))

/** The accounts whose limits the orders are judged by, and the receivers. */
export const limitsWanted = (
  orders: Order[],
  payeeOf: (order: CashActOrder) => number,
  pathOf = ({ path }: OrderActor) => path,
): Wanted => {
  const judged = limitedOrders(orders)
  return {
    holderIds: [...new Set(judged.flatMap(({ actor }) => idsOfPath(pathOf(actor))))],
    targetIds: [...new Set(judged.flatMap((order) => (order.kind === 'move' ? [order.targetId] : [payeeOf(order)])))],
  }
}

type Limits = { limits: LimitRow[]; limitSums: LimitSum[] }
type PartyPath = Pick<Party, 'id' | 'path'>
/** The limits of those who are above an actor now, when it was moved between its call and the locks. Most never are. */
export const limitsAfterMove = async (
  tx: Tx,
  orders: Order[],
  { limits, limitSums, parties }: Limits & { parties: PartyPath[] },
  { payeeOf, timeZone }: { payeeOf: (order: CashActOrder) => number; timeZone: string },
): Promise<Limits> => {
  const paths = new Map(parties.map(({ id, path }) => [id, path]))
  const pathOf = ({ id, path }: OrderActor) => paths.get(id) ?? path
  if (limitedOrders(orders).every(({ actor }) => pathOf(actor) === actor.path)) return { limits, limitSums }
  const found = await one<Limits>(
    tx,
    sql`select ${limitColumns(limitsWanted(orders, payeeOf, pathOf), timeZone, sql`for no key update of l`)}`,
  )
  return found ?? { limits, limitSums }
}

export const readLimits = ({ limits, limitSums }: { limits: LimitRow[]; limitSums: LimitSum[] }): BatchLimit[] =>
  limits.map(({ most, hourUsed, dayUsed, ...row }) => ({
    ...row,
    most: {
      transfer: asPoints(most.transfer),
      hour: asPoints(most.hour),
      day: asPoints(most.day),
      member: asPoints(most.member),
    },
    hourUsed: BigInt(hourUsed),
    dayUsed: BigInt(dayUsed),
    memberUsed: new Map(
      limitSums.flatMap(({ accountId, transferKind, memberId, used }) =>
        accountId === row.accountId && transferKind === row.transferKind ? [[memberId, BigInt(used)] as const] : [],
      ),
    ),
  }))
const asPoints = (text: string | null) => (text === null ? null : BigInt(text))

/**
 * Opens the escrows of members from whom points may now be taken and held for approval, and locks them. Most members never
 * need one: only where a limit of taking is set. Their other wallets are locked already.
 */
export const openTargetEscrows = async (
  tx: Tx,
  orders: Order[],
  limits: LimitRow[],
  wallets: LockedWallet[],
): Promise<LockedWallet[]> => {
  const kinds = new Set(limits.map(({ transferKind }) => transferKind))
  const has = new Set(wallets.flatMap(({ kind, accountId }) => (kind === WalletKind.escrow ? [accountId] : [])))
  const known = new Set(wallets.map(({ accountId }) => accountId))
  const lacking = orders.flatMap((order) =>
    order.kind === 'move' && isTaking(order.transferKind) && kinds.has(order.transferKind) ? [order.targetId] : [],
  )
  const ids = [...new Set(lacking)].filter((id) => known.has(id) && !has.has(id))
  if (ids.length === 0) return []
  await openEscrows(tx, ids)
  return (await lockWallets(tx, sql`${ids}::int[]`)).filter(({ kind }) => kind === WalletKind.escrow)
}

/** The kind under which a request for points is counted. */
export const cashKind = (direction: 'in' | 'out'): OfficeKind =>
  direction === 'in' ? TransferKind.send : TransferKind.receive

/** Writes the sums of the limits that the batch has counted. */
export const limitRows = (limits: BatchLimit[]): Sql =>
  sql`update transfer_limits l set hour = v.hour, hour_used = v.hour_used, day = v.day, day_used = v.day_used
    from unnest(${limits.map((one) => one.accountId)}::int[], ${limits.map((one) => one.transferKind)}::smallint[],
      ${limits.map((one) => one.hour)}::timestamptz[], ${limits.map((one) => one.hourUsed)}::bigint[],
      ${limits.map((one) => one.day)}::date[], ${limits.map((one) => one.dayUsed)}::bigint[])
      v (account_id, op, hour, hour_used, day, day_used)
    where l.account_id = v.account_id and l.op = v.op`

export type CountedSum = { limit: BatchLimit; memberId: number }
export const limitSumRows = (sums: CountedSum[]): Sql =>
  sql`insert into member_limit_sums (account_id, member_id, op, top_id, day, used)
    select * from unnest(${sums.map(({ limit }) => limit.accountId)}::int[], ${sums.map(({ memberId }) => memberId)}::int[],
      ${sums.map(({ limit }) => limit.transferKind)}::smallint[], ${sums.map(({ limit }) => limit.topId)}::int[],
      ${sums.map(({ limit }) => limit.day)}::date[],
      ${sums.map(({ limit, memberId }) => limit.memberUsed.get(memberId) ?? 0n)}::bigint[])
    on conflict (account_id, member_id, op) do update set day = excluded.day, used = excluded.used`
