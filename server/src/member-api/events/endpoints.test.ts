import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { PASSWORD, type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { type ReceivedEvent, startReceiver } from '../../testing/fakes/receiver.ts'
import { sendWebhooks } from './webhooks.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  server = await startTestServer({ WEBHOOKS_INSIDE: '1' })
})
afterAll(() => receiver.close())

const db = () => server.services.db
const KINDS = ['member.added', 'transfer.settled'] as const
let paths = 0
const added = async (top: Person, more: object = {}) => {
  const path = `/hook-${paths++}`
  const made = await top.call('endpoint/add', { url: receiver.url + path, kinds: [...KINDS], ...more })
  return { ...made, path, got: () => receiver.at(path) }
}
/** Events of an account, or of none. */
const tell = (top: Person, account: Person | null, count = 1, kind = 'member.added') =>
  run(
    db(),
    sql`insert into webhooks (top_id, account_id, kind, payload)
      select ${top.id}, ${account?.id ?? null}::int, ${kind}, jsonb_build_object('n', n) from generate_series(1, ${count}::int) n`,
  )
const until = (check: () => boolean | Promise<boolean>) =>
  vi.waitFor(
    async () => {
      await sendWebhooks(server.services)
      expect(await check()).toBe(true)
    },
    { timeout: 20_000, interval: 100 },
  )
const endpointOf = async (top: Person, id: string) =>
  (await top.call('endpoint/list', {})).data.find((endpoint) => endpoint.id === id)
const deliveriesOf = async (top: Person, id: string) => (await top.call('endpoint/deliveries', { id })).data
const verified = (secret: string, { text, headers }: ReceivedEvent) => {
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>) as object
  } catch {
    return undefined
  }
}

