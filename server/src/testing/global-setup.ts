import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../data/migrate.ts'
import { isInUse } from '@tallyroom/postgres/lock'
import { APP, OWNER, prepareRoles } from '@tallyroom/postgres/roles'
import { startPostgres } from '@tallyroom/postgres'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' PostgreSQL is, the migrated template in it, and how the databases of this run begin. */
    postgres: { url: string; template: string; prefix: string; hasRoles: boolean }
  }
}

/** In memory where the system has room for it: a database per test file costs 18 ms there, and 200 on a disk. */
const memory = statSync('/dev/shm', { throwIfNoEntry: false })?.isDirectory() ? '/dev/shm' : tmpdir()
const name = 'tallyroom-tests-pg-'

/** A run that was killed could not clean up, and what it left holds memory. */
const clearAfterTheKilled = async () => {
  for (const found of readdirSync(memory).filter((entry) => entry.startsWith(name))) {
    const dataDir = join(memory, found)
    try {
      // A directory without a lock may belong to a run that begins at this moment.
      if (!existsSync(join(dataDir, 'tallyroom.lock')) || isInUse(dataDir)) continue
      await (await startPostgres({ dataDir, durable: false })).stop()
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // Somebody else's, or another run is clearing it.
    }
  }
}

const startServer = async () => {
  const outside = process.env.TEST_DATABASE_URL
  if (outside) return { url: outside, stop: () => Promise.resolve() }
  await clearAfterTheKilled()
  const dataDir = mkdtempSync(join(memory, name))
  const { url, stop } = await startPostgres({ dataDir, durable: false })
  return { url, stop: () => stop().finally(() => rmSync(dataDir, { recursive: true, force: true })) }
}

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** One server for the whole run, with one migrated database in it that the test files copy. */
export default async ({ provide }: TestProject) => {
  const { url, stop } = await startServer()
  const prefix = `test_${process.pid}_${Date.now().toString(36)}_`
  const template = `${prefix}template`
  await withClient(url, (client) => client.query(`CREATE DATABASE ${template}`))
  const address = new URL(url)
  address.pathname = `/${template}`
  // Somebody's own PostgreSQL gets no roles from us: there the tests serve as whom they were given.
  const hasRoles = !process.env.TEST_DATABASE_URL
  if (hasRoles) await prepareRoles({ connectionString: address.href })
  const owner = new URL(address)
  if (hasRoles) owner.username = OWNER
  await migrate({ connectionString: owner.href }, undefined, hasRoles ? APP : undefined)
  provide('postgres', { url, template, prefix, hasRoles })
  return async () => {
    if (process.env.TEST_DATABASE_URL) await withClient(url, (client) => dropAll(client, prefix))
    await stop()
  }
}

/** Removes what the test files left, when the server outlives the run. */
const dropAll = async (client: pg.Client, prefix: string) => {
  const { rows } = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname}`)
}
