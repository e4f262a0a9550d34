import { randomBytes } from 'node:crypto'
import { many, one, sql, type Tx } from '../db.ts'
import type { Outcome } from '../requests.ts'
import type { MoveOrder, Order } from './orders.ts'
import { type Kind, type Party, type Status, sees } from './rules.ts'

/** A wallet of the batch: locked, and moved in memory until everything is written at once. */
export type Held = {
  id: number
  accountId: number
  topId: number
  kind: Kind
  balance: bigint
  floor: bigint | null
  seq: bigint
}

/** What never changes of an envelope, so that it can be read before the lock to know what to lock. */
export type Terms = {
  transferId: bigint
  transactionId: string
  topId: number
  op: number
  funderId: number
  targetId: number
  wallet: 1 | 2
  amount: bigint
  roomId: number | null
  type: 1 | 2
}

/** The envelopes that a batch is about, by transaction and by transfer id. */
export const findTerms = async (tx: Tx, orders: Order[]): Promise<(order: Order) => Terms | undefined> => {
  const transactionIds = orders.flatMap((order) => (order.kind === 'answer' ? [order.transactionId] : []))
  const transferIds = orders.flatMap((order) => (order.kind === 'lapse' ? [order.transferId] : []))
  if (transactionIds.length + transferIds.length === 0) return () => undefined
  const rows = await many<Terms>(
    tx,
    sql`select t.id as "transferId", t.transaction_id as "transactionId", t.top_id as "topId", t.op,
        t.funder_id as "funderId", t.target_id as "targetId", t.wallet, t.amount, t.room_id as "roomId", e.type
      from transfers t join envelopes e on e.transfer_id = t.id
      where t.transaction_id = any(${transactionIds}::uuid[]) or t.id = any(${transferIds}::bigint[])`,
  )
  const byTransaction = new Map(rows.map((row) => [row.transactionId, row]))
  const byTransfer = new Map(rows.map((row) => [row.transferId, row]))
  return (order) => {
    if (order.kind === 'answer') return byTransaction.get(order.transactionId.toLowerCase())
    return order.kind === 'lapse' ? byTransfer.get(order.transferId) : undefined
  }
}

/**
 * Locks the wallets of accounts until the end of the transaction, in the order of their ids, so that no two batches
 * wait for each other. This lock is also the one for the accounts' status and event mode (trigger `hold_wallets`).
 */
export const lockWallets = (tx: Tx, accountIds: number[]): Promise<Held[]> =>
  many<Held>(
    tx,
    sql`select id, account_id as "accountId", top_id as "topId", kind, balance, floor, seq from wallets
      where account_id = any(${accountIds}::int[]) order by id for no key update`,
  )

export type RoomFacts = { id: number; code: string; groupId: number; partnerId: number }
export type Answered = { actorId: number; requestId: string; bodyHash: string; answer: Outcome }

/** Everything that the rules go by, read in one round trip after the lock. */
export type Facts = {
  /** The instant of the batch by the database's clock, to the microsecond. */
  now: string
  /** The same, to the millisecond. */
  instant: Date
  /** The day of that instant in the platform's time zone. */
  today: string
  /** When an envelope that is opened now expires. */
  deadline: Date
  /** New transfer ids, one for each move. */
  ids: string[]
  parties: Party[]
  answered: Answered[]
  /** Accounts that have not yet answered a request for points. */
  asked: number[]
  envelopes: { transferId: string; status: Status; isOverdue: boolean }[]
  rooms: RoomFacts[]
}

type Clock = { timeZone: string; envelopeHours: number }

// lateral … offset 0 keeps to the index whatever the size of `requests` was when the statement was planned.
export const readFacts = async (tx: Tx, orders: Order[], accountIds: number[], envelopeIds: bigint[], clock: Clock) => {
  const moves = orders.filter((order) => order.kind === 'move')
  const asking = orders.filter((order) => order.kind !== 'lapse')
  const inRooms = moves.filter((order) => order.room)
  const partners = [...new Set(inRooms.map((order) => order.targetId))]
  const facts = await one<Facts>(
    tx,
    sql`select statement_timestamp()::text as now, statement_timestamp() as instant,
        (statement_timestamp() at time zone ${clock.timeZone}::text)::date::text as today,
        statement_timestamp() + make_interval(secs => ${clock.envelopeHours * 3600}::float8) as deadline,
        array(select nextval('transfers_id_seq') from generate_series(1, ${moves.length}::int)) as ids,
        (select coalesce(json_agg(json_build_object('id', a.id, 'role', a.role_id, 'path', a.path, 'groupPath', g.path,
            'isFrozen', a.status = 0, 'inEventMode', 1 in (a.event_mode, g.event_mode), 'asksConsent', a.withdraw_confirm = 1,
            'isSub', a.is_sub, 'hasGame', a.is_multiple_wallet = 1, 'choosesWallet', a.transaction_all = 1,
            'mayDeductGame', a.deduct_point_button_visible = 1, 'setsTurnover', a.flow_limit_modify_permission = 1,
            'turnoverMultiple', a.transfer_member_flow_limit_multiple)), '[]')
          from accounts a join accounts g on g.id = a.group_id where a.id = any(${accountIds}::int[])) as parties,
        (select coalesce(json_agg(json_build_object('actorId', r.actor_id, 'requestId', r.request_id,
            'bodyHash', encode(r.body_hash, 'hex'), 'answer', r.answer)), '[]')
          from unnest(${asking.map((order) => order.actor.id)}::int[], ${asking.map((order) => order.request.id)}::uuid[])
              k (actor_id, request_id)
            cross join lateral (select * from requests q
              where q.actor_id = k.actor_id and q.request_id = k.request_id offset 0) r) as answered,
        (select coalesce(json_agg(target_id), '[]') from envelopes
          where status = 4 and type = 2 and target_id = any(${partners}::int[])) as asked,
        (select coalesce(json_agg(json_build_object('transferId', transfer_id::text, 'status', status,
            'isOverdue', expires_at <= statement_timestamp())), '[]')
          from envelopes where transfer_id = any(${envelopeIds}::bigint[])) as envelopes,
        (select coalesce(json_agg(json_build_object('id', id, 'code', code, 'groupId', group_id, 'partnerId', partner_id)), '[]')
          from rooms where partner_id = any(${partners}::int[])) as rooms`,
  )
  if (!facts) throw new Error('no facts')
  await makeRooms(tx, facts, inRooms)
  return facts
}

/** A member has had its room since it signed up; one who came another way gets it with the first envelope. */
const makeRooms = async (tx: Tx, facts: Facts, inRooms: MoveOrder[]): Promise<void> => {
  const has = new Set(facts.rooms.map((room) => room.partnerId))
  const lacking = facts.parties.filter(
    (party) =>
      party.role === 4 &&
      !has.has(party.id) &&
      inRooms.some((order) => order.targetId === party.id && sees(order.actor, party)),
  )
  if (lacking.length === 0) return
  const ids = lacking.map((party) => party.id)
  const codes = ids.map(() => randomBytes(16).toString('base64url'))
  await many(
    tx,
    sql`insert into rooms (top_id, code, group_id, partner_id)
      select a.top_id, v.code, a.group_id, a.id from unnest(${ids}::int[], ${codes}::text[]) v (id, code)
        join accounts a on a.id = v.id
      on conflict (group_id, partner_id) do nothing`,
  )
  const rooms = await many<RoomFacts>(
    tx,
    sql`select id, code, group_id as "groupId", partner_id as "partnerId" from rooms where partner_id = any(${ids}::int[])`,
  )
  facts.rooms.push(...rooms)
}
