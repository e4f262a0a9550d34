import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import { corkUntilIdle, WatchedClient } from '../adapters/pg.ts'
import { asArrayText } from './array-text.ts'
import { asAway, DatabaseAway, isConnectionError, UnsureCommit } from './faults.ts'
import { endHalfOpen } from './half-open.ts'
import type { DatabaseConfig } from './servers.ts'
import type { Traces } from '../lib/traces.ts'
import { nameOf, shortNameOf } from './statement-names.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text))

export type Row = Record<string, unknown>
/** Columns of a table that a left join adds: all of them, or none. */
export type LeftJoined<R> = R | { [Name in keyof R]: null }
/** Runs queries: the pool, or a client inside a transaction. */
export type Db = {
  query: <R extends Row>(text: string, values: unknown[], isReplanned?: boolean) => Promise<R[]>
}
export type Tx = Db & {
  /** Announces. When the commit is unsure, `onUnsure` gets the callbacks instead. */
  afterCommit: (callback: () => void) => void
  /** Does what cannot be undone. Not done when the commit is unsure. */
  onlyAfterCommit: (callback: () => void) => void
  /** Undoes what is stored elsewhere. Not done when the commit is unsure. */
  afterRollback: (callback: () => void) => void
  /** Sends the last write of a transaction, whose answer is not needed; the commit follows without waiting for it. */
  last: (query: Sql) => void
}

let inside: AsyncLocalStorage<boolean> | undefined
/**
 * For tests: makes a second connection inside a transaction throw. In service it would be given, but once as many
 * transactions do so as there are connections, they wait for each other for ever.
 */
export const forbidNesting = () => {
  inside ??= new AsyncLocalStorage()
}
/** Runs work that needs a second connection all the same. The caller must bound how many run at once. */
export const besideTransaction = <T>(work: () => Promise<T>): Promise<T> => (inside ? inside.run(false, work) : work())
const checkNesting = () => {
  if (inside?.getStore())
    throw new Error('a second connection was requested inside a transaction: use `tx`, or besideTransaction()')
}

const throwAway = (error: unknown): never => {
  throw asAway(error)
}

/**
 * With the errors of the driver. A named statement belongs to a connection of the server: through a pooler the next
 * transaction may have another one.
 */
const rawDb = (client: pg.Pool | pg.PoolClient, isPooled: boolean, traces: Traces | undefined): Db => ({
  query: async <R extends Row>(text: string, given: unknown[], isReplanned = false) => {
    const values = given.map(asArrayText)
    const name = isReplanned || isPooled ? undefined : nameOf(text)
    const ask = () => client.query<R>(name === undefined ? { text, values } : { name, text, values })
    return (await (traces ? traces.statement({ short: shortNameOf(text), full: name }, ask) : ask())).rows
  },
})
/** @throws DatabaseAway */
const asDb = ({ query }: Db): Db => ({ query: (...args) => query<never>(...args).catch(throwAway) })

export type Database = Db & {
  /**
   * Runs `work` in a transaction, then its `afterCommit` callbacks. `isPlannedOnce`: every statement finds its rows by
   * keys whatever its values are, so PostgreSQL uses the generic plan without planning again.
   */
  transact: <T>(work: (tx: Tx) => Promise<T>, isPlannedOnce?: boolean) => Promise<T>
  connections: () => DatabaseConnections
  end: () => Promise<void>
}
/** `waiting`: queries and transactions that wait for a free connection. */
type DatabaseConnections = { used: number; idle: number; waiting: number }

/** The name of all connections: triggers of migrations 0023 and 0042 look at it. */
export const APPLICATION = 'tallyroom'

/** `onUnsure`: a commit may have happened; its `afterCommit` callbacks did not run. */
export const connect = (
  config: DatabaseConfig,
  onError: (error: Error) => void = () => {},
  onUnsure: (callbacks: (() => void)[]) => void = () => {},
): Database => {
  // Pipelined: `begin` is sent with the first statement and `commit` with the last one.
  const pool = new pg.Pool({
    max: 10,
    application_name: APPLICATION,
    ...config,
    pipeline: true,
    Client: WatchedClient,
  })
  const stopChecking = endHalfOpen(pool, config)
  // An idle connection that dies emits this; without a listener the process would end. It is no news while the pool ends.
  pool.on('error', (error) => (pool.ending ? undefined : onError(error)))
  const { traces } = config
  const isPooled = config.isPooled === true
  const { query } = asDb(rawDb(pool, isPooled, traces))
  return {
    query: async (...args) => {
      checkNesting()
      return query(...args)
    },
    transact: (work, isPlannedOnce) =>
      transact(pool, work, { onError, onUnsure, isPooled, traces, begin: isPlannedOnce ? BEGIN_PLANNED : 'begin' }),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    end: () => {
      stopChecking()
      return pool.end()
    },
  }
}

