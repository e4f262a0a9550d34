import { randomBytes, randomUUID } from 'node:crypto'
import { memberApi } from '@tallyroom/contract/member-api'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { AccountStatus, Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { errors, OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { many, one, run, sql } from '../data/sql.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'
import { hashOfAll } from '../testing/rights/matrix.ts'
import { type Platform, platform } from '../testing/fakes/platform.ts'
import { revokeApiKey } from '../accounts/api-keys.ts'
import { outcomeOf } from '../testing/outcome.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
})
const fresh = () => `p${randomBytes(4).toString('hex')}`
const world = async () => {
  const family = await server.family()
  return { ...family, api: await platform(server, family.top) }
}

describe('who may call', () => {
  test('only a right signature over the exact request, fresh and once, with a valid key', async () => {
    const { top, api } = await world()
    const other = await world()
    const body = { username: fresh(), request_id: randomUUID() }
    const before = await hashOfAll(server)
    const now = Math.floor(Date.now() / 1000)
    const bent = [
      {},
      { signature: 'f'.repeat(64) },
      { signature: '' },
      { key: 'tk_nobody' },
      { key: other.api.id },
      { path: '/member-api/v1/agent/add' },
      { signedBody: JSON.stringify({ ...body, parent: 'x' }) },
      { nonce: 'short' },
      { nonce: 'has a space in it and more' },
      { timestamp: String(now - 320) },
      { timestamp: String(now + 320) },
      { timestamp: 'now' },
      { timestamp: `${now}.5` },
      { timestamp: '' },
    ].slice(1)
    for (const one of bent) {
      const { status, reply } = await api.post('member/add', body, one)
      expect([one, status, ['api.not_signed', 'api.too_old'].includes(outcomeOf(reply))]).toEqual([one, 401, true])
    }
    const { status } = await server.app
      .inject({ method: 'POST', url: '/member-api/v1/member/add', payload: body })
      .then(({ statusCode }) => ({ status: statusCode }))
    expect(status).toBe(401)
    expect(await hashOfAll(server)).toEqual(before)
    // Within the window in both directions, and never outside.
    const nonce = randomBytes(16).toString('hex')
    const timestamp = String(now + 250)
    expect((await api.post('member/add', body, { nonce, timestamp })).reply.code).toBe(OK)
    const again = await api.post('member/add', body, { nonce, timestamp })
    expect([again.status, outcomeOf(again.reply)]).toEqual([401, 'api.replayed'])
    const many = await Promise.all(
      Array.from({ length: 10 }, () => api.post('balance/list', { usernames: ['x'] }, { nonce: 'n'.repeat(20) })),
    )
    expect(many.filter(({ reply }) => reply.code === OK)).toHaveLength(1)
    await server.services.db.transact((tx) => revokeApiKey(tx, top.id, api.id))
    expect((await api.post('balance/list', { usernames: ['x'] })).status).toBe(401)
  })

  test('a frozen top account’s key does not work, and no secret is stored in plain text', async () => {
    const { top, api } = await world()
    const dump = await many<{ row: string }>(server.services.db, sql`select t::text as row from api_keys t`)
    expect(JSON.stringify(dump)).not.toContain(api.secret)
    await run(server.services.db, sql`update accounts set status = 0 where id = ${top.id}`)
    expect((await api.post('balance/list', { usernames: ['x'] })).status).toBe(401)
  })
})

