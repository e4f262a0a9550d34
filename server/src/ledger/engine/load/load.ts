import { isOtherZone } from '../../check/time-zone.ts'
import { openingKinds } from '../../../domain/kind-sets.ts'
import { Role, type EnvelopeKind, TransferKind, type TransferStatus } from '@tallyroom/contract/codes'
import { many, one, type Sql, sql, type Tx } from '../../../data/sql.ts'
import { createRooms, type NewRoom } from '../../../chat/create-room.ts'
import { type Stored, storedAt } from '../../../data/idempotency.ts'
import {
  type BetOrder,
  type CashActOrder,
  isServerOrder,
  type MoveOrder,
  type Order,
  writeOf,
} from '../../rules/orders.ts'
import { type Caps, type Party, sees } from '../../rules/rules.ts'
import { limitColumns, limitedOrders, type LimitRow, type LimitSum, limitsWanted } from './limits.ts'
import { is } from '../../../domain/is.ts'

/** The fields of an earlier transfer that never change, read before locking to know what to lock. */
export type Terms = {
  transferId: bigint
  transactionId: string
  topId: number
  transferKind: TransferKind
  funderId: number
  targetId: number
  wallet: 1 | 2
  amount: bigint
  auditAmount: bigint
  overridesTurnover: boolean
  roomId: number | null
  /** The kind of an envelope; null for other transfers. */
  type: EnvelopeKind | null
}

const transactionIdsOf = (orders: Order[]) =>
  orders.flatMap((order) => ('transactionId' in order ? [order.transactionId] : []))
const transferIdsOf = (orders: Order[]) => orders.flatMap((order) => (order.kind === 'lapse' ? [order.transferId] : []))

/** The earlier transfers that the orders refer to, as a query for `columns` of `t`; undefined when they refer to none. */
export const earlierTransfers = (orders: Order[], columns: Sql): Sql | undefined => {
  const transactionIds = transactionIdsOf(orders)
  const transferIds = transferIdsOf(orders)
  if (transactionIds.length + transferIds.length === 0) return undefined
  return sql`select ${columns} from transfers t
    where t.transaction_id = any(${transactionIds}::uuid[]) or t.id = any(${transferIds}::bigint[])`
}

/** Loads the earlier transfers that the orders refer to, by transaction id or transfer id. */
export const findTerms = async (tx: Tx, orders: Order[]): Promise<(order: Order) => Terms | undefined> => {
  const found = earlierTransfers(orders, termsColumns)
  if (!found) return () => undefined
  const rows = await many<Terms>(tx, found)
  const byTransaction = new Map(rows.map((row) => [row.transactionId, row]))
  const byTransfer = new Map(rows.map((row) => [row.transferId, row]))
  return (order) => {
    if ('transactionId' in order) return byTransaction.get(order.transactionId.toLowerCase())
    return order.kind === 'lapse' ? byTransfer.get(order.transferId) : undefined
  }
}
const termsColumns = sql`t.id as "transferId", t.transaction_id as "transactionId", t.top_id as "topId", t.op as "transferKind",
  t.funder_id as "funderId", t.target_id as "targetId", t.wallet, t.amount, t.audit_amount as "auditAmount",
  t.overrides_flow as "overridesTurnover", t.room_id as "roomId",
  (select e.type from envelopes e where e.transfer_id = t.id) as type`

/**
 * These accounts and both sides of the earlier transfers that the orders refer to, as an array. Each statement looks the
 * transfers up for itself, so that the locks need not wait until the server knows them.
 */
export const accountsOf = (orders: Order[], ids: number[]): Sql => {
  const sides = earlierTransfers(orders, sql`unnest(array[t.funder_id, t.target_id])`)
  return sides ? sql`(${ids}::int[] || array(${sides}))` : sql`${ids}::int[]`
}

export type RoomFacts = NewRoom
/** `bodyHash` as hexadecimal digits. */
export type StoredAnswer = Omit<Stored, 'bodyHash'> & { bodyHash: string }

