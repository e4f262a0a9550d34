import { run, sql, type Tx } from '../../../data/sql.ts'
import type { ReadCtx } from '../../handler.ts'

/** Makes all reads of a transaction agree with each other, while points move. It must be its first statement. */
export const asSnapshot = (tx: Tx): Promise<unknown> =>
  run(tx, sql`set transaction isolation level repeatable read, read only`)

/** Reads that must agree with each other, in a transaction of their own. */
export const inOneSnapshot = <T>({ services }: ReadCtx, read: (tx: Tx) => Promise<T>): Promise<T> =>
  services.db.transact(async (tx) => {
    await asSnapshot(tx)
    return read(tx)
  })
