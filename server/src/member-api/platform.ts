import { formatPoints } from '@tallyroom/contract/points'
import { languages } from '@tallyroom/locales'
import { addPing } from '../accounts/endpoints/resend.ts'
import { one, sql } from '../data/sql.ts'
import { version } from '../lib/version.mjs'
import type { ApiCtx } from './context.ts'

export const platformHandlers = {
  'webhook/ping': ({ db, topId }: ApiCtx) => addPing(db, topId),

  'platform/view': async ({ db, services }: ApiCtx) => {
    const { timeZone, caps } = services.settings
    // Signatures are checked by the database's clock.
    const clock = await one<{ now: Date }>(db, sql`select now() as now`)
    const asText = (cap: bigint | undefined) => (cap === undefined ? null : formatPoints(cap))
    return {
      time_zone: timeZone,
      now: clock?.now.toISOString() ?? '',
      version,
      caps: { per_envelope: asText(caps.envelope), per_day: asText(caps.day) },
      languages: [...languages],
    }
  },
}
