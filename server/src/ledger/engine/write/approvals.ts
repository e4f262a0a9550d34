import type { ApprovalState } from '@tallyroom/contract/limits'
import { tellApprovers } from '../../../chat/push/approval-pushes.ts'
import { run, sql, type Tx } from '../../../data/sql.ts'
import type { Hub } from '../../../live/hub.ts'
import type { Excess } from '../../rules/rules-limits.ts'
import type { BatchFacts } from '../load/load.ts'
import type { PayTerms } from '../load/approvals.ts'

type NewApproval = {
  topId: number
  transferId: bigint
  cashId: number | null
  makerId: number
  excess: Excess
  needsConsent: boolean
  terms: PayTerms
  reason: string
}
type ApprovalStep = {
  id: number
  topId: number
  makerId: number
  state: Exclude<ApprovalState, 'waiting'>
  by: number | null
  answer: string
}
/** The approvals that a batch has made and ended, and the envelopes that now wait for the member. */
export type ApprovalDraft = {
  made: NewApproval[]
  steps: ApprovalStep[]
  passedOn: { transferId: bigint; becomes: 1 | 2 }[]
}
export const emptyApprovalDraft = (): ApprovalDraft => ({ made: [], steps: [], passedOn: [] })

/** Sends the statements at once. */
export const writeApprovals = async (tx: Tx, draft: ApprovalDraft, facts: BatchFacts): Promise<void> => {
  const { made, steps, passedOn } = draft
  await Promise.all([
    steps.length && run(tx, stepRows(steps, facts)),
    passedOn.length && run(tx, passedOnRows(passedOn)),
    made.length && run(tx, madeRows(made, facts)),
  ])
}

const madeRows = (made: NewApproval[], facts: BatchFacts) => {
  const column = <T>(pick: (one: NewApproval) => T) => made.map(pick)
  return sql`insert into approvals (made_at, expires_at, top_id, transfer_id, cash_id, maker_id, holder_id, over, most,
      needs_consent, terms, reason)
    select ${facts.now}::timestamptz, ${facts.deadline}::timestamptz, * from unnest(${column((p) => p.topId)}::int[],
      ${column((p) => p.transferId)}::bigint[], ${column((p) => p.cashId)}::int[], ${column((p) => p.makerId)}::int[],
      ${column((p) => p.excess.holderId)}::int[], ${column((p) => p.excess.part)}::text[],
      ${column((p) => p.excess.most)}::bigint[], ${column((p) => p.needsConsent)}::boolean[],
      ${column((p) => JSON.stringify(p.terms))}::jsonb[], ${column((p) => p.reason)}::text[])`
}

const stepRows = (steps: ApprovalStep[], facts: BatchFacts) => {
  const column = <T>(pick: (one: ApprovalStep) => T) => steps.map(pick)
  return sql`update approvals p set state = v.state, ended_at = ${facts.now}::timestamptz, ended_by = v.by, answer = v.answer
    from unnest(${column((p) => p.id)}::int[], ${column((p) => p.state)}::text[], ${column((p) => p.by)}::int[],
      ${column((p) => p.answer)}::text[]) v (id, state, by, answer)
    where p.id = v.id`
}

/** The member answers within the deadline that the transfer has had from the beginning. */
const passedOnRows = (passedOn: ApprovalDraft['passedOn']) =>
  sql`update envelopes e set type = v.type
    from unnest(${passedOn.map(({ transferId }) => transferId)}::bigint[],
      ${passedOn.map(({ becomes }) => becomes)}::smallint[]) v (id, type)
    where e.transfer_id = v.id`

export const tellOfApprovals = (tx: Tx, hub: Hub, { made, steps }: ApprovalDraft): Promise<void> => {
  const touched = [...made, ...steps]
  const ids = made.map(({ transferId }) => transferId)
  return tellApprovers(tx, hub, {
    topIds: touched.map(({ topId }) => topId),
    makerIds: touched.map(({ makerId }) => makerId),
    made: ids.length ? { about: 'transfer', which: sql`i.transfer_id = any(${ids}::bigint[])` } : undefined,
  })
}
