import { DATABASE_MS, type NumberSources, numberHelp, readNumbers } from '../doctor/numbers.ts'
import { makeForbiddenCount, makeLogTimes, readStatistics, statisticsHelp } from '../doctor/statistics.ts'
import type { Db } from '../data/sql.ts'
import { withTimeout } from '../lib/concurrency.ts'

type Series = {
  gauge: (name: string, help: string) => { set: (value: number) => void; remove: () => void }
  counter: (
    name: string,
    help: string,
    labels: string[],
  ) => { inc: (labels: Record<string, string>, n: number) => void }
}
export type InstallationSources = NumberSources & {
  /** A connection of its own: calls that wait may have taken all others. */
  statisticsDb: Db
  /** Since when the next pass of the sealer is due, in seconds; undefined where nothing is sealed. */
  sealLate: () => number | undefined
}

const help = {
  ...numberHelp,
  ...statisticsHelp,
  clock_offset_seconds: 'How far the clock of this copy is ahead of that of the database.',
  seal_late_seconds: 'Since the sealer of this copy should have sealed again. Absent with SEAL_LEDGER=0.',
} as const
type Name = keyof typeof help

/** The metrics of the whole installation, which one process of a copy reads. The result reads them. */
export const makeInstallationMetrics = ({ gauge, counter }: Series) => {
  const databaseUp = gauge('tallyroom_database_up', '1 if the database answered in time.')
  const gauges = (Object.keys(help) as Name[]).map((name) => [name, gauge(`tallyroom_${name}`, help[name])] as const)
  const changed = counter('tallyroom_changed_rows_total', 'Rows that may never change, and did.', ['table'])
  const countForbidden = makeForbiddenCount()
  const logTimes = makeLogTimes()
  return async (sources: InstallationSources) => {
    const [statistics, { database, files, replayed }] = await Promise.all([
      withTimeout(readStatistics(sources.statisticsDb), DATABASE_MS).catch(() => undefined),
      readNumbers(sources),
    ])
    // A number that could not be read in time is left out.
    databaseUp.set(statistics ? 1 : 0)
    for (const { table, more } of countForbidden(statistics?.touchedRows ?? [])) changed.inc({ table }, more)
    const now = performance.now() / 1000
    const { wal } = statistics ?? {}
    if (wal) logTimes.note(wal.end, now)
    const lags = [...(wal?.replayed ?? []), ...replayed].map((position) => logTimes.secondsBehind(position, now))
    const lag = Math.max(files.standby_lag_seconds ?? -1, ...lags)
    const values: { [name in Name]?: number | null | undefined } = {
      ...database,
      ...files,
      ...statistics?.figures,
      standby_lag_seconds: lag < 0 ? undefined : lag,
      clock_offset_seconds: statistics?.clockOffset,
      seal_late_seconds: sources.sealLate(),
    }
    for (const [name, one] of gauges) {
      const value = values[name]
      if (value === undefined || value === null) one.remove()
      else one.set(value)
    }
  }
}
