import type { AuditKind } from '@tallyroom/contract/calls/audit'
import { type Db, run, sql } from '../data/sql.ts'

/** Values, or a field's value before and after. Never a password, code or token; no usernames (join them instead). */
export type AuditFacts = Record<string, AuditValue | readonly [before: AuditValue, after: AuditValue]>
export type AuditValue = string | number | boolean | null

type AuditSource = {
  /** Undefined before a sign-in. */
  actor?: { id: number; topId: number; session?: { id: bigint } } | undefined
  caller?: { address: string } | undefined
}

/**
 * Writes into the audit log in the transaction of the action: one is never stored without the other. The handler's ctx
 * is an `AuditSource`. The chain's link is added later (audit-chain.ts).
 */
export const audit = (
  tx: Db,
  { actor, caller }: AuditSource,
  kind: AuditKind,
  target: { id: number; topId: number } | undefined,
  facts: AuditFacts = {},
): Promise<void> =>
  run(
    tx,
    sql`insert into audit_log (top_id, kind, actor_id, target_id, session_id, address, facts)
      values (${target?.topId ?? actor?.topId ?? 0}, ${kind}, ${actor?.id ?? null}, ${target?.id ?? null},
        ${actor?.session?.id ?? null}, ${caller?.address ?? ''}, ${JSON.stringify(facts)})`,
  )

/** The fields of `after` that differ from `before`, each with both values. */
export const changesOf = <T extends Record<string, AuditValue>>(before: T, after: Partial<T>): AuditFacts =>
  Object.fromEntries(
    Object.entries(after).flatMap(([field, now]) => {
      const was = before[field] ?? null
      return now === undefined || now === was ? [] : [[field, [was, now as AuditValue] as const]]
    }),
  )
