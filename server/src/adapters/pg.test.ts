import { once } from 'node:events'
import { Socket } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '../testing/postgres.ts'
import { announcedProcess, corkUntilIdle, destroyConnection, WatchedClient } from './pg.ts'

/** A client that pipelines, and how often it has written to its socket. */
const countedClient = async () => {
  const socket = new Socket()
  let writes = 0
  for (const name of ['_write', '_writev'] as const) {
    const plain = socket[name]?.bind(socket) as (...given: unknown[]) => void
    vi.spyOn(socket, name).mockImplementation((...given: unknown[]) => {
      writes++
      plain(...given)
    })
  }
  const client = new pg.Client({ ...(await testDatabase()), pipeline: true, stream: () => socket })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return {
    client,
    writesOf: async (work: () => Promise<unknown>) => {
      const before = writes
      await work()
      return writes - before
    },
  }
}

test('corked queries leave in one write, pipelined', async () => {
  const { client, writesOf } = await countedClient()
  const ask = () => Promise.all(['begin', 'select 1', 'commit'].map((text) => client.query(text)))
  expect(await writesOf(ask)).toBe(3)
  const corked = () => {
    corkUntilIdle(client)
    return ask()
  }
  expect(await writesOf(corked)).toBe(1)
})

test('a destroyed connection fails the query that waits', async () => {
  const { client } = await countedClient()
  const asked = client.query('select pg_sleep(600)')
  destroyConnection(client, new Error('no backend'))
  await expect(asked).rejects.toThrow('no backend')
})

test('the process that the database has announced is the one that answers', async () => {
  const { client } = await countedClient()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  expect(announcedProcess(client)).toBe(rows[0]?.pid)
})

test('[RUN-07] in a pool it connects to the server that takes writes, and asks for another after an error', async () => {
  const database = await testDatabase()
  const { host, port } = new pg.Client(database)
  const server = { host, port }
  const servers = { primary: vi.fn(async () => server), forget: vi.fn(), check: vi.fn(async () => {}) }
  const config = { ...database, host: '192.0.2.1', port: 1, servers, Client: WatchedClient }
  const pool = new pg.Pool(config)
  pool.on('error', () => undefined)
  onTestFinished(() => pool.end())
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  expect(servers.check).toHaveBeenCalledWith(expect.any(WatchedClient), server)
  expect(servers.forget).not.toHaveBeenCalled()
  const client = await pool.connect()
  const failed = once(client, 'error')
  destroyConnection(client, new Error('cut'))
  await failed
  client.release(true)
  expect(servers.forget).toHaveBeenCalledWith(server)
})
