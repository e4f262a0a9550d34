import { MessageType, Role, RoomType } from '@tallyroom/contract/codes'
import { MAX_TIMED } from '@tallyroom/contract/desk/later'
import { beforeAll, expect, test } from 'vitest'
import { remindDue, sendDue } from '../../chat/desk/timed-acts.ts'
import { loadLaterContent } from '../../chat/push/later-pushes.ts'
import type { DuePush } from '../../chat/push/due.ts'
import { erasePerson } from '../../retention/person.ts'
import { many, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const say = (who: Person, code: string, content = 'hello') =>
  who.call('sendMessage', { code, type: MessageType.text, content })
const later = (who: Person, code: string, more: object = {}) =>
  who.call('message/schedule', { code, content: 'good morning', at: inMinutes(10), ...more })
const listed = async (who: Person, code: string) => (await who.call('message/scheduled', { code })).data
const textsOf = async (who: Person, code: string) =>
  (await who.call('room/enter', { code })).messages.map(({ content, user_username }) => [content, user_username])
const rowOf = async (who: Person, code: string) => {
  const { data } = await who.call('room/list', {})
  return data.find((room) => room.code === code) ?? expect.fail('the room is not in the list')
}
const makeDue = (code: string) =>
  run(
    server.services.db,
    sql`update timed_acts t set due_at = now() from rooms r where r.id = t.room_id and r.code = ${code}`,
  )
/** What the owner's pages hear, and what is left of the text when its time has come. */
const unsent = async (who: Person, code: string) => {
  await makeDue(code)
  await sendDue(server.services)
  return (await listed(who, code)).map(({ state, reason }) => [state, reason])
}

test('[DESK-07] at its time a text is sent once, as its account, however many copies look at once', async () => {
  const { agent, cs, member, room } = await server.family()
  await cs.call('draft/save', { code: room, content: 'good morning' })
  await later(cs, room, { draft: 1 })
  expect((await cs.call('draft/list', {})).data.filter(({ content }) => content !== '')).toEqual([])
  expect(await listed(agent, room)).toMatchObject([
    { kind: 'send', content: 'good morning', account_id: cs.id, state: 'waits' },
  ])
  const memberSocket = await member.socket()
  const heard: string[] = []
  memberSocket.onAny((name: string) => heard.push(name))
  await makeDue(room)
  await Promise.all([sendDue(server.services), sendDue(server.services), sendDue(server.services)])
  await expect.poll(() => textsOf(agent, room)).toEqual([['good morning', cs.username]])
  expect(await listed(agent, room)).toEqual([])
  expect((await rowOf(agent, room)).owner_id).toBe(cs.id)
  await expect.poll(() => new Set(heard)).toEqual(new Set(['room']))
  expect(await textsOf(member, room)).toEqual([['good morning', '']])
})

test('[DESK-07] the member’s message stops a text, says so to its account alone; sent anyway, the member goes on waiting', async () => {
  const { agent, cs, member, room } = await server.family()
  await later(cs, room)
  await say(member, room)
  const socket = await cs.socket()
  const news = new Promise((resolve) => socket.on('later', resolve))
  await expect.poll(() => unsent(agent, room)).toEqual([['refused', 'wrote']])
  expect(await news).toEqual({ code: room, why: 'unsent' })
  expect((await rowOf(cs, room)).marked_unread).toBe(1)
  expect((await rowOf(agent, room)).marked_unread).toBe(0)
  const [text] = await listed(cs, room)
  const { last_seq: seen } = await rowOf(cs, room)
  expect(await cs.ask('message/schedule', { code: room, content: 'x', at: inMinutes(5), seen: seen - 1 })).toBeRefusal(
    'later.wrote_meanwhile',
  )
  await later(cs, room, { content: 'still here', replaces: text?.id, anyway: true, seen })
  await say(member, room, 'and now?')
  expect(await unsent(agent, room)).toEqual([])
  await expect.poll(() => textsOf(agent, room)).toContainEqual(['still here', cs.username])
  const { waiting_since, unanswered } = await rowOf(agent, room)
  expect([waiting_since !== null, unanswered]).toEqual([true, 1])
})

test('[DESK-07] with the rules of that moment: a colleague’s room, the bot’s, a right that is lost, a quote that is gone', async () => {
  const { agent, cs, member, room } = await server.family()
  const quote = (await say(cs, room)).message_id
  await later(cs, room, { quote })
  await cs.call('message/takeBack', { code: room, message_id: quote })
  expect(await unsent(agent, room)).toEqual([['refused', 'quote']])
  const again = async (stop: () => Promise<unknown>) => {
    await run(
      server.services.db,
      sql`delete from timed_acts t using rooms r where r.id = t.room_id and r.code = ${room}`,
    )
    await later(cs, room)
    await stop()
    return unsent(agent, room)
  }
  const { id: own } = cs
  expect(await again(() => agent.call('desk/take', { code: room, from: own }))).toEqual([['refused', 'held']])
  await agent.call('desk/release', { code: room })
  const botHas = sql`update rooms set status = 3 where code = ${room}`
  expect(await again(() => run(server.services.db, botHas))).toEqual([['refused', 'bot']])
  await run(server.services.db, sql`update rooms set status = 1 where code = ${room}`)
  const lose = () => agent.call('right/save', { id: own, rights: [{ name: 'chat', given: false }] })
  expect(await again(lose)).toEqual([['refused', 'right']])
  expect((await textsOf(member, room)).map(([content]) => content)).not.toContain('good morning')
})

test('[DESK-07] a text is sent or withdrawn, never both; who may write there withdraws a colleague’s, and edits only the own', async () => {
  const { agent, cs, member, room } = await server.family()
  for (let n = 0; n < 8; n++) {
    await later(cs, room, { content: `text ${n}` })
    const [text] = await listed(cs, room)
    await makeDue(room)
    const [answer] = await Promise.all([
      agent.ask('message/unschedule', { code: room, id: text?.id ?? '' }),
      sendDue(server.services),
    ])
    const isWithdrawn = answer.code === 1000
    await expect.poll(() => listed(cs, room)).toEqual([])
    const sent = (await textsOf(member, room)).filter(([content]) => content === `text ${n}`)
    expect(sent).toHaveLength(isWithdrawn ? 0 : 1)
  }
  await later(cs, room)
  const [text] = await listed(agent, room)
  const replaced = { code: room, content: 'x', at: inMinutes(5), replaces: text?.id ?? '' }
  await agent.call('desk/take', { code: room, from: cs.id })
  expect(await agent.ask('message/schedule', replaced)).toBeRefusal('later.not_found')
  expect(await cs.ask('message/schedule', replaced)).toBeRefusal('room.held')
  const second = await server.person({ role: Role.customerService, under: agent })
  expect(await second.ask('message/unschedule', { code: room, id: text?.id ?? '' })).toBeRefusal('later.not_found')
  await cs.call('message/unschedule', { code: room, id: text?.id ?? '' })
})

test('[DESK-07] a reminder is of its person alone, and stays until it is put away', async () => {
  const { agent, cs, member, room } = await server.family()
  await cs.call('desk/remind', { code: room, at: inMinutes(10), note: ' call the bank ' })
  await run(
    server.services.db,
    sql`insert into push_subscriptions (session_id, account_id, group_id, top_id, sealed, endpoint_hash, language)
      select s.id, a.id, a.group_id, a.top_id, 'x', ${Buffer.from(`phone ${cs.id}`)}::bytea, 'en'
      from sessions s join accounts a on a.id = s.account_id where a.id = ${cs.id} limit 1`,
  )
  const socket = await cs.socket()
  const news = new Promise((resolve) => socket.on('later', resolve))
  await makeDue(room)
  await Promise.all([remindDue(server.services), remindDue(server.services)])
  expect(await news).toEqual({ code: room, why: 'reminder' })
  expect(await listed(agent, room)).toEqual([])
  const [reminder] = await listed(cs, room)
  expect(reminder).toMatchObject({ kind: 'remind', content: 'call the bank', state: 'due' })
  expect([(await rowOf(cs, room)).marked_unread, (await rowOf(agent, room)).marked_unread]).toEqual([1, 0])
  expect((await cs.call('room/enter', { code: room })).asides).toEqual([])
  const { room_id: itemId } = await rowOf(cs, room)
  const push = () =>
    loadLaterContent(server.services.db, { accountId: cs.id, itemId } as DuePush, server.services.settings.timeZone)
  expect(await push()).toMatchObject({ title: expect.stringContaining(member.username), body: 'push.later' })
  await cs.call('readMessage', { code: room, message_id: (await say(cs, room)).message_id })
  expect(await push()).toBeUndefined()
  expect(await agent.ask('message/unschedule', { code: room, id: reminder?.id ?? '' })).toBeRefusal('later.not_found')
  await cs.call('message/unschedule', { code: room, id: reminder?.id ?? '' })
  expect(await listed(cs, room)).toEqual([])
})

test('[DESK-07] another group and an erased member keep nothing of it, and the move says so before', async () => {
  const { top, cs, member, room } = await server.family()
  await later(cs, room)
  await cs.call('desk/remind', { code: room, at: inMinutes(10) })
  const other = await server.person({ role: Role.agent, under: top })
  expect((await top.call('tree/previewMove', { id: member.id, to_id: other.id })).texts).toBe(1)
  await top.call('tree/move', { id: member.id, to_id: other.id })
  expect(await listed(other, room)).toEqual([])
  await later(other, room)
  const { db } = server.services
  await db.transact((tx) => erasePerson(tx, {}, { id: member.id, topId: top.id, name: 'someone' }, 'UTC'))
  expect(
    await many(db, sql`select 1 as left from timed_acts t join rooms r on r.id = t.room_id where r.code = ${room}`),
  ).toEqual([])
})

test('[DESK-07] wrong texts, times, rooms and numbers are refused', async () => {
  const { agent, cs, member, room } = await server.family()
  const at = inMinutes(10)
  expect(await cs.ask('message/schedule', { code: room, content: ' \n', at })).toBeRefusal('message.blank')
  expect(await cs.ask('message/schedule', { code: room, content: 'x'.repeat(5001), at })).toBeRefusal('request.invalid')
  for (const wrong of [inMinutes(0), inMinutes(-1), inMinutes(30 * 1440 + 2)]) {
    expect(await cs.ask('message/schedule', { code: room, content: 'x', at: wrong })).toBeRefusal('later.wrong_time')
    expect(await cs.ask('desk/remind', { code: room, at: wrong })).toBeRefusal('later.wrong_time')
  }
  for (const call of ['message/schedule', 'desk/remind'] as const)
    expect(await member.ask(call, { code: room, content: 'x', at } as never)).toBeRefusal('access.denied')
  const stranger = await server.family()
  expect(await stranger.cs.ask('message/scheduled', { code: room })).toBeRefusal('room.not_found')
  expect(await stranger.cs.ask('message/schedule', { code: room, content: 'x', at })).toBeRefusal('room.not_found')
  // An agent's own conversation with its upline is no room of its desk.
  const upline = (await agent.call('room/list', {})).data.find(({ type }) => type === RoomType.upline)
  expect(await agent.ask('desk/remind', { code: upline?.code ?? '', at })).toBeRefusal('room.not_found')
  await agent.call('desk/take', { code: room })
  expect(await cs.ask('message/schedule', { code: room, content: 'x', at })).toBeRefusal('room.held')
  await run(
    server.services.db,
    sql`insert into timed_acts (id, top_id, room_id, account_id, kind, due_at, content)
      select gen_random_uuid(), r.top_id, r.id, ${cs.id}, 'remind', now() + interval '1 day', '' from rooms r,
        generate_series(1, ${MAX_TIMED}::int) where r.code = ${room}`,
  )
  expect(await cs.ask('desk/remind', { code: room, at })).toBeRefusal('later.too_many')
})
