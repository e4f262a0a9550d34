import type { Logger } from 'pino'
import { type Database, type Db, many, sql } from '../../data/sql.ts'
import { checkLinks, newestLinks } from '../../identity/audit-chain.ts'
import type { Measures } from '../../lib/measures.ts'
import { checkBlocks, newestBlocks } from '../seal/verify.ts'

/** The findings in the stretch after a position. `last`: its last position; undefined when nothing comes after. */
type Stretch = { last: bigint | undefined; breaches: { at: bigint; what: string }[] }
type Walk = {
  /** Checks the next stretch after a position. */
  check: (db: Db, after: bigint) => Promise<Stretch>
  /** The position after which the newest begin, which each pass checks. */
  newest?: (db: Db) => Promise<bigint>
  command: string
}

/** Wallets in a stretch. */
const WALLETS = 2000

const checkWallets = async (db: Db, after: bigint): Promise<Stretch> => {
  const rows = await many<{ id: bigint; balance: bigint; due: bigint }>(
    db,
    sql`select w.id::bigint, w.balance, coalesce(p.balance_after, 0)::bigint as due
      from (select id, seq, balance from wallets where id > ${after}::bigint order by id limit ${WALLETS}::int) w
        left join lateral (select balance_after from postings where wallet_id = w.id and seq = w.seq offset 0) p on true
      order by w.id`,
  )
  return {
    last: rows.at(-1)?.id,
    breaches: rows.flatMap(({ id, balance, due }) =>
      balance === due ? [] : { at: id, what: `wallet ${id} holds ${balance}, its last posting says ${due}` },
    ),
  }
}

const walks = {
  seal: { check: checkBlocks, newest: newestBlocks, command: 'npm run ledger:verify' },
  audit: { check: checkLinks, newest: newestLinks, command: 'npm run audit:verify' },
  wallets: { check: checkWallets, command: 'npm run ledger:check' },
} satisfies Record<string, Walk>
type WalkName = keyof typeof walks

const EVERY_MS = 10_000
/** It rests this many times as long as it worked: it takes two hundredths of a connection's time at most. */
const REST = 50
/** Breaches that are looked at again in each pass, so that it is noticed when they are gone. */
const RECHECKED = 5

type Options = {
  db: Database
  log: Pick<Logger, 'error'>
  measures: Pick<Measures, 'broken'>
  /** Without the seal (SEAL_LEDGER=0) only the others. */
  sealsLedger: boolean
  everyMs?: number
}

/**
 * Compares what is stored with its seals, again and again: in each pass the newest, and the next stretch of all. It begins
 * somewhere, so that a server that is often started reaches every place too. Returns what stops it.
 */
export const startWalking = ({
  db,
  log,
  measures,
  sealsLedger,
  everyMs = EVERY_MS,
}: Options): (() => Promise<void>) => {
  const all = (Object.entries(walks) as [WalkName, Walk][]).filter(([name]) => sealsLedger || name !== 'seal')
  const passes = all.map(([name, walk]) =>
    makePass(db, walk, (found, fresh) => {
      measures.broken(name, found)
      if (fresh.length > 0)
        log.error(
          { found: fresh.slice(0, 10) },
          `Stored data was changed. Leave the database as it is, and run ${walk.command}`,
        )
    }),
  )
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const runAll = async () => {
    const began = performance.now()
    for (const pass of passes) {
      if (isStopped) return
      await pass().catch((error: unknown) =>
        log.error({ err: error }, 'Could not compare what is stored with its seals'),
      )
    }
    wait(Math.max(everyMs, (performance.now() - began) * REST))
  }
  const wait = (ms: number) => {
    if (isStopped) return
    timer = setTimeout(() => {
      running = runAll()
    }, ms)
    timer.unref()
  }
  wait(everyMs)
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}

/** `report`: gets how many breaches are known, and those that were not known before. */
const makePass = (db: Db, { check, newest }: Walk, report: (found: number, fresh: string[]) => void) => {
  const known = new Map<bigint, string[]>()
  let cursor: bigint | undefined
  const look = async (after: bigint) => {
    const { last, breaches } = await check(db, after)
    const before = new Set([...known.values()].flat())
    for (const at of known.keys()) if (at > after && (last === undefined || at <= last)) known.delete(at)
    for (const { at, what } of breaches) known.set(at, [...(known.get(at) ?? []), what])
    const fresh = breaches.flatMap(({ what }) => (before.has(what) ? [] : what))
    if (fresh.length > 0) report([...known.values()].flat().length, fresh)
    return last
  }
  return async () => {
    for (const at of [...known.keys()].slice(0, RECHECKED)) await look(at - 1n)
    const newestAfter = (await newest?.(db)) ?? 0n
    cursor ??= BigInt(Math.floor(Math.random() * Number(newestAfter)))
    if (newest) await look(newestAfter)
    cursor = (await look(cursor)) ?? 0n
    report([...known.values()].flat().length, [])
  }
}
