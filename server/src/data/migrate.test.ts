import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
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
  expect(await migrate(config, directoryOf({ [one]: files[one] }))).toEqual([one])
  expect(await migrate(config, directoryOf(files))).toEqual([two])
  expect(await migrate(config, directoryOf(files))).toEqual([])
  expect(await query(config, 'SELECT * FROM one')).toEqual([{ n: 1, m: null }])
})

test('several processes may start at once: each migration happens once', async () => {
  const config = await emptyDatabase()
  const directory = directoryOf(files)
  const applied = await Promise.all([1, 2, 3, 4, 5].map(() => migrate(config, directory)))
  expect(applied.flat()).toEqual([one, two])
})

test('a migration that fails leaves the database as it was, and the error names the line', async () => {
  const config = await emptyDatabase()
  const broken = directoryOf({ ...files, [two]: 'CREATE TABLE half ();\nCREATE TABEL two ()' })
  await expect(migrate(config, broken)).rejects.toThrow(/^Migration 0002-two.sql fails \(line 2\): syntax error/)
  expect(await query(config, `SELECT to_regclass('half') AS half, to_regclass('one')::text AS one`)).toEqual([
    { half: null, one: 'one' },
  ])
  expect(await migrate(config, directoryOf(files))).toEqual([two])
})

test('a migration that was changed, or is missing here, stops the start', async () => {
  const config = await emptyDatabase()
  await migrate(config, directoryOf(files))
  const changed = directoryOf({ ...files, [one]: 'CREATE TABLE other ()' })
  await expect(migrate(config, changed)).rejects.toThrow(/0001-one.sql was changed .* write a new migration/)
  await expect(migrate(config, directoryOf({ [one]: files[one] }))).rejects.toThrow(
    /has seen migration 0002-two.sql, .* newer version/,
  )
  const dos = directoryOf({ [one]: files[one].replaceAll('\n', '\r\n'), [two]: files[two] })
  expect(await migrate(config, dos)).toEqual([])
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
