import type pg from 'pg'
import type { Tables } from '../../schema/tables.ts'

/** Tables of which the program updates only these columns and deletes nothing. */
const CHANGED_COLUMNS: { [Name in keyof Tables]?: (keyof Tables[Name])[] } = {
  approvals: ['answer', 'ended_at', 'ended_by', 'state'],
  cash_requests: [
    'bank_reference',
    'maybe_paid_by',
    'ended_at',
    'ended_by',
    'lease_until',
    'reason',
    'reason_code',
    'state',
    'taken_by',
    'transfer_id',
  ],
  envelopes: ['settled_at', 'settled_by', 'status', 'target_balance', 'type'],
  file_quotas: ['bytes', 'since'],
  seal_state: ['whole_at'],
  sealed_wallets: ['seq'],
  sensitive_changes: ['answer', 'ended_at', 'ended_by', 'state', 'used_at'],
  settlements: ['remark', 'settled_at', 'settled_by', 'state'],
  wallets: ['balance', 'floor', 'flow_due', 'seq'],
}

/** Written only by the owner of the tables. */
const READ_ONLY = new Set<string>(['schema_migrations', 'erased_remarks', 'first_places'] satisfies (keyof Tables)[])

type Relation = { name: string; isSequence: boolean; isAppendOnly: boolean; granted: string[] }

/** The serving role's rights to a table, in the order of `granted`. */
const wanted = ({ name, isSequence, isAppendOnly }: Relation): string[] => {
  if (isSequence) return ['USAGE']
  if (READ_ONLY.has(name)) return ['SELECT']
  if (isAppendOnly) return ['INSERT', 'SELECT']
  const columns: string[] | undefined = CHANGED_COLUMNS[name as keyof Tables]
  if (columns) return ['INSERT', 'SELECT', ...columns.map((column) => `UPDATE (${column})`)]
  return ['DELETE', 'INSERT', 'SELECT', 'UPDATE']
}

/** A table with the trigger `refuse_change` is append-only: a new table becomes one by its own migration. */
const RELATIONS = `
select c.relname as name, c.relkind = 'S' as "isSequence",
  exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid = c.oid and p.proname = 'refuse_change') as "isAppendOnly",
  array(select privilege_type::text from aclexplode(c.relacl) where grantee = r.oid
    union all
    select privilege_type || ' (' || a.attname || ')' from pg_attribute a, aclexplode(a.attacl) x
      where a.attrelid = c.oid and a.attacl is not null and x.grantee = r.oid
    order by 1) as granted
from pg_class c, pg_roles r
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S') and r.rolname = $1`

/** The serving role may do some things only through these functions, which run as the owner of the tables. */
const FUNCTIONS = `
select p.oid::regprocedure::text as name from pg_proc p, pg_roles r
where p.pronamespace = 'public'::regnamespace and p.prosecdef and r.rolname = $1
  and not has_function_privilege(r.oid, p.oid, 'execute')`

/**
 * Gives the serving role its rights to each table and revokes others. The client must own the tables. Grants are
 * written only where they differ, so most starts only look.
 */
export const grantTo = async (client: pg.Client, role: string): Promise<void> => {
  const { rows } = await client.query<Relation>(RELATIONS, [role])
  const to = client.escapeIdentifier(role)
  const statements = rows.flatMap((relation) => {
    const rights = wanted(relation)
    if (rights.join() === relation.granted.join()) return []
    const of = `${relation.isSequence ? 'sequence' : 'table'} public.${client.escapeIdentifier(relation.name)}`
    return [`revoke all on ${of} from ${to}`, `grant ${rights.join(', ')} on ${of} to ${to}`]
  })
  const { rows: functions } = await client.query<{ name: string }>(FUNCTIONS, [role])
  statements.push(...functions.map(({ name }) => `grant execute on function ${name} to ${to}`))
  if (statements.length === 0) return
  statements.unshift(`grant usage on schema public to ${to}`)
  await client.query(`begin; ${statements.join('; ')}; commit`)
}
