import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { backUpCluster } from '@tallyroom/postgres/backup'
import { afterRestore, completeRestore, putBack } from '@tallyroom/postgres/restore'
import { startPostgres } from '@tallyroom/postgres'

const base = mkdtempSync(join(tmpdir(), 'tallyroom-backup-'))
chmodSync(base, 0o755)
afterAll(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
const silent = () => undefined

/** The server's database on this directory, while `work` runs. */
const on = async <T>(
  name: string,
  archive: string | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const postgres = await startPostgres({ dataDir: join(base, name), durable: false, archive })
  const client = new pg.Client(postgres.superuser)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
    await postgres.stop()
  }
}
const wordsOf = async (client: pg.Client) =>
  (await client.query<{ word: string }>('select word from kept where n is null order by word')).rows.map(
    ({ word }) => word,
  )
/** How many rows were written during the backup; their numbers reveal a missing row. */
const numbersOf = async (client: pg.Client) =>
  (
    await client.query<{ count: number; last: number }>(
      'select count(*)::int, max(n) as last from kept where n is not null',
    )
  ).rows[0]

test('[R14] a backup of a running database is restored to its end, and to a later time', async () => {
  const archive = join(base, 'the "old" $archive')
  const backup = join(base, 'backup')
  const { early, moment, written } = await on('first', archive, async (client) => {
    const { rows: started } = await client.query<{ moment: Date }>('select clock_timestamp() as moment')
    await client.query(`create table kept (n int, word text); insert into kept (word) values ('before')`)
    const connection = {
      host: client.host,
      port: client.port,
      user: client.user ?? '',
      database: client.database ?? '',
    }
    const writer = new pg.Client(connection)
    await writer.connect()
    let written = 0
    let going = true
    const writing = (async () => {
      while (going) await writer.query(`insert into kept values ($1, repeat('x', 1000))`, [++written])
    })()
    await backUpCluster(join(base, 'first/postgres'), connection, join(backup, 'postgres'))
    going = false
    await writing
    await writer.end()
    await client.query(`insert into kept (word) values ('after')`)
    // A Date has whole milliseconds: it must be after the one and before the other.
    await client.query('select pg_sleep(0.002)')
    const { rows } = await client.query<{ moment: Date }>('select clock_timestamp() as moment')
    await client.query('select pg_sleep(0.002)')
    await client.query(`insert into kept (word) values ('too late')`)
    return { early: started[0]?.moment, moment: rows[0]?.moment, written }
  })
  expect(written).toBeGreaterThan(0)
  expect(readdirSync(archive).length).toBeGreaterThan(0)

  const restore = (name: string, more: { archive?: string; until?: Date }) =>
    putBack({ from: backup, dataDir: join(base, name), archive: more.archive, until: more.until }, silent)

  await restore('alone', {})
  await on('alone', undefined, async (client) => {
    expect(await wordsOf(client)).toEqual(['before'])
    const found = await numbersOf(client)
    expect(found?.last).toBe(found?.count)
  })
  await expect(restore('alone', {})).rejects.toThrow(/has a database already/)

  // A restore that cannot reach its moment says why, and is not in the way of the next one.
  for (const [until, words] of [
    [early, /older backup, or a later --until/],
    [new Date(Date.now() + 86_400_000), /leave it out to restore everything/],
  ] as const) {
    if (!until) throw new Error('no moment')
    await restore('later', { archive, until })
    const start = () =>
      completeRestore(join(base, 'later'), () => startPostgres({ dataDir: join(base, 'later'), durable: false }))
    await expect(start()).rejects.toThrow(words)
  }
  await restore('later', { archive, ...(moment ? { until: moment } : {}) })
  await on('later', undefined, async (client) => {
    expect(await wordsOf(client)).toEqual(['after', 'before'])
    expect(await numbersOf(client)).toEqual({ count: written, last: written })
    for (const statement of afterRestore) await client.query(statement)
    await client.query(`insert into kept (word) values ('new life')`)
    expect(await wordsOf(client)).toEqual(['after', 'before', 'new life'])
  })
}, 120_000)
