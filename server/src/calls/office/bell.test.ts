import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { expireSensitiveChanges } from '../../accounts/sensitive-changes.ts'
import { MAX_MENTIONED } from '../../chat/desk/mention-colleagues.ts'
import { many, run, sql } from '../../data/sql.ts'
import { erasePerson } from '../../retention/person.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/app.ts'
import { approve, limit, limitedFamily, passDeadline, waitingFor } from '../../testing/approvals.ts'
import { cashFamily } from '../../testing/cash.ts'
import { platform } from '../../testing/fakes/platform.ts'
import { startPushService } from '../../testing/fakes/push-service.ts'
import { asSuperuser } from '../../testing/postgres.ts'

let server: TestServer
let pushes: Awaited<ReturnType<typeof startPushService>>
beforeAll(async () => {
  server = await startTestServer({ AI_ANSWERS: '0' })
  pushes = await startPushService(server)
  // Only `sent` sends.
  await server.services.push.stop()
})

const bellOf = async (who: Person) => (await who.call('bell/list', {})).data
const unreadOf = async (who: Person) => (await who.call('bell/open', {})).unread
const kindsOf = async (who: Person) => (await bellOf(who)).map(({ kind }) => kind)
const nickOf = ({ username }: Person) => `Nick ${username}`
const mention = (who: Person) => ({ id: who.id, name: nickOf(who) })
const whisper = (who: Person, code: string, whom: Person, more: object = {}) =>
  who.call('desk/whisper', {
    code,
    content: `look @${nickOf(whom)}`,
    mentions: [mention(whom)],
    ...more,
  })
const asidesOf = async (who: Person, code: string) => (await who.call('desk/asides', { code, after: 0 })).asides
/** Sends what is queued, as if its time had come. */
const sent = async () => {
  await run(server.services.db, sql`update approval_pushes set due_at = now() - interval '1 second'`)
  while ((await server.services.push.send()) > 0);
}

test('[BELL-01] a mention in an internal note is the colleague’s, with the name of now', async () => {
  const { agent, cs, room } = await server.family()
  const socket = await agent.socket()
  const rung = new Promise((resolve) => socket.on('bell', resolve))
  const said = await whisper(cs, room, agent)
  expect(said).toMatchObject({ content: `look @${nickOf(agent)}`, mentions: [mention(agent)] })
  await rung
  expect(await bellOf(agent)).toMatchObject([
    { kind: 'mention', username: cs.username, room: { code: room }, at: 0, text: `look @${nickOf(agent)}`, read: 0 },
  ])
  expect(await bellOf(cs)).toEqual([])
  await run(server.services.db, sql`update accounts set nickname = 'Nadia $& Ω' where id = ${agent.id}`)
  expect((await asidesOf(cs, room))[0]).toMatchObject({
    content: 'look @Nadia $& Ω',
    mentions: [{ name: 'Nadia $& Ω' }],
  })
  expect((await bellOf(agent))[0]?.text).toBe('look @Nadia $& Ω')
})

test('[BELL-01] only colleagues who have the conversation can be mentioned, and a name typed by hand is a text', async () => {
  const { top, agent, cs, member, room } = await server.family()
  const { agent: stranger } = await server.family()
  const frozen = await server.person({ role: Role.customerService, under: agent })
  await agent.call('user/delete', { id: frozen.id })
  for (const whom of [top, member, stranger, frozen])
    expect(
      await cs.ask('desk/whisper', {
        code: room,
        content: `@${whom.username}`,
        mentions: [{ id: whom.id, name: whom.username }],
      }),
    ).toBeRefusal('room.not_a_colleague')
  expect(
    await cs.ask('desk/whisper', { code: room, content: 'nobody', mentions: [{ id: agent.id, name: 'x' }] }),
  ).toBeRefusal('request.invalid')
  const typed = await cs.call('desk/whisper', { code: room, content: `@${agent.username} <@${agent.id}>` })
  expect([typed.content, typed.mentions]).toEqual([`@${agent.username} <@${agent.id}>`, undefined])
  expect(await bellOf(agent)).toEqual([])
})

