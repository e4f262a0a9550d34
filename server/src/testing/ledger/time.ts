import { expect } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import type { ApprovalModel } from './model-approval.ts'
import type { CashModel } from './model-cash.ts'
import type { Model } from './model.ts'
import type { world } from './world.ts'
import { asSuperuser } from '../postgres.ts'

type Both = { w: Awaited<ReturnType<typeof world>>; model: Model }
type Queues = { cash: CashModel; approvals: ApprovalModel }
type Made = { made: readonly { name: string; transactionId: string }[]; chance: (part: number) => boolean }

/** Ends the time of some open envelopes in both ledgers. */
export const passEnvelopeTimes = async ({ w, model, made, chance }: Both & Made) => {
  for (const { name, transactionId } of made) {
    const transfer = model.transfers.get(name)
    if (!transfer?.asked || transfer.status !== 'pending' || !chance(0.08)) continue
    transfer.overdue = true
    const past = sql`update envelopes e set expires_at = now() - interval '1 second' from transfers t
      where t.id = e.transfer_id and t.transaction_id = ${transactionId}`
    await asSuperuser((tx) => run(tx, past), w.config)
  }
}

/** Runs the job that ends what is due, in both ledgers; how much it ended, which must be the same. */
export const expireDue = async ({ w, model, cash, approvals }: Both & Queues): Promise<number> => {
  const expected = model.expireDue() + cash.expireDue() + approvals.expireDue()
  expect(await w.ledger.expireDue()).toBe(expected)
  return expected
}
