import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import { locks } from '../../data/locks.ts'
import { type Database, many, one, run, sql, type Tx, withFreshPlan } from '../../data/sql.ts'
import { furtherBack, headOf, type Part, rootOf, START } from './hashes.ts'
import { leafOf, microsOf, restOf } from './leaf.ts'

/** About so many postings in a block, and of so many wallets. */
const ROWS = 4000
const WALLETS = 500
/** The most of one wallet in a block: a statement carries the hashes of what it does not show of its first and last part. */
const PART = 1024

type SealedPart = Part & { from: bigint; found: number | null; hasMore: boolean }
type Newest = { block: bigint; head: Buffer; further: Buffer | null; micros: bigint; got: boolean }

/**
 * `next`: the wallet after which the next pass goes on, 0 after the last one. `hasMore`: one of these wallets has more
 * than a part. `missing`: postings that should be there.
 */
type Pass = { next: number; hasMore: boolean; missing: string[] }

/**
 * Seals a block of postings of the wallets after `after`. The order is that of each wallet, not of time: its postings are
 * numbered without gaps under its lock and committed together with the wallet's own count. So what commits late is what
 * the wallet counts next; a snapshot sees both or neither, and nothing can be skipped (decision 38). undefined when
 * another copy is at it.
 */
export const sealBlock = (db: Database, after = 0): Promise<Pass | undefined> =>
  db.transact(async (tx) => {
    const newest = await newestBlock(tx)
    return newest?.got ? await sealAfter(tx, newest, after) : undefined
  })

