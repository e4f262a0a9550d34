import { withTimeout } from '../lib/concurrency.ts'
import { type Database, one, sql } from './sql.ts'

/** Pauses between looks at a replica that is behind: mostly it is so by a few milliseconds. */
const PAUSES_MS = [0, 5, 15, 30]

export type Replicas = {
  /**
   * A replica that has everything up to this position of the primary's log; undefined when none has it soon. A position
   * that was read after a person's write makes it impossible that the person misses that write.
   */
  at(lsn: string): Promise<Database | undefined>
  /** How far each is behind; undefined for one that does not answer within `ms`. */
  lags(ms: number): Promise<(Lag | undefined)[]>
  end(): Promise<void>
}

/**
 * `seconds`: by its own word, which is 0 for one that is cut off from the primary. `replayed`: up to where it has the log,
 * in bytes; null for one that is the primary by now.
 */
type Lag = { seconds: number; replayed: string | null }

/** While nothing is written, the last replayed transaction is old and nothing is missing. */
const lagOf = (pool: Database): Promise<Lag | undefined> =>
  one<Lag>(
    pool,
    sql`select case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 end as seconds,
      case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as replayed`,
  )

/** `pools`: one for each server. A balancer could lead the look and the read to two of them. */
export const makeReplicas = (pools: Database[]): Replicas => {
  let next = 0
  const has = async (pool: Database, lsn: string) => {
    // A replica that has become the primary replays nothing, and has everything.
    const row = await one<{ isThere: boolean }>(
      pool,
      sql`select coalesce(pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn, not pg_is_in_recovery()) as "isThere"`,
    )
    return row?.isThere === true
  }
  return {
    async at(lsn) {
      for (const ms of PAUSES_MS) {
        if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
        const pool = pools[next++ % pools.length]
        if (pool && (await has(pool, lsn).catch(() => false))) return pool
      }
      return undefined
    },
    lags: (ms) => Promise.all(pools.map((pool) => withTimeout(lagOf(pool), ms).catch(() => undefined))),
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}
