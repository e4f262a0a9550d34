import { createServer } from 'node:net'
import { TransferKind } from '@tallyroom/contract/codes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { type TestServer, startTestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { sendWebhooks } from './webhooks.ts'

let connections = 0
const listener = createServer((socket) => {
  connections++
  socket.destroy()
})
let server: TestServer
// Its own worker is as strict as the one of the test: it does not matter which of the two is first.
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  server = await startTestServer()
})
afterAll(() => listener.close())

test('[S19] nothing goes to private addresses unless allowed: by number, by name, or after saving', async () => {
  const { top, agent, member } = await server.family()
  await platform(server, top)
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { db } = server.services
  for (const [at, url] of [`https://127.0.0.1:${port}/hook`, `https://localhost:${port}/hook`].entries()) {
    expect((await top.ask('setting/save', { api_url: url })).refusal).toBe('setting.url_invalid')
    // Saved while it was allowed.
    await run(
      db,
      sql`insert into settings (account_id, top_id, api_url) values (${top.id}, ${top.id}, ${url})
        on conflict (account_id) do update set api_url = excluded.api_url`,
    )
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
    const answers = () =>
      many<{ answer: string }>(db, sql`select answer from webhook_deliveries where top_id = ${top.id} order by seq`)
    await vi.waitFor(async () => {
      await sendWebhooks(server.services)
      expect((await answers()).at(at)?.answer).toBe('no_url')
    })
  }
  expect(connections).toBe(0)
})
