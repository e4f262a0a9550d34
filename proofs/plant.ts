import pg from 'pg'

/** Holds a lock on a table until the result releases it. */
export const lockTable = async (database: pg.ClientConfig, table: string): Promise<() => Promise<void>> => {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(`begin; lock table ${table} in access exclusive mode`)
  return () => client.end()
}

/** Plants a trouble; the result ends it. */
export const planted = (plant: () => unknown, end: () => unknown) => async () => {
  await plant()
  return end
}
