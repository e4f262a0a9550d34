import { run, sql, type Tx } from '../data/sql.ts'

/**
 * Locks the shape of the tree below a top account until the end of the transaction. `make` lets accounts be made side by
 * side; `move` waits for them and they wait for it: an account made below a branch that is moving would keep the old path.
 * Taken before the lock of the abilities.
 */
export const lockTree = (tx: Tx, topId: number, mode: 'make' | 'move'): Promise<void> =>
  run(
    tx,
    mode === 'move'
      ? sql`select pg_advisory_xact_lock(hashtext('tree'), ${topId}::int)`
      : sql`select pg_advisory_xact_lock_shared(hashtext('tree'), ${topId}::int)`,
  )
