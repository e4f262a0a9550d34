import { type Db, run, sql } from '../data/sql.ts'

const KEPT_DAYS = 400

/** Notes the size of the database as that of today. Several copies may do it at once. */
export const noteDatabaseSize = async (db: Db): Promise<void> => {
  await run(
    db,
    sql`insert into database_sizes (day, bytes) values (current_date, pg_database_size(current_database()))
      on conflict (day) do update set bytes = excluded.bytes`,
  )
  await run(db, sql`delete from database_sizes where day < current_date - ${KEPT_DAYS}::int`)
}
