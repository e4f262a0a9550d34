import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { auditTextOf, type ErasableRow, READ_KINDS, readErasures } from './audit-erasures.ts'
import { locks } from '../data/locks.ts'
import { repeat } from '../lib/concurrency.ts'
import { type Database, type Db, many, one, run, sql, type Tx } from '../data/sql.ts'

/**
 * The audit log as a hash chain: each link hashes the link before it and one row, so an edited, removed or inserted row
 * is found. Links are added after the rows, by the copy that holds the lock; the insert trigger lists new rows in
 * audit_pending.
 */
type PendingRow = { id: bigint; text: string; kind: string }
/** `rowHash`: of an entry about reading, whose row may be deleted (READING_DAYS); the link hashes it, not the row. */
type Link = { seq: bigint; auditId: bigint; hash: Buffer; rowHash: Buffer | null }
/** A link with the text of its row; null when the row is gone. */
type CheckedLink = Link & ErasableRow & { text: string | null; kind: string | null; deleted: number }

const START = Buffer.alloc(32)
const BATCH = 1000

const linkOf = (before: Buffer, text: string) => createHash('sha256').update(before).update(text).digest()
const hashOf = (text: string) => createHash('sha256').update(text).digest()
/** Says that the row is about reading: no other row can be passed off as one that was deleted. */
const readLinkOf = (before: Buffer, rowHash: Buffer) => linkOf(before, `read ${rowHash.toString('hex')}`)

/** Links at most one batch of waiting rows and returns how many; 0 when another copy holds the lock. */
export const chainPending = (db: Database): Promise<number> =>
  db.transact(async (tx) => {
    const lock = await one<{ got: boolean }>(
      tx,
      sql`select pg_try_advisory_xact_lock(${locks.auditChain}::bigint) as got`,
    )
    return lock?.got ? linkBatch(tx) : 0
  })

const linkBatch = async (tx: Tx): Promise<number> => {
  const waiting = await many<PendingRow>(
    tx,
    sql`select l.id, l.kind, ${auditTextOf} as text from audit_pending w join audit_log l on l.id = w.audit_id order by l.id limit ${BATCH}`,
  )
  if (waiting.length === 0) return 0
  const last = await one<{ seq: bigint; hash: Buffer }>(
    tx,
    sql`select seq, hash from audit_chain order by seq desc limit 1`,
  )
  let { seq, hash } = last ?? { seq: 0n, hash: START }
  const links = waiting.map(({ id, text, kind }): Link => {
    const rowHash = READ_KINDS.includes(kind) ? hashOf(text) : null
    hash = rowHash ? readLinkOf(hash, rowHash) : linkOf(hash, text)
    return { seq: ++seq, auditId: id, hash, rowHash }
  })
  await run(
    tx,
    sql`insert into audit_chain (seq, audit_id, hash, row_hash) select * from unnest(${links.map((link) => link.seq)}::bigint[],
      ${links.map((link) => link.auditId)}::bigint[], ${links.map((link) => link.hash)}::bytea[], ${links.map((link) => link.rowHash)}::bytea[])`,
  )
  await run(tx, sql`delete from audit_pending where audit_id = any(${links.map((link) => link.auditId)}::bigint[])`)
  return links.length
}

/** Adds links every few seconds until it is stopped. */
export const startChaining = (db: Database, log: Pick<Logger, 'error'>, everyMs = 2000): (() => Promise<void>) =>
  repeat({
    everyMs,
    work: async (isStopped) => {
      while (!isStopped() && (await chainPending(db)) === BATCH);
    },
    onError: (error) => log.error({ err: error }, 'Could not add links to the audit chain; trying again'),
  })

export type Verified = { rows: number; waiting: number; head: string; breaches: string[] }

/** `SEQ:HASH` of the newest link. A copy kept elsewhere detects even a chain that was rebuilt as a whole. */
const headOf = (link: { seq: bigint; hash: Buffer } | undefined) =>
  link ? `${link.seq}:${link.hash.toString('hex')}` : '0'

