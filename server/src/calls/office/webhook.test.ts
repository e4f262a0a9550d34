import { beforeAll, expect, test, vi } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { numberEvents } from '../../member-api/events/numbers.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

/** As the sender leaves them: delivered, given up, to be tried again, never tried. No address is set: nothing is sent. */
const states = {
  delivered: sql`now(), null::timestamptz, 3, '204'`,
  failed: sql`null::timestamptz, null::timestamptz, 17, '500'`,
  waiting: sql`null::timestamptz, now() + interval '4 hours', 9, 'timeout'`,
  fresh: sql`null::timestamptz, now() + interval '1 minute', 0, ''`,
}
const platformWith = async (...names: (keyof typeof states)[]) => {
  const { top, agent } = await server.family()
  for (const name of names)
    await run(
      server.services.db,
      sql`insert into webhooks (top_id, kind, payload, delivered_at, due_at, tries, last_answer)
        select ${top.id}, ${name}, '{}', ${states[name]}`,
    )
  await vi.waitFor(async () => expect(await numberEvents(server.services.db)).toBe(true))
  return { top, agent }
}
/** What is sent again; the server's own worker may have tried it. */
const againOf = async (top: Person) => {
  const rows = await many<{ kind: string }>(
    server.services.db,
    sql`select kind from webhooks where top_id = ${top.id} and delivered_at is null
      and (tries = 1 or tries = 0 and due_at <= now()) order by id`,
  )
  return rows.map(({ kind }) => kind)
}
const listOf = async (top: Person, undelivered?: boolean) => (await top.call('webhook/list', { undelivered })).data

test('events that were not delivered are listed apart, and sent again: one, also a delivered one, or all of them', async () => {
  const { top, agent } = await platformWith('delivered', 'failed', 'waiting', 'fresh', 'failed')
  const other = await platformWith('failed')
  expect((await listOf(top)).map(({ kind }) => kind)).toEqual(['failed', 'fresh', 'waiting', 'failed', 'delivered'])
  expect((await listOf(top, true)).map(({ kind }) => kind)).toEqual(['failed', 'fresh', 'waiting', 'failed'])
  const delivered = (await listOf(top)).at(-1)
  expect(await agent.ask('webhook/resend', {})).toBeRefusal('access.denied')
  expect((await other.top.ask('webhook/resend', { delivery_id: delivered?.delivery_id })).refusal).toBe(
    'webhook.not_found',
  )
  expect(await againOf(top)).toEqual([])

  expect(await top.call('webhook/resend', { delivery_id: delivered?.delivery_id })).toEqual({ count: 1 })
  expect(await againOf(top)).toEqual(['delivered'])
  expect(await top.call('webhook/resend', {})).toEqual({ count: 4 })
  expect(await againOf(top)).toEqual(['delivered', 'failed', 'waiting', 'failed'])
  expect(await againOf(other.top)).toEqual([])
  const { data } = await top.call('audit/list', { kind: 'webhooks_resent' })
  expect(data.map(({ facts }) => facts)).toMatchObject([
    [{ field: 'webhooks', after: '4' }],
    [{ field: 'webhook', after: delivered?.id }],
  ])
  const none = await platformWith('delivered')
  expect(await none.top.call('webhook/resend', {})).toEqual({ count: 0 })
  expect((await none.top.call('audit/list', { kind: 'webhooks_resent' })).total).toBe(0)
})
