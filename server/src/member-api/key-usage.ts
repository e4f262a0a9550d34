import { keyList } from '../data/key-list.ts'
import { type Db, run, sql } from '../data/sql.ts'

const WAIT_MS = 1000

/**
 * Counts what keys ask and how often they are refused. A process writes its counts together, at most once a second and
 * apart from the calls, so that bets in hundreds a second cost one statement.
 */
export const keyUsage = (db: Db) => {
  let counts = new Map<string, { calls: number; refused: number }>()
  let timer: NodeJS.Timeout | undefined

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (counts.size === 0) return
    const written = [...counts]
    counts = new Map()
    // In one order: two copies that add to the same rows could otherwise wait for each other.
    await run(
      db,
      sql`insert into api_key_days (key_id, day, calls, refused)
        select key_id, (now() at time zone 'UTC')::date, calls, refused
          from unnest(${keyList(
            'text',
            written.map(([id]) => id),
          )}, ${keyList(
            'bigint',
            written.map(([, { calls }]) => calls),
          )},
            ${keyList(
              'bigint',
              written.map(([, { refused }]) => refused),
            )}) k (key_id, calls, refused) order by key_id
        on conflict (key_id, day) do update set calls = api_key_days.calls + excluded.calls,
          refused = api_key_days.refused + excluded.refused`,
    )
  }

  return {
    add: (keyId: string, isRefused: boolean): void => {
      const count = counts.get(keyId) ?? { calls: 0, refused: 0 }
      count.calls += 1
      if (isRefused) count.refused += 1
      counts.set(keyId, count)
      // Counts are no more than information: what cannot be written now is left out.
      timer ??= setTimeout(() => void flush().catch(() => {}), WAIT_MS).unref()
    },
    flush,
  }
}
