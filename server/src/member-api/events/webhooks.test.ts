import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { LookupFunction } from 'node:net'
import dns from 'node:dns'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { many, run, sql } from '../../data/sql.ts'
import { isPublicAddress } from '../../lib/outbound/address.ts'
import { guarded } from '../../lib/outbound/post.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { signatureOf } from '../signing.ts'
import { sendWebhooks } from './webhooks.ts'
import { outcomeOf } from '../../testing/outcome.ts'

type ReceivedWebhook = {
  path: string
  headers: IncomingHttpHeaders
  body: { id: string; event: string; data: Record<string, unknown> }
  text: string
}
const received: ReceivedWebhook[] = []
let status = 200
const listener = createServer((request, answer) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(text) as ReceivedWebhook['body'],
      text,
    })
    answer.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thanks')
  })
})
let url = ''
let server: TestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook?x=1`
  server = await startTestServer({ WEBHOOKS_INSIDE: '1' })
})
afterAll(() => listener.close())

const waiting = (top: Person) =>
  many<{
    kind: string
    last_answer: string
    tries: number
    open: boolean
    later: boolean
    event_id: string
    payload: Record<string, unknown>
  }>(
    server.services.db,
    sql`select w.kind, coalesce(d.answer, '') as last_answer, coalesce(d.tries, 0) as tries, w.event_id, w.payload,
        d.event_id is null or d.due_at is not null as open, coalesce(d.due_at > now(), false) as later
      from webhooks w left join webhook_deliveries d on d.event_id = w.id where w.top_id = ${top.id} order by w.id`,
  )
const soon = (top: Person) =>
  run(
    server.services.db,
    sql`update webhook_deliveries set due_at = now() where top_id = ${top.id} and due_at is not null`,
  )
/** The server's own worker sends too; the loop ends when nothing is due, no matter which of the two sent it. */
const settled = async (top: Person, check: () => boolean | Promise<boolean>) => {
  await vi.waitFor(
    async () => {
      await sendWebhooks(server.services)
      expect(await check()).toBe(true)
    },
    { timeout: 15_000, interval: 100 },
  )
  return waiting(top)
}

describe('webhooks', () => {
  test('an event is stored with its cause, signed, retried until delivered, and sent once', async () => {
    const { top, agent, member } = await server.family()
    expect(await waiting(top)).toEqual([])
    const api = await platform(server, top)
    await top.call('setting/save', { api_url: url })
    status = 500
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '12.5', remark: 'hi' })
    const failed = await settled(top, async () => (await waiting(top))[0]?.last_answer === '500')
    expect(failed).toMatchObject([{ kind: 'transfer.settled', open: true, later: true, tries: 1 }])
    status = 302
    await soon(top)
    await settled(top, async () => (await waiting(top))[0]?.last_answer === '302')
    expect(received.filter(({ path }) => path === '/elsewhere')).toEqual([])
    status = 204
    await soon(top)
    const done = await settled(top, async () => (await waiting(top))[0]?.open === false)
    expect(done).toMatchObject([{ last_answer: '204', tries: 3 }])
    const mine = received.filter(({ body }) => body.id === done[0]?.event_id)
    expect(mine).toHaveLength(3)
    const [first] = mine
    expect(first?.body).toMatchObject({
      event: 'transfer.settled',
      data: {
        username: member.username,
        third_party_id: null,
        operator: agent.username,
        amount: '12.5000',
        remark: 'hi',
        type: TransferKind.send,
        status: TransferStatus.success,
      },
    })
    const [timestamp, nonce] = [
      String(first?.headers['x-tallyroom-timestamp']),
      String(first?.headers['x-tallyroom-nonce']),
    ]
    const signed = { method: 'POST', path: '/hook?x=1', timestamp, nonce, body: first?.text ?? '' }
    expect(first?.headers['x-tallyroom-signature']).toBe(signatureOf(api.secret, signed))
    const { 'x-tallyroom-webhook-signature': own } = first?.headers ?? {}
    // As the document describes it, by hand.
    const text = `webhook\nPOST\n/hook?x=1\n${timestamp}\n${nonce}\n${first?.text}`
    expect(own).toBe(createHmac('sha256', api.secret).update(text).digest('hex'))
    expect(nonce).toBe(first?.body.id)
    const [endpoint] = (await top.call('endpoint/list', {})).data
    expect(endpoint).toMatchObject({ form: 'key', waiting: 0, given_up: 0, failing_since: null, state: 'on' })
    const { data: deliveries } = await top.call('endpoint/deliveries', { id: endpoint?.id ?? '' })
    expect(deliveries).toMatchObject([
      { kind: 'transfer.settled', tries: 3, answer: '204', answer_body: '', due_at: null, seq: 1 },
    ])
  })

  test('envelopes when they settle, new members; bets not; nothing of a refused action and nothing without an address', async () => {
    const { top, agent, member } = await server.family()
    const api = await platform(server, top)
    await top.call('setting/save', { api_url: url })
    status = 200
    await run(server.services.db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
    const offer = async (accept: boolean) => {
      const { transaction_id } = await agent.call('transaction/add', {
        member_id: member.id,
        type: TransferKind.send,
        amount: '3',
      })
      await member.call('envelope/answer', { transaction_id, accept })
    }
    await offer(true)
    await offer(false)
    await api.call('bet/report', { username: member.username, bet_id: 'b1', amount: '1' })
    await agent.ask('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '999999' })
    const username = `w${Date.now().toString(36)}`.slice(0, 10)
    await api.call('member/add', { username, parent: agent.username })
    expect((await waiting(top)).map(({ kind, payload }) => [kind, payload.status ?? payload.username])).toEqual([
      ['envelope.settled', 1],
      ['envelope.settled', 2],
      ['member.added', username],
    ])
    await top.call('setting/save', { api_url: '' })
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
    expect(await waiting(top)).toHaveLength(3)
  })

  test('an event waits while the address is empty, and goes to the next one', async () => {
    const { top, agent, member } = await server.family()
    await platform(server, top)
    await top.call('setting/save', { api_url: url })
    status = 500
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
    await settled(top, async () => (await waiting(top))[0]?.last_answer === '500')
    await top.call('setting/save', { api_url: '' })
    await soon(top)
    await sendWebhooks(server.services)
    expect(await waiting(top)).toMatchObject([{ open: true, tries: 1, last_answer: '500' }])
    await top.call('setting/save', { api_url: url.replace('/hook', '/next') })
    status = 200
    await soon(top)
    const [event] = await settled(top, async () => (await waiting(top))[0]?.open === false)
    expect(event?.last_answer).toBe('200')
    expect(received.filter(({ body }) => body.id === event?.event_id).map(({ path }) => path)).toEqual([
      '/hook?x=1',
      '/next?x=1',
    ])
  })

  test('[S19] a webhook sent back to the member API is not accepted as a call', async () => {
    const { top, agent, member } = await server.family()
    const api = await platform(server, top)
    const path = '/member-api/v1/transfer/list'
    await top.call('setting/save', { api_url: new URL(path, url).href })
    status = 200
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
    await settled(top, async () => (await waiting(top)).every(({ open }) => !open))
    const caught = received.find((one) => one.path === path)
    const header = (name: string) => String(caught?.headers[`x-tallyroom-${name}`])
    const back = async (signature: string, body = caught?.text ?? '') => {
      const [key, timestamp, nonce] = [header('key'), header('timestamp'), header('nonce')]
      const answer = await fetch(`${server.address}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-tallyroom-key': key,
          'x-tallyroom-timestamp': timestamp,
          'x-tallyroom-nonce': nonce,
          'x-tallyroom-signature': signature,
          'x-tallyroom-webhook-signature': header('webhook-signature'),
        },
        body,
      })
      return [answer.status, outcomeOf((await answer.json()) as { code: number })]
    }
    expect(await back(header('signature'))).toEqual([401, 'api.not_signed'])
    expect(await back(header('webhook-signature'))).toEqual([401, 'api.not_signed'])
    expect(await back(header('signature'), `${caught?.text} `)).toEqual([401, 'api.not_signed'])
    // Sent there by ourselves.
    await top.call('setting/save', { api_url: `${server.address}${path}` })
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
    await settled(top, async () => (await waiting(top)).at(-1)?.last_answer === '401')
    // A call with the same nonce, which was not used up, is still accepted.
    const time = { start_time: '2026-01-01 00:00:00', end_time: '2026-01-02 00:00:00' }
    expect((await api.post('transfer/list', time, { nonce: header('nonce') })).reply.code).toBe(OK)
  })

  test('[API-08] a key that only signs webhooks makes no call, signs at once, and a ping with it is tried once', async () => {
    const { top, agent } = await server.family()
    const api = await platform(server, top)
    await top.call('setting/save', { api_url: url })
    status = 500
    const made = await top.call('apiKey/add', { label: 'Receiver', rights: ['webhooks'] })
    const listed = (await top.call('apiKey/list', {})).data.map(({ id, signs_webhooks }) => [
      id === made.id,
      signs_webhooks,
    ])
    expect(listed).toEqual(expect.arrayContaining([[true, true]]))
    expect(listed).toEqual(expect.arrayContaining([[false, false]]))
    const post = (key: string, secret: string) => {
      const [timestamp, nonce, body] = [String(Math.floor(Date.now() / 1000)), `n${randomUUID()}`, '{}']
      const signed = { method: 'POST', path: '/member-api/v1/platform/view', timestamp, nonce, body }
      return api.post('platform/view', body, { key, timestamp, nonce, signature: signatureOf(secret, signed) })
    }
    expect((await post(made.id, made.secret)).reply).toBeRefusal('api.not_allowed')
    expect((await post(api.id, api.secret)).reply.code).toBe(OK)

    const [endpoint] = (await top.call('endpoint/list', {})).data
    const ping = { id: endpoint?.id ?? '' }
    expect(await agent.ask('endpoint/ping', ping)).toBeRefusal('access.denied')
    expect(await top.call('endpoint/ping', ping)).toMatchObject({ status: '500' })
    const id = (await waiting(top))[0]?.event_id
    const [tried] = await settled(top, async () => (await waiting(top))[0]?.open === false)
    expect(tried).toMatchObject({ kind: 'ping', event_id: id, tries: 1, last_answer: '500', payload: {} })
    const sent = received.filter(({ body }) => body.id === id)
    expect(sent).toMatchObject([{ body: { event: 'ping', data: {} }, headers: { 'x-tallyroom-key': made.id } }])
    const { headers, text } = sent[0] as ReceivedWebhook
    const covered = `webhook\nPOST\n/hook?x=1\n${String(headers['x-tallyroom-timestamp'])}\n${id}\n${text}`
    expect(headers['x-tallyroom-webhook-signature']).toBe(
      createHmac('sha256', made.secret).update(covered).digest('hex'),
    )
    // Replaced it goes on signing for its day, as other keys do. Without it the first key signs again.
    const next = await top.call('apiKey/rotate', { id: made.id })
    const signer = async () => (await top.call('apiKey/list', {})).data.find(({ signs_webhooks }) => signs_webhooks)?.id
    expect(await signer()).toBe(made.id)
    await top.call('apiKey/revoke', { id: made.id })
    expect(await signer()).toBe(next.id)
    expect((await post(next.id, next.secret)).status).toBe(403)
    await top.call('apiKey/revoke', { id: next.id })
    expect(await signer()).toBe(api.id)

    status = 204
    const again = (await api.call('webhook/ping', {})) as { id: string }
    await settled(top, async () => (await waiting(top)).at(-1)?.last_answer === '204')
    expect(received.find(({ body }) => body.id === again.id)?.headers['x-tallyroom-key']).toBe(api.id)
  })

  test('many workers at once send each event once', async () => {
    const { top, agent, member } = await server.family()
    await platform(server, top)
    await top.call('setting/save', { api_url: url })
    status = 200
    for (let n = 0; n < 12; n++)
      await agent.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
    // Due since they were written. Making them due again would end the lease of the server's own worker.
    await Promise.all(Array.from({ length: 6 }, () => sendWebhooks(server.services)))
    const all = await settled(top, async () => (await waiting(top)).every(({ open }) => !open))
    expect(all.map(({ tries }) => tries)).toEqual(Array.from({ length: 12 }, () => 1))
    for (const { event_id } of all) expect(received.filter(({ body }) => body.id === event_id)).toHaveLength(1)
  })
})

