import { run, sql, type Tx } from '../../../data/sql.ts'
import type { ReadCtx } from '../../handler.ts'

/** Reads that must agree with each other, while points move. */
export const inOneSnapshot = <T>({ services }: ReadCtx, read: (tx: Tx) => Promise<T>): Promise<T> =>
  services.db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    return read(tx)
  })
