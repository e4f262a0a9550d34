import { reducingKinds } from '../../data/kind-sets.ts'
import {
  Role,
  type EnvelopeType,
  type WalletKind,
  type TransferKind,
  type TransferStatus,
} from '@tallyroom/contract/codes'
import { many, one, sql, type Tx } from '../../data/sql.ts'
import { createRooms, type NewRoom } from '../../chat/create-room.ts'
import type { Outcome } from '../../data/idempotency.ts'
import { type BetOrder, type MoveOrder, type Order, requestOf } from '../rules/orders.ts'
import { type Caps, type Party, sees } from '../rules/rules.ts'

/** A locked wallet of the batch, changed in memory until everything is written at once. */
export type LockedWallet = {
  id: number
  accountId: number
  topId: number
  kind: WalletKind
  balance: bigint
  floor: bigint | null
  seq: bigint
  turnoverDue: bigint
}

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
  /** Of an envelope; null for other transfers. */
  type: EnvelopeType | typeof CASH_HOLD | null
}

/** The type of an envelope that holds a member's points for its request (rules-cash.ts). Only that request settles it. */
export const CASH_HOLD = 3

/** Loads the earlier transfers that the orders refer to, by transaction id or transfer id. */
export const findTerms = async (tx: Tx, orders: Order[]): Promise<(order: Order) => Terms | undefined> => {
  const transactionIds = orders.flatMap((order) => ('transactionId' in order ? [order.transactionId] : []))
  const transferIds = orders.flatMap((order) => (order.kind === 'lapse' ? [order.transferId] : []))
  if (transactionIds.length + transferIds.length === 0) return () => undefined
  const rows = await many<Terms>(
    tx,
    sql`select t.id as "transferId", t.transaction_id as "transactionId", t.top_id as "topId", t.op as "transferKind",
        t.funder_id as "funderId", t.target_id as "targetId", t.wallet, t.amount, t.audit_amount as "auditAmount",
        t.overrides_flow as "overridesTurnover", t.room_id as "roomId", e.type
      from transfers t left join envelopes e on e.transfer_id = t.id
      where t.transaction_id = any(${transactionIds}::uuid[]) or t.id = any(${transferIds}::bigint[])`,
  )
  const byTransaction = new Map(rows.map((row) => [row.transactionId, row]))
  const byTransfer = new Map(rows.map((row) => [row.transferId, row]))
  return (order) => {
    if ('transactionId' in order) return byTransaction.get(order.transactionId.toLowerCase())
    return order.kind === 'lapse' ? byTransfer.get(order.transferId) : undefined
  }
}

/**
 * Locks the wallets of accounts until the end of the transaction, in the order of their ids, so that batches cannot
 * deadlock. The lock also covers the accounts' status and event mode (trigger `hold_wallets`).
 */
export const lockWallets = (tx: Tx, accountIds: number[]): Promise<LockedWallet[]> =>
  many<LockedWallet>(
    tx,
    sql`select id, account_id as "accountId", top_id as "topId", kind, balance, floor, seq, flow_due as "turnoverDue"
      from wallets
      where account_id = any(${accountIds}::int[]) order by id for no key update`,
  )

export type RoomFacts = NewRoom
type StoredAnswer = { actorId: number; requestId: string; bodyHash: string; answer: Outcome }

/** Everything that the rules depend on, read in one query after the lock. */
export type BatchFacts = {
  /** The time of the batch by the database's clock, to the microsecond. */
  now: string
  /** The same time, to the millisecond. */
  instant: Date
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
  rooms: RoomFacts[]
  /** Points given to members today by each funding account; read only when there is a daily cap. */
  given: { accountId: number; total: string }[]
}

/** The installation's settings for the ledger. */
export type LedgerSettings = { timeZone: string; envelopeHours: number; caps: Caps }

/** A `Party` as JSON, of the account `a` and the head `g` of its group. */
export const partyColumns = sql`json_build_object('id', a.id, 'role', a.role_id, 'path', a.path, 'groupPath', g.path,
    'isFrozen', a.status = 0, 'inEventMode', 1 in (a.event_mode, g.event_mode), 'asksConsent', a.withdraw_confirm = 1,
    'isSub', a.is_sub, 'hasGame', a.is_multiple_wallet = 1, 'choosesWallet', a.transaction_all = 1,
    'mayDeductGame', a.deduct_point_button_visible = 1, 'setsTurnover', a.flow_limit_modify_permission = 1,
    'turnoverMultiple', a.transfer_member_flow_limit_multiple,
    'maySend', 1 = all (array[a.red_envelope_button_visible, a.send_red_envelope_button_visible]),
    'mayReceive', 1 = all (array[a.red_envelope_button_visible, a.receive_red_envelope_button_visible]),
    'mayGift', 1 = all (array[a.red_envelope_button_visible, a.gift_red_envelope_button_visible]),
    'mayMakeUp', 1 = all (array[a.red_envelope_button_visible, a.point_button_visible]))`

