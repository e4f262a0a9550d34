import { randomUUID } from 'node:crypto'
import { resolveRefs } from '@tallyroom/contract/text/resolve-refs'
import { beforeAll, expect, test } from 'vitest'
import { OK } from '@tallyroom/contract'
import { TransferKind } from '@tallyroom/contract/codes'
import { many, run, sql } from '../../data/sql.ts'
import { limit } from '../../testing/approvals.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { platform, platformOfKey } from '../../testing/fakes/platform.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import type { JsonSchema } from '../samples.ts'
import { datedDocument } from './document.ts'
import { DATES } from './form.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ TIME_ZONE: 'Europe/Berlin' })
})
const [version] = DATES

const world = async () => {
  const family = await server.family()
  const api = await platform(server, family.top)
  const dated = async (name: string, body: unknown, more: { idempotencyKey?: string } = {}) => {
    const { status, reply, headers } = await api.post(name, body, { version, ...more })
    return {
      status,
      body: reply as unknown as Record<string, unknown>,
      type: headers.get('content-type')?.split(';')[0],
      isReplayed: headers.get('idempotency-replayed') === 'true',
      version: headers.get('tallyroom-version'),
    }
  }
  return { ...family, api, dated, who: { username: family.member.username } }
}

test('[API-07] a success is the data alone; without the header the answer is as it always was', async () => {
  const { api, dated, member } = await world()
  const asked = { usernames: [member.username] }
  const { reply, headers } = await api.post('balance/list', asked)
  expect(reply).toEqual({ code: 1000, message: 'Success', data: { data: [expect.anything()] } })
  expect(headers.get('tallyroom-version')).toBe(null)
  expect(await dated('balance/list', asked)).toMatchObject({
    status: 200,
    type: 'application/json',
    version,
    body: reply.data,
  })
})

test('[API-07] a refusal is problem details with all invalid fields, in the language of the reader', async () => {
  const { dated, api, who } = await world()
  expect(await dated('points/give', { username: 5, amount: '1,5', remark: 1 }, { idempotencyKey: 'a' })).toMatchObject({
    status: 400,
    type: 'application/problem+json',
    body: {
      type: '/member-api/v1/problems/request.invalid',
      title: 'Check “…”.',
      status: 400,
      refusal: 'request.invalid',
      code: 1400,
      field: 'username',
      errors: [{ pointer: '/username' }, { pointer: '/amount' }, { pointer: '/remark' }],
    },
  })
  const statuses = await Promise.all(
    (
      [
        ['points/give', { username: 'nobody', amount: '1' }],
        ['points/take', { ...who, amount: '999999' }],
        ['member/add', { username: who.username }],
        ['message/list', { ...who, after: 'x' }],
      ] as const
    ).map(async ([name, body], at) => (await dated(name, body, { idempotencyKey: `one ${at}` })).status),
  )
  expect(statuses).toEqual([404, 422, 409, 400])
  const { status, reply } = await api.post('balance/list', {}, { version, signature: 'f'.repeat(64) })
  expect([status, reply]).toEqual([401, expect.objectContaining({ refusal: 'api.not_signed', status: 401 })])
  const wrong = await api.post('balance/list', {}, { version: '2020-01-01' })
  expect([wrong.status, wrong.reply]).toEqual([
    400,
    expect.objectContaining({ errors: [{ pointer: '', reason: `Tallyroom-Version is one of ${DATES.join(', ')}` }] }),
  ])
  const kind = await fetch(`${server.address}/member-api/v1/problems/transfer.frozen`)
  expect(await kind.json()).toMatchObject({ refusal: 'transfer.frozen', status: 409 })
  expect((await fetch(`${server.address}/member-api/v1/problems/nothing`)).status).toBe(404)
})

test('[API-07] what never becomes a call is problem details, too', async () => {
  const ask = (path: string, init: RequestInit) =>
    fetch(`${server.address}/member-api/v1/${path}`, {
      ...init,
      headers: {
        'content-type': 'application/json',
        'tallyroom-version': version,
        'accept-language': 'ms',
        ...(init.headers as Record<string, string>),
      },
    }).then(async (answer) => [
      answer.status,
      answer.headers.get('content-type'),
      ((await answer.json()) as { refusal: string }).refusal,
    ])
  const type = 'application/problem+json; charset=utf-8'
  expect(await ask('nothing/here', { method: 'POST', body: '{}' })).toEqual([404, type, 'request.unknown_call'])
  expect(await ask('balance/list', { method: 'GET' })).toEqual([405, type, 'api.wrong_method'])
  expect(await ask('balance/list', { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } })).toEqual(
    [415, type, 'api.not_json'],
  )
  expect(await ask('balance/list', { method: 'POST', body: `"${'x'.repeat(300_000)}"` })).toEqual([
    413,
    type,
    'request.too_large',
  ])
  const unknown = await fetch(`${server.address}/member-api/v1/openapi.json?version=2020-01-01`)
  expect(unknown.status).toBe(400)
})