/** Everything that the rules depend on, read in one query after the lock. */
export type BatchFacts = {
  /** The time of the batch by the database's clock, to the microsecond. */
  now: string
  /** The same time, to the millisecond. */
  instant: Date
  /** The clock stands before the end of a closed period: nothing may be dated there. */
  isClosed: boolean
  /** Day totals count days of another time zone: writing one would be wrong. */
  isOtherZone: boolean
  /** Its day in the platform's time zone. */
  today: string
  /** The expiry time of an envelope that is opened now. */
  deadline: Date
  /** New transfer ids, one for each order that may make a transfer. */
  ids: string[]
  parties: Party[]
  answered: StoredAnswer[]
  /** Accounts that have not yet answered a request for points. */
  asked: number[]
  envelopes: { transferId: string; status: TransferStatus; isOverdue: boolean }[]
  /** Points given to members today by each funding account; read only when there is a daily cap. */
  given: { accountId: number; total: string }[]
  /** Limits of the actors and of the accounts above them, locked, and what they count for the receivers. */
  limits: LimitRow[]
  limitSums: LimitSum[]
}

/** The installation's settings for the ledger. */
export type LedgerSettings = { timeZone: string; envelopeHours: number; caps: Caps }

/** Facts of a party, a bit each, about the account `a` and the head `g` of its group. */
const partyFlags = {
  isFrozen: 'a.status = 0',
  inEventMode: '1 in (a.event_mode, g.event_mode)',
  asksConsent: 'a.withdraw_confirm = 1',
  isKey: 'a.is_key',
  hasGame: 'a.is_multiple_wallet = 1',
  choosesWallet: 'a.transaction_all = 1',
  mayDeductGame: 'a.deduct_point_button_visible = 1',
  setsTurnover: 'a.flow_limit_modify_permission = 1',
  maySend: '1 = all (array[a.red_envelope_button_visible, a.send_red_envelope_button_visible])',
  mayReceive: '1 = all (array[a.red_envelope_button_visible, a.receive_red_envelope_button_visible])',
  mayGift: '1 = all (array[a.red_envelope_button_visible, a.gift_red_envelope_button_visible])',
  mayMakeUp: '1 = all (array[a.red_envelope_button_visible, a.point_button_visible])',
} satisfies Partial<Record<keyof Party, string>>
type Flag = keyof typeof partyFlags
const flagNames = Object.keys(partyFlags) as Flag[]

/** A party as a JSON array: an object with all these names costs the database five times as much (21 µs). */
export const partyColumns: Sql = {
  text: `json_build_array(a.id, a.role_id, a.path, g.path, a.is_sub, a.transfer_member_flow_limit_multiple,
    ${flagNames.map((name, at) => `((${partyFlags[name]})::int << ${at})`).join(' | ')})`,
  values: [],
}
export type PartyRow = [
  id: number,
  role: Role,
  path: string,
  groupPath: string,
  isSub: 0 | 1,
  turnoverMultiple: number,
  flags: number,
]
export const partyOf = ([id, role, path, groupPath, isSub, turnoverMultiple, bits]: PartyRow): Party => {
  const flags = Object.fromEntries(flagNames.map((name, at) => [name, (bits & (1 << at)) !== 0])) as Record<
    Flag,
    boolean
  >
  return { id, role, path, groupPath, isSub, turnoverMultiple, ...flags }
}

/** Finds who pays or receives what the orders name only by a number. */
type Receivers = { payeeOf: (order: CashActOrder) => number; approvalTargets: number[] }