test('[API-08] bodies verify with the public package, with both secrets for a day, and each endpoint gets its kinds', async () => {
  const { top, member } = await server.family()
  const one_ = await added(top)
  const other = await added(top, { kinds: ['request.paid'] })
  expect(one_.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await tell(top, member, 3)
  await until(() => one_.got().length === 3)
  for (const event of one_.got()) {
    expect(verified(one_.secret, event)).toEqual(event.body)
    expect(verified(other.secret, event)).toBeUndefined()
  }
  const [first] = one_.got()
  expect(Object.keys(first?.body ?? {})).toEqual(['type', 'timestamp', 'data', 'id', 'seq', 'member_seq'])
  expect(first?.headers).toMatchObject({ 'webhook-id': first?.body.id, 'content-type': 'application/json' })
  expect(Object.keys(first?.headers ?? {}).filter((name) => name.startsWith('x-tallyroom'))).toEqual([])
  expect(other.got()).toEqual([])

  const next = await top.call('endpoint/rotate', { id: one_.id })
  await tell(top, member, 1)
  await until(() => one_.got().length === 4)
  const during = one_.got()[3] as ReceivedEvent
  expect([verified(one_.secret, during), verified(next.secret, during)]).toEqual([during.body, during.body])
  // A new secret that was lost is replaced at once: the receiver still has the first one.
  const last = await top.call('endpoint/rotate', { id: one_.id })
  await tell(top, member, 1)
  await until(() => one_.got().length === 5)
  const twice = one_.got()[4] as ReceivedEvent
  for (const { secret } of [one_, next, last]) expect(verified(secret, twice)).toEqual(twice.body)
  await run(db(), sql`update webhook_endpoints set old_until = now() where id = ${one_.id}`)
  await tell(top, member, 1)
  await until(() => one_.got().length === 6)
  const after = one_.got()[5] as ReceivedEvent
  expect([one_, next, last].map(({ secret }) => verified(secret, after))).toEqual([undefined, undefined, after.body])
  const stored = await many<{ secret: string }>(
    db(),
    sql`select concat(secret, old_secret, older_secret) as secret from webhook_endpoints where top_id = ${top.id}`,
  )
  for (const { secret } of stored) expect(secret).not.toContain('whsec_')
})

test('[API-08] ten endpoints at most; only the top account has them, with its password; a new address may need two', async () => {
  const { top, agent } = await server.family()
  const second = await server.person({ role: Role.admin, under: top })
  for (const person of [agent, second]) expect(await person.ask('endpoint/list', {})).toBeRefusal('access.denied')
  const asked = { url: 'https://platform.example/hook', kinds: [...KINDS] }
  await run(db(), sql`update sessions set created_at = now() - interval '1 hour' where account_id = ${top.id}`)
  expect(await top.ask('endpoint/add', asked)).toBeRefusal('session.needs_password')
  const made = await top.call('endpoint/add', { ...asked, current_password: PASSWORD })
  expect(await top.ask('endpoint/rotate', { id: made.id })).toBeRefusal('session.needs_password')
  // Neither an address nor words go anywhere else by this.
  expect(await top.call('endpoint/set', { id: made.id, ordered: true })).toEqual({})
  expect(await top.ask('endpoint/set', { id: made.id, with_text: true })).toBeRefusal('session.needs_password')
  await run(db(), sql`update sessions set created_at = now() where account_id = ${top.id}`)
  expect(await top.ask('endpoint/add', { ...asked, url: 'ftp://a.example' })).toBeRefusal('setting.url_invalid')
  expect(await top.ask('endpoint/add', { ...asked, kinds: [] })).toBeRefusal('request.invalid')
  const other = await server.family()
  for (const call of ['endpoint/remove', 'endpoint/rotate', 'endpoint/ping', 'endpoint/deliveries'] as const)
    expect(await other.top.ask(call, { id: made.id })).toBeRefusal('endpoint.not_found')

  await top.call('change/saveRules', { kinds: ['api_url'] })
  const waiting = await top.call('endpoint/add', { ...asked, url: 'https://second.example/hook' })
  expect(waiting.approval).toBe(1)
  expect((await endpointOf(top, waiting.id))?.url).toBe('')
  const [row] = (await second.call('change/list', {})).data
  expect(row?.facts).toMatchObject([
    { field: 'endpoint', after: waiting.id },
    { field: 'api_url', before: '', after: 'https://second.example/hook' },
  ])
  await second.call('change/approve', { id: row?.id ?? 0 })
  expect((await endpointOf(top, waiting.id))?.url).toBe('https://second.example/hook')
  expect(await top.call('endpoint/set', { id: waiting.id, url: asked.url, kinds: ['request.paid'] })).toEqual({
    approval: 1,
  })
  expect(await endpointOf(top, waiting.id)).toMatchObject({
    url: 'https://second.example/hook',
    kinds: ['request.paid'],
  })
  const eight = await Promise.all(Array.from({ length: 10 }, () => top.ask('endpoint/add', asked)))
  expect(eight.filter(({ refusal }) => refusal === 'endpoint.too_many')).toHaveLength(2)
  await top.call('endpoint/remove', { id: made.id })
  expect((await top.call('endpoint/list', {})).data).toHaveLength(9)
  const { data } = await top.call('audit/list', { kind: 'endpoint_changed' })
  expect(data[0]?.facts).toEqual(expect.arrayContaining([{ field: 'api_url', before: asked.url, after: null }]))
})

test('[API-08] a paused endpoint gets a ping at once and its events later; an answer is kept, and Retry-After counts', async () => {
  const { top, member } = await server.family()
  const api = await platform(server, top, ['webhooks'])
  const { id, got } = await added(top)
  await top.call('endpoint/set', { id, state: 'paused' })
  receiver.answers(() => ({ status: 418, body: 'a teapot'.repeat(500) }))
  await tell(top, member)
  expect(await api.call('endpoint/ping', { id })).toMatchObject({ status: '418', ms: expect.any(Number) as number })
  expect(got().map(({ body }) => body.type)).toEqual(['ping'])
  expect((await endpointOf(top, id))?.waiting).toBe(1)
  const [ping] = (await deliveriesOf(top, id)).filter(({ kind }) => kind === 'ping')
  expect(ping).toMatchObject({ answer: '418', due_at: null, tries: 1 })
  expect(ping?.answer_body).toHaveLength(1000)
  receiver.answers(() => ({ status: 429, headers: { 'retry-after': '1800' } }))
  await top.call('endpoint/set', { id, state: 'on' })
  await until(() => got().length === 2)
  const wait = () =>
    one<{ seconds: number }>(
      db(),
      sql`select extract(epoch from due_at - tried_at)::float8 as seconds from webhook_deliveries
        where endpoint_id = ${id} and answer = '429'`,
    )
  await until(async () => ((await wait())?.seconds ?? 0) > 0)
  expect((await wait())?.seconds).toBeCloseTo(1800, -1)
  receiver.answers(() => ({ status: 204 }))
  await run(db(), sql`update webhook_deliveries set due_at = now() where endpoint_id = ${id} and due_at is not null`)
  await until(async () => (await endpointOf(top, id))?.failing_since === null && got().length === 3)
})

test('[API-08] 410 turns an endpoint off at once, failing for days too: Home, a push and the others say so', async () => {
  const { top, member, agent } = await server.family()
  const other = await added(top, { kinds: ['endpoint.off'] })
  await run(
    db(),
    sql`insert into push_subscriptions (session_id, account_id, top_id, sealed, endpoint_hash, language)
      select max(id), ${top.id}, ${top.id}, 'x', ${Buffer.from(randomUUID())}::bytea, 'en' from sessions where account_id = ${top.id}`,
  )
  const pushes = () => many(db(), sql`select 1 from approval_pushes where top_id = ${top.id} and about = 'endpoint'`)
  for (const [status, why] of [
    [410, 'gone'],
    [500, 'failing'],
  ] as const) {
    receiver.answers(({ path }) => ({ status: path === other.path ? 204 : status }))
    const { id, got } = await added(top)
    expect((await top.call('home/view', {})).endpoint_off).toBe(false)
    await tell(top, member)
    await until(() => got().length === 1)
    if (status === 500) {
      await until(async () => (await endpointOf(top, id))?.failing_since !== null)
      expect((await endpointOf(top, id))?.state).toBe('on')
      await run(
        db(),
        sql`with e as (update webhook_endpoints set failing_since = now() - interval '6 days' where id = ${id})
          update webhook_deliveries set due_at = now() where endpoint_id = ${id} and due_at is not null`,
      )
    }
    await until(async () => (await endpointOf(top, id))?.state === 'off')
    expect(await endpointOf(top, id)).toMatchObject({ why_off: why, waiting: 1 })
    expect((await top.call('home/view', {})).endpoint_off).toBe(true)
    expect((await agent.call('home/view', {})).endpoint_off).toBe(false)
    expect(await pushes()).toHaveLength(1)
    await run(db(), sql`delete from approval_pushes where top_id = ${top.id}`)
    await until(() => other.got().some(({ body }) => body.data['id'] === id && body.data['why'] === why))
    receiver.answers(() => ({ status: 204 }))
    await top.call('endpoint/set', { id, state: 'on' })
    await run(db(), sql`update webhook_deliveries set due_at = now() where endpoint_id = ${id} and due_at is not null`)
    await until(async () => (await endpointOf(top, id))?.waiting === 0)
    expect(await endpointOf(top, id)).toMatchObject({ state: 'on', why_off: null, failing_since: null })
  }
})

test('[API-09] an ordered endpoint gets one event of an account after the other, and says when one went before', async () => {
  const { top, member, agent } = await server.family()
  const { id, got } = await added(top, { ordered: true })
  const open: (() => void)[] = []
  let isSlow = true
  receiver.answers(async ({ body }) => {
    if (body.data['n'] === 1 && isSlow) await new Promise<void>((resolve) => open.push(resolve))
    return { status: 204 }
  })
  await tell(top, member, 3)
  await tell(top, agent, 1)
  const of = (account: 'member' | 'agent') =>
    got()
      .filter(({ body }) => body.seq <= 3 === (account === 'member'))
      .map(({ body }) => [body.member_seq, body.after_gap ?? false])
  await vi.waitFor(() => expect([of('member'), of('agent')]).toEqual([[[1, false]], [[1, false]]]), { timeout: 10_000 })
  const late = sql`update webhook_deliveries set waits_since = now() - interval '16 minutes' where endpoint_id = ${id} and seq = 2`
  await run(db(), late)
  await vi.waitFor(
    () =>
      expect(of('member')).toEqual([
        [1, false],
        [2, true],
      ]),
    { timeout: 10_000 },
  )
  isSlow = false
  for (const go of open) go()
  await vi.waitFor(() => expect(of('member').at(-1)).toEqual([3, false]), { timeout: 10_000 })
  await until(async () => (await endpointOf(top, id))?.waiting === 0)
  expect(of('member')).toEqual([
    [1, false],
    [2, true],
    [3, false],
  ])
})

test('[API-08] events are sent again by id or by time, a thousand a minute, and a report names what is missing', async () => {
  const { top, member } = await server.family()
  const api = await platform(server, top, ['webhooks', 'endpoints'])
  const from = new Date(Date.now() - 60_000).toISOString()
  const first = await added(top)
  await tell(top, member, 4)
  await until(() => first.got().length === 4)
  await until(async () => (await endpointOf(top, first.id))?.waiting === 0)
  await run(
    db(),
    sql`update webhook_deliveries set delivered_at = null, tries = 12, answer = '500' where endpoint_id = ${first.id} and seq in (2, 3)`,
  )
  const gaps = () => api.call('endpoint/gaps', { id: first.id, from })
  expect(await gaps()).toEqual({
    sent: 4,
    accepted: 2,
    waiting: 0,
    given_up: 2,
    first_missing: 2,
    last_missing: 3,
  })
  expect(await api.call('endpoint/resend', { id: first.id, from })).toEqual({ count: 2 })
  await until(() => first.got().length === 6)
  expect(
    first
      .got()
      .map(({ body }) => body.seq)
      .toSorted((one, other) => one - other),
  ).toEqual([1, 2, 2, 3, 3, 4])
  const event = first.got()[0]?.body.id ?? ''
  await until(async () => (await endpointOf(top, first.id))?.waiting === 0)
  expect(await api.call('endpoint/resend', { id: first.id, event })).toEqual({ count: 1 })
  await until(() => first.got().length === 7)
  expect(
    (await api.post('endpoint/resend', { id: first.id, event: randomUUID(), request_id: randomUUID() })).reply,
  ).toBeRefusal('webhook.not_found')

  // An endpoint that is new gets what happened before it.
  const request_id = randomUUID()
  const body = { request_id, url: `${receiver.url}/new`, kinds: ['member.added'] }
  const made = (await api.call('endpoint/add', body)) as { id: string; secret: string }
  expect(await api.call('endpoint/add', body)).toEqual(made)
  const outcome = await one<{ answer: unknown }>(
    db(),
    sql`select answer from requests where request_id = ${request_id}::uuid`,
  )
  expect(JSON.stringify(outcome)).not.toContain('whsec_')
  await run(
    db(),
    sql`insert into webhooks (top_id, kind, payload, delivered_at) select ${top.id}, 'member.added', '{}', now() from generate_series(1, 1500)`,
  )
  await until(
    async () =>
      ((await gaps()) as { sent: number }).sent === 4 &&
      ((await api.call('event/list', { after_seq: 1504 - 1 })) as { data: unknown[] }).data.length === 1,
  )
  expect(await api.call('endpoint/resend', { id: made.id, from })).toEqual({ count: 1504 })
  const later = await many<{ later: number; n: number }>(
    db(),
    sql`select round(extract(epoch from due_at - waits_since) / 60)::int as later, count(*)::int as n from webhook_deliveries
      where endpoint_id = ${made.id} and tries = 0 and due_at > now() group by 1 order by 1`,
  )
  expect(later).toEqual([{ later: 1, n: 504 }])
  expect(await top.call('endpoint/resend', { id: made.id, kinds: ['request.paid'], only: 'all' })).toEqual({ count: 0 })
  await api.call('endpoint/remove', { id: made.id })
})

test('[API-08] what is on its way when it is sent again is done with its answer, and holds up nothing', async () => {
  const { top, member } = await server.family()
  const api = await platform(server, top, ['webhooks'])
  const made = await added(top, { ordered: true })
  const from = new Date(Date.now() - 60_000).toISOString()
  let goOn = () => {}
  const paused = new Promise<void>((resolve) => (goOn = resolve))
  receiver.answers(async ({ path }) => {
    if (path === made.path) await paused
    return { status: made.got().length === 1 ? 500 : 204 }
  })
  try {
    await tell(top, member, 3)
    await vi.waitFor(() => expect(made.got()).toHaveLength(1), { timeout: 20_000, interval: 50 })
    await run(db(), sql`update webhook_deliveries set tries = 9 where endpoint_id = ${made.id} and lease_until > now()`)
    expect(await api.call('endpoint/resend', { id: made.id, from })).toEqual({ count: 3 })
    goOn()
    await until(() => made.got().length === 4)
    expect(made.got().map(({ body }) => [body.seq, body.after_gap])).toEqual([
      [1, undefined],
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ])
  } finally {
    receiver.answers(() => ({ status: 204 }))
  }
})
