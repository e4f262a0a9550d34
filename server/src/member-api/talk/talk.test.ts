import { randomUUID } from 'node:crypto'
import { MessageType, Role, RoomStatus } from '@tallyroom/contract/codes'
import type { MemberApi } from '@tallyroom/contract/member-api'
import type { RoomChange } from '@tallyroom/contract/events'
import { beforeAll, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { besideTransaction, one, run, sql } from '../../data/sql.ts'
import { erasePerson } from '../../retention/person.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { type Platform, platform } from '../../testing/fakes/platform.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
})
const db = () => server.services.db

type Data<N extends keyof MemberApi> = z.output<MemberApi[N]['response']>
/** A family and the key of its platform, which is called "Cashier". */
const world = async () => {
  const family = await server.family()
  const api = await platform(server, family.top)
  await run(db(), sql`update accounts set nickname = 'Cashier' where username = ${api.id}`)
  const { username } = family.member
  const read = async <N extends 'message/list' | 'room/list' | 'room/view'>(name: N, body: object = { username }) =>
    (await api.call(name, body)) as Data<N>
  const send = async (body: object) =>
    (await api.post('message/send', { username, as: 'answer', text: 'Hello', request_id: randomUUID(), ...body })).reply
  return { ...family, api, username, read, send }
}
const say = (who: Person, code: string, content = 'hello') =>
  who.call('sendMessage', { code, type: MessageType.text, content })
const messagesOf = async (who: Person, code: string) => (await who.call('room/enter', { code })).messages
const summaryOf = async (who: Person, code: string) =>
  (await who.call('room/list', {})).data.find((room) => room.code === code)

test('[API-04] a notice answers nobody, and both sides read who wrote it', async () => {
  const { agent, cs, member, room, send, read } = await world()
  await say(member, room, 'where are my points?')
  const socket = await member.socket()
  const heard = new Promise<RoomChange>((resolve) => socket.on('room', resolve))
  const text = 'Your payment has arrived.\n{opens} https://pay.example/1'
  const { data } = await send({ as: 'notice', text })
  expect(data).toEqual({ message_id: expect.any(String), seq: 2, at: expect.any(String) })
  const { nickname: group } = await agent.call('user/view', {})
  const shown = { type: MessageType.notice, seq: 2, content: text, opens: null, bot: 0 }
  expect((await heard).messages).toMatchObject([{ ...shown, nickname: group, username: '', user_username: '' }])
  expect((await messagesOf(cs, room))[1]).toMatchObject({ ...shown, nickname: 'Cashier' })
  const [first] = await messagesOf(member, room)
  expect(await summaryOf(cs, room)).toMatchObject({
    waiting_since: first?.created_at,
    unanswered: 1,
    message_content: 'where are my points?',
    owner_id: null,
    read_seq: 0,
  })
  expect(await summaryOf(member, room)).toMatchObject({ message_content: 'where are my points?', last_seq: 2 })
  expect(await read('room/view')).toMatchObject({ unanswered: 1, why: 'queue', last_seq: 2, office_read_seq: 0 })
  // Nobody takes it back, quotes it or reads it as a message of people.
  const message_id = (data as { message_id: string }).message_id
  expect(await agent.ask('message/takeBack', { code: room, message_id })).toBeRefusal('message.not_yours')
  const quoting = { code: room, type: MessageType.text, content: 'this', quote: message_id }
  expect(await member.ask('sendMessage', quoting)).toBeRefusal('message.quote_not_found')
})

test('[API-04] a notice may be written while the bot answers, a colleague has it, or the office has hidden it', async () => {
  const { cs, room, send } = await world()
  const set = (status: number) => run(db(), sql`update rooms set status = ${status} where code = ${room}`)
  for (const [status, answer] of [
    [RoomStatus.ai, 'room.in_ai_hands'],
    [RoomStatus.hidden, 'done'],
  ] as const) {
    await set(status)
    expect(outcomeOf(await send({ as: 'notice' }))).toBe('done')
    expect([status, outcomeOf(await send({}))]).toEqual([status, answer])
    const found = await one<{ status: number }>(db(), sql`select status from rooms where code = ${room}`)
    expect(found?.status).toBe(status)
  }
  await set(RoomStatus.shown)
  await cs.call('desk/take', { code: room })
  expect(outcomeOf(await send({ as: 'notice' }))).toBe('done')
  const refused = await send({})
  expect([outcomeOf(refused), refused.data]).toEqual([
    'room.held',
    { name: expect.stringContaining(cs.username) as string },
  ])
})