/** Compares the whole chain with the log. `known`: a head that was noted earlier. */
export const verifyAudit = (db: Database, known?: string): Promise<Verified> =>
  db.transact(async (tx) => {
    await run(tx, sql`set transaction isolation level repeatable read, read only`)
    const breaches: string[] = []
    const erasures = await readErasures(tx)
    let [rows, expected] = [0, 1n]
    // Entries about reading that are gone, and how many the log itself says were deleted.
    let [gone, deleted] = [0, 0]
    let before: Buffer = START
    let link: CheckedLink | undefined
    for (let page = await linksAfter(tx, 0n); page.length > 0; page = await linksAfter(tx, link?.seq ?? 0n)) {
      for (link of page) {
        for (; expected < link.seq; expected++) breaches.push(`link ${expected} was removed`)
        const fault = faultOf(before, link)
        if (fault && !erasures.covers(link)) breaches.push(fault)
        if (link.rowHash && link.text === null) gone++
        deleted += link.deleted
        before = link.hash
        expected = link.seq + 1n
        rows++
        if (known?.startsWith(`${link.seq}:`) && known !== headOf(link))
          breaches.push(`link ${link.seq} is not the one noted`)
      }
    }
    if (known !== undefined && BigInt(known.split(':')[0] ?? 0) >= expected)
      breaches.push('the chain is shorter than the noted head')
    const waiting = await one<{ n: number; deleted: number }>(
      tx,
      sql`select count(*)::int as n, coalesce(sum((l.facts->>'rows')::int) filter (where l.kind = 'reads_deleted'), 0)::int as deleted
        from audit_pending w left join audit_log l on l.id = w.audit_id`,
    )
    deleted += waiting?.deleted ?? 0
    if (gone !== deleted)
      breaches.push(`${gone} entries about reading are missing, of which ${deleted} were deleted when they were old`)
    breaches.push(...erasures.breaches)
    const stray = await many<{ what: string }>(tx, strays)
    return {
      rows,
      waiting: waiting?.n ?? 0,
      head: headOf(link),
      breaches: [...breaches, ...stray.map(({ what }) => what)],
    }
  })

/** Links that are checked at a time. */
const LINKS = 5000

/** The link after which the newest begin that are checked at once. */
export const newestLinks = async (db: Db): Promise<bigint> => {
  const row = await one<{ seq: bigint }>(
    db,
    sql`select greatest(coalesce(max(seq), 0) - ${LINKS}::int, 0)::bigint as seq from audit_chain`,
  )
  return row?.seq ?? 0n
}

/** Compares some of the links after one with the log; `last` is the last of them. */
export const checkLinks = async (db: Db, after: bigint) => {
  const links = await linksAfter(db, after)
  const [first] = await many<{ hash: Buffer }>(db, sql`select hash from audit_chain where seq = ${after}`)
  const breaches: { at: bigint; what: string; link: CheckedLink }[] = []
  let [before, expected] = [first?.hash ?? START, after + 1n]
  for (const link of links) {
    const note = (what: string) => breaches.push({ at: link.seq, what, link })
    for (; expected < link.seq; expected++) note(`link ${expected} was removed`)
    const fault = faultOf(before, link)
    if (fault) note(fault)
    before = link.hash
    expected = link.seq + 1n
  }
  const erasures = breaches.length > 0 ? await readErasures(db) : undefined
  return { last: links.at(-1)?.seq, breaches: breaches.filter(({ link }) => !erasures?.covers(link)) }
}

const faultOf = (before: Buffer, { auditId, hash, rowHash, text, kind }: CheckedLink): string | undefined => {
  const edited = `row ${auditId} was edited`
  if (!rowHash && text === null) return `row ${auditId} was removed`
  if (!rowHash) return linkOf(before, text ?? '').equals(hash) ? undefined : edited
  if (!readLinkOf(before, rowHash).equals(hash)) return edited
  if (text === null) return undefined
  return hashOf(text).equals(rowHash) && READ_KINDS.includes(kind ?? '') ? undefined : edited
}

/** Rows inserted without the trigger, and rows deleted before they had a link. */
const strays = sql`select 'row ' || l.id || ' was put in' as what from audit_log l
    where not exists (select from audit_chain c where c.audit_id = l.id) and not exists (select from audit_pending w where w.audit_id = l.id)
  union all select 'row ' || w.audit_id || ' was removed' from audit_pending w
    where not exists (select from audit_log l where l.id = w.audit_id)`

const linksAfter = (db: Db, seq: bigint) =>
  many<CheckedLink>(
    db,
    sql`select c.seq, c.audit_id as "auditId", c.hash, c.row_hash as "rowHash", l.kind,
        case when l.kind = 'reads_deleted' then (l.facts->>'rows')::int else 0 end as deleted,
        l.actor_id as "actorId", l.target_id as "targetId", l.facts = '{}' and l.address = '' as "isEmpty",
        case when l.id is null then null else ${auditTextOf} end as text
      from audit_chain c left join audit_log l on l.id = c.audit_id where c.seq > ${seq} order by c.seq limit ${LINKS}::int`,
  )
