import { accountFacts } from '@tallyroom/contract/account-facts'
import type { AuditKind } from '@tallyroom/contract/audit-kinds'
import { type Db, run, type Sql, sql } from '../data/sql.ts'

/**
 * Values, or a field's value before and after. Never a password, code or token; of an account its id, never its name
 * (contract/account-facts.ts).
 */
export type AuditFacts = Record<string, AuditValue | readonly [before: AuditValue, after: AuditValue]>
export type AuditValue = string | number | boolean | null

type AuditSource = {
  /** Undefined before a sign-in. */
  actor?: { id: number; topId: number; session?: { id: bigint } } | undefined
  caller?: { address: string } | undefined
}

type AuditEntry = {
  source: AuditSource
  kind: AuditKind
  target: { id: number; topId: number } | undefined
  facts: AuditFacts
}

/** Inserts entries into the audit log, for a statement of their action. */
export const auditRows = (entries: AuditEntry[]): Sql => {
  const column = <T>(pick: (entry: AuditEntry) => T) => entries.map(pick)
  return sql`insert into audit_log (top_id, kind, actor_id, target_id, session_id, address, facts)
    select * from unnest(${column(({ target, source }) => target?.topId ?? source.actor?.topId ?? 0)}::int[],
      ${column(({ kind }) => kind)}::text[], ${column(({ source }) => source.actor?.id ?? null)}::int[],
      ${column(({ target }) => target?.id ?? null)}::int[], ${column(({ source }) => source.actor?.session?.id ?? null)}::bigint[],
      ${column(({ source }) => source.caller?.address ?? '')}::text[], ${column(({ facts }) => JSON.stringify(facts))}::jsonb[])`
}

/**
 * Writes into the audit log in the transaction of the action: one is never stored without the other. The handler's ctx
 * is an `AuditSource`. The chain's link is added later (audit-chain.ts).
 */
export const audit = (
  tx: Db,
  source: AuditSource,
  kind: AuditKind,
  target: AuditEntry['target'],
  facts: AuditFacts = {},
): Promise<void> => run(tx, auditRows([{ source, kind, target, facts }]))

/** The fields of `after` that differ from `before`, each with both values. */
export const differencesOf = <T extends Record<string, AuditValue>>(before: T, after: Partial<T>): AuditFacts =>
  Object.fromEntries(
    Object.entries(after).flatMap(([field, now]) => {
      const was = before[field] ?? null
      return now === undefined || now === was ? [] : [[field, [was, now as AuditValue] as const]]
    }),
  )

const isPair = (value: AuditFacts[string]): value is readonly [AuditValue, AuditValue] => Array.isArray(value)

/** Facts of an erasing that the chain needs and people do not (audit-erasures.ts). */
const SEAL_FIELDS: ReadonlySet<string> = new Set(['erased', 'digest'])

/** The ids of accounts in these facts. */
export const accountsIn = (facts: AuditFacts): number[] =>
  Object.entries(facts)
    .filter(([field]) => accountFacts.has(field))
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'number')

/**
 * Facts as they are sent. `shown` masks what the viewer may not see of a text; `nameOf` is an account's username as the
 * viewer sees it, empty for an account above.
 */
export const factsAsText = (
  facts: AuditFacts,
  { shown, nameOf }: { shown: (text: string) => string; nameOf: (id: number) => string },
) => {
  const fields = Object.entries(facts).filter(([field]) => !SEAL_FIELDS.has(field))
  return fields.map(([field, value]) => {
    const shownValue = (one: AuditValue | undefined) => {
      if (one === null || one === undefined) return null
      return accountFacts.has(field) ? nameOf(Number(one)) : shown(String(one))
    }
    return isPair(value)
      ? { field, before: shownValue(value[0]), after: shownValue(value[1]) }
      : { field, before: null, after: shownValue(value) }
  })
}

type ShownFact = ReturnType<typeof factsAsText>[number]
/** Fields that were typed to find the members of a file. They may name a member that is not known. */
const TYPED: ReadonlySet<string> = new Set(['username', 'nickname', 'operator', 'remark', 'by', 'actor', 'target'])

/** The facts of a file that waits for approval, for a viewer who sees names masked: without what was typed. */
export const withoutTyped = (facts: ShownFact[]): ShownFact[] =>
  facts.map((fact) => (TYPED.has(fact.field) ? { ...fact, after: '***' } : fact))
