import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run, sql } from '../server/src/data/sql.ts'
import { sendWebhooks } from '../server/src/member-api/events/webhooks.ts'
import { signatureOf, webhookSignatureOf } from '../server/src/member-api/signing.ts'
import { startTestServer, type TestServer } from '../server/src/testing/app.ts'
import { platform } from '../server/src/testing/fakes/platform.ts'
import { startReceiver } from '../server/src/testing/fakes/receiver.ts'
import { createTallyroom, type TallyroomEvent, verify, WebhookNotSigned } from './index.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ WEBHOOKS_INSIDE: '1' })
})
afterAll(() => receiver.close())

const outcomeOf = (verified: Promise<TallyroomEvent>) =>
  verified.then(
    ({ type }) => type,
    (error: unknown) => (error instanceof WebhookNotSigned ? 'not signed' : String(error)),
  )

test('[API-10] verify takes what the public package signs, with any of its secrets, and nothing else', async () => {
  const [own, old, strange] = [1, 2, 3].map(() => `whsec_${randomBytes(32).toString('base64')}`) as [
    string,
    string,
    string,
  ]
  const facts = { data: { id: 1 }, id: randomUUID(), seq: 7, member_seq: null }
  const body = JSON.stringify({ type: 'member.added', timestamp: '2026-11-22T14:03:21.000Z', ...facts })
  const signed = (secret: string, ago = 0) => {
    const time = new Date(Math.floor(Date.now() / 1000 - ago) * 1000)
    return {
      'webhook-id': facts.id,
      'webhook-timestamp': String(time.getTime() / 1000),
      'webhook-signature': `v1,${randomBytes(32).toString('base64')} ${new Webhook(secret).sign(facts.id, time, body)}`,
    }
  }
  expect(await verify(signed(own), body, own)).toEqual(JSON.parse(body))
  expect(await outcomeOf(verify(new Headers(signed(old)), Buffer.from(body), [own, old]))).toBe('member.added')
  expect(await outcomeOf(verify(signed(strange), body, [own, old]))).toBe('not signed')
  expect(await outcomeOf(verify(signed(own), body.replace('1}', '2}'), own))).toBe('not signed')
  expect(await outcomeOf(verify(signed(own, 400), body, own))).toBe('not signed')
  expect(await outcomeOf(verify({ ...signed(own), 'webhook-signature': 'v1,é v2,x ' }, body, own))).toBe('not signed')
  expect(await outcomeOf(verify(signed(own), body, []))).toBe('not signed')
  expect(await outcomeOf(verify(signed(own), body, ''))).toBe('not signed')
  expect(await outcomeOf(verify({}, body, own))).toBe('not signed')
})

test('[API-10] verify takes the older form, and not a call that is sent back', async () => {
  const nonce = randomUUID()
  const secret = 's3cret'
  const at = '2026-11-22T14:03:21.000Z'
  const body = JSON.stringify({ id: nonce, event: 'member.added', at, data: { id: 1 }, seq: 7, member_seq: 2 })
  const signed = { method: 'POST', path: '/hooks?a=1', timestamp: String(Math.floor(Date.now() / 1000)), nonce, body }
  const headers = {
    'x-tallyroom-key': 'tk_1',
    'x-tallyroom-timestamp': signed.timestamp,
    'x-tallyroom-nonce': nonce,
    'x-tallyroom-signature': signatureOf(secret, signed),
    'x-tallyroom-webhook-signature': webhookSignatureOf(secret, signed),
  }
  const event = { id: nonce, type: 'member.added', timestamp: at, data: { id: 1 }, seq: 7, member_seq: 2 }
  expect(await verify(headers, body, ['other', secret], { path: '/hooks?a=1' })).toEqual(event)
  expect(await outcomeOf(verify(headers, body, secret, { path: '/hooks' }))).toBe('not signed')
  const asCall = { ...headers, 'x-tallyroom-webhook-signature': headers['x-tallyroom-signature'] }
  expect(await outcomeOf(verify(asCall, body, secret, { path: '/hooks?a=1' }))).toBe('not signed')
})

test('[API-10] a receiver reads what did not arrive, drops what came twice, and keeps the order', async () => {
  const { top, member } = await server.family()
  const { id: key, secret: keySecret } = await platform(server, top, ['webhooks'])
  const tallyroom = createTallyroom({ url: server.address, key, secret: keySecret })
  const path = `/${randomUUID()}`
  const kinds = ['member.added', 'message.added'] as const
  const { id, secret } = await top.call('endpoint/add', { url: receiver.url + path, kinds: [...kinds] })
  // Events of another endpoint: their numbers are missing here for good.
  await top.call('endpoint/add', { url: `${receiver.url}/other`, kinds: ['request.paid'] })
  const handled: number[] = []
  let stored: number | undefined
  let fails = false
  const events = tallyroom.receive({
    secret,
    kinds: [...kinds],
    store: {
      read: () => stored,
      write: (seq) => {
        stored = seq
      },
    },
    onEvent: ({ type, data, seq }) => {
      if (fails) throw new Error('the database of the platform is away')
      if (type === 'member.added' && data.id > 0) handled.push(seq)
    },
  })
  let isAway = true
  const answers: number[] = []
  receiver.answers(async ({ path: asked, headers, text }) => {
    if (asked !== path) return { status: 204 }
    if (isAway) return { status: 404 }
    const { status } = await events.take(headers, text)
    answers.push(status)
    return { status }
  })
  const tell = (kind: string, count = 1) =>
    run(
      server.services.db,
      sql`insert into webhooks (top_id, account_id, kind, payload)
        select ${top.id}, ${member.id}::int, ${kind}, jsonb_build_object('id', n) from generate_series(1, ${count}::int) n`,
    )
  const until = (check: () => void) =>
    vi.waitFor(
      async () => {
        await sendWebhooks(server.services)
        check()
      },
      { timeout: 20_000, interval: 50 },
    )
  await tell('member.added', 2)
  await tell('request.paid')
  await until(() => expect(receiver.at(path)).toHaveLength(2))
  isAway = false
  await tell('member.added')
  await until(() => expect(handled).toEqual([1, 2, 4]))
  // All of them again, with the same numbers.
  const from = new Date(Date.now() - 60_000).toISOString()
  await tallyroom.endpoint.resend({ id, from, only: 'all' })
  await until(() => expect(answers.length).toBeGreaterThan(3))
  expect([handled, stored, new Set(answers)]).toEqual([[1, 2, 4], 4, new Set([204])])

  fails = true
  await tell('member.added')
  await until(() => expect(answers.at(-1)).toBe(503))
  fails = false
  // Nothing arrives any more: it is read at the next start.
  isAway = true
  await events.catchUp()
  expect([handled, stored]).toEqual([[1, 2, 4, 5], 5])
  expect(await events.take({}, '{}')).toMatchObject({ status: 401, error: expect.any(WebhookNotSigned) as Error })
})