test('[BELL-01] a viewer who sees masked names reads them masked in a mention', async () => {
  const { top, agent, cs, room } = await server.family()
  const other = await server.person({ role: Role.customerService, under: agent })
  await whisper(cs, room, agent)
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  const [aside] = await asidesOf(other, room)
  expect(JSON.stringify(aside)).not.toContain(agent.username)
  expect(aside?.content).toContain('***')
})

test('[BELL-01] in the notebook: an edit rings for those who are new in it', async () => {
  const { agent, cs, room } = await server.family()
  const other = await server.person({ role: Role.customerService, under: agent })
  const { data } = await cs.call('room/list', {})
  const room_id = data.find(({ code }) => code === room)?.room_id ?? 0
  const first = {
    room_id,
    title: 'Call',
    content: `ask @${nickOf(agent)}`,
    mentions: [mention(agent)],
    request_id: randomUUID(),
  }
  const { note_id } = await cs.call('note/add', first)
  await cs.call('note/add', first)
  expect(await bellOf(agent)).toMatchObject([
    { kind: 'mention', note: { note_id, title: 'Call' }, text: `ask @${nickOf(agent)}` },
  ])
  const [entry] = (await agent.call('note_content/list', { note_id })).data
  expect(entry).toMatchObject({ content: `ask @${nickOf(agent)}`, mentions: [mention(agent)] })
  const content = `ask @${nickOf(agent)} and @${nickOf(other)}`
  await cs.call('note_content/edit', {
    note_id,
    content_id: entry?.content_id ?? 0,
    content,
    mentions: [mention(agent), mention(other)],
  })
  expect([await unreadOf(agent), await unreadOf(other)]).toEqual([1, 1])
  expect((await cs.call('search/notes', { text: String(agent.id) })).data).toEqual([])
  expect((await cs.call('search/notes', { text: 'ask' })).data).toMatchObject([
    { after: expect.stringContaining(nickOf(agent)) },
  ])
  await cs.call('note_content/delete', { note_id, content_id: entry?.content_id ?? 0 })
  expect([await bellOf(agent), await unreadOf(agent)]).toEqual([[], 0])
})

test('[BELL-02] a hand-over is the new owner’s, once, also when its word mentions it; many at once are one item', async () => {
  const { agent, cs, room } = await server.family()
  const other = await server.person({ role: Role.customerService, under: agent })
  const mentions = [mention(agent), mention(other)]
  await cs.call('desk/take', { code: room })
  const request_id = randomUUID()
  const why = `for @${nickOf(other)}, cc @${nickOf(agent)}`
  const handing = { code: room, to: other.id, why, mentions, request_id }
  await cs.call('desk/handOver', handing)
  await cs.call('desk/handOver', handing)
  expect([await kindsOf(other), await kindsOf(agent)]).toEqual([['handed'], ['mention']])
  expect((await bellOf(other))[0]).toMatchObject({ text: why, room: { code: room }, rooms: 1 })
  await server.person({ role: Role.member, under: agent })
  const all = (await agent.call('room/list', {})).data
  const codes = all.map(({ code }) => code)
  await agent.call('desk/bulk', { deed: 'assign', codes, to: cs.id })
  expect(await bellOf(cs)).toMatchObject([{ kind: 'handed', rooms: 2, room: null, text: '' }])
})

test('[BELL-02] decisions on transfers are their maker’s: approved, rejected, expired; not those it has cancelled', async () => {
  const { agent, cs, member } = await limitedFamily(server)
  const give = () => cs.call('user/transaction', { id: member.id, amount: '150', remark: 'x' })
  await give()
  await approve(agent)
  await give()
  await agent.call('approval/refuse', { id: (await waitingFor(agent)).id, reason: 'too much' })
  await give()
  await cs.call('approval/withdraw', { id: (await waitingFor(agent)).id })
  await give()
  await passDeadline((await waitingFor(agent)).id)
  await server.services.ledger.expireDue()
  expect((await bellOf(cs)).map(({ kind, state, name, text, amount }) => [kind, state, name, text, amount])).toEqual([
    ['decision', 'expired', '', '', '150.0000'],
    ['decision', 'refused', nickOf(agent), 'too much', '150.0000'],
    ['decision', 'approved', nickOf(agent), '', '150.0000'],
  ])
  expect(await bellOf(agent)).toEqual([])
})

