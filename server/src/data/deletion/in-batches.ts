import { type Db, many, type Sql, sql } from '../sql.ts'

/** Rows of one statement: one for two million rows would take minutes, and come to nothing when it is interrupted. */
const BATCH = 10_000

/**
 * Deletes the rows of a table for which `isOld` holds. Repeatable. Of several copies that do it at once each may delete a
 * part, and one that finds too few leaves the rest to the others or to the next time.
 */
export const deleteInBatches = async (
  db: Db,
  table: Sql,
  isOld: Sql,
  isStopped: () => boolean = () => false,
): Promise<void> => {
  while (!isStopped()) {
    const gone = await many(
      db,
      sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOld} limit ${BATCH}::int)) returning 1`,
    )
    if (gone.length < BATCH) return
  }
}