// `lateral … offset 0` forces the index, whatever size `requests` had when the statement was planned.
export const loadFacts = async (
  tx: Tx,
  orders: Order[],
  accounts: Sql,
  frame: LedgerSettings,
  { payeeOf, approvalTargets }: Receivers,
) => {
  const moves = orders.filter((order) => order.kind === 'move')
  const writes = orders.flatMap((order) => writeOf(order) ?? [])
  const made = orders.filter(
    (order) => !isServerOrder(order) && order.kind !== 'answer' && order.kind !== 'decide',
  ).length
  const capped = frame.caps.day === undefined ? [] : limitedOrders(orders)
  const funderIds = [...new Set(capped.map((order) => order.actor.funderId))]
  const inRooms = moves.filter((order) => order.room)
  const partners = [...new Set(inRooms.map((order) => order.targetId))]
  const earlier = earlierTransfers(orders, sql`t.id`) ?? sql`select null::bigint`
  const facts = await one<Omit<BatchFacts, 'parties'> & { parties: PartyRow[] }>(
    tx,
    sql`select statement_timestamp()::text as now, statement_timestamp() as instant,
        (statement_timestamp() at time zone ${frame.timeZone}::text)::date::text as today,
        exists (select from closed_periods where ends_at > statement_timestamp()) as "isClosed",
        ${isOtherZone(frame.timeZone)} as "isOtherZone",
        statement_timestamp() + make_interval(secs => ${frame.envelopeHours * 3600}::float8) as deadline,
        array(select nextval('transfers_id_seq') from generate_series(1, ${made}::int)) as ids,
        (select coalesce(json_agg(${partyColumns}), '[]')
          from accounts a join accounts g on g.id = a.group_id where a.id = any(${accounts})) as parties,
        (select coalesce(json_agg(json_build_object('actorId', r.actor_id, 'requestId', r.request_id,
            'bodyHash', encode(r.body_hash, 'hex'), 'answer', r.answer, 'call', r.call,
            'storedAt', ${storedAt})), '[]')
          from unnest(${writes.map(({ actorId }) => actorId)}::int[], ${writes.map(({ idempotencyKey }) => idempotencyKey.id)}::uuid[])
              k (actor_id, request_id)
            cross join lateral (select * from requests q
              where q.actor_id = k.actor_id and q.request_id = k.request_id offset 0) r) as answered,
        (select coalesce(json_agg(target_id), '[]') from envelopes
          where status = ${is.pending} and type = ${is.asking} and target_id = any(${[...partners, ...approvalTargets]}::int[])) as asked,
        (select coalesce(json_agg(json_build_object('transferId', transfer_id::text, 'status', status,
            'isOverdue', expires_at <= statement_timestamp())), '[]')
          from envelopes where transfer_id = any(array(${earlier}))) as envelopes,
        (select coalesce(json_agg(json_build_object('accountId', account_id, 'total', total_in::text)), '[]') from day_totals
          where account_id = any(${funderIds}::int[])
            and day = (statement_timestamp() at time zone ${frame.timeZone}::text)::date) as given,
        ${limitColumns(limitsWanted(orders, payeeOf), frame.timeZone, sql`for no key update of l`)}`,
  )
  if (!facts) throw new Error('the query for the facts of a batch returned no row')
  return { ...facts, parties: facts.parties.map(partyOf) }
}

/** The state of a transfer that is to be corrected, read after the lock. */
export type Corrected = { transferId: bigint; status: TransferStatus; isCorrected: boolean; newerLimits: bigint }

export const readCorrected = (tx: Tx, orders: Order[]) => {
  const ids = transactionIdsOf(orders.filter(({ kind }) => kind === 'correct'))
  if (ids.length === 0) return Promise.resolve([])
  return many<Corrected>(
    tx,
    sql`select t.id as "transferId", coalesce(e.status, 1)::smallint as status,
        exists (select from transfers c where c.corrects = t.id) as "isCorrected",
        (select coalesce(sum(n.audit_amount), 0)::bigint from transfers n left join envelopes ne on ne.transfer_id = n.id
          where t.audit_amount > 0 and n.target_id = t.target_id and n.op in ${openingKinds} and n.audit_amount > 0
            and (n.is_envelope or n.created_at >= coalesce(e.settled_at, t.created_at)) and coalesce(ne.status, 1) = 1
            and (coalesce(ne.settled_at, n.created_at), n.id) > (coalesce(e.settled_at, t.created_at), t.id)
            and not exists (select from transfers c where c.corrects = n.id)) as "newerLimits"
      from transfers t left join envelopes e on e.transfer_id = t.id where t.transaction_id = any(${ids}::uuid[])`,
  )
}

