import type { AuditKind } from '@tallyroom/contract/audit-kinds'
import { createHash } from 'node:crypto'
import { type Db, many, sql } from '../data/sql.ts'

/** Every column of the audit log's row `l` as one text that does not depend on session settings. */
export const auditTextOf = {
  text: `json_build_array(l.id::text, l.top_id, extract(epoch from l.at)::text, l.kind, l.actor_id, l.target_id, l.session_id::text,
    l.address, l.facts::text)::text`,
  values: [],
}

/** Entries about reading, which may be deleted when they are old (READING_DAYS). */
export const READ_KINDS: readonly string[] = ['masked_shown', 'original_read', 'exported'] satisfies AuditKind[]

/** The columns that show whether a row is one of an erased person. `isEmpty`: it has no facts and no address. */
export type ErasableRow = {
  auditId: bigint
  isEmpty: boolean | null
  actorId: number | null
  targetId: number | null
}
export type Erasures = {
  /** Whether a row that is not as it was linked was emptied for somebody who was erased. */
  covers: (row: ErasableRow) => boolean
  /** The erasures whose rows are no longer as they were left. */
  breaches: string[]
}
type Erasure = { id: bigint; target: number; rows: string; digest: string }

/** A hash of rows as they are now, in the order of their ids. Those about reading may be gone one day. */
export const digestOf = async (db: Db, ids: string[]): Promise<string> => {
  const rows = await many<{ text: string }>(
    db,
    sql`select ${auditTextOf} as text from audit_log l where l.id = any(${ids}::bigint[])
      and l.kind <> all(${READ_KINDS}) order by l.id`,
  )
  return createHash('sha256')
    .update(rows.map(({ text }) => text).join('\n'))
    .digest('hex')
}

/**
 * Rows of the audit log that were emptied because their person was erased (retention/person.ts). The entry about it, which
 * is in the chain itself, names the rows and holds a hash of them as they were left.
 */
export const readErasures = async (db: Db): Promise<Erasures> => {
  const found = await many<Erasure>(
    db,
    sql`select id, target_id as target, facts->>'erased' as rows, facts->>'digest' as digest
      from audit_log where kind = 'account_erased' and target_id is not null order by id`,
  )
  const people = new Map<string, Set<number>>()
  const breaches: string[] = []
  for (const { id, rows, target, digest } of found) {
    const ids = rows.split(',').filter(Boolean)
    for (const row of ids) people.set(row, (people.get(row) ?? new Set()).add(target))
    if ((await digestOf(db, ids)) !== digest) breaches.push(`a row that entry ${id} has erased was edited or removed`)
  }
  return {
    breaches,
    covers: ({ auditId, isEmpty, actorId, targetId }) => {
      const of = people.get(String(auditId))
      return isEmpty === true && of !== undefined && (of.has(actorId ?? 0) || of.has(targetId ?? 0))
    },
  }
}
