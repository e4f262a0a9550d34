import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { type Database, type Db, many, one, run, sql, type Tx } from '../data/sql.ts'

/**
 * The audit log as a chain: each link is the hash of the one before it and of one row, so that a row which is edited,
 * taken out or put in later shows. Links are made behind the deeds, by whichever instance gets the lock; a row waits in
 * audit_pending, where its insert's trigger put it.
 */
type Entry = { id: bigint; text: string }
type Link = { seq: bigint; auditId: bigint; hash: Buffer }
/** A link with the row that it is of, when that is still there. */
type Checked = Link & { text: string | null }

const START = Buffer.alloc(32)
const BATCH = 1000
/** Any number that nobody else takes: whoever holds it adds links. */
const LOCK = 7_460_119_236

/** Every column, in one text that is the same wherever and whenever it is read. `l` is the row. */
const canonical = {
  text: `json_build_array(l.id::text, l.top_id, extract(epoch from l.at)::text, l.kind, l.actor_id, l.target_id, l.session_id::text,
    l.address, l.facts::text)::text`,
  values: [],
}

const linkOf = (before: Buffer, text: string) => createHash('sha256').update(before).update(text).digest()

/** Links what waits, at most a batch; how many. Nothing when another instance is at it. */
export const chainPending = (db: Database): Promise<number> =>
  db.transact(async (tx) => {
    const lock = await one<{ got: boolean }>(tx, sql`select pg_try_advisory_xact_lock(${LOCK}::bigint) as got`)
    return lock?.got ? linkBatch(tx) : 0
  })

const linkBatch = async (tx: Tx): Promise<number> => {
  const waiting = await many<Entry>(
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

/** Adds links every few seconds, until it is stopped. */
export const startChaining = (db: Database, log: Pick<Logger, 'error'>, everyMs = 2000): (() => Promise<void>) => {
  let under: Promise<void> | undefined
  let stopped = false
  const work = async () => {
    try {
      while (!stopped && (await chainPending(db)) === BATCH);
    } catch (error) {
      log.error({ err: error }, 'the audit log could not be chained')
    } finally {
      under = undefined
    }
  }
  const timer = setInterval(() => {
    under ??= work()
  }, everyMs)
  timer.unref()
  return async () => {
    stopped = true
    clearInterval(timer)
    await under
  }
}

export type Verified = { rows: number; waiting: number; head: string; breaches: string[] }

/** `SEQ:HASH` of the newest link. Kept elsewhere, it holds even against somebody who makes the whole chain anew. */
const headOf = (link: { seq: bigint; hash: Buffer } | undefined) =>
  link ? `${link.seq}:${link.hash.toString('hex')}` : '0'

/** Goes along the whole chain and compares it with the log; `known` is a head that was noted earlier. */
export const verifyAudit = (db: Database, known?: string): Promise<Verified> =>
  db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    const breaches: string[] = []
    let [rows, expected] = [0, 1n]
    let before: Buffer = START
    let link: Checked | undefined
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

/** Rows that came in past the trigger, and rows that were gone before they had a link. */
const strays = sql`select 'row ' || l.id || ' was put in' as what from audit_log l
    where not exists (select from audit_chain c where c.audit_id = l.id) and not exists (select from audit_pending w where w.audit_id = l.id)
  union all select 'row ' || w.audit_id || ' was removed' from audit_pending w
    where not exists (select from audit_log l where l.id = w.audit_id)`

const linksAfter = (db: Db, seq: bigint) =>
  many<Checked>(
    db,
    sql`select c.seq, c.audit_id as "auditId", c.hash, case when l.id is null then null else ${canonical} end as text
      from audit_chain c left join audit_log l on l.id = c.audit_id where c.seq > ${seq} order by c.seq limit 5000`,
  )