test('[BELL-02] decisions on sensitive changes and corrections, and those whose time is over', async () => {
  const { top, agent, member } = await server.family()
  const second = await server.person({ role: Role.admin, under: top })
  await asSuperuser((tx) => run(tx, sql`update accounts set made_by = null where id = ${second.id}`))
  await top.call('change/saveRules', { kinds: ['credit', 'correction'] })
  const ask = (limit_of_credit: string) => top.call('user/saveAbilities', { id: agent.id, limit_of_credit })
  await ask('90000')
  const waiting = async () => (await second.call('change/list', {})).data[0]?.id ?? 0
  await second.call('change/refuse', { id: await waiting(), reason: 'no' })
  await ask('80000')
  await asSuperuser((tx) =>
    run(tx, sql`update sensitive_changes set expires_at = now() - interval '1 second' where state = 'waiting'`),
  )
  const { db, hub } = server.services
  await db.transact((tx) => expireSensitiveChanges(tx, hub, sql`true`))
  expect(await db.transact((tx) => expireSensitiveChanges(tx, hub, sql`true`))).toBe(0)
  const { transaction_id } = await agent.call('user/transaction', { id: member.id, amount: '5', remark: 'x' })
  await top.call('transaction/correct', { transaction_id, remark: 'wrong' })
  await second.call('change/approve', { id: await waiting() })
  expect((await bellOf(top)).map((row) => [row.kind, row.change, row.state, row.name, row.text])).toEqual([
    ['decision', 'correction', 'approved', nickOf(second), ''],
    ['decision', 'credit', 'expired', '', ''],
    ['decision', 'credit', 'refused', nickOf(second), 'no'],
  ])
})

test('[BELL-02] a request that a key refuses is for the owner of the conversation', async () => {
  const { top, cs, agent, member, room, asked } = await cashFamily(server)
  const api = await platform(server, top)
  await cs.call('desk/take', { code: room })
  const id = await asked('30')
  await api.call('cash/take', { id, request_id: randomUUID() })
  await api.call('cash/refuse', { id, reason_code: 'account_wrong', request_id: randomUUID() })
  expect(await bellOf(cs)).toMatchObject([
    {
      kind: 'refused',
      cash_id: id,
      amount: '30.0000',
      reason_code: 'account_wrong',
      name: '',
      room: { member_id: member.id },
    },
  ])
  expect(await bellOf(agent)).toEqual([])
})

test('[BELL-02] read on one device is read on all; pages go on where the last ended', async () => {
  const { agent, cs, room } = await server.family()
  for (let n = 0; n < 5; n++) await whisper(cs, room, agent)
  const first = await agent.call('bell/list', { per_page: 2 })
  const second = await agent.call('bell/list', { per_page: 2, after: first.next ?? 0 })
  const third = await agent.call('bell/list', { per_page: 2, after: second.next ?? 0 })
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id))
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
  expect([new Set(ids).size, third.next]).toEqual([5, null])
  const socket = await agent.socket()
  const rung = new Promise((resolve) => socket.on('bell', resolve))
  await agent.call('bell/read', { ids: [ids[0] ?? 0, ids[2] ?? 0] })
  await rung
  expect(await unreadOf(agent)).toBe(3)
  // Nobody reads for somebody else.
  await cs.call('bell/read', { ids: [ids[1] ?? 0], up_to: ids[0] })
  expect(await unreadOf(agent)).toBe(3)
  await agent.call('bell/read', { up_to: ids[1] })
  expect(await unreadOf(agent)).toBe(0)
})

test('[BELL-02] who loses the conversations sees nothing of them in the bell, and nothing is counted or pushed', async () => {
  const { top, agent, cs, room } = await server.family()
  const other = await server.person({ role: Role.agent, under: top })
  const browser = await pushes.subscribed(agent)
  await whisper(cs, room, agent)
  await asSuperuser((tx) => run(tx, sql`update rooms set group_id = ${other.id} where code = ${room}`))
  await sent()
  expect([await bellOf(agent), await unreadOf(agent), browser.read()]).toEqual([[], 0, []])
})

