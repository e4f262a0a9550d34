import type { Answer, Parsed } from '@tallyroom/contract'
import type { CashWarning } from '@tallyroom/contract/calls/points/cash'
import { type CashDirection, type CashReason, type CashState, isOpenCash } from '@tallyroom/contract/cash'
import { formatPoints } from '@tallyroom/contract/points'
import { officeTakingKinds, unreportedKinds } from '../../../domain/kind-sets.ts'
import { spanOf } from '../../../data/local-time.ts'
import { type Db, many, type Row, type Sql, sql } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import { accountVersion } from '../../../ledger/engine/load/cash.ts'
import { maskedNumber } from '../../../accounts/bank.ts'
import { mediaUrl } from '../../../chat/media-url.ts'
import { type Actor, groupRooms } from '../../../identity/actor.ts'
import { shownText, shownUsername, type Viewer } from '../../../identity/masking.ts'

type Filter = Parsed<'cash/export'>
type Search = Filter & Pick<Parsed<'cash/list'>, 'id' | 'member_id' | 'after' | 'per_page'>

type Person = [username: string, nickname: string, isSub: 0 | 1]
type Alike = {
  warning: 'slip_used' | 'same_amount'
  id: number
  groupId: number
  memberId: number
  member: Person
  at: string
  state: CashState
}
export type StoredCashRequest = Row & {
  id: number
  state: CashState
  direction: CashDirection
  amount: bigint
  roomId: number
  groupId: number
  code: string
  memberId: number
  username: string
  nickname: string
  isSub: 0 | 1
  thumbnailId: string | null
  askedAt: Date
  waits: number
  accountId: number | null
  bank: string
  accountNo: string
  bankNow: string | null
  numberNow: string | null
  slip: string
  slipCompared: 0 | 1 | null
  alike: Alike[]
  payTo: string
  isReceivingChanged: boolean
  reason: string
  reasonCode: CashReason | null
  takenBy: number | null
  taker: Person | null
  lease: number | null
  endedAt: Date | null
  endedBy: number | null
  ender: Person | null
  isInApproval: boolean
  maybePaidBy: number | null
  mayHavePaid: Person | null
  transactionId: string | null
  balance: bigint
  due: bigint
  isAccountChanged: boolean
  isAccountGone: boolean
  accountVersion: string | null
  bankReference: string
  /** The median of the member's earlier payments out, in 1/10000 points. */
  usual: string | null
  last: { at: string; takes: boolean; amount: string }[]
}

/** Days in the platform's time zone, both included, as a range that an index can follow. */
const onDays = (time: Sql, first: string, last: string, timeZone: string): Sql => {
  const { start, end } = spanOf(sql`${first}::date`, sql`${last}::date`, timeZone)
  return sql`(${time} >= ${start} and ${time} < ${end})`
}

/** Whether request `c` is in one of these states, or in any when none is named. */
export const inStates = (states: readonly CashState[]): Sql =>
  states.length === 0 ? sql`true` : sql`c.state = any(${states}::text[])`

/** The requests that the filter names, of the actor's rooms; `c` is the request, `r` its room. */
const matches = (actor: Actor, timeZone: string, filter: Filter): Sql => {
  const { states, asked_on, ended_on, until, direction, ended_by } = filter
  return sql`${groupRooms(actor)} and c.group_id = r.group_id and ${inStates(states)}
    and ${asked_on === undefined ? sql`true` : onDays(sql`c.asked_at`, asked_on, until ?? asked_on, timeZone)}
    and ${ended_on === undefined ? sql`true` : onDays(sql`c.ended_at`, ended_on, until ?? ended_on, timeZone)}
    and ${direction === undefined ? sql`true` : sql`c.direction = ${direction}`}
    and ${ended_by === undefined ? sql`true` : sql`c.ended_by = ${ended_by}::int`}`
}

/** The transfers between the member and the office, and what it is paid out usually. Only for requests that wait. */
const history: Sql = sql`left join lateral (
    select (percentile_disc(0.5) within group (order by p.amount))::text as usual from cash_requests p
    where p.member_id = c.member_id and p.direction = 'out' and p.state = 'paid' and p.id < c.id) u on c.direction = 'out'
  left join lateral (
    select json_agg(json_build_object('at', l.created_at, 'takes', l.op in ${officeTakingKinds}, 'amount', l.amount::text)
      order by l.created_at desc) as rows
    from (select t.created_at, t.op, t.amount from transfers t left join envelopes e on e.transfer_id = t.id
      where t.target_id = c.member_id and t.op not in ${unreportedKinds} and t.op <> ${is.correction} and coalesce(e.status, 1) = 1
      order by t.created_at desc, t.id desc limit 5) l) l on true`

