import { type Db, one, type Row, sql } from '../sql.ts'

/**
 * Of each PostgreSQL: its newest release when this version of Tallyroom was made, and when its support ends
 * (https://www.postgresql.org/support/versioning). The step "releases of PostgreSQL" of docs/releasing.md keeps them.
 */
const known: Record<number, { newest: number; ends: string }> = {
  15: { newest: 20, ends: '2027-11-11' },
  16: { newest: 16, ends: '2028-11-09' },
  17: { newest: 12, ends: '2029-11-08' },
  18: { newest: 6, ends: '2030-11-14' },
}

/** The release of PostgreSQL that answers, such as 18.4. */
export const postgresVersion = async (db: Db): Promise<string> => {
  const row = await one<Row & { number: number }>(db, sql`select current_setting('server_version_num')::int as number`)
  const number = row?.number ?? 0
  return `${Math.floor(number / 10_000)}.${number % 10_000}`
}

/** Says that a release lacks fixes, or gets none any more; undefined: nothing is known against it. */
export const complaintOfPostgres = (version: string, now = new Date()): string | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const found = known[major]
  if (!found) return undefined
  if (now > new Date(found.ends)) return `PostgreSQL ${major} has got no fixes since ${found.ends}.`
  if (minor >= found.newest) return undefined
  return `PostgreSQL ${version} is older than ${major}.${found.newest}, which mends known weaknesses.`
}
