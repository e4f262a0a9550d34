import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { OK } from '@tallyroom/contract'
import { TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { locks } from '../data/locks.ts'
import { many, one, run, sql } from '../data/sql.ts'
import { startTestServer, type Person, type TestServer } from '../testing/app.ts'
import { openFakeStandby } from '../testing/fakes/standby.ts'
import { platform } from '../testing/fakes/platform.ts'
import { linkAll } from '../testing/audit.ts'
import { asSuperuser, superuserOf, testDatabase } from '../testing/postgres.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ METRICS_PORT: '0', SEAL_LEDGER: '1', WEBHOOKS_INSIDE: '1' })
})

type Figures = Record<string, number>
const read = async (): Promise<Figures> => {
  const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^tallyroom_(\S+) (\S+)$/gm)].map(([, name = '', value]) => [name, Number(value)]),
  )
}
const until = async (isRight: (now: Figures) => boolean) => {
  for (const end = Date.now() + 30_000; ; await pause(100)) {
    const now = await read()
    if (isRight(now) || Date.now() > end) return now
  }
}
const seconds = (value: number | undefined) => value ?? 0
const changed = (now: Figures, table: string) => now[`changed_rows_total{table="${table}"}`]

const connectAs = async (config: pg.ClientConfig) => {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}
const superuser = async () => superuserOf(await testDatabase())

describe('[RUN-04] rows that may never change', () => {
  /** An entry about reading, nine days old. */
  const oldEntry = (top: Person) =>
    asSuperuser((tx) =>
      run(
        tx,
        sql`with fresh as (insert into audit_log (top_id, kind, actor_id, at)
            values (${top.id}, 'exported', ${top.id}, now() - interval '9 days') returning id)
          insert into audit_pending select id from fresh`,
      ),
    )
  const differences = async (before: Figures, tables: string[], isRight: (now: Figures) => boolean) => {
    const now = await until(isRight)
    return tables.map((table) => (changed(now, table) ?? 0) - (changed(before, table) ?? 0))
  }

  test('are counted when a posting, its transfer or an entry of the audit log is changed past the program', async () => {
    const { top, agent, member } = await server.family()
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5' })
    await oldEntry(top)
    const before = await until((now) => changed(now, 'postings') !== undefined)
    await asSuperuser(async (tx) => {
      await run(
        tx,
        sql`update postings set amount = amount + 1 where wallet_id in (select id from wallets where account_id = ${member.id})`,
      )
      await run(tx, sql`update transfers set amount = amount + 1 where target_id = ${member.id}`)
      await run(tx, sql`update audit_log set address = 'elsewhere' where top_id = ${top.id} and kind = 'exported'`)
    })
    const tables = ['postings', 'transfers', 'audit_log', 'seal_blocks']
    const isSeen = (now: Figures) => tables.slice(0, 3).every((table) => changed(now, table) !== changed(before, table))
    expect(await differences(before, tables, isSeen)).toEqual([1, 1, 1, 0])
  })

  test('are not counted when a person is erased, and when old entries about reading are deleted', async () => {
    const { top, agent, member } = await server.family()
    await agent.call('transaction/add', {
      member_id: member.id,
      type: TransferKind.send,
      amount: '5',
      remark: 'for you',
    })
    await oldEntry(top)
    await linkAll(server.services.db)
    const before = await until((now) => changed(now, 'audit_log') !== undefined)
    const deleted = await one<{ n: number }>(
      server.services.db,
      sql`select delete_old_reads(now() - interval '5 days', 100) as n`,
    )
    expect(deleted?.n).toBeGreaterThan(0)
    await server.services.db.transact((tx) => run(tx, sql`select erase_member(${member.id})`))
    const left = await one<{ n: number }>(
      server.services.db,
      sql`select count(*)::int as n from transfers where target_id = ${member.id} and remark <> ''`,
    )
    expect(left?.n).toBe(0)
    // This one is counted, and later than those.
    await asSuperuser((tx) => run(tx, sql`insert into seal_blocks values (-1, now(), 0, '', '', '')`))
    await asSuperuser((tx) => run(tx, sql`delete from seal_blocks where block = -1`))
    const isSeen = (now: Figures) => changed(now, 'seal_blocks') !== changed(before, 'seal_blocks')
    expect(await differences(before, ['transfers', 'audit_log', 'seal_blocks'], isSeen)).toEqual([0, 0, 1])
  })
})