test('[BELL-02] whose right to the conversations was withdrawn sees decisions only, without a text of a conversation', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  const browser = await pushes.subscribed(cs)
  await whisper(agent, room, cs)
  await agent.call('desk/take', { code: room })
  await agent.call('desk/handOver', { code: room, to: cs.id, why: 'look' })
  await cs.call('user/transaction', { id: member.id, amount: '150', remark: 'x' })
  await approve(agent)
  expect(await kindsOf(cs)).toEqual(['decision', 'handed', 'mention'])
  const chat = (given: boolean) =>
    agent.call('right/save', { id: cs.id, rights: [{ name: 'chat', given, hours: null }] })
  await chat(false)
  const left = await bellOf(cs)
  expect(left.map(({ kind, room: of, text }) => [kind, of, text])).toEqual([['decision', null, '']])
  expect([JSON.stringify(left).includes('look'), await unreadOf(cs)]).toEqual([false, 1])
  await sent()
  expect(browser.read().map(({ body }) => body)).toEqual(['What you asked for was decided'])
  await chat(true)
  expect(await kindsOf(cs)).toEqual(['decision', 'handed', 'mention'])
})

test('[BELL-02] a push says who the conversation is with and nothing that was written; kinds that were switched off are not sent', async () => {
  const { agent, cs, room } = await server.family()
  const browser = await pushes.subscribed(agent)
  for (let n = 0; n < 3; n++) await whisper(cs, room, agent)
  await sent()
  const [only, ...others] = browser.read()
  expect(others).toEqual([])
  expect(only).toMatchObject({ body: 'A colleague mentioned you', tag: 'bell' })
  expect(JSON.stringify(only)).not.toContain('look')
  await agent.call('bell/choose', { pushes: ['handed', 'decision'] })
  expect((await agent.call('bell/open', {})).pushes).toEqual(['handed', 'decision'])
  await whisper(cs, room, agent)
  await sent()
  expect(browser.read().length).toBe(1)
  await cs.call('desk/take', { code: room })
  await cs.call('desk/handOver', { code: room, to: agent.id })
  await agent.call('bell/read', { up_to: (await bellOf(agent))[0]?.id })
  await sent()
  // Read before its time had come.
  expect(browser.read().length).toBe(1)
})

test('[BELL-01] a burst of mentions is limited, however many come at once', async () => {
  const { agent, cs, room } = await server.family()
  const outcomes = await Promise.all(
    Array.from({ length: 130 }, () =>
      cs.ask('desk/whisper', {
        code: room,
        content: `@${agent.username}`,
        mentions: [{ id: agent.id, name: agent.username }],
      }),
    ),
  )
  const done = outcomes.filter(({ refusal }) => refusal === undefined).length
  expect(done).toBe(MAX_MENTIONED)
  expect(await unreadOf(agent)).toBe(100)
  // Without a mention the note is written.
  await cs.call('desk/whisper', { code: room, content: 'still here' })
})

test('[RUN-06] erasing the member takes what the bells say of its conversation', async () => {
  const { top, agent, cs, member, room } = await server.family()
  await whisper(cs, room, agent)
  const { db } = server.services
  await db.transact((tx) =>
    erasePerson(tx, { actor: top } as never, { id: member.id, topId: top.id, name: 'x' }, 'UTC'),
  )
  expect(await many(db, sql`select 1 as is from bell_items where account_id = ${agent.id}`)).toEqual([])
})

test('[BELL-02] a limit of the maker’s own is decided once: repeated batches add nothing', async () => {
  const { agent, cs, member } = await limitedFamily(server)
  await limit(agent, cs, 1, { transfer: '100' })
  await cs.call('user/transaction', { id: member.id, amount: '150', remark: 'x' })
  const { id, seen } = await waitingFor(agent)
  const request_id = randomUUID()
  await Promise.all([1, 2, 3].map(() => agent.call('approval/approve', { id, seen, request_id })))
  expect(await kindsOf(cs)).toEqual(['decision'])
})