/** Those with the slip of an open request, and those of other members who asked for the same amount just then. */
const alike: Sql = sql`left join slip_pictures g on g.cash_id = c.id and c.state in ('asked', 'taken')
  left join lateral (
    select json_agg(json_build_object('warning', o.warning, 'id', o.id, 'groupId', o.group_id, 'memberId', o.member_id,
      'member', json_build_array(k.username, k.nickname, k.is_sub), 'at', o.asked_at, 'state', o.state) order by o.warning desc, o.id desc) as rows
    from ((select 'slip_used' as warning, q.id, q.group_id, q.member_id, q.asked_at, q.state from slip_pictures p
          join cash_requests q on q.id = p.cash_id
        where p.cash_id = any(g.same_as) or (p.same_as <> '{}' and p.same_as @> array[c.id]) order by q.id desc limit 5)
      union all
      (select 'same_amount', q.id, q.group_id, q.member_id, q.asked_at, q.state from cash_requests q
        where q.group_id = c.group_id and q.direction = 'in' and q.amount = c.amount and q.member_id <> c.member_id
          and q.id <> all(coalesce(g.same_as, '{}'))
          and not exists (select from slip_pictures p where p.cash_id = q.id and p.same_as @> array[c.id])
          and q.asked_at between c.asked_at - interval '5 minutes' and c.asked_at + interval '5 minutes'
        order by q.id desc limit 3)) o join accounts k on k.id = o.member_id) n
    on c.direction = 'in' and c.state in ('asked', 'taken')`

const accountOf = (id: Sql): Sql =>
  sql`(select json_build_array(k.username, k.nickname, k.is_sub) from accounts k where k.id = ${id})`

/** Requests by a condition on `c` and `r`. */
export const findCashRequests = (db: Db, condition: Sql): Promise<StoredCashRequest[]> =>
  many<StoredCashRequest>(
    db,
    sql`select c.id, c.state, c.direction, c.amount, c.room_id as "roomId", c.group_id as "groupId", r.code, c.member_id as "memberId", a.username,
        a.nickname, a.is_sub as "isSub", a.thumbnail_id as "thumbnailId", c.asked_at as "askedAt",
        greatest(0, extract(epoch from coalesce(c.ended_at, now()) - c.asked_at))::int as waits,
        c.account_id as "accountId", c.bank, c.account_no as "accountNo", k.name as "bankNow",
        b.account_no as "numberNow", c.slip, case when g.due_at is not null then 0 when g.picture is not null then 1 end as "slipCompared", coalesce(n.rows, '[]') as alike, c.pay_to as "payTo",
        coalesce(v.version <> c.receiving_version or v.status <> ${is.offered}, false) as "isReceivingChanged", c.reason, c.reason_code as "reasonCode",
        c.taken_by as "takenBy", ${accountOf(sql`c.taken_by`)} as taker,
        greatest(0, extract(epoch from c.lease_until - now()))::int as lease,
        c.ended_at as "endedAt", c.ended_by as "endedBy", ${accountOf(sql`c.ended_by`)} as ender,
        exists (select from approvals p where p.cash_id = c.id and p.state = 'waiting') as "isInApproval",
        c.maybe_paid_by as "maybePaidBy", ${accountOf(sql`c.maybe_paid_by`)} as "mayHavePaid",
        case when c.state = 'paid' then t.transaction_id end as "transactionId", w.balance, w.flow_due as due,
        coalesce(b.changed_at > now() - interval '1 day', false) as "isAccountChanged",
        c.account_id is not null and b.id is null as "isAccountGone",
        (select ${accountVersion} where b.id is not null) as "accountVersion", c.bank_reference as "bankReference", u.usual, coalesce(l.rows, '[]') as last
      from cash_requests c join rooms r on r.id = c.room_id join accounts a on a.id = c.member_id
        join wallets w on w.account_id = c.member_id and w.kind = ${is.mainWallet} left join transfers t on t.id = c.transfer_id
        left join bank_accounts b on b.id = c.account_id left join banks k on k.id = b.bank_id
        left join receiving_accounts v on v.id = c.receiving_account_id ${alike} ${history}
      where ${condition}`,
  )

export const filtered = async (db: Db, actor: Actor, timeZone: string, filter: Filter, limit: number) =>
  findCashRequests(db, sql`${matches(actor, timeZone, filter)} order by c.id desc limit ${limit}`)

export const cashList = async (
  db: Db,
  actor: Actor,
  timeZone: string,
  { id, member_id, after, per_page, ...filter }: Search,
): Promise<Answer<'cash/list'>> => {
  // Open requests are a queue: the oldest is the next to be paid.
  const isQueue = filter.states.length > 0 && filter.states.every(isOpenCash)
  const isAfter = after === undefined ? sql`true` : isQueue ? sql`c.id > ${after}` : sql`c.id < ${after}`
  const one = id === undefined ? sql`true` : sql`c.id = ${id}`
  const ofMember = member_id === undefined ? sql`true` : sql`c.member_id = ${member_id}::int`
  const order = isQueue ? sql`order by c.id` : sql`order by c.id desc`
  const rows = await findCashRequests(
    db,
    sql`${matches(actor, timeZone, filter)} and ${isAfter} and ${one} and ${ofMember} ${order} limit ${per_page + 1}`,
  )
  const page = rows.slice(0, per_page)
  return {
    data: page.map((row) => asCashRow(row, actor)),
    next: rows.length > per_page ? (page.at(-1)?.id ?? null) : null,
  }
}

