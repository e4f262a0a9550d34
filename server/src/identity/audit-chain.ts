import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { type Database, type Db, many, one, run, sql, type Tx } from '../data/sql.ts'

/**
 * The audit log as a hash chain: each link hashes the link before it and one row, so an edited, removed or inserted row
 * is found. Links are added after the rows, by the copy that holds the lock; the insert trigger lists new rows in
 * audit_pending.
 */
type PendingRow = { id: bigint; text: string }
type Link = { seq: bigint; auditId: bigint; hash: Buffer }
/** A link with the text of its row; null when the row is gone. */
type CheckedLink = Link & { text: string | null }

const START = Buffer.alloc(32)
const BATCH = 1000
/** An arbitrary number for the advisory lock: only its holder adds links. */
const LOCK = 7_460_119_236

/** Every column of the row `l` as one text that does not depend on session settings. */
const canonical = {
  text: `json_build_array(l.id::text, l.top_id, extract(epoch from l.at)::text, l.kind, l.actor_id, l.target_id, l.session_id::text,
    l.address, l.facts::text)::text`,
  values: [],
}

const linkOf = (before: Buffer, text: string) => createHash('sha256').update(before).update(text).digest()

/** Links at most one batch of waiting rows and returns how many; 0 when another copy holds the lock. */
export const chainPending = (db: Database): Promise<number> =>
  db.transact(async (tx) => {
    const lock = await one<{ got: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${LOCK}::bigint) as got`)
    return lock?.got ? linkBatch(tx) : 0
  })

const linkBatch = async (tx: Tx): Promise<number> => {
  const waiting = await many<PendingRow>(
    tx,
    sql`select l.id, ${canonical} as text from audit_pending w join audit_log l on l.id = w.audit_id order by l.id limit ${BATCH}`,
  )
  if (waiting.length === 0) return 0
  const last = await one<{ seq: bigint; hash: Buffer }>(
    tx,
    sql`select seq, hash from audit_chain order by seq desc limit 1`,
  )
  let { seq, hash } = last ?? { seq: 0n, hash: START }
  const links = waiting.map(({ id, text }): Link => {
    hash = linkOf(hash, text)
    return { seq: ++seq, auditId: id, hash }
  })
  await run(
    tx,
    sql`insert into audit_chain (seq, audit_id, hash) select * from unnest(${links.map((link) => link.seq)}::bigint[],
      ${links.map((link) => link.auditId)}::bigint[], ${links.map((link) => link.hash)}::bytea[])`,
  )
  await run(tx, sql`delete from audit_pending where audit_id = any(${links.map((link) => link.auditId)}::bigint[])`)
  return links.length
}

/** Adds links every few seconds until it is stopped. */
export const startChaining = (db: Database, log: Pick<Logger, 'error'>, everyMs = 2000): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let stopped = false
  const work = async () => {
    try {
      while (!stopped && (await chainPending(db)) === BATCH);
    } catch (error) {
      log.error({ err: error }, 'Could not add links to the audit chain; trying again')
    } finally {
      running = undefined
    }
  }
  const timer = setInterval(() => {
    running ??= work()
  }, everyMs)
  timer.unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await running
  }
}

export type Verified = { rows: number; waiting: number; head: string; breaches: string[] }

/** `SEQ:HASH` of the newest link. A copy kept elsewhere detects even a chain that was rebuilt as a whole. */
const headOf = (link: { seq: bigint; hash: Buffer } | undefined) =>
  link ? `${link.seq}:${link.hash.toString('hex')}` : '0'

/** Compares the whole chain with the log. `known`: a head that was noted earlier. */
export const verifyAudit = (db: Database, known?: string): Promise<Verified> =>
  db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    const breaches: string[] = []
    let [rows, expected] = [0, 1n]
    let before: Buffer = START
    let link: CheckedLink | undefined
    for (let page = await linksAfter(tx, 0n); page.length > 0; page = await linksAfter(tx, link?.seq ?? 0n)) {
      for (link of page) {
        for (; expected < link.seq; expected++) breaches.push(`link ${expected} was removed`)
        if (link.text === null) breaches.push(`row ${link.auditId} was removed`)
        else if (!linkOf(before, link.text).equals(link.hash)) breaches.push(`row ${link.auditId} was edited`)
        before = link.hash
        expected = link.seq + 1n
        rows++
        if (known?.startsWith(`${link.seq}:`) && known !== headOf(link))
          breaches.push(`link ${link.seq} is not the one noted`)
      }
    }
    if (known !== undefined && BigInt(known.split(':')[0] ?? 0) >= expected)
      breaches.push('the chain is shorter than the noted head')
    const stray = await many<{ what: string }>(tx, strays)
    const waiting = await one<{ n: number }>(tx, sql`select count(*)::int as n from audit_pending`)
    return {
      rows,
      waiting: waiting?.n ?? 0,
      head: headOf(link),
      breaches: [...breaches, ...stray.map(({ what }) => what)],
    }
  })

/** Rows inserted without the trigger, and rows deleted before they had a link. */
const strays = sql`select 'row ' || l.id || ' was put in' as what from audit_log l
    where not exists (select from audit_chain c where c.audit_id = l.id) and not exists (select from audit_pending w where w.audit_id = l.id)
  union all select 'row ' || w.audit_id || ' was removed' from audit_pending w
    where not exists (select from audit_log l where l.id = w.audit_id)`

const linksAfter = (db: Db, seq: bigint) =>
  many<CheckedLink>(
    db,
    sql`select c.seq, c.audit_id as "auditId", c.hash, case when l.id is null then null else ${canonical} end as text
      from audit_chain c left join audit_log l on l.id = c.audit_id where c.seq > ${seq} order by c.seq limit 5000`,
  )