const newestBlock = async (tx: Tx): Promise<Newest | undefined> => {
  const lock = await one<{ got: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${locks.seal}::bigint) as got`)
  // In a statement of its own: its snapshot must be younger than the lock.
  const last = await one<{ block: bigint; head: Buffer; micros: bigint }>(
    tx,
    sql`select coalesce(max(block), 0)::bigint as block, coalesce((select head from seal_blocks order by block desc limit 1), '') as head,
      ${microsOf(sql`clock_timestamp()`)} as micros from seal_blocks`,
  )
  if (!lock || !last) return undefined
  const further = await one<{ head: Buffer }>(
    tx,
    sql`select head from seal_blocks where block = ${furtherBack(last.block + 1n)}`,
  )
  return { ...last, head: last.block === 0n ? START : last.head, further: further?.head ?? null, got: lock.got }
}

const sealAfter = async (tx: Tx, newest: Newest, after: number): Promise<Pass> => {
  const salt = randomBytes(16)
  const block = newest.block + 1n
  const found = await many<SealedPart>(tx, withFreshPlan(sealParts(after, block, salt)))
  const isWhole = ({ from, to, found: n }: SealedPart) => n === Number(to - from + 1n)
  const parts = found.filter(isWhole)
  if (parts.length) await writeBlock(tx, { ...newest, block }, parts, salt)
  const rows = found.reduce((sum, { from, to }) => sum + Number(to - from + 1n), 0)
  const isFull = rows >= ROWS || found.length === WALLETS
  return {
    next: isFull ? (found.at(-1)?.walletId ?? 0) : 0,
    hasMore: parts.some(({ hasMore }) => hasMore),
    missing: found
      .filter((part) => !isWhole(part))
      .map(({ walletId, from, to }) => `wallet ${walletId}, ${from} to ${to}`),
  }
}

/**
 * Seals the postings that are not sealed, by wallet, and returns these parts. One from which a posting is missing is
 * returned only: what is left of the wallet is not sealed as if it were whole. Each wallet is read by itself, in the order
 * of its index: sorting the postings of all wallets took twice as long.
 */
const sealParts = (after: number, block: bigint, salt: Buffer) => sql`with due as materialized (
    select c.id, c.seq, c.until, c.has_more from (select d.*, sum(d.until - d.seq) over (order by d.id) - (d.until - d.seq) as before
      from (select w.id, coalesce(s.seq, 0) as seq, least(w.seq, coalesce(s.seq, 0) + ${PART}::int) as until,
          w.seq > coalesce(s.seq, 0) + ${PART}::int as has_more
        from wallets w left join sealed_wallets s on s.wallet_id = w.id
        where w.id > ${after}::int and w.seq > coalesce(s.seq, 0) order by w.id limit ${WALLETS}::int) d) c
    where c.before < ${ROWS}::int),
  found as materialized (select d.*, j.found, j.marks, sha256(coalesce(k.hash, ${START}::bytea) || j.leaves) as hash
    from due d cross join lateral (select count(*) filter (where leaf <> '')::int as found, string_agg(leaf, '' order by seq) as leaves,
          string_agg(substr(leaf, 1, 8), '' order by seq) as marks
        from (select p.seq, ${leafOf(restOf(sql`${salt}::bytea`))} as leaf from postings p
          left join lateral (select * from transfers t where t.id = p.transfer_id offset 0) t on true
          where p.wallet_id = d.id and p.seq > d.seq and p.seq <= d.until order by p.seq offset 0) p) j
      left join seal_parts k on k.wallet_id = d.id and k.to_seq = d.seq),
  parts as (insert into seal_parts (block, wallet_id, to_seq, from_seq, hash, marks)
    select ${block}::bigint, id, until, seq + 1, hash, marks from found where found = until - seq),
  progress as (insert into sealed_wallets (wallet_id, seq) select id, until from found where found = until - seq
    on conflict (wallet_id) do update set seq = excluded.seq)
  select id as "walletId", seq + 1 as from, until as to, has_more as "hasMore", found, hash from found order by id`

const writeBlock = (tx: Tx, { block, head, further, micros }: Newest, parts: SealedPart[], salt: Buffer) => {
  const rows = parts.reduce((sum, { found }) => sum + (found ?? 0), 0)
  const header = { block, micros, rows, root: rootOf(parts) }
  return run(
    tx,
    sql`insert into seal_blocks (block, sealed_at, rows, salt, root, head) values (${block},
      'epoch'::timestamptz + ${micros}::bigint * interval '1 microsecond', ${rows}, ${salt}, ${header.root},
      ${headOf(header, head, further ?? START)})`,
  )
}

/** Seals all that is posted, at once: for tests and benches. */
export const sealAll = async (db: Database): Promise<void> => {
  for (let after = 0, hasMore = true; hasMore || after > 0; ) {
    const pass = await sealBlock(db, after)
    if (!pass) throw new Error('another process is sealing the ledger')
    hasMore = after > 0 ? hasMore || pass.hasMore : pass.hasMore
    after = pass.next
  }
}

/** Between two looks when everything is sealed. */
const EVERY_MS = 5000
/**
 * For so many times of its work the sealer rests: it takes 1.9 % of the time of one database connection, and transfers may
 * lose 3 % to it.
 */
const REST = 51

type SealingOptions = {
  log: Pick<Logger, 'error'>
  everyMs?: number
  /** A pass has found and sealed all that it looked for; the next one is due in so many seconds. */
  onPass?: (nextSeconds: number) => void
}

/** Seals what is posted every few seconds until it is stopped. Stopping waits for the block that is under way. */
export const startSealing = (
  db: Database,
  { log, everyMs = EVERY_MS, onPass }: SealingOptions,
): (() => Promise<void>) => {
  let round = newRound()
  let reported = ''
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const report = (missing: string[]) => {
    const text = missing.join('; ')
    if (text !== reported && text)
      log.error({ missing }, 'Postings are missing, so they cannot be sealed. Run npm run ledger:verify')
    reported = text
  }
  const pass = async () => {
    const began = performance.now()
    let isGood = false
    try {
      const made = await sealBlock(db, round.after)
      round.after = made?.next ?? 0
      round.isWhole &&= made !== undefined && !made.hasMore && made.missing.length === 0
      if (made) report(made.missing)
      if (made && round.after === 0) await noteState(db, round)
      isGood = made?.missing.length === 0
    } catch (error) {
      round = { ...newRound(), isWhole: false }
      log.error({ err: error }, 'Could not seal the ledger; trying again')
    }
    const isOver = round.after === 0
    if (isOver) round = newRound()
    const rest = (performance.now() - began) * REST
    const pause = isOver ? Math.max(rest, everyMs) : rest
    if (isGood) onPass?.(pause / 1000)
    wait(pause)
  }
  const wait = (ms: number) => {
    if (stopped) return
    timer = setTimeout(() => {
      running = pass()
    }, ms)
    timer.unref()
  }
  onPass?.(0)
  wait(Math.min(everyMs, 1000))
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

/** One look at all wallets, in one or several passes. `isWhole`: nothing that was there when it began is left. */
type Round = { after: number; began: number; isWhole: boolean }
const newRound = (): Round => ({ after: 0, began: performance.now(), isWhole: true })

/** Until when all is sealed, to the minute. The first row says "behind since now". */
const noteState = async (db: Database, { began, isWhole }: Round): Promise<void> => {
  const at = sql`clock_timestamp() - ${performance.now() - began}::float8 * interval '1 millisecond'`
  const isFresh = isWhole
    ? sql`do update set whole_at = excluded.whole_at where seal_state.whole_at < excluded.whole_at - interval '1 minute'`
    : sql`do nothing`
  await run(db, sql`insert into seal_state (whole_at) values (${at}) on conflict (id) ${isFresh}`)
}
