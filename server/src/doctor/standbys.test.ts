import { beforeAll, expect, test } from 'vitest'
import { run, sql, withConnection } from '../data/sql.ts'
import { startTestServer, type TestServer } from '../testing/app.ts'
import { openFakePooler } from '../testing/fakes/pooler.ts'
import { asSuperuser, databaseHasRoles, migratedUrl, ownerOf, testDatabase } from '../testing/postgres.ts'
import { pooler } from './pooler.ts'
import { standbys } from './standbys.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const GONE = '127.0.0.1:1'
const settingsWith = (part: Partial<TestServer['services']['settings']>) => ({
  ...server.services.settings,
  ...part,
})
const words = (found: { state: string; found: string }[]) => found.map(({ state, found: text }) => `${state}: ${text}`)

test('[RUN-12] the doctor names the servers of the database, those that are away, and that nobody follows', async () => {
  const { db } = server.services
  const url = migratedUrl(await testDatabase())
  const [, scheme = '', address = '', rest = ''] = /^(postgresql:\/\/[^@]*@)([^/]*)(.*)$/.exec(url) ?? []
  const settings = settingsWith({ databaseUrl: `${scheme}${address},${GONE}${rest}`, databaseReadUrl: url })
  expect(words(await standbys({ db, settings }))).toEqual([
    expect.stringMatching(/^fine: .* \(DATABASE_URL and DATABASE_READ_URL\) takes writes\.$/),
    expect.stringMatching(new RegExp(`^warning: ${GONE} \\(DATABASE_URL\\) does not answer: .*ECONNREFUSED`)),
    'wrong: No standby follows the primary.',
  ])
  // A database of one server needs no standby.
  expect(await standbys({ db, settings: settingsWith({ databaseUrl: url }) })).toEqual([])
})

test('[RUN-12] a replication slot that nobody reads is named before it fills the disk', async () => {
  await asSuperuser((tx) => run(tx, sql`select pg_create_physical_replication_slot('forgotten', true)`))
  const found = await standbys({ db: server.services.db, settings: server.services.settings })
  await asSuperuser((tx) => run(tx, sql`select pg_drop_replication_slot('forgotten')`))
  expect(words(found)).toEqual([
    expect.stringMatching(
      /^warning: Nobody reads the replication slot "forgotten", which keeps [\d.]+ MB of the log\.$/,
    ),
  ])
})

test.skipIf(!databaseHasRoles)(
  '[RUN-04] a role that does not see what others do is named when there are metrics',
  async () => {
    const config = await testDatabase()
    const databaseUrl = migratedUrl(config)
    const metrics = { port: 9464, host: '127.0.0.1' }
    const found = (part: Partial<TestServer['services']['settings']>) =>
      withConnection({ ...ownerOf(config), max: 1 }, (db) =>
        standbys({ db, settings: settingsWith({ databaseUrl, ...part }) }),
      )
    expect(await found({ metrics })).toContainEqual({
      state: 'warning',
      found: 'The metrics see neither standbys nor what other roles do in the database.',
      advice: 'Let them, as an administrator of PostgreSQL: grant pg_read_all_stats to tallyroom_owner.',
    })
    expect(await found({ metrics: undefined })).toEqual([])
    const { db } = server.services
    expect(await standbys({ db, settings: settingsWith({ databaseUrl, metrics }) })).not.toContainEqual(
      expect.objectContaining({ state: 'warning' }),
    )
  },
)

test('[RUN-12] a pooler that the settings name and is not there is named', async () => {
  const databaseUrl = migratedUrl(await testDatabase())
  expect(await pooler({ settings: settingsWith({ databaseUrl }) })).toEqual([])
  expect(words(await pooler({ settings: settingsWith({ databaseUrl, isPooled: true }) }))).toEqual([
    'warning: DATABASE_POOLER=transaction, but DATABASE_URL leads to PostgreSQL itself.',
  ])
})

test.each([[[7]], [[7, 8]]])(
  '[RUN-12] a pooler in transaction mode is named where the settings do not expect it: processes %j',
  async (processes) => {
    const { port, close } = await openFakePooler(...processes)
    const databaseUrl = `postgresql://someone@127.0.0.1:${port}/tallyroom`
    const found = async (isPooled: boolean) =>
      words(await pooler({ settings: settingsWith({ databaseUrl, databaseOwnerUrl: databaseUrl, isPooled }) }))
    const ofOwner = 'wrong: DATABASE_OWNER_URL leads through a pooler in transaction mode.'
    expect(await found(false)).toEqual([
      'wrong: DATABASE_URL leads through a pooler in transaction mode, but DATABASE_POOLER is not set.',
      ofOwner,
    ])
    expect(await found(true)).toEqual([
      'fine: DATABASE_URL leads through a pooler in transaction mode, as DATABASE_POOLER says.',
      ofOwner,
    ])
    close()
  },
)
