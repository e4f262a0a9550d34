import { isTaking } from '@tallyroom/contract/transfer-kinds'
import { EnvelopeKind, type TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import type { AuditKind } from '@tallyroom/contract/audit-kinds'
import { type AuditFacts, auditRows } from '../../../identity/audit.ts'
import { many, type Sql, sql, type Tx } from '../../../data/sql.ts'
import { type NewOutcome, outcomeRows } from '../../../data/idempotency.ts'
import { BrokenOrder } from '../broken-order.ts'
import { type BatchFacts, type Terms } from '../load/load.ts'
import { type BatchLimit, type CountedSum, limitRows, limitSumRows } from '../load/limits.ts'
import type { LockedWallet } from '../wallet-locks.ts'
import { type ApprovedSensitiveChange, endSensitiveChanges } from '../sensitive-changes.ts'
import { type ApprovalDraft, emptyApprovalDraft, writeApprovals } from './approvals.ts'
import { type CashDraft, emptyCashDraft, writeCash } from './cash.ts'
import type { RepeatableOrder, OrderActor } from '../../rules/orders.ts'
import type { Posting } from '../../rules/rules.ts'
import type { Hold } from '../../rules/rules-approval.ts'

export type NewTransfer = {
  id: bigint
  transactionId: string
  topId: number
  transferKind: TransferKind
  actorId: number
  funderId: number
  targetId: number
  wallet: 1 | 2
  amount: bigint
  auditAmount: bigint
  remark: string
  status: TransferStatus
  /** The room that shows it, and the sender to show. */
  room: { id: number; sender: OrderActor } | undefined
  /** The card of a request shows it; `hold`: it holds the member's points until the request ends. */
  card?: 'hold' | 'payment'
  /** It waits for approval: who holds its points, and whether the member will have to consent. */
  hold?: Hold | undefined
  needsConsent?: boolean
  betId?: string
  betValid?: bigint | null
  corrects?: bigint
  overridesTurnover?: boolean
  /** The target wallet's balance after it; null while it is only offered. */
  targetBalance: bigint | null
}
/** An entry for the audit log. */
type AuditEntry = {
  order: RepeatableOrder
  kind: AuditKind
  target: { id: number; topId: number }
  facts: AuditFacts
}
type Settlement = { terms: Terms; status: TransferStatus; by: number | null; targetBalance: bigint | null }
type PostingRow = {
  walletId: number
  topId: number
  seq: bigint
  transferId: bigint
  leg: 0 | 1
  amount: bigint
  after: bigint
}
type DayTotal = { accountId: number; topId: number; in: bigint; out: bigint }

/** Whether a room has a message of it. */
export const isInRoom = ({ roomId }: Pick<Terms, 'roomId'>) => roomId !== null

/** The decisions of a batch that are not yet written. */
export type Draft = {
  transfers: NewTransfer[]
  settlements: Settlement[]
  /** The transfers that this batch corrects. */
  corrected: Terms[]
  /** Transfers whose room message has changed in another way. */
  changedTransfers: Terms[]
  postings: PostingRow[]
  moved: Set<LockedWallet>
  totals: Map<number, DayTotal>
  outcomes: NewOutcome[]
  auditEntries: AuditEntry[]
  cash: CashDraft
  approvals: ApprovalDraft
  /** Sensitive changes that the batch makes. */
  approvedSensitiveChanges: ApprovedSensitiveChange[]
  /** The limits that have counted a transfer of the batch, and those of them that count by receiver. */
  limits: Set<BatchLimit>
  limitSums: Map<string, CountedSum>
}

export const emptyDraft = (): Draft => ({
  transfers: [],
  settlements: [],
  corrected: [],
  changedTransfers: [],
  postings: [],
  moved: new Set(),
  totals: new Map(),
  outcomes: [],
  auditEntries: [],
  cash: emptyCashDraft(),
  approvals: emptyApprovalDraft(),
  approvedSensitiveChanges: [],
  limits: new Set(),
  limitSums: new Map(),
})

/**
 * Moves wallets in memory, for the next decisions of the batch. The rules never produce postings that do not sum to zero
 * or that go below a floor.
 * @throws BrokenOrder if they do: only this order fails, and nothing of it is written
 */
export const applyPostings = (
  draft: Draft,
  transferId: bigint,
  leg: 0 | 1,
  postings: Posting<LockedWallet>[],
): void => {
  checkPostings(transferId, leg, postings)
  for (const { wallet, amount } of postings) {
    wallet.balance += amount
    wallet.seq++
    const { id: walletId, topId, seq, balance: after } = wallet
    draft.postings.push({ walletId, topId, seq, transferId, leg, amount, after })
    draft.moved.add(wallet)
  }
}

const checkPostings = (transferId: bigint, leg: 0 | 1, postings: Posting<LockedWallet>[]): void => {
  const sum = postings.reduce((total, { amount }) => total + amount, 0n)
  if (sum !== 0n) throw new BrokenOrder(`postings of transfer ${transferId}, leg ${leg}, sum to ${sum}, not to 0`)
  for (const { wallet, amount } of postings) {
    const { id, balance, floor } = wallet
    const after = balance + amount
    if (floor !== null && after < floor)
      throw new BrokenOrder(`wallet ${id} would go from ${balance} to ${after}, below its floor of ${floor}`)
  }
}

/** The balance of the transfer's target wallet after these postings; null when they do not move it. */
export const balanceAfter = (
  postings: Posting<LockedWallet>[],
  { targetId, wallet }: Pick<Terms, 'targetId' | 'wallet'>,
) => postings.find(({ wallet: moved }) => moved.accountId === targetId && moved.kind === wallet)?.wallet.balance ?? null

/** Changes an account's remaining turnover. */
export const applyTurnover = (draft: Draft, main: LockedWallet, difference: bigint): void => {
  if (difference === 0n) return
  main.turnoverDue += difference
  draft.moved.add(main)
}

/** Adds to what a funding account gave to or took from members today; corrections subtract. */
export const addDayTotal = (
  draft: Draft,
  account: { id: number; topId: number },
  isTaken: boolean,
  amount: bigint,
): void => {
  const total = draft.totals.get(account.id) ?? { accountId: account.id, topId: account.topId, in: 0n, out: 0n }
  if (isTaken) total.out += amount
  else total.in += amount
  draft.totals.set(account.id, total)
}

const column = <R, T>(rows: R[], pick: (row: R) => T) => rows.map(pick)

/** Bets, wins, corrections and overridden turnover fill columns that stay at their defaults for all other transfers. */
const isRare = ({ betId, corrects, overridesTurnover }: NewTransfer) =>
  betId !== undefined || corrects !== undefined || overridesTurnover === true

const rareColumns = (transfers: NewTransfer[]) => ({
  names: sql`, bet_id, bet_valid, corrects, overrides_flow`,
  values: sql`, ${column(transfers, (t) => t.betId ?? null)}::text[], ${column(transfers, (t) => t.betValid ?? null)}::bigint[],
      ${column(transfers, (t) => t.corrects ?? null)}::bigint[], ${column(transfers, (t) => t.overridesTurnover ?? false)}::boolean[]`,
})
const noColumns = { names: sql``, values: sql`` }

const transferRows = ({ transfers }: Draft, facts: BatchFacts): Sql => {
  const rare = transfers.some(isRare) ? rareColumns(transfers) : noColumns
  return sql`insert into transfers (created_at, id, transaction_id, top_id, op, actor_id, funder_id, target_id, wallet, amount,
      audit_amount, remark, is_envelope, room_id, target_balance${rare.names})
    select ${facts.now}::timestamptz, * from unnest(${column(transfers, (t) => t.id)}::bigint[],
      ${column(transfers, (t) => t.transactionId)}::uuid[], ${column(transfers, (t) => t.topId)}::int[],
      ${column(transfers, (t) => t.transferKind)}::smallint[], ${column(transfers, (t) => t.actorId)}::int[],
      ${column(transfers, (t) => t.funderId)}::int[], ${column(transfers, (t) => t.targetId)}::int[],
      ${column(transfers, (t) => t.wallet)}::smallint[], ${column(transfers, (t) => t.amount)}::bigint[],
      ${column(transfers, (t) => t.auditAmount)}::bigint[], ${column(transfers, (t) => t.remark)}::text[],
      ${column(transfers, (t) => t.room !== undefined || t.hold !== undefined)}::boolean[], ${column(transfers, (t) => t.room?.id ?? null)}::int[],
      ${column(transfers, (t) => t.targetBalance)}::bigint[]${rare.values})`
}

const postingRows = ({ postings }: Draft, facts: BatchFacts): Sql =>
  sql`insert into postings (wallet_id, seq, top_id, transfer_id, leg, amount, balance_after, created_at)
    select *, ${facts.now}::timestamptz from unnest(${column(postings, (p) => p.walletId)}::int[],
      ${column(postings, (p) => p.seq)}::bigint[], ${column(postings, (p) => p.topId)}::int[],
      ${column(postings, (p) => p.transferId)}::bigint[], ${column(postings, (p) => p.leg)}::smallint[],
      ${column(postings, (p) => p.amount)}::bigint[], ${column(postings, (p) => p.after)}::bigint[])`

const walletRows = ({ moved }: Draft): Sql => {
  const wallets = [...moved]
  return sql`update wallets w set balance = v.balance, seq = v.seq, flow_due = v.flow_due
    from unnest(${column(wallets, (w) => w.id)}::int[], ${column(wallets, (w) => w.balance)}::bigint[],
      ${column(wallets, (w) => w.seq)}::bigint[], ${column(wallets, (w) => w.turnoverDue)}::bigint[])
      v (id, balance, seq, flow_due) where w.id = v.id`
}

const totalRows = ({ totals }: Draft, facts: BatchFacts): Sql => {
  const rows = [...totals.values()]
  return sql`insert into day_totals (account_id, top_id, total_in, total_out, day)
    select *, ${facts.today}::date from unnest(${column(rows, (r) => r.accountId)}::int[],
      ${column(rows, (r) => r.topId)}::int[], ${column(rows, (r) => r.in)}::bigint[], ${column(rows, (r) => r.out)}::bigint[])
    on conflict (account_id, day) do update set total_in = day_totals.total_in + excluded.total_in,
      total_out = day_totals.total_out + excluded.total_out`
}

const envelopeRows = ({ transfers }: Draft, facts: BatchFacts): Sql => {
  const pending = transfers.filter((transfer) => transfer.status === TransferStatus.pending)
  return sql`insert into envelopes (transfer_id, top_id, target_id, type, expires_at)
    select *, ${facts.deadline}::timestamptz from unnest(${column(pending, (t) => t.id)}::bigint[],
      ${column(pending, (t) => t.topId)}::int[], ${column(pending, (t) => t.targetId)}::int[],
      ${column(pending, envelopeType)}::smallint[])`
}
const envelopeType = ({ card, hold, transferKind }: NewTransfer) =>
  hold ?? (card === 'hold' ? EnvelopeKind.cashHold : isTaking(transferKind) ? EnvelopeKind.asking : EnvelopeKind.giving)

const settlementRows = ({ settlements }: Draft, facts: BatchFacts): Sql =>
  sql`update envelopes e set status = v.status, settled_at = ${facts.now}::timestamptz, settled_by = v.by,
      target_balance = v.target_balance
    from unnest(${column(settlements, (s) => s.terms.transferId)}::bigint[],
      ${column(settlements, (s) => s.status)}::smallint[], ${column(settlements, (s) => s.by)}::int[],
      ${column(settlements, (s) => s.targetBalance)}::bigint[]) v (id, status, by, target_balance)
    where e.transfer_id = v.id`

/**
 * Sends everything that the batch has decided, without waiting in between. The statements run in this order: settlements
 * first, because a new request for points may replace one that was settled in the same batch.
 */
export const writeDraft = async (tx: Tx, draft: Draft, facts: BatchFacts): Promise<void> => {
  const sent: Promise<unknown>[] = []
  if (draft.settlements.length) sent.push(many(tx, settlementRows(draft, facts)))
  // The webhook of a paid request names its transfer, which a trigger looks up: without it there yet it would be null.
  const paysCash = draft.cash.steps.some(({ row }) => row.state === 'paid')
  if (paysCash) sent.push(many(tx, coreRows(draft, facts)))
  sent.push(writeCash(tx, draft.cash, facts), writeApprovals(tx, draft.approvals, facts))
  if (draft.approvedSensitiveChanges.length) sent.push(endSensitiveChanges(tx, draft.approvedSensitiveChanges))
  const hasCore = draft.outcomes.length + draft.postings.length + draft.auditEntries.length > 0
  if (hasCore && !paysCash) tx.last(coreRows(draft, facts))
  await Promise.all(sent)
}

const asAudit = ({ order, ...entry }: AuditEntry) => {
  const { session, address = '' } = order.from ?? {}
  const actor = { id: order.actor.id, topId: order.actor.topId, ...(session ? { session } : {}) }
  return { ...entry, source: { actor, caller: { address } } }
}

const coreRows = (draft: Draft, facts: BatchFacts): Sql => {
  const core = sql`with transfer_rows as (${transferRows(draft, facts)}), posting_rows as (${postingRows(draft, facts)}),
    wallet_rows as (${walletRows(draft)}), total_rows as (${totalRows(draft, facts)})`
  const hasEnvelopes = draft.transfers.some((transfer) => transfer.status === TransferStatus.pending)
  const envelopes = hasEnvelopes ? sql`, envelope_rows as (${envelopeRows(draft, facts)})` : sql``
  const limits = draft.limits.size ? sql`, limit_rows as (${limitRows([...draft.limits])})` : sql``
  const sums = draft.limitSums.size ? sql`, sum_rows as (${limitSumRows([...draft.limitSums.values()])})` : sql``
  const audits = draft.auditEntries.length
    ? sql`, audit_rows as (${auditRows(draft.auditEntries.map(asAudit))})`
    : sql``
  return sql`${core}${envelopes}${limits}${sums}${audits} ${outcomeRows(draft.outcomes)}`
}
