import { actorOfAccount, withScopeOfTop } from '../../identity/actor.ts'
import type { Ctx } from '../../calls/handler.ts'
import { ensure } from '../../lib/refusal.ts'
import type { ApiCtx } from '../context.ts'

/** The context in which a key reads what the office knows of accounts. */
export const inOfficeReading = async ({ db, services, caller, actor: { id } }: Omit<ApiCtx, 'report'>) => {
  const { timeZone } = services.settings
  const key = ensure(await actorOfAccount(db, id, timeZone), 'account.not_found')
  return { db, services, caller, actor: await withScopeOfTop(db, key, timeZone) }
}

/** The context of the office's own calls, so that their rules hold for a key: who may give what, four eyes, the log. */
export const inOffice = async (ctx: ApiCtx): Promise<Ctx> => {
  if (!ctx.report) throw new Error('a write of a key needs a request_id')
  const { idempotencyKey } = ctx.report
  return { ...(await inOfficeReading(ctx)), idempotencyKey, reply: { setCookie: () => {} } }
}
