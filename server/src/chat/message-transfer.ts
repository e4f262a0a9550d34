import { officeTakingKinds } from '../domain/kind-sets.ts'
import { type Sql, sql } from '../data/sql.ts'
import type { MessageTransfer } from './room-row.ts'
import { is } from '../domain/is.ts'

/** As `transferFields` selects it. */
export type StoredTransfer = Omit<MessageTransfer, 'id' | 'amount' | 'expiresAt'> & {
  id: string
  amount: string
  expiresAt: string | null
}

/** The transfer `t` for its card; its envelope is `e`, the last edit of its remark `x`. */
export const transferFields: Sql = sql`json_build_object('id', t.id::text, 'transactionId', t.transaction_id,
  'status', coalesce(e.status, 1), 'type', case when t.op in ${officeTakingKinds} then 2 else 1 end,
  'amount', t.amount::text, 'remark', coalesce(x.remark, t.remark), 'expiresAt', e.expires_at, 'transferKind', t.op,
  'isHeld', e.status = ${is.pending} and e.type > ${is.cashHold},
  'isCorrected', exists (select from transfers k where k.corrects = t.id))`
/** `e` and `x` of the transfer `t`. */
export const transferTables: Sql = sql`left join envelopes e on e.transfer_id = t.id
  left join lateral (select remark from remark_edits where transfer_id = t.id order by seq desc limit 1) x on true`

export const asTransfer = (stored: StoredTransfer): MessageTransfer => ({
  ...stored,
  id: BigInt(stored.id),
  amount: BigInt(stored.amount),
  expiresAt: stored.expiresAt ? new Date(stored.expiresAt) : null,
})