test('[RUN-04] a transaction that is left open on a wallet is measured, with what waits for it', async () => {
  const { agent, member } = await server.family()
  const other = await connectAs(await superuser())
  await other.query('begin')
  await other.query('select from wallets where account_id = $1 for update', [member.id])
  const paying = agent.ask('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  const now = await until((one) => seconds(one.lock_wait_seconds) > 0.5 && seconds(one.idle_transaction_seconds) > 0.5)
  await other.query('rollback')
  expect(now.lock_wait_seconds).toBeGreaterThan(0.5)
  expect(now.idle_transaction_seconds).toBeGreaterThanOrEqual(now.lock_wait_seconds ?? 0)
  expect(now.database_up).toBe(1)
  expect((await paying).code).toBe(OK)
})

test('[RUN-04] connections that others take, and slots that nobody reads, are counted', async () => {
  const before = await read()
  const config = await superuser()
  for (let n = 0; n < 5; n++) await connectAs({ ...config, application_name: 'another program' })
  await asSuperuser((tx) => run(tx, sql`select pg_create_physical_replication_slot('metrics_test', true)`))
  const now = await until((one) => seconds(one.slots_unread) > 0)
  await asSuperuser((tx) => run(tx, sql`select pg_drop_replication_slot('metrics_test')`))
  expect(now.slots_unread).toBeGreaterThanOrEqual(1)
  expect(now.postgres_connections_of_others).toBeGreaterThanOrEqual(5)
  expect(now.postgres_connections_taken).toBeGreaterThan(now.postgres_connections_of_others ?? 0)
  expect(now.postgres_connections_limit).toBeGreaterThan(now.postgres_connections_taken ?? 0)
  expect(before.database_up).toBe(1)
})

test('[RUN-04] standbys that follow are counted, how far they are behind, and commits that wait for them', async () => {
  const config = await superuser()
  const standby = await openFakeStandby(config)
  onTestFinished(() => standby.end())
  standby.confirm(1n)
  // No write of the tests waits for standbys, because their database is not durable.
  const admin = await connectAs(config)
  await admin.query(`alter system set synchronous_standby_names = 'nobody'`)
  await admin.query('select pg_reload_conf()')
  const writer = await connectAs(config)
  const committing = writer
    .query(`set synchronous_commit = on; select pg_logical_emit_message(true, 'test', 'waits')`)
    .catch(() => undefined)
  const now = await until((one) => seconds(one.commit_wait_seconds) > 0.5 && seconds(one.standby_lag_seconds) > 0.5)
  await admin.query('alter system reset synchronous_standby_names')
  await admin.query('select pg_reload_conf()')
  await committing
  expect(now.commit_wait_seconds).toBeGreaterThan(0.5)
  expect(now.standby_lag_seconds).toBeGreaterThan(0.5)
  expect(now.standbys_following).toBeGreaterThanOrEqual(1)
})

test('[RUN-04] webhooks that the platform refuses again are counted', async () => {
  const { top, agent, member } = await server.family()
  const refusing = createServer((_, answer) => answer.writeHead(503).end()).listen(0, '127.0.0.1')
  onTestFinished(() => void refusing.close())
  await platform(server, top)
  await top.call('setting/save', { api_url: `http://127.0.0.1:${(refusing.address() as AddressInfo).port}/` })
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  const { db } = server.services
  const tried = sql`select from webhook_deliveries where top_id = ${top.id} and answer = '503'`
  await vi.waitFor(async () => expect((await many(db, tried)).length).toBe(1), { timeout: 10_000 })
  expect((await read()).webhooks_refused).toBe(0)
  await run(db, sql`update webhook_deliveries set due_at = now() where top_id = ${top.id}`)
  const now = await until((one) => one.webhooks_refused === 1)
  expect(now.webhooks_refused).toBe(1)
  await run(db, sql`delete from webhooks where top_id = ${top.id}`)
})

test('[RUN-04] a part of the table of requests that is missing today is noticed, though there are later ones', async () => {
  expect(
    (await until((one) => seconds(one.request_parts_ahead_seconds) > 10 * 86_400)).request_parts_ahead_seconds,
  ).toBeGreaterThan(10 * 86_400)
  const name = sql`select name from request_parts() where starts <= now() and ends > now()`
  const part = await one<{ name: string }>(server.services.db, name)
  const bounds = await asSuperuser(async (tx) => {
    const found = await one<{ bounds: string }>(
      tx,
      sql`select pg_get_expr(relpartbound, oid) as bounds from pg_class where oid = ${part?.name ?? ''}::text::regclass`,
    )
    await tx.query(`alter table requests detach partition ${part?.name}`, [])
    return found?.bounds
  })
  const now = await until((one) => one.request_parts_ahead_seconds === 0)
  await asSuperuser((tx) => tx.query(`alter table requests attach partition ${part?.name} ${bounds}`, []))
  expect(now.request_parts_ahead_seconds).toBe(0)
})

test('[RUN-04] a wrong clock is measured', async () => {
  expect(
    Math.abs(seconds((await until((one) => one.clock_offset_seconds !== undefined)).clock_offset_seconds)),
  ).toBeLessThan(2)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  const wrong = performance.now() + 30_000
  let now = await read()
  while (seconds(now.clock_offset_seconds) < 3000 && performance.now() < wrong) {
    await pause(100)
    now = await read()
  }
  expect(Math.round(seconds(now.clock_offset_seconds) / 60)).toBe(60)
  expect(seconds(now.clock_seconds) - Date.now() / 1000).toBeLessThan(1)
})

test('[RUN-04] a sealer that does not get on is measured', async () => {
  const other = await connectAs(await superuser())
  await other.query('select pg_advisory_lock($1)', [locks.seal])
  const now = await until((one) => seconds(one.seal_late_seconds) > 0.5)
  await other.query('select pg_advisory_unlock($1)', [locks.seal])
  expect(now.seal_late_seconds).toBeGreaterThan(0.5)
  expect((await until((one) => one.seal_late_seconds === 0)).seal_late_seconds).toBe(0)
})

test('[RUN-04] an event loop that was blocked is measured', async () => {
  const longest = async () => {
    const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text()
    return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1])
  }
  await longest()
  // Two samples of an event loop that runs: the first one after a reading measures nothing.
  await pause(50)
  for (const end = performance.now() + 700; performance.now() < end; );
  await pause(50)
  expect(await longest()).toBeGreaterThan(0.6)
})

test('[RUN-04] requests are counted, whatever they ask for', async () => {
  const before = seconds((await read()).http_requests_total)
  for (const path of ['/healthz', '/api/nothing', '/assets/nothing.js']) await fetch(server.address + path)
  expect(seconds((await read()).http_requests_total) - before).toBe(3)
})
