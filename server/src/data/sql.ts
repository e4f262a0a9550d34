import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { endHalfOpen, WatchedClient } from './half-open.ts'

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

let inside: AsyncLocalStorage<boolean> | undefined
/**
 * For tests: asking for a second connection inside of a transaction throws. In service it would be given, until as many do it
 * at once as there are connections: then they wait for each other for ever.
 */
export const forbidNesting = () => {
  inside ??= new AsyncLocalStorage()
}
/** Work that needs a second connection all the same. Whoever calls it sees to it that few are at it at once. */
export const besideTransaction = <T>(work: () => Promise<T>): Promise<T> => (inside ? inside.run(false, work) : work())
const checkNesting = () => {
  if (inside?.getStore()) throw new Error('a second connection was asked for inside of a transaction')
}

const asDb = (client: pg.Pool | pg.PoolClient): Db => ({
  query: async <R extends Row>(text: string, values: unknown[], isPlannedAnew = false) =>
    (await client.query<R>(isPlannedAnew ? { text, values } : { name: nameOf(text), text, values })).rows,
})

export type Database = Db & {
  /**
   * Runs `work` in a transaction; what it left for after the commit runs then, and only then. `isPlannedOnce`: each statement
   * finds its rows by keys, whatever its values are, and PostgreSQL need not plan it again to see that.
   */
  transact: <T>(work: (tx: Tx) => Promise<T>, isPlannedOnce?: boolean) => Promise<T>
  end: () => Promise<void>
}

/** `onUnsure`: a commit may have happened, and what waited for it was not done. */
export const connect = (
  config: pg.PoolConfig,
  onError: (error: Error) => void = () => {},
  onUnsure: () => void = () => {},
): Database => {
  // Pipelined: `begin` travels with the first statement and the commit with the last one.
  const pool = new pg.Pool({ max: 10, ...config, pipeline: true, Client: WatchedClient } as pg.PoolConfig)
  const stopLooking = endHalfOpen(pool, config)
  // A connection that dies while idle says so here; without a listener it would end the process.
  pool.on('error', onError)
  const { query } = asDb(pool)
  return {
    query: async (...asked) => {
      checkNesting()
      return query(...asked)
    },
    transact: (work, isPlannedOnce) =>
      transact(pool, work, { onError, begin: isPlannedOnce ? BEGIN_PLANNED : 'begin' }).catch((error: unknown) => {
        if (error instanceof UnsureCommit) onUnsure()
        throw error
      }),
    end: () => {
      stopLooking()
      return pool.end()
    },
  }
}

/** The commit was asked for and nobody answered: it may have happened, and may not. */
export class UnsureCommit extends Error {
  constructor(cause: Error) {
    super('the answer to a commit was lost', { cause })
  }
}

/** The SQLSTATE of an error that PostgreSQL itself sent: only those have a severity. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : ''

/** No statement was refused: the connection went (08), or the server did (57P). */
const isOfTheConnection = (error: Error) => /^(|08...|57P..)$/.test(codeOf(error))

/** Otherwise a statement over arrays is planned each time: for a batch of few, a third of the database's work. */
const BEGIN_PLANNED = 'begin; set local plan_cache_mode = force_generic_plan'

const transact = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, onError }: { begin: string; onError: (error: Error) => void },
): Promise<T> => {
  const later: (() => void)[] = []
  const result = await inTransaction(pool, work, { begin, later })
  // Past the commit nothing may make the transaction look failed: whoever is told of it can ask again.
  for (const deed of later) {
    try {
      deed()
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return result
}

const inTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, later }: { begin: string; later: (() => void)[] },
): Promise<T> => {
  checkNesting()
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
    send(client.query(begin))
    const db = asDb(client)
    const tx: Tx = {
      ...db,
      afterCommit: (deed) => later.push(deed),
      last: ({ text, values }) => {
        gather(client)
        send(db.query(text, values))
      },
    }
    const result = await (inside ? inside.run(true, () => work(tx)) : work(tx))
    // After a statement that failed the commit is a rollback.
    send(client.query('commit'))
    await Promise.all(sent)
    if (first) throw isOfTheConnection(first) ? new UnsureCommit(first) : first
    return result
  } catch (error) {
    await Promise.all(sent)
    await client.query('rollback').catch((second: Error) => {
      broken = second
    })
    throw error instanceof UnsureCommit ? error : (first ?? error)
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
export const withFreshPlan = (query: Sql): Sql => ({ ...query, isPlannedAnew: true })

export const many = <R extends Row>(db: Db, query: Sql): Promise<R[]> =>
  db.query<R>(query.text, query.values, query.isPlannedAnew)
export const one = async <R extends Row>(db: Db, query: Sql): Promise<R | undefined> => (await many<R>(db, query))[0]
export const run = async (db: Db, query: Sql): Promise<void> => {
  await db.query(query.text, query.values)
}
