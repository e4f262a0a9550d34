import { MAX_ROWS } from '../ledger/read/history.ts'
import { type Cell, csvOf } from '../lib/csv.ts'
import { zonedTime } from '../lib/zoned-time.ts'
import { type ExportCtx, exportMustWait, noFile } from './sensitive-changes.ts'

/** `days`: of a report, which would else not say what time it is of. */
type Source = {
  call: string
  filter: Record<string, unknown>
  what: string
  days?: { start_date: string; end_date: string }
}

/**
 * A CSV file of up to MAX_ROWS rows; one more says that there are more. Audited before it is returned: an export without
 * an entry must not exist.
 */
export const exportFile = async (ctx: ExportCtx, { call, filter, what, days }: Source, all: Cell[][]) => {
  const table = all.slice(0, MAX_ROWS)
  if (await exportMustWait(ctx, { call, filter, what, rows: table.length })) return noFile
  const name = days
    ? `${what}-${days.start_date}-${days.end_date}`
    : `${what}-${zonedTime(ctx.services.settings.timeZone)(new Date()).slice(0, 10)}`
  return { name: `${name}.csv`, csv: csvOf(table), cut: all.length > MAX_ROWS }
}
