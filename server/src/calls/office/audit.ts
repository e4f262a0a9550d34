import { type AuditKind, auditKinds } from '@tallyroom/contract/audit-kinds'
import type { auditCalls } from '@tallyroom/contract/calls/office/audit'
import { type Actor, visibleAccounts } from '../../identity/actor.ts'
import { accountsIn, type AuditFacts, factsAsText, withoutTyped } from '../../identity/audit.ts'
import { many, one, type Row, type Sql, sql } from '../../data/sql.ts'
import type { Handlers } from '../handler.ts'
import { checkRange } from '../../ledger/read/history-search.ts'
import { type Named, shownKey, shownText, usernameFits } from '../../identity/masking.ts'
import { findPeople, namesIn } from '../../identity/people.ts'

type AuditLogRow = Row & {
  id: bigint
  at: string
  kind: string
  actor_id: number | null
  target_id: number | null
  address: string
  facts: AuditFacts
}

/** Rows whose target or actor is in the actor's downline. `l` is the row. */
const isVisible = (actor: Actor): Sql =>
  sql`l.top_id = ${actor.topId} and exists (select from accounts a where a.id in (l.target_id, l.actor_id) and ${visibleAccounts(actor)})`

const nameMatches = (actor: Actor, column: Sql, username: string): Sql =>
  sql`(${username} = '' or exists (select from accounts a where a.id = ${column} and ${visibleAccounts(actor)}
    and ${usernameFits(actor, sql`a.username`, username)}))`

export const auditHandlers = {
  'audit/list': async ({ db, services, actor }, { kind, start_time, end_time, page, per_page, ...names }) => {
    const { timeZone } = services.settings
    if (start_time && end_time) checkRange(start_time, end_time)
    const from = start_time ? sql`l.at >= ${start_time}::timestamp at time zone ${timeZone}` : sql`true`
    const to = end_time
      ? sql`l.at < (${end_time}::timestamp at time zone ${timeZone}) + interval '1 second'`
      : sql`true`
    const found = sql`from audit_log l where ${isVisible(actor)} and ${kind ? sql`l.kind = ${kind}` : sql`true`} and ${from} and ${to}
      and ${nameMatches(actor, sql`l.actor_id`, names.actor)} and ${nameMatches(actor, sql`l.target_id`, names.target)}`
    const rows = await many<AuditLogRow>(
      db,
      sql`select l.id, to_char(l.at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') as at, l.kind, l.actor_id, l.target_id,
          l.address, l.facts ${found} order by l.id desc limit ${per_page} offset ${(page - 1) * per_page}`,
    )
    const total =
      page === 1 && rows.length < per_page
        ? rows.length
        : ((await one<{ n: number }>(db, sql`select count(*)::int as n ${found}`))?.n ?? rows.length)
    const ids = rows.flatMap((row) => [row.actor_id ?? 0, row.target_id ?? 0, ...accountsIn(row.facts)])
    // The names of accounts above the actor stay hidden.
    const people = await findPeople(db, ids, visibleAccounts(actor))
    const nameOf = namesIn(people, actor)
    const isKind = (text: string): text is AuditKind => auditKinds.some((one) => one === text)
    return {
      total,
      data: rows.flatMap((row) => {
        if (!isKind(row.kind)) return []
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
      }),
    }
  },
} satisfies Handlers<typeof auditCalls>

type Names = { target: Named | undefined; nameOf: (id: number) => string }
const factsFor = (actor: Actor, facts: AuditFacts, { target, nameOf }: Names) => {
  const all = factsAsText(facts, { shown: (text) => (target ? shownText(actor, target, text) : text), nameOf })
  if (!actor.masks) return all
  const shown = facts.change === 'export' ? withoutTyped(all) : all
  return shown.map((fact) =>
    target && fact.field === 'third_party_id' ? { ...fact, after: shownKey(actor, target, fact.after) } : fact,
  )
}
