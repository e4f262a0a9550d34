import pg from 'pg'
import { expect, test } from 'vitest'
import { one, sql } from '../../data/sql.ts'
import { startTestServer } from '../../testing/app.ts'
import { makeOlder } from '../../testing/ledger/make-older.ts'
import { testDatabase } from '../../testing/postgres.ts'

const server = await startTestServer()
const { db } = server.services
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)

test('[BOOK-02] a remark that is being edited is stored before its period is closed, never after', async () => {
  const { agent, member } = await server.family()
  const given = await agent.call('user/transaction', { id: member.id, amount: '10', remark: 'first' })
  await makeOlder(24)
  const { transaction_id } = given
  const row = await one<{ id: string }>(
    db,
    sql`select id::text from transfers where transaction_id = ${transaction_id}`,
  )
  // The edit has looked whether the period is closed, and waits here.
  const other = new pg.Client(await testDatabase())
  await other.connect()
  let isClosed = false
  try {
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`remark:${row?.id}`])
    const edited = agent.call('transaction/edit', { transaction_id, remark: 'second' })
    const waiting = (n: number) =>
      expect
        .poll(
          async () => (await one<{ n: number }>(db, sql`select count(*)::int as n from pg_locks where not granted`))?.n,
        )
        .toBe(n)
    await waiting(1)
    const closed = agent.call('period/close', { start_date: yesterday, end_date: yesterday }).then(() => {
      isClosed = true
    })
    await Promise.race([closed, waiting(2)])
    expect(isClosed).toBe(false)
    await other.query('commit')
    await Promise.all([edited, closed])
  } finally {
    await other.end()
  }
  expect(isClosed).toBe(true)
  expect((await agent.ask('transaction/edit', { transaction_id, remark: 'third' })).refusal).toBe(
    'transfer.period_closed',
  )
})