test('[API-07] an idempotency key moves points once, however often it comes and in whichever form', async () => {
  const { dated, api, who, member } = await world()
  const give = (idempotencyKey: string, amount = '5') => dated('points/give', { ...who, amount }, { idempotencyKey })
  const all = await Promise.all(Array.from({ length: 8 }, () => give('payment 77/a')))
  expect(new Set(all.map(({ body }) => body['transaction_id'])).size).toBe(1)
  const again = await give('payment 77/a')
  expect([again.status, again.isReplayed, again.body]).toEqual([200, true, all[0]?.body])
  expect(await give('"payment 77/a"')).toMatchObject({ isReplayed: true, body: again.body })
  expect(await give('payment 77/a', '6')).toMatchObject({ status: 422, body: { refusal: 'request.id_reused' } })
  expect((await give('payment 77/b')).isReplayed).toBe(false)
  // A UUID is the request_id itself.
  const request_id = randomUUID()
  const first = await give(request_id, '1')
  expect((await api.post('points/give', { ...who, amount: '1', request_id })).reply.data).toEqual(first.body)
  const { balance } =
    (
      await many<{ balance: bigint }>(
        server.services.db,
        sql`select balance from wallets where account_id = ${member.id} and kind = 1`,
      )
    )[0] ?? {}
  expect(balance).toBe(110_000n)
})

test('[API-07] the key is signed, fits a request_id beside it, and is needed for a write without one', async () => {
  const { dated, api, who } = await world()
  const body = { ...who, amount: '5' }
  const text = JSON.stringify(body)
  const unsigned = await api.post('points/give', body, { version, idempotencyKey: 'mine', signedBody: text })
  expect(unsigned.status).toBe(401)
  const other = await api.post('points/give', body, { version, idempotencyKey: 'other', signedBody: `mine\n${text}` })
  expect(other.status).toBe(401)
  const errorsOf = async (asked: object, idempotencyKey?: string) => {
    const { status, body: problem } = await dated(
      'points/give',
      asked,
      idempotencyKey === undefined ? {} : { idempotencyKey },
    )
    return [status, (problem['errors'] as { pointer: string }[] | undefined)?.map(({ pointer }) => pointer)]
  }
  expect(await errorsOf(body)).toEqual([400, ['/request_id']])
  expect(await errorsOf({ ...body, request_id: randomUUID() }, 'mine')).toEqual([400, ['/request_id']])
  expect(await errorsOf(body, 'x'.repeat(67))).toEqual([400, ['']])
  expect(await errorsOf({ ...body, request_id: randomUUID() })).toEqual([200, undefined])
  // Without a date the header means nothing, as before.
  expect((await api.post('points/give', body, { idempotencyKey: 'mine', signedBody: text })).reply.refusal).toBe(
    'request.invalid',
  )
})

test('[API-07] times are in UTC, also in the hour that comes twice, and days are those of the installation', async () => {
  const { dated, api, who } = await world()
  const ids: unknown[] = []
  for (const at of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T22:30:00Z']) {
    const { body } = await dated(
      'points/give',
      { ...who, amount: '1' },
      { idempotencyKey: at + randomUUID().slice(0, 8) },
    )
    ids.push(body['transaction_id'])
    await asSuperuser(async (tx) => {
      await run(
        tx,
        sql`update transfers set created_at = ${at}::timestamptz where transaction_id = ${String(body['transaction_id'])}`,
      )
      await run(
        tx,
        sql`update postings set created_at = ${at}::timestamptz where transfer_id in (select id from transfers where transaction_id = ${String(body['transaction_id'])})`,
      )
      await run(tx, sql`delete from posting_marks`)
    })
  }
  const between = (start_time: string, end_time: string) =>
    dated('transfer/list', { member: who.username, start_time, end_time })
  const rows = ({ body }: { body: Record<string, unknown> }) =>
    (body['data'] as { transaction_id: string; created_at: string }[]).map((row) => [
      row.transaction_id,
      row.created_at,
    ])
  expect(rows(await between('2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'))).toEqual([
    [ids[0], '2026-10-25T00:30:00Z'],
  ])
  expect(rows(await between('2026-10-25T01:00:00.999Z', '2026-10-25T02:00:00Z'))).toEqual([
    [ids[1], '2026-10-25T01:30:00Z'],
  ])
  const local = { member: who.username, start_time: '2026-10-25 02:00:00', end_time: '2026-10-25 03:00:00' }
  const { reply } = await api.post('transfer/list', local)
  expect(rows({ body: reply.data as Record<string, unknown> }).map(([, at]) => at)).toEqual([
    '2026-10-25 02:30:00',
    '2026-10-25 02:30:00',
  ])
  for (const start_time of ['2026-10-25 00:00:00', '2026-10-25T00:00:00.Z', '2026-10-25T02:00:00+02:00', 5])
    expect(await between(start_time as string, '2026-10-26T00:00:00Z')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/start_time' }] },
    })
  // At 22:30 in UTC the next day has not begun in Berlin: it is half past eleven there.
  const lines = await dated('statement/lines', { ...who, start_date: '2026-10-25', end_date: '2026-10-25' })
  const times = (lines.body['data'] as { at: string }[]).map(({ at }) => at)
  expect(times).toEqual(['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T22:30:00Z'])
  const view = await dated('statement/view', { ...who, start_date: '2026-10-25', end_date: '2026-10-25' })
  expect(view.body).toMatchObject({
    time_zone: 'Europe/Berlin',
    drawn_up: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
  })
})