describe('what it may do', () => {
  test('members and agents, and their sign-ins by a token', async () => {
    const { top, api } = await world()
    const agent = fresh()
    expect(await api.call('agent/add', { username: agent, limit_of_credit: '50' })).toMatchObject({ username: agent })
    const member = fresh()
    await api.call('member/add', { username: member, nickname: 'Ann', parent: agent })
    const rows = await many<{ username: string; parent: string; role: number; rooms: number }>(
      server.services.db,
      sql`select a.username, p.username as parent, a.role_id as role, (select count(*)::int from rooms where partner_id = a.id) as rooms
        from accounts a join accounts p on p.id = a.parent_id where a.username = any(${[agent, member]}) order by a.id`,
    )
    expect(rows).toEqual([
      { username: agent, parent: top.username, role: Role.agent, rooms: 0 },
      { username: member, parent: agent, role: Role.member, rooms: 1 },
    ])
    const link = (await api.call('sign-in/token', { username: member, kind: 'landing' })) as {
      token: string
      url: string
    }
    expect(link.url).toMatch(/^https:\/\/talk\.example\/WebLogin\//)
    const login = async (body: object) => (await server.post('login', server.wire.seal('login', body))).reply
    expect((await login({ landing_token: link.token })).data).toMatchObject({ username: member, role_id: Role.member })
    expect(await login({ landing_token: link.token })).toBeRefusal('session.link_over')
    const door = (await api.call('sign-in/token', { username: agent, kind: 'agent' })) as { token: string }
    const asAgent = { username: '-', password: '-', agent_token: door.token, agent_username: agent }
    expect((await login(asAgent)).data).toMatchObject({ username: agent, agent_login: 1 })
    expect((await api.post('sign-in/token', { username: member, kind: 'agent' })).reply).toBeRefusal(
      'account.not_found',
    )
    const widget = (await api.call('sign-in/token', { username: member, kind: 'widget' })) as typeof link
    expect(widget).toEqual({ token: expect.any(String), url: '', expires_in: 60 })
    expect((await login({ widget_token: widget.token })).data).toMatchObject({ username: member })
    expect((await api.post('sign-in/token', { username: agent, kind: 'widget' })).reply).toBeRefusal(
      'account.not_found',
    )
    const log = await top.call('audit/list', { target: member })
    const kinds = log.data.map(({ kind }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['account_added', 'sign_in_link_made']))
    expect(JSON.stringify(log)).toContain(api.id)
    expect(JSON.stringify(log)).not.toContain(widget.token)
  })

  test('a request has its effect once, even when its answer is lost', async () => {
    const { api } = await world()
    const body = { username: fresh(), request_id: randomUUID() }
    const [first, ...rest] = await Promise.all(Array.from({ length: 6 }, () => api.post('member/add', body)))
    for (const { reply } of rest) expect(reply).toEqual(first?.reply)
    expect(first?.reply.code).toBe(OK)
    expect((await api.post('member/add', { ...body, nickname: 'other' })).reply).toBeRefusal('request.id_reused')
    expect((await api.post('member/add', { username: fresh() })).reply).toMatchObject({
      refusal: 'request.invalid',
      data: { field: 'request_id' },
    })
    expect((await api.post('member/add', { ...body, request_id: randomUUID() })).reply).toBeRefusal(
      'account.username_taken',
    )
  })

  test('event mode, bets, wins, balances and transfers', async () => {
    const { agent, member, api } = await world()
    const who = member.username
    await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '100' })
    const bet = { username: who, bet_id: 'round-1', amount: '30.5' }
    const first = await api.call('bet/report', bet)
    expect(first).toMatchObject({ balance: '69.5000' })
    expect(await api.call('bet/report', bet)).toEqual(first)
    expect((await api.post('bet/report', { ...bet, amount: '31' })).reply).toBeRefusal('bet.id_reused')
    expect((await api.post('bet/report', { ...bet, bet_id: 'b', amount: '1000' })).reply).toBeRefusal(
      'transfer.member_not_enough',
    )
    expect((await api.post('win/report', { ...bet, bet_id: 'none' })).reply).toBeRefusal('bet.not_found')
    expect(await api.call('win/report', { ...bet, amount: '61' })).toMatchObject({ balance: '130.5000' })
    for (const amount of ['0', '-1', '1e3', '1.00001', 5, ''])
      expect((await api.post('bet/report', { ...bet, bet_id: 'c', amount })).reply).toBeRefusal('request.invalid')
    expect(await api.call('balance/list', { usernames: [who, 'nobody-here'] })).toEqual({
      data: [
        {
          username: who,
          third_party_id: null,
          role_id: Role.member,
          status: AccountStatus.active,
          balance: '130.5000',
          game_wallet: '0.0000',
          unlimited: false,
        },
      ],
    })
    const day = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)
    const range = { start_time: `${day(-1)} 00:00:00`, end_time: `${day(1)} 00:00:00` }
    const { data } = (await api.call('transfer/list', { ...range, username: who })) as { data: { amount: string }[] }
    expect(data.map(({ amount }) => amount).sort()).toEqual(['100.0000', '30.5000', '61.0000'])
    await api.call('event-mode/set', { username: agent.username, event_mode: 1 })
    expect(
      await agent.ask('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' }),
    ).toBeRefusal('transfer.event_mode')
    await api.call('event-mode/set', { username: agent.username, event_mode: 0 })
    expect(
      (await agent.ask('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })).code,
    ).toBe(OK)
  })
})