/** A pool for `work` alone, which ends with it. */
export const withConnection = async <T>(config: DatabaseConfig, work: (db: Database) => Promise<T>): Promise<T> => {
  const db = connect(config)
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}

/** Otherwise a statement over arrays is planned each time: for small batches a third of the database's work. */
const BEGIN_PLANNED = 'begin; set local plan_cache_mode = force_generic_plan'

type TransactOptions = {
  begin: string
  isPooled: boolean
  traces: Traces | undefined
  onError: (error: Error) => void
  onUnsure: (callbacks: (() => void)[]) => void
}
type Callbacks = Record<'announcing' | 'final' | 'undoing', (() => void)[]>

const transact = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, isPooled, traces, onError, onUnsure }: TransactOptions,
): Promise<T> => {
  const callbacks: Callbacks = { announcing: [], final: [], undoing: [] }
  // An error of one must not change what the transaction is: a caller who misses an event can ask again.
  const safely = (callback: () => void) => {
    try {
      callback()
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  const begun = () => inTransaction(pool, work, { begin, isPooled, traces, callbacks })
  const result = await (traces ? traces.part('transaction', begun) : begun()).catch((error: unknown) => {
    if (error instanceof UnsureCommit) safely(() => onUnsure(callbacks.announcing))
    else for (const callback of callbacks.undoing) safely(callback)
    throw error
  })
  for (const callback of [...callbacks.announcing, ...callbacks.final]) safely(callback)
  return result
}

const inTransaction = async <T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { begin, isPooled, traces, callbacks }: Omit<TransactOptions, 'onError' | 'onUnsure'> & { callbacks: Callbacks },
): Promise<T> => {
  checkNesting()
  const client = await pool.connect().catch(throwAway)
  let broken: Error | undefined
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  let first: Error | undefined
  let askedFailed = false
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
    corkUntilIdle(client)
    send(client.query(begin))
    const raw = rawDb(client, isPooled, traces)
    const tx: Tx = {
      query: <R extends Row>(...args: Parameters<Db['query']>) => {
        corkUntilIdle(client)
        return raw.query<R>(...args).catch((error: unknown) => {
          askedFailed ||= first === undefined
          return throwAway(error)
        })
      },
      afterCommit: (callback) => callbacks.announcing.push(callback),
      onlyAfterCommit: (callback) => callbacks.final.push(callback),
      afterRollback: (callback) => callbacks.undoing.push(callback),
      last: ({ text, values }) => {
        corkUntilIdle(client)
        send(raw.query(text, values))
      },
    }
    const result = await (inside ? inside.run(true, () => work(tx)) : work(tx))
    // After a failed statement the commit acts as a rollback.
    const commit = () => client.query('commit')
    send(traces ? traces.part('commit', commit) : commit())
    await Promise.all(sent)
    if (first) throw isConnectionError(first) ? new UnsureCommit(first) : first
    return result
  } catch (error) {
    await Promise.all(sent)
    // A server that takes no writes any more must not get this connection's next transaction either.
    if (error instanceof DatabaseAway || asAway(first) instanceof DatabaseAway) broken ??= new Error('not the primary')
    await client.query('rollback').catch((second: Error) => {
      broken = second
    })
    // A statement that was sent without waiting is the cause, unless it only followed from what `work` has seen fail.
    throw error instanceof UnsureCommit || askedFailed ? error : (asAway(first) ?? error)
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
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
  const known = composed.get(parts) ?? []
  const found = known.find((one) => one.inner.every((text, at) => text === inner[at]))
  if (found) return { text: found.text, values: flat }
  const text = compose(parts, values)
  composed.set(parts, [{ inner, text }, ...known].slice(0, VARIANTS))
  return { text, values: flat }
}

/**
 * The last texts of each template, with the texts of the queries inside it. A batch of the ledger composes the same statements
 * of 3 kB each time; the same string object also spares hashing it when its name is looked up.
 */
const composed = new WeakMap<TemplateStringsArray, { inner: (string | undefined)[]; text: string }[]>()
const VARIANTS = 16

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