test('[API-07] what waits for approval is accepted, not done: 202', async () => {
  const { top, api, dated, who } = await world()
  const [key] = await many<{ id: number; actorId: number }>(
    server.services.db,
    sql`select id, actor_id as "actorId" from api_keys where id = ${api.id}`,
  )
  const give = (amount: string) => dated('points/give', { ...who, amount }, { idempotencyKey: `draw ${amount}` })
  await give('1')
  await limit(top, { id: key?.actorId ?? 0 } as Person, TransferKind.send, { transfer: '100' })
  expect(await give('100')).toMatchObject({ status: 200 })
  expect(await give('101')).toMatchObject({ status: 202, body: { approval: 1 } })
})

test('[API-07] the document of a date says of every field what it means, and names nothing that is not there', () => {
  const document = JSON.parse(JSON.stringify(datedDocument(version))) as {
    paths: Record<string, { post: { requestBody: object; responses: object } }>
  }
  const text = JSON.stringify(document)
  expect(text).not.toContain('time_zone` of `platform/view`.",')
  expect(text).not.toContain('YYYY-MM-DD HH:mm:ss')
  const refs = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  const { schemas } = (document as unknown as { components: { schemas: object } }).components
  expect(refs.filter((name) => !Object.hasOwn(schemas, name ?? ''))).toEqual([])
  const mute = (schema: JsonSchema, at: string): string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
      ...(field.description ? [] : [`${at} ${name}`]),
      ...mute(field, `${at} ${name}`),
    ]),
    ...(schema.items ? mute(schema.items, at) : []),
  ]
  const { components } = resolveRefs({ components: { schemas: schemas as Record<string, JsonSchema> } })
  const own = Object.entries(components.schemas as Record<string, JsonSchema>).filter(([name]) =>
    /Request$|Answer$|^Problem/.test(name),
  )
  expect(own.flatMap(([name, schema]) => mute(schema, name))).toEqual([])
})

test('[API-07] the cursor of every list is `next`, sent as `after`', async () => {
  const { dated, who } = await world()
  for (const amount of ['1', '2', '3'])
    await dated('points/give', { ...who, amount }, { idempotencyKey: `${who.username} ${amount}` })
  const now = new Date()
  const asIso = (days: number) => `${new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 19)}Z`
  const range = { member: who.username, start_time: asIso(-1), end_time: asIso(1), per_page: 2 }
  const first = await dated('transfer/list', range)
  const second = await dated('transfer/list', { ...range, after: first.body['next'] })
  const amounts = [first, second].map(({ body }) => (body['data'] as { amount: string }[]).map(({ amount }) => amount))
  expect(amounts).toEqual([['3.0000', '2.0000'], ['1.0000']])
  for (const [wrong, pointer] of [
    [{ page: 2 }, '/page'],
    [{ before: '1-1' }, '/before'],
    [{ after: 'x' }, '/after'],
    [{ after: 5 }, '/after'],
  ] as const)
    expect(await dated('transfer/list', { ...range, ...wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    })
  expect(await dated('cash/list', { after: 'x' })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/after' }] },
  })
  expect(await dated('cash/list', {})).toMatchObject({ status: 200, body: { next: null } })
})

test('[API-11] [API-07] a key has the form of its date, a header has another one, and what is not signed has none', async () => {
  const { top } = await server.family()
  const made = await top.call('apiKey/add', { label: 'New', rights: ['settings', 'accounts:write'], version: DATES[0] })
  const key = await platformOfKey(server, made)
  const viewed = await key.post('platform/view', {})
  expect([viewed.headers.get('tallyroom-version'), viewed.reply]).toEqual([
    DATES[0],
    expect.objectContaining({ now: expect.any(String) }),
  ])
  const wrong = await key.post('member/add', { username: 'x', idempotency: 1 })
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, expect.stringContaining('problem+json')])
  const username = `p${randomUUID().slice(0, 8)}`
  const add = () => key.post('member/add', { username }, { idempotencyKey: 'order 7' })
  const [first, again] = [await add(), await add()]
  expect([first.status, again.reply, again.headers.get('idempotency-replayed')]).toEqual([200, first.reply, 'true'])
  const strange = await key.post('platform/view', {}, { signature: 'f'.repeat(64) })
  expect([strange.status, strange.reply]).toMatchObject([401, { code: 1403, data: null }])
  expect((await key.post('platform/view', {}, { version: '2020-01-01' })).reply).toMatchObject({ status: 400 })
  expect((await top.call('apiKey/list', {})).data[0]).toMatchObject({ version: DATES[0], is_sandbox: false })
  const next = await top.call('apiKey/rotate', { id: made.id })
  await top.call('apiKey/set', { id: next.id, rights: ['settings'] })
  expect((await key.post('platform/view', {})).reply).toMatchObject({ code: OK })
})
