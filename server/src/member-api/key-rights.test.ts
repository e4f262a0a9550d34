import { randomUUID } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { type ApiRight, apiRights } from '@tallyroom/contract/api/rights'
import { beforeAll, expect, test, vi } from 'vitest'
import { noTerms, saveTerms } from '../accounts/api-keys.ts'
import { besideTransaction, one, run, sql } from '../data/sql.ts'
import { startTestServer, type TestServer } from '../testing/app.ts'
import { type Platform, platform } from '../testing/fakes/platform.ts'
import { outcomeOf } from '../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
})
const settle = async (id: string, terms: Partial<typeof noTerms>) =>
  server.services.db.transact((tx) => saveTerms(tx, id, { ...noTerms, ...terms }, server.services.settings.timeZone))
const fresh = () => `k${randomUUID().slice(0, 8)}`
const adding = () => ({ username: fresh(), request_id: randomUUID() })
const outcome = async (answer: ReturnType<Platform['post']>) => {
  const { status, reply } = await answer
  return [status, reply.code === OK ? 'ok' : outcomeOf(reply)]
}
const actorOf = async (api: Platform) =>
  (await one<{ id: number }>(server.services.db, sql`select actor_id as id from api_keys where id = ${api.id}`))?.id ??
  0

/** What the requirements give each right, stated a second time. */
const callsOf: Record<ApiRight, ApiName[]> = {
  'accounts:read': ['balance/list', 'account/view', 'account/list'],
  'accounts:write': [
    'member/add',
    'agent/add',
    'member/set',
    'event-mode/set',
    'agent/set',
    'account/move',
    'session/end',
  ],
  signin: ['sign-in/token'],
  bets: ['bet/report', 'win/report', 'bet/reportMany', 'win/reportMany', 'bet/void'],
  'points:give': ['points/give', 'points/offer'],
  'points:take': ['points/take'],
  'points:correct': ['points/correct'],
  'cash:read': ['cash/list', 'cash/view', 'bank/list'],
  'cash:ask': ['cash/ask', 'cash/withdraw'],
  'cash:fulfil': ['cash/take', 'cash/renew', 'cash/giveBack', 'cash/pay', 'cash/refuse'],
  'bank:write': ['bank/set'],
  'talk:read': ['message/list', 'room/list', 'room/view'],
  'talk:write': ['message/send', 'message/read'],
  statements: [
    'transfer/list',
    'points/view',
    'statement/view',
    'statement/lines',
    'sr02/view',
    'period/list',
    'settlement/list',
  ],
  settlements: ['settlement/settle'],
  settings: ['webhook/ping', 'platform/view'],
  webhooks: ['event/list', 'endpoint/list', 'endpoint/ping', 'endpoint/resend', 'endpoint/gaps'],
  endpoints: ['endpoint/add', 'endpoint/set', 'endpoint/remove', 'endpoint/rotate'],
  sandbox: ['sandbox/act', 'sandbox/passTime'],
}

test('[API-01] every right opens its calls and no other one, and a key without rights has none', async () => {
  const { top } = await server.family()
  const names = Object.keys(memberApi) as ApiName[]
  for (const right of [undefined, ...apiRights]) {
    const api = await platform(server, top, right ? [right] : [])
    const open: string[] = []
    for (const name of names) {
      const { status, reply } = await api.post(name, {})
      if (outcomeOf(reply) !== 'api.not_allowed') open.push(name)
      else expect([status, reply.data]).toEqual([403, { right: memberApi[name].right }])
    }
    expect([right, open.toSorted()]).toEqual([right, right ? callsOf[right].toSorted() : []])
  }
})

test('[API-01] an expired key, a foreign address and too many calls have refusals of their own', async () => {
  const { top } = await server.family()
  const api = await platform(server, top)
  const view = () => outcome(api.post('platform/view', {}))
  await settle(api.id, { rights: ['settings'], addresses: ['10.0.0.0/8', '2001:db8::/32'] })
  expect(await view()).toEqual([403, 'api.wrong_address'])
  await settle(api.id, { rights: ['settings'], addresses: ['192.0.2.7', '127.0.0.0/8'] })
  expect(await view()).toEqual([200, 'ok'])
  await settle(api.id, { rights: ['settings'], expires_on: '2026-01-31' })
  expect(await view()).toEqual([401, 'api.key_expired'])
  await settle(api.id, { rights: ['settings'], expires_on: '2999-12-31', per_second: 1 })
  expect(await view()).toEqual([200, 'ok'])
  const { status, reply } = await api.post('platform/view', {})
  expect([status, outcomeOf(reply), reply.data]).toEqual([429, 'api.over_rate', { seconds: 1, per_second: 1 }])
})