describe('[S19] resolving a name', () => {
  const asked = (addresses: string[]) => {
    vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: object, done: (...args: unknown[]) => void) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )) as never)
    return addresses
  }
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.127.0.1',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001:0:1::',
    'ff02::1',
  ]
  const outside = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1']
  test.each(inside)('%s is inside', (address) => expect(isPublicAddress(address)).toBe(false))
  test.each(outside)('%s is outside', (address) => expect(isPublicAddress(address)).toBe(true))

  const ask = (all: boolean) =>
    new Promise<unknown[]>((resolve) => {
      const done: Parameters<LookupFunction>[2] = (...args) => resolve(args)
      guarded('name.example', { all } as never, done)
    })
  test('one private address refuses all; otherwise exactly the checked ones are used', async () => {
    expect(asked(['8.8.8.8', '10.0.0.1'])).toHaveLength(2)
    for (const all of [true, false])
      expect(await ask(all)).toEqual([expect.objectContaining({ code: 'private_address' }), '', 0])
    asked(['8.8.8.8', '1.1.1.1'])
    expect(await ask(false)).toEqual([null, '8.8.8.8', 4])
    expect(await ask(true)).toEqual([
      null,
      [
        { address: '8.8.8.8', family: 4 },
        { address: '1.1.1.1', family: 4 },
      ],
    ])
    asked([])
    expect(((await ask(false)) as [Error])[0]).toBeInstanceOf(Error)
    vi.restoreAllMocks()
  })
})
