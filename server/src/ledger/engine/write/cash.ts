import { type CashReason, isOpenCash, LEASE_SECONDS } from '@tallyroom/contract/cash'
import { run, sql, type Tx } from '../../../data/sql.ts'
import type { CashAskOrder, OrderActor } from '../../rules/orders.ts'
import type { BatchFacts } from '../load/load.ts'
import type { CashRow } from '../load/cash.ts'

export type NewCashRequest = { row: CashRow; order: CashAskOrder }
export type CashStep = {
  row: CashRow
  /** The account that ended it; null for the server. */
  by: number | null
  /** The colleague who acts on it for the member: starts, pays or refuses it. */
  colleague?: OrderActor | undefined
  reason: string
  reasonCode?: CashReason | undefined
  /** A remark for the transfer that was made with the request. */
  remark?: string | undefined
  /** How long its taker has it; by default `LEASE_SECONDS`. */
  leaseSeconds?: number | undefined
  /** It waits for approval: its taker keeps it until the deadline. */
  isInApproval?: boolean
}

/** The requests that a batch has made and changed. */
export type CashDraft = { made: NewCashRequest[]; steps: CashStep[] }
export const emptyCashDraft = (): CashDraft => ({ made: [], steps: [] })

/** The last change of each request: one batch may take it and pay it. */
export const lastSteps = ({ steps }: CashDraft): CashStep[] => [
  ...new Map(steps.map((step) => [step.row.id, step])).values(),
]

/** Sends the statements at once. */
export const writeCash = async (tx: Tx, draft: CashDraft, facts: BatchFacts): Promise<void> => {
  const { made } = draft
  const steps = lastSteps(draft)
  const remarks = steps.filter(({ remark, row }) => remark && row.transferId !== null)
  await Promise.all([
    made.length && run(tx, madeRows(made, facts)),
    steps.length && run(tx, stepRows(steps, facts)),
    remarks.length && run(tx, remarkRows(remarks)),
  ])
}

const madeRows = (made: NewCashRequest[], facts: BatchFacts) => {
  const column = <T>(pick: (one: NewCashRequest) => T) => made.map(pick)
  return sql`insert into cash_requests (asked_at, expires_at, id, top_id, group_id, room_id, member_id, message_id, direction,
      amount, account_id, bank, account_no, slip, transfer_id, receiving_account_id, receiving_version, pay_to)
    select ${facts.now}::timestamptz, ${facts.deadline}::timestamptz, * from unnest(${column(({ row }) => row.id)}::int[],
      ${column(({ row }) => row.topId)}::int[], ${column(({ row }) => row.groupId)}::int[],
      ${column(({ row }) => row.roomId)}::int[], ${column(({ row }) => row.memberId)}::int[],
      ${column(({ row }) => row.messageId)}::uuid[], ${column(({ row }) => row.direction)}::text[],
      ${column(({ row }) => row.amount)}::bigint[], ${column(({ row }) => row.accountId)}::int[],
      ${column(({ order }) => order.account?.bank ?? '')}::text[], ${column(({ order }) => order.account?.number ?? '')}::text[],
      ${column(({ order }) => order.slip)}::text[], ${column(({ row }) => row.transferId)}::bigint[],
      ${column(({ order }) => order.payTo?.id ?? null)}::int[], ${column(({ order }) => order.payTo?.version ?? null)}::int[],
      ${column(({ order }) => order.payTo?.text ?? '')}::text[])`
}

const stepRows = (steps: CashStep[], facts: BatchFacts) => {
  const column = <T>(pick: (one: CashStep) => T) => steps.map(pick)
  return sql`update cash_requests c set state = v.state, taken_by = v.taken_by, reason = v.reason, reason_code = v.reason_code, transfer_id = v.transfer_id,
      lease_until = case when v.is_in_approval then ${facts.deadline}::timestamptz
        when v.taken_by is not null then ${facts.now}::timestamptz + make_interval(secs => v.lease_seconds) end,
      ended_at = case when v.is_ended then ${facts.now}::timestamptz end, ended_by = v.by, bank_reference = v.bank_reference,
      maybe_paid_by = v.maybe_paid_by
    from unnest(${column(({ row }) => row.id)}::int[], ${column(({ row }) => row.state)}::text[],
      ${column(({ row }) => row.takenBy)}::int[], ${column(({ reason }) => reason)}::text[],
      ${column(({ reasonCode }) => reasonCode ?? null)}::text[],
      ${column(({ row }) => row.transferId)}::bigint[], ${column(({ row }) => !isOpenCash(row.state))}::boolean[],
      ${column(({ by }) => by)}::int[], ${column(({ isInApproval = false }) => isInApproval)}::boolean[],
      ${column(({ row }) => row.bankReference)}::text[], ${column(({ row }) => row.maybePaidBy)}::int[],
      ${column(({ leaseSeconds = LEASE_SECONDS }) => leaseSeconds)}::int[])
      v (id, state, taken_by, reason, reason_code, transfer_id, is_ended, by, is_in_approval, bank_reference,
        maybe_paid_by, lease_seconds)
    where c.id = v.id`
}

/**
 * The transfer of a request out is as old as the request and cannot change: who pays it adds the remark as an edit, perhaps
 * not the first one.
 */
const remarkRows = (steps: CashStep[]) => {
  const column = <T>(pick: (one: CashStep) => T) => steps.map(pick)
  return sql`insert into remark_edits (transfer_id, top_id, actor_id, remark, seq, old_remark)
    select v.*, coalesce(e.seq, 0) + 1, coalesce(e.remark, '') from unnest(${column(({ row }) => row.transferId)}::bigint[], ${column(({ row }) => row.topId)}::int[],
      ${column(({ by }) => by)}::int[], ${column(({ remark }) => remark ?? '')}::text[]) v (transfer_id, top_id, actor_id, remark)
      left join lateral (select seq, remark from remark_edits e where e.transfer_id = v.transfer_id
        order by seq desc limit 1) e on true`
}
