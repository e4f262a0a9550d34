import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))

export type Row = Record<string, unknown>
/** Something one can ask: the pool, or a client inside a transaction. */
export type Db = {
  query: <R extends Row>(text: string, values: unknown[], isPlannedAnew?: boolean) => Promise<R[]>
}
export type Tx = Db & {
  afterCommit: (deed: () => void) => void
  /** The last write of a transaction, whose answer nobody needs: the commit follows it without waiting. */
  last: (query: Sql) => void
}

const names = new Map<string, string>()
/** Named, so that PostgreSQL parses and plans each text once for a connection. */
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known) return known
  const made = createHash('sha1').update(text).digest('base64url').slice(0, 20)
  names.set(text, made)
  return made
}

const asDb = (client: pg.Pool | pg.PoolClient): Db => ({
  query: async <R extends Row>(text: string, values: unknown[], isPlannedAnew = false) =>
    (await client.query<R>(isPlannedAnew ? { text, values } : { name: nameOf(text), text, values })).rows,
})

export type Database = Db & {
  /** Runs `work` in a transaction; what it left for after the commit runs then, and only then. */
  transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  end: () => Promise<void>
}

export const connect = (config: pg.PoolConfig, onError: (error: Error) => void = () => {}): Database => {
  // Pipelined: `begin` travels with the first statement and the commit with the last one.
  const pool = new pg.Pool({ max: 10, ...config, pipeline: true } as pg.PoolConfig)
  // A connection that dies while idle says so here; without a listener it would end the process.
  pool.on('error', onError)
  return {
    ...asDb(pool),
    transact: (work) => transact(pool, work, onError),
    end: () => pool.end(),
  }
}

const transact = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  onDeedError: (error: Error) => void,
): Promise<T> => {
  const later: (() => void)[] = []
  const result = await inTransaction(pool, work, later)
  // Past the commit nothing may make the transaction look failed: whoever is told of it can ask again.
  for (const deed of later) {
    try {
      deed()
    } catch (error) {
      onDeedError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return result
}

const inTransaction = async <T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>, later: (() => void)[]): Promise<T> => {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  let first: Error | undefined
  const sent: Promise<unknown>[] = []
  // Each is awaited below; the first that failed is the one to tell, and what comes after it only follows from it.
  const send = (promise: Promise<unknown>) => {
    sent.push(
      promise.catch((error: unknown) => {
        first ??= error instanceof Error ? error : new Error(String(error))
      }),
    )
  }
  try {
    gather(client)
    send(client.query('begin'))
    const db = asDb(client)
    const result = await work({
      ...db,
      afterCommit: (deed) => later.push(deed),
      last: ({ text, values }) => {
        gather(client)
        send(db.query(text, values))
      },
    })
    // After a statement that failed the commit is a rollback.
    send(client.query('commit'))
    await Promise.all(sent)
    if (first) throw first
    return result
  } catch (error) {
    await Promise.all(sent)
    await client.query('rollback').catch((second: Error) => {
      broken = second
    })
    throw first ?? error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** What is asked of a connection in the same moment goes out in one piece: each write of its own costs as much as a query. */
const gather = (client: pg.PoolClient) => {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  queueMicrotask(() => stream.uncork())
}

/** A query as a tagged template: sql`select … where id = ${id}` -> text with $1 and its values. */
export type Sql = { text: string; values: unknown[]; isPlannedAnew?: boolean }
export const sql = (parts: TemplateStringsArray, ...values: unknown[]): Sql => {
  const flat: unknown[] = []
  let text = parts[0] ?? ''
  values.forEach((value, at) => {
    if (isSql(value)) {
      text += value.text.replace(/\$(\d+)/g, (_, n: string) => `$${flat.length + Number(n)}`)
      flat.push(...value.values)
    } else {
      flat.push(value)
      text += `$${flat.length}`
    }
    text += parts[at + 1] ?? ''
  })
  return { text, values: flat }
}
const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'text' in value && 'values' in value

/**
 * For a query whose best plan depends on its values: a named one is, after some times, planned once for all values alike.
 * Planning costs a millisecond, so only where the plans are worth it.
 */
export const plannedAnew = (query: Sql): Sql => ({ ...query, isPlannedAnew: true })

export const many = <R extends Row>(db: Db, query: Sql): Promise<R[]> =>
  db.query<R>(query.text, query.values, query.isPlannedAnew)
export const one = async <R extends Row>(db: Db, query: Sql): Promise<R | undefined> => (await many<R>(db, query))[0]
export const run = async (db: Db, query: Sql): Promise<void> => {
  await db.query(query.text, query.values)
}