test('[API-01] a right that is withdrawn while its call runs takes effect before or after it, never within', async () => {
  const { top } = await server.family()
  const api = await platform(server, top)
  const { db } = server.services
  const late = adding()
  const withdrawn = await db.transact(async (tx) => {
    await run(tx, sql`update api_keys set rights = '{}' where id = ${api.id}`)
    // It has passed the first check, and waits for the key.
    const answer = outcome(api.post('member/add', late))
    await vi.waitFor(async () => {
      const waiting = sql`select 1 as is from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share%'`
      expect(await besideTransaction(() => one(db, waiting))).toBeDefined()
    })
    return { answer }
  })
  expect(await withdrawn.answer).toEqual([403, 'api.not_allowed'])
  await settle(api.id, { rights: ['accounts:write'] })
  expect(await outcome(api.post('member/add', late))).toEqual([200, 'ok'])
  // Its outcome is stored, but a repeat needs the right too.
  await settle(api.id, {})
  expect(await outcome(api.post('member/add', late))).toEqual([403, 'api.not_allowed'])
})

test('[API-01] a key acts as an account of its own: the log names it, and nobody meets it', async () => {
  const { top, member } = await server.family()
  const api = await platform(server, top)
  const actorId = await actorOf(api)
  await api.call('member/add', { username: fresh() })
  await api.call('member/set', { username: member.username, set: { nickname: 'Ann' } })
  const { data } = await top.call('audit/list', { actor: api.id })
  expect(data.map(({ kind, actor_id }) => [kind, actor_id])).toEqual([
    ['account_edited', actorId],
    ['account_added', actorId],
  ])
  // No list of people has it, and it is nobody to sign in as, to change or to approve.
  const lists = [
    await top.call('user/list', { role_id: 3, page: 1, per_page: 100 }),
    await top.call('tree/list', { parent_id: top.id, part: 'team', from: 0, count: 100 }),
    await top.call('tree/find', { text: api.id }),
    await top.call('search/accounts', { text: api.id }),
    await top.call('desk/colleagues', {}),
  ]
  for (const list of lists) expect(JSON.stringify(list)).not.toContain(api.id)
  const { row } = await top.call('tree/view', {})
  const listed = await top.call('tree/list', { parent_id: top.id, part: 'team', from: 0, count: 100 })
  expect(row.team).toBe(listed.total)
  for (const ask of [
    top.ask('user/edit', { id: actorId, password: 'secret1', password_confirmation: 'secret1' }),
    top.ask('user/delete', { id: actorId }),
    top.ask('user/saveAbilities', { id: actorId, may_approve: 1 }),
    top.ask('right/view', { id: actorId }),
    top.ask('tree/previewMove', { id: actorId, to_id: top.id }),
  ])
    expect(await ask).toBeRefusal('account.not_found')
  for (const name of ['sign-in/token', 'event-mode/set'] as const) {
    const body = {
      username: api.id,
      ...(name === 'sign-in/token' ? { kind: 'agent' } : { event_mode: 1, request_id: randomUUID() }),
    }
    expect(await outcome(api.post(name, body))).toEqual([200, 'account.not_found'])
  }
  expect((await api.post('balance/list', { usernames: [api.id] })).reply.data).toEqual({ data: [] })
  const signedIn = await server.post('login', { username: api.id, password: '' })
  expect(signedIn.reply.code).not.toBe(OK)
})

test('[API-01] a key from before gets its account with its first call, once', async () => {
  const { top } = await server.family()
  const api = await platform(server, top)
  await run(server.services.db, sql`update api_keys set actor_id = null where id = ${api.id}`)
  await run(server.services.db, sql`update accounts set username = ${fresh()} where username = ${api.id}`)
  const many = await Promise.all(Array.from({ length: 5 }, () => outcome(api.post('member/add', adding()))))
  expect(many).toEqual(many.map(() => [200, 'ok']))
  const made = await one<{ n: number }>(
    server.services.db,
    sql`select count(*)::int as n from accounts where username = ${api.id} and is_key`,
  )
  expect(made?.n).toBe(1)
})

