import { Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { signingApiKey } from '../../identity/api-keys.ts'
import { PASSWORD, type TestServer, startTestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

test('the top account makes, replaces and revokes keys; a secret is shown once and stored sealed', async () => {
  const { top, agent } = await server.family()
  const admin = await server.person({ role: Role.admin, under: top })
  for (const call of ['apiKey/list', 'endpoint/list'] as const)
    for (const person of [agent, admin]) expect(await person.ask(call, {})).toBeRefusal('access.denied')
  expect(await admin.ask('apiKey/add', { label: 'x' })).toBeRefusal('access.denied')

  const first = await top.call('apiKey/add', { label: 'Main', rights: ['accounts:read'] })
  expect(first.secret).toMatch(/^[\w-]{43}$/)
  const asks = async (key: string, secret: string) => {
    const api = await platform(server, top)
    const { signatureOf } = await import('../../member-api/signing.ts')
    const [timestamp, nonce, body] = [
      String(Math.floor(Date.now() / 1000)),
      `n${Math.random()}`.replace('.', '').padEnd(20, '0'),
      '{"usernames":["x"]}',
    ]
    const signature = signatureOf(secret, {
      method: 'POST',
      path: '/member-api/v1/balance/list',
      timestamp,
      nonce,
      body,
    })
    return (await api.post('balance/list', body, { key, timestamp, nonce, signature })).status
  }
  expect(await asks(first.id, first.secret)).toBe(200)
  const second = await top.call('apiKey/rotate', { id: first.id })
  // Both keys work for a day, so that a platform's servers can change one after another.
  expect([await asks(first.id, first.secret), await asks(second.id, second.secret)]).toEqual([200, 200])
  expect(await top.ask('apiKey/rotate', { id: first.id })).toBeRefusal('api.key_not_found')
  await top.call('apiKey/revoke', { id: first.id })
  expect([await asks(first.id, first.secret), await asks(second.id, second.secret)]).toEqual([401, 200])
  expect(await top.ask('apiKey/revoke', { id: first.id })).toBeRefusal('api.key_not_found')
  const other = await server.family()
  expect(await other.top.ask('apiKey/revoke', { id: second.id })).toBeRefusal('api.key_not_found')
  const { data } = await top.call('apiKey/list', {})
  const main = data.filter(({ label }) => label === 'Main')
  expect([main.length, main.filter(({ active }) => active).length]).toEqual([2, 1])
  const dump = await many<{ row: string }>(
    server.services.db,
    sql`select k::text as row from api_keys k union all select r::text from requests r union all select l::text from audit_log l`,
  )
  for (const { secret } of [first, second]) expect(JSON.stringify(dump)).not.toContain(secret)
  expect((await top.call('audit/list', { kind: 'api_key_changed' })).total).toBe(4)
  await run(
    server.services.db,
    sql`update sessions set created_at = now() - interval '1 hour' where account_id = ${top.id}`,
  )
  expect(await top.ask('apiKey/add', { label: '' })).toBeRefusal('session.needs_password')
  expect(await top.ask('apiKey/rotate', { id: second.id, current_password: 'wrong1' })).toBeRefusal(
    'session.wrong_password',
  )
  await top.call('apiKey/add', { label: '', current_password: PASSWORD })
})

test('the key that signs webhooks goes on: beside a new one, and until its replacement takes over', async () => {
  const { top } = await server.family()
  const { db, key } = server.services
  const signer = async () => {
    const listed = (await top.call('apiKey/list', {})).data.filter(({ signs_webhooks }) => signs_webhooks)
    expect((await signingApiKey(db, key, top.id))?.id).toBe(listed[0]?.id)
    return listed.map(({ id }) => id)
  }
  expect(await signer()).toEqual([])
  const first = await top.call('apiKey/add', { label: 'First', rights: ['webhooks', 'bets'] })
  expect(await signer()).toEqual([first.id])
  const second = await top.call('apiKey/add', { label: 'Second', rights: ['webhooks', 'bets'] })
  expect(await signer()).toEqual([first.id])
  const third = await top.call('apiKey/rotate', { id: first.id })
  expect(await signer()).toEqual([first.id])
  // As after a day.
  await run(db, sql`update api_keys set revoked_at = now() where id = ${first.id}`)
  expect(await signer()).toEqual([third.id])
  await top.call('apiKey/revoke', { id: third.id })
  expect(await signer()).toEqual([second.id])
})
