import { createServer, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { many, run, sql, withConnection } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { testDatabase } from '../../testing/postgres.ts'
import { PER_ENDPOINT } from './due.ts'

/** More than are sent to one platform at once. */
const MANY = 85
const unanswered: ServerResponse[] = []
const listener = createServer((request, answer) => {
  request.resume()
  if (request.url === '/hangs') unanswered.push(answer)
  else answer.writeHead(204).end()
})
let url = ''
let server: TestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  server = await startTestServer({ WEBHOOKS_INSIDE: '1' })
})
afterAll(() => {
  listener.closeAllConnections()
  listener.close()
})

const platformAt = async (path: string) => {
  const family = await server.family()
  await platform(server, family.top)
  await family.top.call('setting/save', { api_url: url + path })
  return family
}
const tell = (top: Person, times: number) =>
  run(
    server.services.db,
    sql`insert into webhooks (top_id, kind, payload) select ${top.id}, 'member.added', '{}' from generate_series(1, ${times}::int)`,
  )
const webhooksOf = (top: Person) =>
  many<{ answer: string; tries: number; waits: boolean }>(
    server.services.db,
    sql`select coalesce(d.answer, '') as answer, coalesce(d.tries, 0) as tries, d.event_id is null or d.due_at is not null as waits
      from webhooks w left join webhook_deliveries d on d.event_id = w.id where w.top_id = ${top.id} order by w.id`,
  )

// The server's own worker sends: nothing here does.
test('a platform that does not answer holds up its own webhooks only; stopping does not wait for it', async () => {
  const hanging = await platformAt('/hangs')
  const answering = await platformAt('/answers')
  await tell(hanging.top, MANY)
  await vi.waitFor(() => expect(unanswered.length).toBeGreaterThan(0), { timeout: 10_000 })
  await tell(answering.top, MANY)
  await vi.waitFor(async () => expect((await webhooksOf(answering.top)).every(({ waits }) => !waits)).toBe(true), {
    timeout: 10_000,
  })
  expect(await webhooksOf(answering.top)).toEqual(Array(MANY).fill({ answer: '204', tries: 1, waits: false }))
  // No attempt has ended, and no more than so many began.
  const open = await webhooksOf(hanging.top)
  expect(open.every(({ answer }) => answer === '')).toBe(true)
  expect(open.filter(({ tries }) => tries > 0)).toHaveLength(PER_ENDPOINT)

  await server.close()
  const left = await withConnection(await testDatabase(), (db) =>
    many<{ tries: number; due: boolean }>(
      db,
      sql`select tries, due_at <= now() and lease_until is null as due from webhook_deliveries where top_id = ${hanging.top.id}`,
    ),
  )
  expect(left).toEqual(Array(MANY).fill({ tries: 0, due: true }))
})