test('[API-01] [CAPS-04] more rights wait for another admin, fewer do not; the maker does not decide', async () => {
  const { top } = await server.family()
  const second = await server.person({ role: Role.admin, under: top })
  await top.call('change/saveRules', { kinds: ['api_key'] })
  const made = await top.call('apiKey/add', { label: 'Game', rights: ['bets', 'settings'], addresses: ['10.1.2.3/8'] })
  expect(made.approval).toBe(1)
  const key = async () => (await top.call('apiKey/list', {})).data.find(({ id }) => id === made.id)
  expect((await key())?.rights).toEqual([])
  const [row] = (await second.call('change/list', {})).data
  expect(row).toMatchObject({
    kind: 'api_key',
    facts: [
      { field: 'api_key', after: made.id },
      { field: 'key_rights', before: '', after: 'bets, settings' },
      { field: 'key_addresses', before: '', after: '10.1.2.3/8' },
    ],
  })
  expect(await top.ask('change/approve', { id: row?.id ?? 0 })).toBeRefusal('approval.not_found')
  await second.call('change/approve', { id: row?.id ?? 0 })
  expect(await key()).toMatchObject({ rights: ['bets', 'settings'], addresses: ['10.0.0.0/8'], expires_on: null })
  const terms = { rights: ['bets' as const], addresses: ['10.0.0.0/8'], expires_on: '2999-12-31', per_second: 5 }
  expect(await top.call('apiKey/set', { id: made.id, ...terms })).toEqual({})
  expect(await key()).toMatchObject(terms)
  for (const wider of [{ rights: [...apiRights] }, { addresses: [] }, { expires_on: null }, { per_second: null }])
    expect(await second.ask('apiKey/set', { id: made.id, ...terms, ...wider })).toBeRefusal('access.denied')
  expect(await top.call('apiKey/set', { id: made.id, ...terms, per_second: null })).toEqual({ approval: 1 })
  expect(await top.ask('apiKey/set', { id: made.id, ...terms, addresses: ['10.0.0.0/40'] })).toBeRefusal(
    'api.network_invalid',
  )
  const other = await server.family()
  expect(await other.top.ask('apiKey/set', { id: made.id, rights: [] })).toBeRefusal('api.key_not_found')
})

test('[API-01] a replaced key keeps its account, follows its terms, and a revoked one is frozen', async () => {
  const { top } = await server.family()
  const made = await top.call('apiKey/add', { label: 'Game', rights: ['bets'] })
  const next = await top.call('apiKey/rotate', { id: made.id })
  const keys = async () => (await top.call('apiKey/list', {})).data
  expect(new Set((await keys()).map(({ actor_id }) => actor_id)).size).toBe(1)
  await top.call('apiKey/set', { id: next.id, rights: [] })
  expect((await keys()).map(({ rights }) => rights)).toEqual([[], []])
  expect(await top.ask('apiKey/set', { id: made.id, rights: ['bets'] })).toBeRefusal('api.key_not_found')
  const status = async () =>
    (await one<{ status: number }>(server.services.db, sql`select status from accounts where username = ${made.id}`))
      ?.status
  await top.call('apiKey/revoke', { id: made.id })
  expect(await status()).toBe(1)
  await top.call('apiKey/revoke', { id: next.id })
  expect(await status()).toBe(0)
})

test('[API-01] calls and refusals are counted by key and day', async () => {
  const { top } = await server.family()
  const api = await platform(server, top, ['settings'])
  await api.call('platform/view', {})
  await api.call('platform/view', {})
  await api.post('balance/list', { usernames: ['x'] })
  // A wrong signature may be anybody's: it counts for no key.
  await api.post('platform/view', {}, { signature: 'f'.repeat(64) })
  const listed = async () =>
    (await top.call('apiKey/list', {})).data[0]?.days.map(({ calls, refused }) => [calls, refused])
  await vi.waitFor(async () => expect(await listed()).toEqual([[3, 1]]), { timeout: 10_000 })
})