test('[API-04] an answer answers, under the name of the group for the member, and its key never owns the conversation', async () => {
  const { agent, cs, member, room, send, read } = await world()
  const asked = await say(member, room, 'are you there?')
  const later = await say(member, room, 'hello?')
  expect(outcomeOf(await send({ text: 'Yes.', quote: asked.message_id, seen: asked.seq }))).toBe('done')
  expect(await read('room/view')).toMatchObject({ waiting_since: later.created_at, unanswered: 1, owner: null })
  const { nickname: group } = await agent.call('user/view', {})
  expect((await messagesOf(member, room))[2]).toMatchObject({
    content: 'Yes.',
    nickname: group,
    username: '',
    bot: 0,
    quote: { message_id: asked.message_id },
  })
  expect((await messagesOf(cs, room))[2]).toMatchObject({ nickname: 'Cashier', is_self: true })
  expect(outcomeOf(await send({}))).toBe('done')
  expect(await read('room/view')).toMatchObject({ waiting_since: null, unanswered: 0, why: null, owner: null })
  expect(await say(cs, room, 'I am here, too')).toMatchObject({ seq: 5 })
})

test('[API-04] a picture is sent and read, its address opens without an account, and no longer once it is taken back', async () => {
  const { member, room, send, read } = await world()
  const sent = await send({ text: undefined, image: PNG })
  expect(outcomeOf(sent)).toBe('done')
  const mine = await member.call('sendMessage', { code: room, type: MessageType.image, content: PNG })
  const [, picture] = (await read('message/list')).data
  expect(picture).toMatchObject({ kind: 'image', by: 'member', text: null, operator: null })
  const open = async () => (await fetch((picture?.url ?? '').replace('https://talk.example', server.address))).status
  expect(await open()).toBe(200)
  await member.call('message/takeBack', { code: room, message_id: mine.message_id })
  expect(await open()).toBe(404)
  expect((await read('message/list')).data[1]).toMatchObject({ kind: 'text', text: null, url: null, taken_back: true })
})

test('[API-04] messages are listed by number, with who wrote them, and without words that were taken back', async () => {
  const { api, agent, cs, member, room, username, send, read } = await world()
  const first = await say(member, room, 'one')
  await send({ text: 'two' })
  await say(cs, room, 'three')
  await send({ as: 'notice', text: 'four' })
  await agent.call('desk/whisper', { code: room, content: 'not for you' })
  const { transaction_id } = await agent.call('transaction/add', { member_id: member.id, type: 1, amount: '5' })
  await member.call('message/takeBack', { code: room, message_id: first.message_id })
  const { data, last_seq, next } = await read('message/list')
  expect(data.map(({ seq, kind, by, operator, text }) => [seq, kind, by, operator, text])).toEqual([
    [1, 'text', 'member', null, null],
    [2, 'text', 'platform', api.id, 'two'],
    [3, 'text', 'office', cs.username, 'three'],
    [4, 'notice', 'platform', api.id, 'four'],
    [5, 'points', 'office', agent.username, '5.0000'],
  ])
  expect([data[0]?.taken_back, data[4]?.transaction_id, last_seq, next]).toEqual([true, transaction_id, 5, null])
  const page = await read('message/list', { username, after_seq: 1, per_page: 2 })
  expect([page.data.map(({ seq }) => seq), page.next]).toEqual([[2, 3], 3])
  expect((await read('message/list', { username, after_seq: 5 })).data).toEqual([])
})

test('[API-04] reading shows the member that it was read, answers nobody, and never goes back', async () => {
  const { api, member, room, username, read } = await world()
  await say(member, room)
  await say(member, room)
  const ask = async (seq: number) =>
    outcomeOf((await api.post('message/read', { username, seq, request_id: randomUUID() })).reply)
  expect(await ask(2)).toBe('done')
  expect(await ask(1)).toBe('done')
  expect(await ask(3)).toBe('message.not_found')
  expect(await summaryOf(member, room)).toMatchObject({ other_read_seq: 2 })
  expect(await read('room/view')).toMatchObject({ office_read_seq: 2, unanswered: 2 })
})

test('[API-04] those who wait are listed, longest first, page by page, with why', async () => {
  const { api, top, agent, cs, member, room, read } = await world()
  const others: { member: Person; code: string }[] = []
  for (let at = 0; at < 4; at++) {
    const other = await server.person({ role: Role.member, under: at === 3 ? top : agent })
    const code = (await other.call('room/list', {})).data[0]?.code ?? ''
    others.push({ member: other, code })
    await say(other, code)
  }
  await say(member, room)
  const [owned, snoozed, bot] = others
  await cs.call('desk/take', { code: owned?.code ?? '' })
  await cs.call('desk/state', { state: 'busy' })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  await agent.call('desk/snooze', { code: snoozed?.code ?? '', until })
  await run(db(), sql`update rooms set status = ${RoomStatus.ai} where code = ${bot?.code ?? ''}`)
  const rows: Data<'room/list'>['data'] = []
  let after: string | undefined
  do {
    const page = await read('room/list', { per_page: 2, ...(after ? { after } : {}) })
    rows.push(...page.data)
    after = page.next ?? undefined
  } while (after)
  expect(rows.map(({ username, why, owner, owner_state }) => [username, why, owner, owner_state])).toEqual([
    [owned?.member.username, 'owner', cs.username, 'busy'],
    [snoozed?.member.username, 'snoozed', null, null],
    [bot?.member.username, 'bot', null, null],
    [others[3]?.member.username, 'queue', null, null],
    [member.username, 'queue', null, null],
  ])
  expect(rows[1]?.snoozed_until).toBe(until)
  const all = await read('room/list', { waiting: false, per_page: 200 })
  expect(all.data).toHaveLength(5)
  const { next } = await read('room/list', { waiting: false, per_page: 1 })
  const wrong = await api.post('room/list', { after: next })
  expect([outcomeOf(wrong.reply), wrong.reply.data]).toMatchObject(['request.invalid', { field: 'after' }])
})

