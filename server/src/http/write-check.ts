import type { Services } from '../services.ts'
import { run, sql } from '../data/sql.ts'
import { withTimeout } from '../lib/concurrency.ts'

const ANSWER_MS = 2000

/**
 * Whether a transaction commits: a database that only reads, or waits for a standby that is gone, answers `select 1` as
 * well. Commits a few bytes of the log and no row. Checks at the same time share one, so that those that hang cannot take
 * all connections.
 */
export const writeCheck = ({ db, disk }: Pick<Services, 'db' | 'disk'>): (() => Promise<boolean>) => {
  let running: Promise<boolean> | undefined
  const check = async () => {
    // On a full disk everything can still be read, and the answer says that it is full.
    const commit = disk.isFull()
      ? run(db, sql`select 1`)
      : db.transact((tx) => run(tx, sql`select pg_logical_emit_message(true, 'tallyroom', 'ready')`))
    return await commit.then(
      () => true,
      () => false,
    )
  }
  return () => {
    running ??= check().finally(() => (running = undefined))
    return withTimeout(running, ANSWER_MS).catch(() => false)
  }
}
