import pg from 'pg'

const PATIENCE_MS = 3000

/** A connection of its own to one server, for as long as the work takes. */
export const onServer = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })
  // A connection that breaks fails the query; without a listener it would end the program too.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The only row of a query. */
export const askServer = <R extends pg.QueryResultRow>(url: string, text: string): Promise<R> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<R>(text)
    if (!rows[0]) throw new Error('no row')
    return rows[0]
  })