test('[S20] more bets at once than database connections are all answered, each once', async () => {
  const { api, agent, member } = await world()
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '100' })
  const bets = Array.from({ length: 40 }, (_, at) => ({
    username: member.username,
    bet_id: `many-${at}`,
    amount: '1',
    request_id: randomUUID(),
  }))
  const [first, again] = [bets, bets].map((all) =>
    Promise.all(all.map(async (bet) => (await api.post('bet/report', bet)).reply)),
  )
  const replies = await first
  for (const reply of replies ?? []) expect(reply).toMatchObject({ code: OK })
  expect(await again).toEqual(replies)
  expect((await api.post('bet/report', { ...bets[0], bet_id: 'other' })).reply).toBeRefusal('request.id_reused')
  expect(await api.call('balance/list', { usernames: [member.username] })).toMatchObject({
    data: [{ balance: '60.0000' }],
  })
  // Refusals are not stored with the request.
  const dear = { ...bets[0], bet_id: 'dear', amount: '61', request_id: randomUUID() }
  expect((await api.post('bet/report', dear)).reply).toBeRefusal('transfer.member_not_enough')
  await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })
  expect((await api.post('bet/report', dear)).reply).toMatchObject({ code: OK, data: { balance: '0.0000' } })
})

describe('[S3] [S2] what it may not do', () => {
  const inputs = (username: string): Record<string, object> => ({
    'member/add': { username: fresh(), parent: username },
    'agent/add': { username: fresh(), parent: username },
    'sign-in/token': { username, kind: 'landing' },
    'event-mode/set': { username, event_mode: 1 },
    'member/set': { username, set: { status: 0 } },
    'bet/report': { username, bet_id: 'x', amount: '1' },
    'win/report': { username, bet_id: 'x', amount: '1' },
  })

  test('nothing of another top account can be changed, and it looks absent', async () => {
    const { api } = await world()
    const theirs = await world()
    await theirs.agent.call('transaction/add', { member_id: theirs.member.id, type: TransferKind.send, amount: '10' })
    const before = await hashOfAll(server)
    const ask = async (person: string, platform: Platform) => {
      const replies: unknown[] = []
      for (const [name, body] of Object.entries(inputs(person)))
        replies.push((await platform.post(name, { request_id: randomUUID(), ...body })).reply)
      return replies
    }
    for (const person of [theirs.member, theirs.agent, theirs.top]) {
      const replies = await ask(person.username, api)
      expect(replies).toEqual(await ask('not-there-1', api))
      for (const reply of replies) expect(reply).toMatchObject({ refusal: 'account.not_found' })
    }
    expect(await api.call('balance/list', { usernames: [theirs.member.username] })).toEqual({ data: [] })
    const seen = await api.call('transfer/list', { start_time: '2026-01-01 00:00:00', end_time: '2026-12-31 00:00:00' })
    expect(JSON.stringify(seen)).not.toContain(theirs.member.username)
    const { api_keys: _k, api_nonces: _n, ...after } = await hashOfAll(server)
    const { api_keys: _a, api_nonces: _b, ...was } = before
    expect(after).toEqual(was)
    // The top account itself is not below itself.
    const own = await world()
    expect((await own.api.post('sign-in/token', { username: own.top.username, kind: 'agent' })).reply).toBeRefusal(
      'account.not_found',
    )
  })

  test('unknown fields are refused, and have no effect', async () => {
    const { api } = await world()
    const username = fresh()
    const evil = {
      role_id: Role.admin,
      top_id: 1,
      balance: '999',
      unlimited: true,
      path: '/',
      status: TransferStatus.failed,
      share_code: 'EVIL',
      is_funded: true,
    }
    for (const [field, value] of Object.entries(evil)) {
      const { reply } = await api.post('member/add', { username, [field]: value, request_id: randomUUID() })
      expect([field, reply.refusal, reply.data]).toMatchObject([field, 'request.invalid', { field }])
    }
    expect(await one(server.services.db, sql`select 1 from accounts where username = ${username}`)).toBeUndefined()
    for (const body of ['[]', '"x"', 'null', '{', '{"username":"a\\u0000b"}', '{"username":{"a":1}}'])
      expect((await api.post('member/add', body)).reply.code).toBe(errors['request.invalid'])
  })
})