// `lateral … offset 0` forces the index, whatever size `requests` had when the statement was planned.
export const loadFacts = async (
  tx: Tx,
  orders: Order[],
  accountIds: number[],
  envelopeIds: bigint[],
  frame: LedgerSettings,
) => {
  const moves = orders.filter((order) => order.kind === 'move')
  const requests = orders.flatMap((order) => requestOf(order) ?? [])
  const made = orders.filter(({ kind }) => kind !== 'answer' && kind !== 'lapse' && kind !== 'cashLapse').length
  const funderIds = frame.caps.day === undefined ? [] : [...new Set(moves.map((order) => order.actor.funderId))]
  const inRooms = moves.filter((order) => order.room)
  const partners = [...new Set(inRooms.map((order) => order.targetId))]
  const facts = await one<BatchFacts>(
    tx,
    sql`select statement_timestamp()::text as now, statement_timestamp() as instant,
        (statement_timestamp() at time zone ${frame.timeZone}::text)::date::text as today,
        statement_timestamp() + make_interval(secs => ${frame.envelopeHours * 3600}::float8) as deadline,
        array(select nextval('transfers_id_seq') from generate_series(1, ${made}::int)) as ids,
        (select coalesce(json_agg(${partyColumns}), '[]')
          from accounts a join accounts g on g.id = a.group_id where a.id = any(${accountIds}::int[])) as parties,
        (select coalesce(json_agg(json_build_object('actorId', r.actor_id, 'requestId', r.request_id,
            'bodyHash', encode(r.body_hash, 'hex'), 'answer', r.answer)), '[]')
          from unnest(${requests.map(({ actorId }) => actorId)}::int[], ${requests.map(({ request }) => request.id)}::uuid[])
              k (actor_id, request_id)
            cross join lateral (select * from requests q
              where q.actor_id = k.actor_id and q.request_id = k.request_id offset 0) r) as answered,
        (select coalesce(json_agg(target_id), '[]') from envelopes
          where status = 4 and type = 2 and target_id = any(${partners}::int[])) as asked,
        (select coalesce(json_agg(json_build_object('transferId', transfer_id::text, 'status', status,
            'isOverdue', expires_at <= statement_timestamp())), '[]')
          from envelopes where transfer_id = any(${envelopeIds}::bigint[])) as envelopes,
        (select coalesce(json_agg(json_build_object('id', id, 'code', code, 'groupId', group_id, 'partnerId', partner_id)), '[]')
          from rooms where partner_id = any(${partners}::int[])) as rooms,
        (select coalesce(json_agg(json_build_object('accountId', account_id, 'total', total_in::text)), '[]') from day_totals
          where account_id = any(${funderIds}::int[])
            and day = (statement_timestamp() at time zone ${frame.timeZone}::text)::date) as given`,
  )
  if (!facts) throw new Error('the query for the facts of a batch returned no row')
  await makeRooms(tx, facts, inRooms)
  return facts
}

/** The state of a transfer that is to be corrected, read after the lock. */
export type Corrected = { transferId: bigint; status: TransferStatus; isCorrected: boolean; newerLimits: bigint }

export const readCorrected = (tx: Tx, orders: Order[], termsOf: (order: Order) => Terms | undefined) => {
  const ids = orders.flatMap((order) => (order.kind === 'correct' ? (termsOf(order)?.transferId ?? []) : []))
  if (ids.length === 0) return Promise.resolve([])
  return many<Corrected>(
    tx,
    sql`select t.id as "transferId", coalesce(e.status, 1)::smallint as status,
        exists (select from transfers c where c.corrects = t.id) as "isCorrected",
        (select coalesce(sum(n.audit_amount), 0)::bigint from transfers n left join envelopes ne on ne.transfer_id = n.id
          where n.target_id = t.target_id and n.op not in ${reducingKinds} and n.audit_amount > 0 and coalesce(ne.status, 1) = 1
            and (coalesce(ne.settled_at, n.created_at), n.id) > (coalesce(e.settled_at, t.created_at), t.id)
            and not exists (select from transfers c where c.corrects = n.id)) as "newerLimits"
      from transfers t left join envelopes e on e.transfer_id = t.id where t.id = any(${ids}::bigint[])`,
  )
}

/** A bet or win that was reported before, with the balance that was answered. */
export type KnownBet = {
  topId: number
  betId: string
  transferKind: TransferKind
  transactionId: string
  memberId: number
  amount: bigint
  /** The part that counts as turnover; null for wins, and for bets of versions that did not store it. */
  valid: bigint | null
  after: bigint
}

export const readBets = (tx: Tx, orders: Order[]) => {
  const bets = orders.filter((order): order is BetOrder => order.kind === 'bet')
  if (bets.length === 0) return Promise.resolve([])
  return many<KnownBet>(
    tx,
    sql`select t.top_id as "topId", t.bet_id as "betId", t.op as "transferKind",
        t.transaction_id as "transactionId", t.target_id as "memberId", t.amount, t.bet_valid as valid, p.balance_after as after
      from (select distinct * from unnest(${bets.map((bet) => bet.topId)}::int[], ${bets.map((bet) => bet.betId)}::text[]))
          k (top_id, bet_id)
        cross join lateral (select * from transfers q where q.top_id = k.top_id and q.bet_id = k.bet_id offset 0) t
        join wallets w on w.account_id = t.target_id and w.kind = t.wallet
        join postings p on p.transfer_id = t.id and p.wallet_id = w.id`,
  )
}

/** A member without a room gets it with its first envelope. Usually it has had one since it signed up. */
const makeRooms = async (tx: Tx, facts: BatchFacts, inRooms: MoveOrder[]): Promise<void> => {
  const has = new Set(facts.rooms.map((room) => room.partnerId))
  const lacking = facts.parties.filter(
    (party) =>
      party.role === Role.member &&
      !has.has(party.id) &&
      inRooms.some((order) => order.targetId === party.id && sees(order.actor, party)),
  )
  if (lacking.length === 0) return
  const ids = lacking.map((party) => party.id)
  const pairs = sql`select a.group_id, a.id from accounts a where a.id = any(${ids}::int[])`
  const made = await createRooms(tx, pairs, ids.length)
  // Fewer: another process has just made the others.
  const rooms =
    made.length === ids.length
      ? made
      : await many<RoomFacts>(
          tx,
          sql`select id, code, group_id as "groupId", partner_id as "partnerId" from rooms where partner_id = any(${ids}::int[])`,
        )
  facts.rooms.push(...rooms)
}