const nameOf = (viewer: Viewer, id: number | null, person: Person | null): string => {
  if (id === null || !person) return ''
  const [username, nickname, isSub] = person
  const account = { id, username, isSub }
  return shownText(viewer, account, nickname) || shownUsername(viewer, account)
}

/** The platform's other groups are not the viewer's: it learns that there is one, and asks its head. */
const asAlike = ({ warning, at, state, ...other }: Alike, { groupId }: StoredCashRequest, viewer: Viewer) => {
  const isOwn = other.groupId === groupId
  return {
    warning,
    state,
    asked_at: new Date(at).toISOString(),
    id: isOwn ? other.id : null,
    name: isOwn ? nameOf(viewer, other.memberId, other.member) : '',
  }
}

const FIVE = 5n

const warningsOf = (row: StoredCashRequest): CashWarning[] => {
  if (row.direction === 'in') {
    const found = new Set<CashWarning>(row.alike.map(({ warning }) => warning))
    return isOpenCash(row.state) && row.isReceivingChanged ? [...found, 'receiving_changed'] : [...found]
  }
  const isNotable: Record<Exclude<CashWarning, 'receiving_changed' | 'slip_used' | 'same_amount'>, boolean> = {
    account_changed: row.isAccountChanged,
    account_gone: isOpenCash(row.state) && row.isAccountGone,
    // Points may also have been taken without a request.
    first_out: row.usual === null && !row.last.some(({ takes }) => takes),
    five_times: row.usual !== null && row.amount >= FIVE * BigInt(row.usual),
  }
  return (Object.keys(isNotable) as (keyof typeof isNotable)[]).filter((name) => isNotable[name])
}

/** The number is shown on demand from the account, so its bank must not be the former one. */
const accountNow = ({ state, bank, accountNo, bankNow, numberNow }: StoredCashRequest) => {
  if (!isOpenCash(state) || bankNow === null || numberNow === null) return {}
  const now = { bank: bankNow, account_no: maskedNumber(numberNow) }
  return now.bank === bank && now.account_no === accountNo ? {} : { account_now: now }
}

export const asCashRow = (row: StoredCashRequest, viewer: Viewer): Answer<'cash/list'>['data'][number] => {
  const member = { id: row.memberId, username: row.username, isSub: row.isSub }
  return {
    id: row.id,
    state: row.state,
    direction: row.direction,
    amount: formatPoints(row.amount),
    room_id: row.roomId,
    code: row.code,
    member_id: row.memberId,
    username: shownUsername(viewer, member),
    nickname: shownText(viewer, member, row.nickname),
    thumbnail: mediaUrl(row.thumbnailId),
    asked_at: row.askedAt.toISOString(),
    waits: row.waits,
    account_id: row.accountId,
    bank: row.bank,
    account_no: row.accountNo,
    ...accountNow(row),
    account_version: row.accountVersion,
    slip: row.slip,
    ...(row.slipCompared === null ? {} : { slip_compared: row.slipCompared }),
    ...(row.alike.length > 0 ? { alike: row.alike.map((one) => asAlike(one, row, viewer)) } : {}),
    pay_to: row.payTo,
    ...(row.reasonCode ? { reason_code: row.reasonCode } : {}),
    reason: shownText(viewer, member, row.reason),
    taken_by: row.takenBy,
    taken_name: nameOf(viewer, row.takenBy, row.taker),
    lease: row.lease,
    ended_at: row.endedAt?.toISOString() ?? null,
    ended_name: nameOf(viewer, row.endedBy, row.ender),
    ...(row.isInApproval ? { approval: 1 as const } : {}),
    ...(row.maybePaidBy === null
      ? {}
      : {
          maybe_paid: {
            key: nameOf(viewer, row.maybePaidBy, row.mayHavePaid),
            reference: isOpenCash(row.state) ? shownText(viewer, member, row.bankReference) : '',
          },
        }),
    transaction_id: row.transactionId,
    bank_reference: shownText(viewer, member, row.bankReference),
    balance: formatPoints(row.balance),
    turnover_due: formatPoints(row.due),
    warnings: warningsOf(row),
    usual: row.usual === null ? null : formatPoints(BigInt(row.usual)),
    last: row.last.map(({ at, takes, amount }) => ({
      at: new Date(at).toISOString(),
      direction: takes ? ('out' as const) : ('in' as const),
      amount: formatPoints(BigInt(amount)),
    })),
  }
}
