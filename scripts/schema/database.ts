import pg from 'pg'
import { startTemplate } from '../../server/src/testing/template.ts'

/** Works in an empty database that the migrations have made, on a PostgreSQL of its own. */
export const withSchema = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const { url, template, stop } = await startTemplate()
  try {
    const address = new URL(url)
    address.pathname = `/${template}`
    const client = new pg.Client({ connectionString: address.href })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  } finally {
    await stop()
  }
}
