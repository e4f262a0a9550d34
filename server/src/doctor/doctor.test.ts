import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { noteBackup } from './last-backup.ts'
import { connect, run, sql } from '../data/sql.ts'
import { noteZone } from '../ledger/check/time-zone.ts'
import { startTestServer, type TestServer } from '../testing/app.ts'
import { asSuperuser } from '../testing/postgres.ts'
import { diagnose } from './doctor.ts'
import { surroundings } from './surroundings.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type SomeSettings = Partial<TestServer['services']['settings']>
const found = async (given: SomeSettings = {}, isQuick = true) => {
  const { db, settings } = server.services
  return diagnose({ db, settings: { ...settings, ...given }, isQuick })
}
const notFine = async (...args: Parameters<typeof found>) =>
  (await found(...args)).filter(({ state }) => state !== 'fine').map(({ state, found: words }) => `${state}: ${words}`)

test('[RUN-12] the doctor is content with a sound installation, and says what it looked at', async () => {
  await noteBackup(server.services.settings.dataDir)
  const said = await found({}, false)
  expect(said.filter(({ state }) => state === 'wrong')).toEqual([])
  expect(said.map(({ found: words }) => words).join(' ')).toMatch(/migration.*key.*free.*clocks.*backup.*ledger/)
})

test('[RUN-12] each trouble has its sentence and what to do', async () => {
  await server.family()
  const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-doctor-'))
  writeFileSync(join(dataDir, 'installation.key'), `${'ab'.repeat(32)}\n`)
  const { db } = server.services
  const newest =
    (await db.query<{ name: string }>('select max(name) as name from schema_migrations', []))[0]?.name ?? ''
  await asSuperuser(async (tx) => {
    await run(tx, sql`create table away as select * from schema_migrations where name = ${newest}`)
    await run(tx, sql`delete from schema_migrations where name = ${newest}`)
    await run(tx, sql`update wallets set balance = balance + 1 where id = (select min(id) from wallets)`)
  })
  const given = {
    dataDir,
    installationKey: undefined,
    publicUrl: 'https://t.example',
    walArchive: join(dataDir, 'none'),
    demo: true,
  }
  const all = await notFine(given, false)
  await asSuperuser(async (tx) => {
    await run(tx, sql`insert into schema_migrations select * from away`)
    await run(tx, sql`drop table away`)
    await run(tx, sql`update wallets set balance = balance - 1 where id = (select min(id) from wallets)`)
  })
  expect(all.join('\n')).toContain(`warning: Migrations of this version that the database lacks: ${newest}.`)
  for (const words of [
    'wrong: The key is not that of this installation.',
    `wrong: WAL_ARCHIVE is ${join(dataDir, 'none')}, which is no directory.`,
    'wrong: No backup has been made of this DATA_DIR.',
    'warning: PUBLIC_URL is https, but TRUSTED_PROXIES is 0.',
    'warning: This is a demo: DEMO is 1.',
    'wrong: The ledger breaks "sum_zero" 1 times.',
  ])
    expect(all).toContain(words)
  expect((await found(given)).every(({ state, advice }) => state === 'fine' || advice)).toBe(true)
  expect((await notFine({ workers: 60, databaseUrl: 'postgresql://elsewhere' })).join('\n')).toMatch(
    /warning: WORKERS is 60, but this machine has \d+ cores\.\nwrong: The database takes 300 connections, and 60 workers and their writer need 986\./,
  )
  expect(await notFine({ dataDir: join(dataDir, 'gone') })).toContainEqual(
    `warning: There is no directory ${join(dataDir, 'gone')} yet.`,
  )
})

test('[RUN-12] while the database is away, the doctor says so and looks at what does not need it', async () => {
  const { settings } = server.services
  const db = connect({ connectionString: 'postgresql://nobody@localhost:1/none', max: 1 })
  const given = { publicUrl: 'https://t.example', demo: true, redisUrl: 'redis://127.0.0.1:1' }
  const patient = { ...settings, ...given }
  const said = [...(await diagnose({ db, settings: patient, isQuick: false })), ...(await surroundings(db, patient))]
  await db.end()
  expect(said).toMatchObject([
    { state: 'wrong', found: expect.stringMatching(/^The database does not answer \(connect ECONNREFUSED .*\)\.$/) },
    { found: expect.stringContaining('are free on the disk of DATA_DIR.') },
    { state: 'warning', found: 'No backup has been restored as a test yet.' },
    { state: 'warning', found: 'PUBLIC_URL is https, but TRUSTED_PROXIES is 0.' },
    { state: 'warning', found: 'This is a demo: DEMO is 1.' },
    { state: 'wrong', found: 'Redis at REDIS_URL does not answer within 3 s.' },
  ])
})

test('[RUN-12] the doctor finds a TIME_ZONE that the server refuses, and a Redis that does not answer', async () => {
  const { db, settings } = server.services
  await noteZone(db, settings)
  expect(await surroundings(db, settings)).toMatchObject([{ state: 'fine' }])
  const given = { timeZone: 'Asia/Taipei', isTimeZoneGiven: true, redisUrl: 'redis://127.0.0.1:1' }
  expect(await surroundings(db, { ...settings, ...given })).toMatchObject([
    { state: 'wrong', advice: expect.stringMatching(/Set TIME_ZONE=.* or, to change it, .* npm run ledger:days/) },
    { state: 'wrong', found: 'Redis at REDIS_URL does not answer within 3 s.' },
  ])
})
