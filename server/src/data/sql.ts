import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { endHalfOpen, WatchedClient } from './half-open.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))

export type Row = Record<string, unknown>
/** Runs queries: the pool, or a client inside a transaction. */
export type Db = {
  query: <R extends Row>(text: string, values: unknown[], isReplanned?: boolean) => Promise<R[]>
}
export type Tx = Db & {
  afterCommit: (callback: () => void) => void
  /** Sends the last write of a transaction, whose answer is not needed; the commit follows without waiting for it. */
  last: (query: Sql) => void
}

const names = new Map<string, string>()
/** A name for the statement: PostgreSQL then parses and plans each text once a connection. */
const nameOf = (text: string) => {
  const known = names.get(text)
  if (known) return known
  const made = createHash('sha1').update(text).digest('base64url').slice(0, 20)
  names.set(text, made)
  return made
}

let inside: AsyncLocalStorage<boolean> | undefined
/**
 * For tests: makes a second connection inside a transaction throw. In service it would be given, but once as many
 * transactions do so as there are connections, they wait for each other for ever.
 */
export const forbidNesting = () => {
  inside ??= new AsyncLocalStorage()
}
/** For work that needs a second connection all the same. The caller must bound how many run at once. */
export const besideTransaction = <T>(work: () => Promise<T>): Promise<T> => (inside ? inside.run(false, work) : work())
const checkNesting = () => {
  if (inside?.getStore())
    throw new Error('a second connection was requested inside a transaction: use `tx`, or besideTransaction()')
}

const asDb = (client: pg.Pool | pg.PoolClient): Db => ({
  query: async <R extends Row>(text: string, values: unknown[], isReplanned = false) =>
    (await client.query<R>(isReplanned ? { text, values } : { name: nameOf(text), text, values })).rows,
})

export type Database = Db & {
  /**
   * Runs `work` in a transaction, then its `afterCommit` callbacks. `isPlannedOnce`: every statement finds its rows by
   * keys whatever its values are, so PostgreSQL uses the generic plan without planning again.
   */
  transact: <T>(work: (tx: Tx) => Promise<T>, isPlannedOnce?: boolean) => Promise<T>
  end: () => Promise<void>
}

/** `onUnsure`: a commit may have happened, but its `afterCommit` callbacks did not run. */
export const connect = (
  config: pg.PoolConfig,
  onError: (error: Error) => void = () => {},
  onUnsure: () => void = () => {},
): Database => {
  // Pipelined: `begin` is sent with the first statement and `commit` with the last one.
  const pool = new pg.Pool({ max: 10, ...config, pipeline: true, Client: WatchedClient } as pg.PoolConfig)
  const stopChecking = endHalfOpen(pool, config)
  // An idle connection that dies emits this; without a listener the process would end.
  pool.on('error', onError)
  const { query } = asDb(pool)
  return {
    query: async (...args) => {
      checkNesting()
      return query(...args)
    },
    transact: (work, isPlannedOnce) =>
      transact(pool, work, { onError, begin: isPlannedOnce ? BEGIN_PLANNED : 'begin' }).catch((error: unknown) => {
        if (error instanceof UnsureCommit) onUnsure()
        throw error
      }),
    end: () => {
      stopChecking()
      return pool.end()
    },
  }
}

/** The commit was sent and not answered: it may or may not have happened. */
export class UnsureCommit extends Error {
  constructor(cause: Error) {
    super('the answer to a commit was lost', { cause })
  }
}

/** The SQLSTATE of an error that PostgreSQL itself sent: only those have a severity. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'severity' in error && 'code' in error ? String(error.code) : ''

/** No statement failed: the connection broke (08), or the server shut down (57P). */
const isConnectionError = (error: Error) => /^(|08...|57P..)$/.test(codeOf(error))

/** Otherwise a statement over arrays is planned each time: for small batches a third of the database's work. */
const BEGIN_PLANNED = 'begin; set local plan_cache_mode = force_generic_plan'

const transact = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, onError }: { begin: string; onError: (error: Error) => void },
): Promise<T> => {
  const callbacks: (() => void)[] = []
  const result = await inTransaction(pool, work, { begin, callbacks })
  // After the commit an error must not make the transaction look failed: a caller who misses an event can ask again.
  for (const callback of callbacks) {
    try {
      callback()
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return result
}

const inTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, callbacks }: { begin: string; callbacks: (() => void)[] },
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
  // All are awaited below. The first failure is the cause; later ones only follow from it.
  const send = (promise: Promise<unknown>) => {
    sent.push(
      promise.catch((error: unknown) => {
        first ??= error instanceof Error ? error : new Error(String(error))
      }),
    )
  }
  try {
    sendInOneWrite(client)
    send(client.query(begin))
    const db = asDb(client)
    const tx: Tx = {
      ...db,
      afterCommit: (callback) => callbacks.push(callback),
      last: ({ text, values }) => {
        sendInOneWrite(client)
        send(db.query(text, values))
      },
    }
    const result = await (inside ? inside.run(true, () => work(tx)) : work(tx))
    // After a failed statement the commit acts as a rollback.
    send(client.query('commit'))
    await Promise.all(sent)
    if (first) throw isConnectionError(first) ? new UnsureCommit(first) : first
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

/** Sends what is queued in this tick as one packet: a socket write of its own costs as much as a query. */
const sendInOneWrite = (client: pg.PoolClient) => {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  queueMicrotask(() => stream.uncork())
}

/** A query as a tagged template: sql`select … where id = ${id}` -> text with $1 and its values. */
export type Sql = { text: string; values: unknown[]; isReplanned?: boolean }
export const sql = (parts: TemplateStringsArray, ...values: unknown[]): Sql => {
  const inner = values.map((value) => (isSql(value) ? value.text : undefined))
  const flat: unknown[] = []
  for (const value of values) {
    if (isSql(value)) flat.push(...value.values)
    else flat.push(value)
  }
  const known = composed.get(parts)
  if (known?.inner.every((text, at) => text === inner[at])) return { text: known.text, values: flat }
  const text = compose(parts, values)
  composed.set(parts, { inner, text })
  return { text, values: flat }
}

/**
 * The last text of each template, with the texts of the queries inside it. A batch of the ledger composes the same statement of
 * 3 kB each time; the same string object also spares hashing it when its name is looked up.
 */
const composed = new WeakMap<TemplateStringsArray, { inner: (string | undefined)[]; text: string }>()

const compose = (parts: TemplateStringsArray, values: unknown[]): string => {
  let text = parts[0] ?? ''
  let count = 0
  values.forEach((value, at) => {
    const before = count
    if (isSql(value)) {
      text += value.text.replace(/\$(\d+)/g, (_, n: string) => `$${before + Number(n)}`)
      count += value.values.length
    } else {
      count++
      text += `$${count}`
    }
    text += parts[at + 1] ?? ''
  })
  return text
}
const isSql = (value: unknown): value is Sql =>
  typeof value === 'object' && value !== null && 'text' in value && 'values' in value

/**
 * For a query whose best plan depends on its values: a named statement gets one generic plan after some runs.
 * Planning costs a millisecond, so use it only where the plans differ that much.
 */
export const withFreshPlan = (query: Sql): Sql => ({ ...query, isReplanned: true })

export const many = <R extends Row>(db: Db, query: Sql): Promise<R[]> =>
  db.query<R>(query.text, query.values, query.isReplanned)
export const one = async <R extends Row>(db: Db, query: Sql): Promise<R | undefined> => (await many<R>(db, query))[0]
export const run = async (db: Db, query: Sql): Promise<void> => {
  await db.query(query.text, query.values)
}
