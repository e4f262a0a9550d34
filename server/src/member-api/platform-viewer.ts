import { actorOfAccount } from '../identity/actor.ts'
import type { HistoryViewer } from '../ledger/read/history-search.ts'
import { ensure } from '../lib/refusal.ts'
import type { ApiCtx } from './context.ts'

/**
 * A key reads what its top account sees, because it reaches everything below it; its own account would see only the
 * members of the top account's group. Names are unmasked: the platform knows them already.
 */
export const platformViewer = async ({ db, services, topId, timesIn }: ApiCtx): Promise<HistoryViewer> => {
  const { timeZone } = services.settings
  return {
    actor: { ...ensure(await actorOfAccount(db, topId, timeZone), 'account.not_found'), masks: false },
    timeZone,
    timesIn,
  }
}
