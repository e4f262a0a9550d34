import { formatPoints } from '@tallyroom/contract/points'
import { EnvelopeKind } from '@tallyroom/contract/codes'
import { isHold } from '../rules/rules-approval.ts'
import type { HistoryRow } from './history.ts'

/** Why its points are held, if not as an envelope. */
export const heldFor = (row: Pick<HistoryRow, 'is_held' | 'cashState'>) => ({
  ...(row.is_held ? { approval: 1 as const } : {}),
  ...(row.cashState ? { request: row.cashState } : {}),
})

/** Why a transfer is in the record of envelopes. A member does not learn what needed approval. */
export const madeAs = ({ envelope_type: type }: Pick<HistoryRow, 'envelope_type'>, isMember: boolean) => {
  if (type === null) return 'direct'
  if (isHold(type)) return isMember ? 'direct' : 'approval'
  return type === EnvelopeKind.cashHold ? 'request' : 'envelope'
}

/** A transfer as lists show it. */
export const asTransferRow = (row: HistoryRow) => ({
  id: String(row.id),
  transaction_id: row.transaction_id,
  created_at: row.created_at,
  settled_at: row.settled_at,
  type: row.transferKind,
  wallet: row.wallet,
  envelope: row.is_envelope ? (1 as const) : (0 as const),
  member_username: row.member_username,
  member_nickname: row.member_nickname,
  amount: formatPoints(row.amount),
  balance: row.balance === null ? null : formatPoints(row.balance),
  audit_amount: formatPoints(row.audit_amount),
  status: row.status,
  user_username: row.operator,
  remark: row.remark,
  remark_edited: row.remark_edited,
  corrects_type: row.corrects_op,
  corrected: row.is_corrected,
  ...heldFor(row),
  ...(row.isPast ? { past: 1 as const } : {}),
})

/** The same with the ids of those accounts that the viewer may see: a masked name leads nowhere without. */
export const asLinkedRow = (row: HistoryRow) => ({
  ...asTransferRow(row),
  ...(row.isPast ? {} : { member_id: row.target_id }),
  ...(row.isOperatorSeen ? { user_id: row.operator_id } : {}),
})
