import { MessageType, Role } from '@tallyroom/contract/codes'
import { defaultRules } from '@tallyroom/contract/desk/rules'
import { isLoad } from '@tallyroom/contract/desk/load'
import type { DeskChange } from '@tallyroom/contract/events'
import { beforeAll, expect, test } from 'vitest'
import { wakeDue } from '../../chat/desk/snooze.ts'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { cashFamily } from '../../testing/cash.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const say = (who: Person, code: string) => who.call('sendMessage', { code, type: MessageType.text, content: 'hello' })
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const rowOf = async (who: Person, code: string) => {
  const { data } = await who.call('room/list', {})
  return data.find((room) => room.code === code) ?? expect.fail('the room is not in the list')
}
const kindsOf = async (who: Person, code: string) =>
  (await who.call('room/enter', { code })).asides.map(({ kind }) => kind)
const untilOf = async (who: Person, code: string) => (await rowOf(who, code)).snoozed_until
const due = (code: string) => run(server.services.db, sql`update rooms set snoozed_until = now() where code = ${code}`)
const loadOf = async (who: Person, id: number) =>
  (await who.call('desk/colleagues', {})).data.find((person) => person.id === id)?.load

test('[DESK-07] a snoozed conversation is no load, goes on waiting, and the member sees nothing of it', async () => {
  const { agent, cs, member, room } = await server.family()
  await say(member, room)
  await cs.call('desk/take', { code: room })
  const { waiting_since } = await rowOf(cs, room)
  const [socket, memberSocket] = [await agent.socket(), await member.socket()]
  const seenByMember: unknown[] = []
  memberSocket.onAny((...event) => seenByMember.push(event))
  const changed = new Promise<DeskChange>((resolve) => socket.on('desk', resolve))
  const until = inMinutes(60)
  await cs.call('desk/snooze', { code: room, until })
  expect(await changed).toMatchObject({
    room: { snoozed_until: until, waiting_since, owner_id: cs.id },
    asides: [{ kind: 'snoozed', content: until, user_username: cs.username }],
  })
  expect(await loadOf(agent, cs.id)).toBe(0)
  expect(isLoad(await rowOf(cs, room), Date.now())).toBe(false)
  const { asides, ...entered } = await member.call('room/enter', { code: room })
  expect(asides).toEqual([])
  expect(JSON.stringify([entered, seenByMember, await rowOf(member, room)])).not.toMatch(/snooze/)
  await cs.call('desk/snooze', { code: room, until: null })
  expect(await rowOf(agent, room)).toMatchObject({ waiting_since })
  expect(await untilOf(agent, room)).toBeUndefined()
  expect(await loadOf(agent, cs.id)).toBe(1)
})

test('[DESK-07] at its time it comes back once, with a line and a mark for its owner, however many look at once', async () => {
  const { agent, cs, member, room } = await server.family()
  await say(member, room)
  await cs.call('desk/take', { code: room })
  await cs.call('readMessage', { code: room, message_id: (await say(cs, room)).message_id })
  await cs.call('desk/snooze', { code: room, until: inMinutes(5) })
  await due(room)
  const { db, hub } = server.services
  await Promise.all([wakeDue(db, hub), wakeDue(db, hub), wakeDue(db, hub)])
  await expect.poll(() => untilOf(agent, room)).toBeUndefined()
  expect(await kindsOf(cs, room)).toEqual(['taken', 'snoozed', 'due'])
  expect(await rowOf(cs, room)).toMatchObject({ marked_unread: 1, message_read: 0 })
  expect(await rowOf(agent, room)).toMatchObject({ marked_unread: 0 })
})

test('[DESK-07] the member’s next message brings it back; so does a request for points; an answer does not', async () => {
  const { agent, cs, member, room, asked } = await cashFamily(server)
  for (const write of [() => say(member, room), () => asked()]) {
    await cs.call('desk/snooze', { code: room, until: inMinutes(60) })
    await say(cs, room)
    expect(await untilOf(agent, room)).toBeDefined()
    await write()
    expect(await untilOf(agent, room)).toBeUndefined()
  }
  expect(await kindsOf(cs, room)).toEqual(['snoozed', 'snoozed'])
})

