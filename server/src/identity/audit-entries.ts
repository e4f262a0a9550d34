import { type AuditKind, auditKinds } from '@tallyroom/contract/audit-kinds'
import { type Db, many, type Row, type Sql, sql } from '../data/sql.ts'
import { mapInSlices } from '../lib/chunked-json.ts'
import { type Actor, visibleAccounts } from './actor.ts'
import { accountsIn, type AuditFacts, factsAsText, withoutTyped } from './audit.ts'
import { type Named, shownKey, shownText } from './masking.ts'
import { findPeople, namesIn } from './people.ts'

type AuditLogRow = Row & {
  id: bigint
  at: string
  kind: string
  actor_id: number | null
  target_id: number | null
  address: string
  facts: AuditFacts
}

export type EntriesCtx = { db: Db; actor: Actor; services: { settings: { timeZone: string } } }

const isKind = (text: string): text is AuditKind => auditKinds.some((one) => one === text)

/**
 * Entries, newest first, as the actor may see them. `found`: a `from audit_log l`. `isNamed`: whose names they tell, as a
 * condition on the alias `a`.
 */
export const entries = async (
  { db, actor, services }: EntriesCtx,
  found: Sql,
  part: { limit: number; offset: number },
  isNamed = visibleAccounts(actor),
) => {
  const { timeZone } = services.settings
  const rows = await many<AuditLogRow>(
    db,
    sql`select l.id, to_char(l.at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') as at, l.kind, l.actor_id, l.target_id,
        l.address, l.facts ${found} order by l.id desc limit ${part.limit} offset ${part.offset}`,
  )
  const ids = rows.flatMap((row) => [row.actor_id ?? 0, row.target_id ?? 0, ...accountsIn(row.facts)])
  // The names of accounts above the actor stay hidden.
  const people = await findPeople(db, ids, isNamed)
  const nameOf = namesIn(people, actor)
  const data = await mapInSlices(rows, (row) => {
    const [who, target] = [row.actor_id, row.target_id].map((id) => (id === null ? undefined : people.get(id)))
    return {
      id: String(row.id),
      at: row.at,
      kind: row.kind,
      actor_id: who?.id ?? null,
      actor_username: nameOf(row.actor_id ?? 0),
      target_id: target?.id ?? null,
      target_username: nameOf(row.target_id ?? 0),
      address: row.address,
      facts: factsFor(actor, row.facts, { target, nameOf }),
    }
  })
  return { found: rows.length, data: data.flatMap((row) => (isKind(row.kind) ? [{ ...row, kind: row.kind }] : [])) }
}

type Names = { target: Named | undefined; nameOf: (id: number) => string }
const factsFor = (actor: Actor, facts: AuditFacts, { target, nameOf }: Names) => {
  const all = factsAsText(facts, { shown: (text) => (target ? shownText(actor, target, text) : text), nameOf })
  if (!actor.masks) return all
  const shown = facts.change === 'export' ? withoutTyped(all) : all
  return shown.map((fact) =>
    target && fact.field === 'third_party_id' ? { ...fact, after: shownKey(actor, target, fact.after) } : fact,
  )
}
