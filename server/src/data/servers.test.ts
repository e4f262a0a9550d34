import { expect, test } from 'vitest'
import { parseDatabaseUrl, type DatabaseHost } from '../config/database-url.ts'
import { asSuperuser, freshDatabase, migratedUrl, superuserOf, testDatabase } from '../testing/postgres.ts'
import { DatabaseAway } from './faults.ts'
import { makeServers } from './servers.ts'
import { connect, one, run, sql } from './sql.ts'

const host = (name: string): DatabaseHost => ({ host: name, port: 5432, url: `postgresql://${name}/x` })

test('[RUN-07] an address with several servers is read as libpq does', () => {
  const of = (url: string) => parseDatabaseUrl(url)?.hosts?.map(({ host: name, port }) => `${name} ${port}`)
  expect(of('postgresql://me:p%40ss@one,two:5433,[::1]:5434/db?sslmode=require')).toEqual([
    'one 5432',
    'two 5433',
    '::1 5434',
  ])
  expect(of('postgresql://me@%2Frun%2Fpg/db?target_session_attrs=read-write')).toEqual(['/run/pg 5432'])
  expect(parseDatabaseUrl('postgres://me:pw@one:1,two:2/db?a=1')?.hosts?.at(1)?.url).toBe(
    'postgres://me:pw@two:2/db?a=1',
  )
  expect(of('postgresql://me@one:5432/db')).toBeUndefined()
  for (const url of [
    'postgresql://one,,two/db',
    'postgresql://one:x,two/db',
    'mysql://one,two/db',
    'postgresql://me@/db',
  ])
    expect(parseDatabaseUrl(url)).toBeUndefined()
})

test('[RUN-07] the server that takes writes is asked for once, and again when it has failed', async () => {
  const hosts = ['one', 'two', 'three'].map(host)
  const asked: string[] = []
  let primary = 'two'
  const servers = makeServers(hosts, (server) => {
    asked.push(server.host)
    return Promise.resolve(server.host === primary ? undefined : 'read-only')
  })
  const found = await Promise.all([servers.primary(), servers.primary()])
  expect([found.map((server) => server.host), asked]).toEqual([
    ['two', 'two'],
    ['one', 'two', 'three'],
  ])
  primary = ''
  expect((await servers.primary()).host).toBe('two')
  for (const server of found) servers.forget(server)
  await expect(servers.primary()).rejects.toThrow(
    'no server of the database takes writes (one:5432: read-only; two:5432: read-only; three:5432: read-only)',
  )
  primary = 'three'
  await expect
    .poll(() =>
      servers.primary().then(
        (server) => server.host,
        () => '',
      ),
    )
    .toBe('three')
  // Only the one that is in use can be forgotten.
  for (const server of found) servers.forget(server)
  asked.length = 0
  await servers.primary()
  expect(asked).toEqual([])
})

test('[RUN-07] a server that only reads is not the primary, and one that does not answer neither', async () => {
  const config = superuserOf(await freshDatabase())
  const { hosts = [] } = parseDatabaseUrl(`${migratedUrl(config)}?target_session_attrs=read-write`) ?? {}
  const gone = { host: '127.0.0.1', port: 1, url: 'postgresql://me@127.0.0.1:1/none' }
  expect(await makeServers([gone, ...hosts]).primary()).toBe(hosts[0])
  const reads = `alter database ${config.database} set default_transaction_read_only = on`
  await asSuperuser((tx) => run(tx, { text: reads, values: [] }), await testDatabase())
  await expect(makeServers([gone, ...hosts]).primary()).rejects.toThrow(
    /ECONNREFUSED.*: read-only\)|: read-only; .*ECONNREFUSED/,
  )
})

test('[RUN-07] a connection whose server became read-only is not used again', async () => {
  const db = connect({ ...(await testDatabase()), max: 1 })
  const pidOf = async () => (await one<{ pid: number }>(db, sql`select pg_backend_pid() as pid`))?.pid
  const before = await pidOf()
  const write = db.transact(async (tx) => {
    await run(tx, sql`set transaction read only`)
    await run(tx, sql`delete from day_totals`)
  })
  await expect(write).rejects.toBeInstanceOf(DatabaseAway)
  expect(await pidOf()).not.toBe(before)
  await db.end()
})
