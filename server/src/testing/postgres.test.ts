import pg from 'pg'
import { expect, test } from 'vitest'
import { freshDatabase, ownerOf, testDatabase } from './postgres.ts'

const select = async (config: pg.ClientConfig, sql: string) => {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a test file has one migrated database, the same at every call', async () => {
  expect(await testDatabase()).toEqual(await testDatabase())
  await expect(select(await testDatabase(), 'SELECT name FROM schema_migrations')).resolves.toBeInstanceOf(Array)
})

test('a fresh database belongs to one test only', async () => {
  const [mine, other] = [await freshDatabase(), await freshDatabase()]
  await select(ownerOf(mine), 'CREATE TABLE only_here ()')
  expect(await select(other, `SELECT to_regclass('only_here') AS found`)).toEqual([{ found: null }])
})