test('[API-12] a refused body says of each invalid field where it is and why, and a key may not be there twice', async () => {
  const { api, member } = await world()
  const errorsOf = async (name: string, body: object | string) => {
    const { reply } = await api.post(name, body)
    expect(reply).toBeRefusal('request.invalid')
    return (reply.data as { errors: { pointer: string; reason: string }[] }).errors
  }
  const found = await errorsOf('member/add', { username: 'x', nickname: 7, passwort: 'a', 'a/b~c': 1 })
  expect(found.map(({ pointer }) => pointer).sort()).toEqual(
    ['/a~1b~0c', '/nickname', '/passwort', '/request_id', '/username'].sort(),
  )
  for (const { reason } of found) expect(reason).toMatch(/^(Too small|Invalid input|Unknown field)/)
  const who = { username: member.username }
  expect(await errorsOf('bet/report', { ...who, bet_id: 'b', amount: '0' })).toEqual([
    { pointer: '/amount', reason: expect.stringMatching(/decimal number as text.*above zero$/) as string },
  ])
  expect(await errorsOf('event-mode/set', { ...who, event_mode: 2, request_id: randomUUID() })).toEqual([
    { pointer: '/event_mode', reason: 'Invalid input: expected 0 or 1' },
  ])
  const either = [{ pointer: '/username', reason: 'Give exactly one of username and third_party_id' }]
  expect(await errorsOf('sign-in/token', { kind: 'landing' })).toEqual(either)
  expect(await errorsOf('sign-in/token', { ...who, third_party_id: 'x', kind: 'landing' })).toEqual(either)
  expect(await errorsOf('bet/report', { bet_id: 'b', amount: '1' })).toEqual(either)
  expect(await errorsOf('balance/list', '{"usernames":["a"],"usernames":["b"]}')).toEqual([
    { pointer: '/usernames', reason: 'This key is there twice' },
  ])
  expect(await errorsOf('balance/list', '{"usernames":["ok","a\\u0000"]}')).toMatchObject([{ pointer: '/usernames/1' }])
})

test('[API-12] another method, another type of body and an unknown call have their statuses, and words for a server', async () => {
  const ask = async (name: string, init: RequestInit) => {
    const answer = await fetch(`${server.address}/member-api/v1/${name}`, init)
    const { refusal, message } = (await answer.json()) as { refusal: string; message: string }
    expect(message).not.toMatch(/[Rr]eload|page/)
    return [answer.status, refusal, answer.headers.get('allow')]
  }
  const json = { 'content-type': 'application/json' }
  expect(await ask('balance/list', {})).toEqual([405, 'api.wrong_method', 'POST'])
  expect(await ask('balance/list?a=1', { method: 'PUT', headers: json, body: '{}' })).toEqual([
    405,
    'api.wrong_method',
    'POST',
  ])
  expect(await ask('openapi.json', { method: 'DELETE' })).toEqual([405, 'api.wrong_method', 'GET, HEAD'])
  expect(await ask('balance/list', { method: 'POST', body: '{}' })).toEqual([415, 'api.not_json', null])
  expect(await ask('balances', { method: 'POST', headers: json, body: '{}' })).toEqual([
    404,
    'request.unknown_call',
    null,
  ])
  expect(await ask('toString', {})).toEqual([404, 'request.unknown_call', null])
  const { api } = await world()
  const { reply } = await api.post('balance/list', '{')
  expect([reply.refusal, reply.message]).toEqual(['request.bad_envelope', 'The body is not a JSON object in UTF-8.'])
})

test('[API-12] the settings that calls depend on can be read', async () => {
  const { api } = await world()
  const seen = (await api.call('platform/view', {})) as { now: string; time_zone: string; languages: string[] }
  expect(seen).toMatchObject({ time_zone: 'UTC', caps: { per_envelope: null, per_day: null } })
  expect(Math.abs(Date.now() - Date.parse(seen.now))).toBeLessThan(60_000)
  expect(seen.languages).toContain('my')
})

test('[SET-06] the document is made from the schemas that validate calls, and is public', async () => {
  const address = `${server.address}/member-api/v1/openapi.json`
  const answer = await fetch(address)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  const plain = await fetch(address, { headers: { 'accept-encoding': 'identity' } })
  expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, await answer.clone().text()])
  const document = resolveRefs(await answer.json()) as {
    openapi: string
    info: { description: string }
    paths: Record<
      string,
      {
        post: {
          summary: string
          requestBody: { content: Record<string, { schema: { properties: object; required?: string[] } }> }
        }
      }
    >
    webhooks: object
  }
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths)).toEqual(Object.keys(memberApi).map((name) => `/${name}`))
  for (const [name, { request, summary }] of Object.entries(memberApi)) {
    const { post } = document.paths[`/${name}`] ?? { post: undefined }
    expect(post?.summary).toBe(summary)
    expect(Object.keys(post?.requestBody.content['application/json']?.schema.properties ?? {})).toEqual(
      Object.keys(request.shape),
    )
  }
  expect(document.info.description).toContain('X-Tallyroom-Signature')
  expect(Object.keys(document.webhooks)).toEqual([
    'transfer.settled',
    'envelope.settled',
    'request.asked',
    'request.taken',
    'request.released',
    'request.paid',
    'request.refused',
    'request.withdrawn',
    'request.expired',
    'member.added',
    'member.changed',
    'member.moved',
    'agent.added',
    'message.added',
    'room.waiting',
    'bet.voided',
    'approval.asked',
    'approval.ended',
    'period.closed',
    'endpoint.off',
    'erased',
    'ping',
  ])
})
