import type { Role } from '@tallyroom/contract/codes'
import type { Db } from '../data/sql.ts'
import { ceilings, type RightName, roleRights } from './menu-pages.ts'
import { minuteOfDay, withinHours } from '../domain/day-hours.ts'
import { is } from '../domain/is.ts'

/**
 * A row of `account_rights` of an account or of one above it, as it is at this moment. `isOwn`: of the account itself.
 * `isOpen`: given, and within its hours.
 */
export type RightRow = [name: string, isOwn: boolean, isOpen: boolean, hasHours: boolean]

/** SQL for "given, and within its hours" of the row `r`. */
export const isOpenRow = (minute: string) => `(r.is_given and ${withinHours('r', minute)})`

/**
 * SQL for the `RightRow`s of an account `a`; null for members, who have no menu. Where nobody has any row, one look says
 * so for all accounts of the query.
 */
export const rightRows = (
  timeZone: string,
) => `case when a.role_id <= ${is.customerService.text} and exists (select from account_rights) then
    (select json_agg(json_build_array(r.name, r.account_id = a.id, ${isOpenRow(minuteOfDay(timeZone))}, r.from_minute is not null))
      from account_rights r where r.account_id = any(string_to_array(trim(both '/' from a.path), '/')::int[])) end`

/**
 * RIGHT-01: what an account has now: what its role begins with and what it was given, without what it or an account
 * above it has not got. So what is taken from an agent is gone from all below it, and comes back with it.
 */
const rightsFrom = (role: Role, rows: readonly RightRow[] | null): ReadonlySet<RightName> => {
  if (!rows || rows.length === 0) return roleRights[role]
  const rights = new Set<string>(roleRights[role])
  for (const [name, isOwn, isOpen] of rows) if (isOwn && isOpen) rights.add(name)
  for (const [name, , isOpen] of rows) if (!isOpen) rights.delete(name)
  return new Set([...ceilings[role]].filter((name) => rights.has(name) && rights.has(name.split('.')[0] ?? name)))
}

/** `hasTimedRights`: something of it changes with the hours of the day. */
export const effectiveRights = (role: Role, rows: readonly RightRow[] | null): EffectiveRights => ({
  rights: rightsFrom(role, rows),
  hasTimedRights: rows?.some(([, , , hasHours]) => hasHours) ?? false,
})

export type EffectiveRights = { rights: ReadonlySet<RightName>; hasTimedRights: boolean }
/** The rights of accounts as they are now, by id. */
export const rightsOf = async (db: Db, ids: number[], timeZone: string): Promise<Map<number, EffectiveRights>> => {
  const rows = await db.query<{ id: number; role: Role; rows: RightRow[] | null }>(
    `select a.id, a.role_id as role, ${rightRows('$2')} as rows from accounts a where a.id = any($1::int[])`,
    [ids, timeZone],
  )
  return new Map(rows.map(({ id, role, rows: found }) => [id, effectiveRights(role, found)]))
}