/** A bet, win or void that was reported before, with the balance that was answered. */
export type KnownBet = {
  topId: number
  betId: string
  transferKind: TransferKind
  transactionId: string
  memberId: number
  amount: bigint
  /** The part that counts as turnover; null for wins, and for bets of versions that did not store it. */
  valid: bigint | null
  /** The wallet that it moved, and the turnover that it filled or opened again. */
  wallet: 1 | 2
  auditAmount: bigint
  after: bigint
}

export const readBets = (tx: Tx, orders: Order[]) => {
  const bets = orders.filter((order): order is BetOrder => order.kind === 'bet')
  if (bets.length === 0) return Promise.resolve([])
  return many<KnownBet>(
    tx,
    sql`select t.top_id as "topId", k.bet_id as "betId", t.op as "transferKind",
        t.transaction_id as "transactionId", t.target_id as "memberId", t.amount, t.bet_valid as valid, t.wallet,
        t.audit_amount as "auditAmount", p.balance_after as after
      from (select distinct * from unnest(${bets.map((bet) => bet.topId)}::int[], ${bets.map((bet) => bet.betId)}::text[]))
          k (top_id, bet_id)
        cross join lateral (select * from transfers q where q.top_id = k.top_id and q.bet_id = k.bet_id offset 0) t
        join wallets w on w.account_id = t.target_id and w.kind = t.wallet
        join postings p on p.transfer_id = t.id and p.wallet_id = w.id`,
  )
}

/** The turnover of all open limits of the members whose bets are voided: as much as can be due. */
export const readOpenTurnover = async (tx: Tx, orders: Order[]): Promise<Map<number, bigint>> => {
  const members = orders.flatMap((order) =>
    order.kind === 'bet' && order.transferKind === TransferKind.betVoid ? [order.memberId] : [],
  )
  if (members.length === 0) return new Map()
  const rows = await many<{ id: number; open: bigint }>(
    tx,
    sql`select t.target_id as id, coalesce(sum(t.audit_amount), 0)::bigint as open from transfers t left join envelopes e on e.transfer_id = t.id
      where t.target_id = any(${members}::int[]) and t.op in ${openingKinds} and t.audit_amount > 0 and coalesce(e.status, 1) = 1
        and not exists (select from transfers c where c.corrects = t.id) group by t.target_id`,
  )
  return new Map(rows.map(({ id, open }) => [id, open]))
}

/** A member without a room gets it with its first envelope. Usually it has had one since it signed up. */
export const makeRooms = async (
  tx: Tx,
  orders: Order[],
  parties: Party[],
  rooms: Iterable<RoomFacts>,
): Promise<RoomFacts[]> => {
  const inRooms = orders.filter((order): order is MoveOrder => order.kind === 'move' && order.room !== undefined)
  const has = new Set([...rooms].map((room) => room.partnerId))
  const lacking = parties.filter(
    (party) =>
      party.role === Role.member &&
      !has.has(party.id) &&
      inRooms.some((order) => order.targetId === party.id && sees(order.actor, party)),
  )
  if (lacking.length === 0) return []
  const ids = lacking.map((party) => party.id)
  const pairs = sql`select a.group_id, a.id from accounts a where a.id = any(${ids}::int[])`
  const made = await createRooms(tx, pairs, ids.length)
  if (made.length === ids.length) return made
  // Another process has just made the others.
  return many<RoomFacts>(
    tx,
    sql`select id, code, group_id as "groupId", partner_id as "partnerId" from rooms where partner_id = any(${ids}::int[])`,
  )
}