test('[DESK-07] what the member wrote unseen is not put away: of the two acts at once the message wins', async () => {
  const { agent, cs, member, room } = await server.family()
  const { seq } = await say(member, room)
  await say(member, room)
  expect(await cs.ask('desk/snooze', { code: room, until: inMinutes(5), seen: seq })).toBeRefusal(
    'later.wrote_meanwhile',
  )
  for (let n = 0; n < 5; n++) {
    const { last_seq: seen } = await rowOf(cs, room)
    await Promise.all([say(member, room), cs.ask('desk/snooze', { code: room, until: inMinutes(5), seen })])
    expect(await untilOf(agent, room)).toBeUndefined()
  }
})

test('[DESK-07] nothing snoozed is assigned or taken back; back and without an owner who is there, it goes to the queue', async () => {
  const { agent, cs, member, room } = await server.family()
  await agent.call('deskSetting/save', { ...defaultRules, assign: 'least', answer_s: 30 })
  await agent.call('desk/state', { state: 'away' })
  await cs.call('desk/state', { state: 'on' })
  await say(member, room)
  await expect.poll(async () => (await rowOf(agent, room)).owner_id).toBe(cs.id)
  await cs.call('desk/snooze', { code: room, until: inMinutes(60) })
  await cs.call('desk/state', { state: 'away' })
  const second = await server.person({ role: Role.customerService, under: agent })
  await second.call('desk/state', { state: 'on' })
  // What is assigned after it shows that it had its turn.
  const other = await server.person({ role: Role.member, under: agent })
  const { code } = (await other.call('room/list', {})).data[0] ?? expect.fail('no room')
  await say(other, code)
  await expect.poll(async () => (await rowOf(agent, code)).owner_id).toBe(second.id)
  expect((await rowOf(agent, room)).owner_id).toBe(cs.id)
  await due(room)
  await expect.poll(async () => (await rowOf(agent, room)).owner_id).toBe(second.id)
  // Who snoozes has seen it: no answer in time is no reason.
  expect(await kindsOf(agent, room)).toEqual(['assigned', 'snoozed', 'due', 'returned', 'assigned'])
})

test('[DESK-07] hidden meanwhile, it is shown at its time; the bot, or another group, ends the snooze', async () => {
  const { top, agent, cs, member, room } = await server.family()
  await cs.call('desk/snooze', { code: room, until: inMinutes(60) })
  await cs.call('room/changeStatus', { code: room, status: 2 })
  await due(room)
  await expect.poll(async () => (await rowOf(agent, room)).status).toBe(1)
  await cs.call('desk/snooze', { code: room, until: inMinutes(60) })
  const other = await server.person({ role: Role.agent, under: top })
  await top.call('tree/move', { id: member.id, to_id: other.id })
  expect(await untilOf(other, room)).toBeUndefined()
})

test('[DESK-07] wrong times, and rooms of others, of the bot or of a colleague are refused', async () => {
  const { agent, cs, member, room } = await server.family()
  for (const until of [inMinutes(0), inMinutes(-5), inMinutes(30 * 1440 + 2)])
    expect(await cs.ask('desk/snooze', { code: room, until })).toBeRefusal('later.wrong_time')
  expect(await cs.ask('desk/snooze', { code: room, until: 'tomorrow' })).toBeRefusal('request.invalid')
  const until = inMinutes(30 * 1440)
  expect(await member.ask('desk/snooze', { code: room, until })).toBeRefusal('access.denied')
  const stranger = await server.family()
  expect(await stranger.cs.ask('desk/snooze', { code: room, until })).toBeRefusal('room.not_found')
  await agent.call('desk/take', { code: room })
  expect(await cs.ask('desk/snooze', { code: room, until })).toBeRefusal('later.not_yours')
  await agent.call('desk/handOver', { code: room, to: cs.id })
  await agent.call('desk/snooze', { code: room, until })
  await run(server.services.db, sql`update rooms set status = 3 where code = ${room}`)
  expect(await agent.ask('desk/snooze', { code: room, until })).toBeRefusal('room.in_ai_hands')
  expect(
    await one(server.services.db, sql`select 1 as found from rooms where code = ${room} and status = 3`),
  ).toBeTruthy()
})

test('[DESK-07] an act on all rooms of a view leaves out the snoozed ones, and may be on them alone', async () => {
  const { agent, cs, room } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const { code } = (await other.call('room/list', {})).data[0] ?? expect.fail('no room')
  await cs.call('desk/snooze', { code: room, until: inMinutes(60) })
  const hide = (filter: object) => cs.call('desk/bulk', { deed: 'hide', filter: { status: 1, ...filter } })
  expect((await hide({})).codes).toEqual([code])
  expect((await hide({ snoozed: true })).codes).toEqual([room])
})
