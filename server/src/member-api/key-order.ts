import { actorOfAccount } from '../identity/actor.ts'
import { ensure } from '../lib/refusal.ts'
import type { BatchedApiCtx } from './context.ts'

/** Who makes an order of the key's own account, and the write that makes it repeatable. */
export const keySource = async ({ db, services, caller, report, actor: { id } }: BatchedApiCtx) => {
  if (!report) throw new Error('a write of a key needs a request_id')
  const actor = ensure(await actorOfAccount(db, id, services.settings.timeZone), 'account.not_found')
  return { source: { actor, idempotencyKey: report.idempotencyKey, caller }, call: report.call }
}
