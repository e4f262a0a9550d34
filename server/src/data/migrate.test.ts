import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { statementsOf } from './apply-migration.ts'
import { makeFirstAccount } from '../accounts/first-account.ts'
import { migrate, readMigrations } from './migrate.ts'
import { connect } from './sql.ts'
import { openFakePooler } from '../testing/fakes/pooler.ts'
import { freshDatabase, superuserOf } from '../testing/postgres.ts'

const made: string[] = []
afterAll(() => made.forEach((directory) => rmSync(directory, { recursive: true })))

/** A directory with these migrations. */
const directoryOf = (files: Record<string, string>) => {
  const directory = mkdtempSync(join(tmpdir(), 'tallyroom-migrations-'))
  made.push(directory)
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(directory, name), sql)
  return directory
}

/** A database that has seen no migration at all. */
const emptyDatabase = async () => {
  const config = superuserOf(await freshDatabase())
  await query(config, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return config
}

const query = async (config: pg.ClientConfig, sql: string) => {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

const one = '0001-one.sql'
const two = '0002-two.sql'
const files = { [one]: 'CREATE TABLE one (n int); INSERT INTO one VALUES (1)', [two]: 'ALTER TABLE one ADD m int' }

test('applies what is new, once, in order', async () => {
  const config = await emptyDatabase()
  expect(await migrate(config, { directory: directoryOf({ [one]: files[one] }) })).toEqual([one])
  expect(await migrate(config, { directory: directoryOf(files) })).toEqual([two])
  expect(await migrate(config, { directory: directoryOf(files) })).toEqual([])
  expect(await query(config, 'SELECT * FROM one')).toEqual([{ n: 1, m: null }])
})

test('several processes may start at once: each migration happens once', async () => {
  const config = await emptyDatabase()
  const directory = directoryOf(files)
  const applied = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(config, { directory })))
  expect(applied.flat()).toEqual([one, two])
})

/** With one process, and with server_round_robin and two or three. */
test.each([[[7]], [[7, 8]], [[7, 8, 9]]])(
  '[RUN-08] through a pooler in transaction mode nothing is migrated, and the error says what to set: processes %j',
  async (processes) => {
    const { port, close } = await openFakePooler(...processes)
    const config = { host: '127.0.0.1', port, user: 'owner', database: 'tallyroom', ssl: false }
    await expect(migrate(config)).rejects.toThrow(/transaction mode\. Let DATABASE_OWNER_URL lead to PostgreSQL itself/)
    close()
  },
)

test('a migration that fails leaves the database as it was, and the error names the line', async () => {
  const config = await emptyDatabase()
  const broken = directoryOf({ ...files, [two]: 'CREATE TABLE half ();\nCREATE TABEL two ()' })
  await expect(migrate(config, { directory: broken })).rejects.toThrow(
    /^Migration 0002-two.sql fails \(line 2\): syntax error/,
  )
  expect(await query(config, `SELECT to_regclass('half') AS half, to_regclass('one')::text AS one`)).toEqual([
    { half: null, one: 'one' },
  ])
  expect(await migrate(config, { directory: directoryOf(files) })).toEqual([two])
})

test('a migration that was changed, or is missing here, stops the start', async () => {
  const config = await emptyDatabase()
  await migrate(config, { directory: directoryOf(files) })
  const changed = directoryOf({ ...files, [one]: 'CREATE TABLE other ()' })
  await expect(migrate(config, { directory: changed })).rejects.toThrow(
    /0001-one.sql was changed .* write a new migration/,
  )
  await expect(migrate(config, { directory: directoryOf({ [one]: files[one] }) })).rejects.toThrow(
    /has seen migration 0002-two.sql, .* newer version/,
  )
  const dos = directoryOf({ [one]: files[one].replaceAll('\n', '\r\n'), [two]: files[two] })
  expect(await migrate(config, { directory: dos })).toEqual([])
})

test('migration numbers have no gaps and no duplicates', () => {
  expect(() => readMigrations(directoryOf({ [one]: '', '0003-three.sql': '' }))).toThrow(
    /0003-three.sql should have the number 0002/,
  )
  expect(() => readMigrations(directoryOf({ [one]: '', '0001-uno.sql': '' }))).toThrow(/should have the number 0002/)
  expect(() => readMigrations(join(tmpdir(), 'not-there'))).toThrow(/migrations are missing/)
})

