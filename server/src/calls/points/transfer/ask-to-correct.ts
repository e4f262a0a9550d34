import type { Answer } from '@tallyroom/contract'
import { type TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { formatPoints } from '@tallyroom/contract/points'
import { factsOfKind } from '@tallyroom/contract/transfer-kinds'
import { askForApproval, isGuarded } from '../../../accounts/sensitive-changes.ts'
import { once } from '../../../data/idempotency.ts'
import { one, sql, type Tx } from '../../../data/sql.ts'
import { is } from '../../../domain/is.ts'
import type { Actor } from '../../../identity/actor.ts'
import { ensure, refuse } from '../../../lib/refusal.ts'
import type { BatchedCtx } from '../../handler.ts'
import { isCorrectableBy } from '../../../ledger/engine/points-of-call.ts'

type Earlier = {
  transactionId: string
  topId: number
  transferKind: TransferKind
  targetId: number
  amount: bigint
  status: TransferStatus
  isCorrected: boolean
  balance: bigint
  targetBalance: bigint
}

/**
 * Asks for approval of a correction; undefined where the platform lets one account correct. Nothing is held meanwhile:
 * whether the points are still there is decided when it is approved.
 */
export const askToCorrect = async (
  ctx: Omit<BatchedCtx, 'reply'>,
  transaction_id: string,
  remark: string,
): Promise<Answer<'transaction/correct'> | undefined> => {
  const { db, actor, idempotencyKey } = ctx
  if (!(await isGuarded(db, actor.topId, 'correction'))) return undefined
  return once(db, { actorId: actor.id, call: 'transaction/correct', idempotencyKey }, async (tx) => {
    const found = ensure(await earlier(tx, actor, transaction_id), 'transfer.not_found')
    const { transactionId, topId, transferKind, targetId, amount, status, isCorrected } = found
    if (isCorrected) return refuse('transfer.already_corrected')
    if (status !== TransferStatus.success || !factsOfKind(transferKind)?.isCorrectable)
      return refuse('transfer.not_correctable')
    await askForApproval(
      { ...ctx, db: tx },
      {
        kind: 'correction',
        call: 'transaction/correct',
        input: { transaction_id: transactionId, remark },
        target: { id: targetId, topId },
        subject: transactionId,
        facts: { transaction_id: transactionId, transfer_kind: transferKind, amount: formatPoints(amount), remark },
      },
    )
    return {
      transaction_id: transactionId,
      status: TransferStatus.pending,
      balance: formatPoints(found.balance),
      target_balance: formatPoints(found.targetBalance),
      approval: 1 as const,
    }
  })
}

/** A transfer between two accounts that the actor may see. */
const earlier = (tx: Tx, actor: Actor, transaction_id: string) =>
  one<Earlier>(
    tx,
    sql`select t.transaction_id as "transactionId", t.top_id as "topId", t.op as "transferKind", t.target_id as "targetId",
        t.amount, coalesce(e.status, 1)::smallint as status,
        exists (select from transfers c where c.corrects = t.id) as "isCorrected",
        f.balance, w.balance as "targetBalance"
      from transfers t left join envelopes e on e.transfer_id = t.id
        join wallets f on f.account_id = t.funder_id and f.kind = ${is.mainWallet}
        join wallets w on w.account_id = t.target_id and w.kind = t.wallet
      where t.transaction_id = ${transaction_id} and ${isCorrectableBy(actor)}`,
  )
