import { expect, test, vi } from 'vitest'
import { startTestServer } from '../testing/app.ts'
import { freshDatabase, migratedUrl, testDatabase } from '../testing/postgres.ts'
import { makeReplicas } from './replicas.ts'
import { connect, type Database, one, sql } from './sql.ts'

const reader = (looks: (boolean | Error)[]) => {
  const query = vi.fn(() => {
    const look = looks.length > 1 ? looks.shift() : looks[0]
    return look instanceof Error ? Promise.reject(look) : Promise.resolve([{ isThere: look }])
  })
  return { query, end: vi.fn(() => Promise.resolve()) } as unknown as Database
}

test('[RUN-08] a replica is read only when it has what the person has written', async () => {
  const [behind, soon, gone] = [reader([false]), reader([false, true]), reader([new Error('gone')])]
  expect(await makeReplicas([behind]).at('0/10')).toBeUndefined()
  expect(await makeReplicas([soon]).at('0/10')).toBe(soon)
  expect(await makeReplicas([gone, soon]).at('0/10')).toBe(soon)
  expect(await makeReplicas([gone]).at('0/10')).toBeUndefined()
})

const day = () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
  return { start_time: at(-3_600_000), end_time: at(3_600_000) }
}

test('[RUN-08] history is read from DATABASE_READ_URL; without an answer from there, from the primary', async () => {
  const start = (url: string) => startTestServer({ DATABASE_URL: 'postgresql://elsewhere', DATABASE_READ_URL: url })
  // Another database, in which this person has no history.
  const other = await start(migratedUrl(await freshDatabase()))
  const { agent, member } = await other.family()
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '1', remark: 'seen' })
  const listed = async (server: typeof other) =>
    (await server.here(agent).call('transaction/list', day())).data.map((row) => row.transaction_id)
  expect(await listed(other)).toEqual([])
  const gone = await start('postgresql://nobody@127.0.0.1:1,127.0.0.1:2/none')
  expect(await listed(gone)).toContain(transaction_id)
  const same = await start(migratedUrl(await testDatabase()))
  expect(await listed(same)).toContain(transaction_id)
})

test('[RUN-08] behind PgBouncer no statement has a name, which another connection would not know', async () => {
  const db = connect({ ...(await testDatabase()), max: 1, isPooled: true })
  await db.transact(async (tx) => {
    await one(tx, sql`select ${1}::int`)
    tx.last(sql`select ${2}::int`)
  })
  const named = await one<{ count: number }>(db, sql`select count(*)::int as count from pg_prepared_statements`)
  expect(named).toEqual({ count: 0 })
  await db.end()
})