test('the error for an unreachable database is one line without its password', async () => {
  const nowhere = { host: '127.0.0.1', port: 1, user: 'u', password: 'hidden', database: 'd' }
  const said = await migrate(nowhere).catch((error: unknown) => String(error))
  expect(said).toMatch(/^StartError: Cannot connect to the database d at 127.0.0.1:1: .*DATABASE_URL/)
  expect(said).not.toContain('hidden')
})

test('the default migrations are those next to the source', () => {
  const here = new URL('../../migrations', import.meta.url)
  expect(readMigrations().map(({ name }) => name)).toEqual(
    readdirSync(here)
      .filter((name) => name.endsWith('.sql'))
      .sort(),
  )
})

test('a migration outside a transaction runs statement by statement, and once when several start', async () => {
  const config = await emptyDatabase()
  const three = '0003-three.sql'
  const sql = `-- Outside a transaction.
    drop index concurrently if exists one_n;
    create index concurrently one_n on one (n);`
  const directory = directoryOf({ ...files, [three]: sql })
  const applied = await Promise.all([1, 2, 3].map(() => migrate(config, { directory })))
  expect(applied.flat()).toEqual([one, two, three])
  expect(await query(config, `SELECT indisvalid FROM pg_index WHERE indexrelid = 'one_n'::regclass`)).toEqual([
    { indisvalid: true },
  ])
})

test('a migration outside a transaction that was cut off is begun again by the next start', async () => {
  const config = await emptyDatabase()
  const three = '0003-three.sql'
  const make = `-- Outside a transaction.\ndrop index concurrently if exists one_n;\ncreate index concurrently one_n on one (n);\n`
  await expect(
    migrate(config, { directory: directoryOf({ ...files, [three]: `${make}select nothing();` }) }),
  ).rejects.toThrow(/^Migration 0003-three.sql fails: .* The next start begins it again\.$/)
  expect(await migrate(config, { directory: directoryOf({ ...files, [three]: make }) })).toEqual([three])
})

test('[RUN-01] a database that has seen the former text of a migration is up to date', async () => {
  const config = await emptyDatabase()
  const directory = directoryOf(files)
  await migrate(config, { directory })
  const [former] = readMigrations(directory)
  const rewritten = directoryOf({ ...files, [one]: `-- Replaces ${former?.checksum}\nCREATE TABLE one (n int)` })
  expect(await migrate(config, { directory: rewritten })).toEqual([])
})

test('[RUN-01] a migration that must wait for a lock lets others pass, and tries again', async () => {
  const config = await emptyDatabase()
  await migrate(config, { directory: directoryOf({ [one]: files[one] }) })
  const reader = new pg.Client(config)
  await reader.connect()
  try {
    await reader.query('BEGIN; SELECT * FROM one')
    const migrated = migrate(config, { directory: directoryOf(files) })
    // It waits behind the reader now. This insert waits behind it, until it gives up for the first time.
    await waitFor(config, `SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`)
    await query(config, 'INSERT INTO one VALUES (2)')
    await reader.query('COMMIT')
    expect(await migrated).toEqual([two])
  } finally {
    await reader.end()
  }
  expect(await query(config, 'SELECT n FROM one ORDER BY n')).toEqual([{ n: 1 }, { n: 2 }])
})

test('[RUN-01] a large table is filled in batches, each in its own transaction, also after it was cut off', async () => {
  const config = await emptyDatabase()
  const make = `-- Outside a transaction.
    alter table one add column if not exists m int, add column if not exists filled_by xid8;
    -- In batches of 10 by one.n
    update one set m = n / (n - LIMIT), filled_by = pg_current_xact_id() where n > $1 and n <= $2 and m is null;`
  const base = `${files[one]}; INSERT INTO one SELECT generate_series(2, 95)`
  const at = (limit: number) => directoryOf({ [one]: base, [two]: make.replace('LIMIT', String(limit)) })
  // Divides by zero in the sixth batch.
  await expect(migrate(config, { directory: at(55) })).rejects.toThrow(/division by zero.* The next start begins it/)
  const filled = 'SELECT count(m)::int AS rows, count(distinct filled_by)::int AS batches FROM one'
  expect(await query(config, filled)).toEqual([{ rows: 50, batches: 5 }])
  expect(await migrate(config, { directory: at(1000) })).toEqual([two])
  expect(await query(config, filled)).toEqual([{ rows: 95, batches: 10 }])
})

test('a statement ends with a semicolon at the end of a line, but not inside a function', () => {
  const make = 'create function f() returns trigger language plpgsql as $$\nbegin\n  return null;\nend $$;'
  expect(statementsOf(`-- A comment;\n${make}\nselect 1;\n-- The end.`)).toEqual([
    `-- A comment;\n${make}`,
    'select 1;',
  ])
})