test('[API-04] two sends with one request_id write once, and another content under it is refused', async () => {
  const { member, room, send } = await world()
  const request_id = randomUUID()
  const body = { request_id, as: 'notice' }
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(body)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toHaveLength(1)
  expect(outcomeOf(await send({ ...body, as: 'answer' }))).toBe('request.id_reused')
  expect(await messagesOf(member, room)).toHaveLength(1)
})

test('[API-04] [API-01] a right that is withdrawn while a message is sent takes effect before it', async () => {
  const { api, member, room, send } = await world()
  const body = { request_id: randomUUID() }
  const { answer } = await db().transact(async (tx) => {
    await run(tx, sql`update api_keys set rights = '{}' where id = ${api.id}`)
    const sending = send(body)
    await vi.waitFor(async () => {
      const waiting = sql`select 1 as is from pg_stat_activity where wait_event_type = 'Lock' and query like '%for share%'`
      expect(await besideTransaction(() => one(db(), waiting))).toBeDefined()
    })
    return { answer: sending }
  })
  expect([outcomeOf(await answer), (await answer).data]).toEqual(['api.not_allowed', { right: 'talk:write' }])
  expect(await messagesOf(member, room)).toEqual([])
  await run(db(), sql`update api_keys set rights = '{talk:write}' where id = ${api.id}`)
  expect(outcomeOf(await send(body))).toBe('done')
  // Its outcome is stored, but a repeat needs the right too.
  await run(db(), sql`update api_keys set rights = '{}' where id = ${api.id}`)
  expect(outcomeOf(await send(body))).toBe('api.not_allowed')
})

test('[API-04] a member that moved is found with its new group; one elsewhere, erased, or no member is not', async () => {
  const { api, top, agent, member, room, username, send, read } = await world()
  const other = await server.person({ role: Role.agent, under: top })
  await say(member, room)
  await top.call('tree/move', { id: member.id, to_id: other.id })
  expect(await read('room/view')).toMatchObject({ group: other.username, unanswered: 1 })
  expect(outcomeOf(await send({}))).toBe('done')
  expect(await messagesOf(other, room)).toHaveLength(2)
  const stranger = await platform(server, (await server.family()).top)
  const names: [Platform, string][] = [
    [stranger, username],
    [api, agent.username],
    [api, api.id],
  ]
  await db().transact((tx) =>
    erasePerson(
      tx,
      { actor: top, caller: { address: '' } } as never,
      { id: member.id, topId: top.id, name: '' },
      'UTC',
    ),
  )
  names.push([api, username], [api, `erased-${member.id}`])
  for (const [key, name] of names)
    for (const [call, body] of [
      ['message/send', { as: 'notice', text: 'a', request_id: randomUUID() }],
      ['message/list', {}],
      ['message/read', { seq: 1, request_id: randomUUID() }],
      ['room/view', {}],
    ] as const)
      expect([name, call, outcomeOf((await key.post(call, { username: name, ...body })).reply)]).toEqual([
        name,
        call,
        'account.not_found',
      ])
})

test('[API-04] each field that does not fit is named with its reason', async () => {
  const { send } = await world()
  const faults = async (body: object) => {
    const reply = await send(body)
    expect(outcomeOf(reply)).toBe('request.invalid')
    return (reply.data as { errors: { pointer: string; reason: string }[] }).errors
  }
  const exactly = { pointer: '/text', reason: 'Give exactly one of text and image' }
  expect(await faults({ text: undefined })).toEqual([exactly])
  expect(await faults({ image: PNG })).toEqual([exactly])
  const none = (name: string) => ({ pointer: `/${name}`, reason: 'A notice has none' })
  expect(await faults({ as: 'notice', quote: randomUUID(), seen: 1 })).toEqual([none('quote'), none('seen')])
  for (const [field, value] of [
    ['as', 'shout'],
    ['text', ''],
    ['text', 'a'.repeat(5001)],
    ['quote', 'x'],
    ['seen', -1],
  ])
    expect(await faults({ [String(field)]: value })).toMatchObject([{ pointer: `/${field}` }])
  expect(outcomeOf(await send({ text: ' \u200b ' }))).toBe('message.blank')
  expect(outcomeOf(await send({ text: undefined, image: 'data:image/png;base64,AAAA' }))).toBe('message.not_an_image')
  expect(outcomeOf(await send({ quote: randomUUID() }))).toBe('message.quote_not_found')
})
