import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { StartError } from '../../lib/start-error.ts'

type Copied = { tables: number; rows: number }
type Named = { name: string }

/** Statements for all tables; names are quoted by PostgreSQL. */
const tables = `select c.oid::regclass::text as name,
    (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'schema_migrations' order by 1`
const parts = `select c.oid::regclass::text as name, i.inhparent::regclass::text as parent,
    pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_class c join pg_inherits i on i.inhrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'`
const foreignKeys = `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`
const sequences = `select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace order by 1`
const migrationsOf = `select string_agg(name || checksum, ',' order by name) as found from schema_migrations`
const accounts = `select count(*)::int as found from accounts`

const connected = async <T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  await client.connect()
  try {
    // Texts of values are written and read alike, whatever a server prefers.
    await client.query(
      `set datestyle = 'iso, ymd'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set time zone 'UTC'`,
    )
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Copies all rows of one database into another, of whatever release of PostgreSQL, while nothing else uses either. Both
 * have the same migrations, and the other one has no accounts yet. Triggers and foreign keys rest meanwhile: the rows are
 * taken as they are. One transaction: what fails leaves the other database as it was. `to` is the owner of the tables.
 * @throws StartError
 */
export const copyDatabase = (
  from: pg.ClientConfig,
  to: pg.ClientConfig,
  tell: (line: string) => void,
): Promise<Copied> =>
  connected(from, (source) =>
    connected(to, async (target) => {
      await refuseOthers(source, target)
      await source.query('begin isolation level repeatable read read only')
      await target.query('begin')
      await makeParts(source, target)
      const all = (await source.query<Named & { columns: string }>(tables)).rows
      const names = all.map(({ name }) => name).join(', ')
      for (const { name } of all) await target.query(`alter table ${name} disable trigger user`)
      const keys = (await target.query<Named & { table: string; definition: string }>(foreignKeys)).rows
      for (const { table, name } of keys) await target.query(`alter table ${table} drop constraint ${name}`)
      // Migrations have put some rows in.
      await target.query(`truncate ${names}`)
      let rows = 0
      for (const { name, columns } of all) {
        const into = target.query(copyFrom(`copy ${name} (${columns}) from stdin`))
        await pipeline(source.query(copyTo(`copy (select ${columns} from ${name}) to stdout`)), into)
        rows += into.rowCount
        if (into.rowCount > 100_000) tell(`${name}: ${into.rowCount} rows`)
      }
      for (const { table, name, definition } of keys)
        await target.query(`alter table ${table} add constraint ${name} ${definition}`)
      for (const { name } of all) await target.query(`alter table ${name} enable trigger user`)
      await copySequences(source, target)
      await target.query('commit')
      await target.query('analyze')
      return { tables: all.length, rows }
    }),
  )

const refuseOthers = async (source: pg.Client, target: pg.Client) => {
  const [mine, theirs] = await Promise.all(
    [source, target].map(async (client) => (await client.query<{ found: string }>(migrationsOf)).rows[0]?.found),
  )
  if (mine !== theirs)
    throw new StartError('The two databases do not have the same migrations: start Tallyroom on the first one once.')
  const { rows } = await target.query<{ found: number }>(accounts)
  if (rows[0]?.found) throw new StartError('The database to copy into has accounts already. Name an empty one.')
}

/** Old requests lie in parts that a new database does not have. */
const makeParts = async (source: pg.Client, target: pg.Client) => {
  const of = async (client: pg.Client) => (await client.query<Named & { parent: string; bound: string }>(parts)).rows
  const [here, there] = [await of(source), await of(target)]
  for (const { name } of there) await target.query(`drop table ${name}`)
  for (const { name, parent, bound } of here) await target.query(`create table ${name} partition of ${parent} ${bound}`)
}

const copySequences = async (source: pg.Client, target: pg.Client) => {
  for (const { name } of (await source.query<Named>(sequences)).rows) {
    const { rows } = await source.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    await target.query('select setval($1::regclass, $2::bigint, $3)', [name, rows[0]?.last, rows[0]?.called])
  }
}