test('[RUN-01] rows of a copy from before migration 0023 get the balance of their target at their commit', async () => {
  const config = superuserOf(await freshDatabase())
  const db = connect(config)
  await makeFirstAccount(db, 'a password of some length')
  await db.end()
  const add = (column: string, value: string) =>
    query(
      config,
      `WITH w AS (SELECT * FROM wallets WHERE kind = 1 ORDER BY id LIMIT 1),
        t AS (INSERT INTO transfers (transaction_id, top_id, op, actor_id, funder_id, target_id, wallet, amount${column})
          SELECT gen_random_uuid(), top_id, 1, account_id, account_id, account_id, 1, 10000${value} FROM w RETURNING id, top_id)
      INSERT INTO postings (wallet_id, seq, top_id, transfer_id, amount, balance_after)
        SELECT w.id, 1000 + t.id, t.top_id, t.id, 10000, 70000 FROM t, w`,
    )
  await add('', '')
  await add(', target_balance', ', 5')
  expect(await query(config, 'SELECT target_balance FROM transfers ORDER BY id')).toEqual([
    { target_balance: 70_000n },
    { target_balance: 5n },
  ])
  await expect(query(config, 'UPDATE transfers SET target_balance = 6')).rejects.toThrow('append-only')
})

test('[RUN-05] a filled table of requests becomes the first part of it, beside an older copy that writes', async () => {
  const config = await emptyDatabase()
  const all = readMigrations()
  const at = all.findIndex(({ name }) => name.endsWith('-requests-by-time.sql'))
  const before = directoryOf(Object.fromEntries(all.slice(0, at).map(({ name, sql }) => [name, sql])))
  await migrate(config, { directory: before })
  const insert = (n: number, when: string) =>
    `INSERT INTO requests (actor_id, request_id, call, body_hash, answer, created_at)
      SELECT i, gen_random_uuid(), 'user/edit', '', '{}', ${when} FROM generate_series(1, ${n}) i`
  await query(config, insert(1000, `now() - interval '400 days'`))
  const older = new pg.Client(config)
  await older.connect()
  try {
    await older.query(`BEGIN; ${insert(1, 'now()')}`)
    const migrated = migrate(config)
    await waitFor(config, `SELECT FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'`)
    await older.query(`${insert(1, 'now()')}; COMMIT`)
    expect(await migrated).toEqual(all.slice(at).map(({ name }) => name))
    await older.query(insert(1, 'now()'))
  } finally {
    await older.end()
  }
  expect(
    await query(config, 'SELECT tableoid::regclass::text AS part, count(*)::int AS n FROM requests GROUP BY 1'),
  ).toEqual([{ part: 'requests_first', n: 1003 }])
})

/** What stops an older copy: it writes to these tables all the time, and they have millions of rows. */
const LARGE = 'transfers|postings|envelopes|messages|requests|rooms|room_reads|audit_log|day_totals|wallets|sessions'
const BLOCKING: [RegExp, string][] = [
  [new RegExp(`create (unique )?index (?!concurrently).* on (${LARGE})\\b`, 'i'), 'make the index concurrently'],
  [new RegExp(`^(update|delete from) (${LARGE})\\b`, 'im'), 'change rows in batches, outside a transaction'],
  [
    new RegExp(`alter table (${LARGE})\\b[^;]*alter column \\w+ (type|set not null)`, 'i'),
    'it reads or writes all rows',
  ],
  [
    new RegExp(`alter table (${LARGE})\\b[^;]*add constraint(?![^;]*not valid)`, 'i'),
    'add it "not valid", and validate it in another migration',
  ],
  [
    // `requests` is there again under its name when that transaction ends.
    /alter table \w+[^;]*(drop column|rename(?! to requests_first\b))/i,
    'an older copy still uses the name: drop it one version later',
  ],
]

test('[RUN-01] no migration since 0037 blocks a copy that serves', () => {
  const found = readMigrations()
    .filter(({ name }) => name >= '0037')
    .flatMap(({ name, sql }) =>
      statementsOf(sql).flatMap((statement) =>
        BLOCKING.filter(([pattern]) => pattern.test(statement) && !/^\s*-- In batches of/m.test(statement)).map(
          ([, advice]) => `${name}: ${advice}: ${statement.trim().slice(0, 120)}`,
        ),
      ),
    )
  expect(found).toEqual([])
})

/** Asks until a row is there. */
const waitFor = async (config: pg.ClientConfig, sql: string) => {
  for (;;) if ((await query(config, sql)).length) return
}
