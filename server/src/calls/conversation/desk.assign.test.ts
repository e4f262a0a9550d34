import { MessageType, Role } from '@tallyroom/contract/codes'
import { defaultRules, type DeskRules } from '@tallyroom/contract/desk/rules'
import type { DeskChange } from '@tallyroom/contract/events'
import { beforeAll, expect, test } from 'vitest'
import { startAssigner } from '../../chat/desk/assigner.ts'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { silentHub } from '../../testing/no-sockets.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const say = (who: Person, code: string, content = 'hello') =>
  who.call('sendMessage', { code, type: MessageType.text, content })
const rowOf = async (who: Person, code: string) => {
  const { data } = await who.call('room/list', {})
  return data.find((room) => room.code === code) ?? expect.fail('the room is not in the list')
}
const ownerOf = async (who: Person, code: string) => (await rowOf(who, code)).owner_id
const linesOf = async (who: Person, code: string) => {
  const { asides } = await who.call('room/enter', { code })
  return asides.map(({ kind, content, user_username }) => [kind, content, user_username].filter(Boolean).join(' '))
}
/** A group that assigns, whose head is away. */
const desk = async (rules: Partial<DeskRules> = {}) => {
  const family = await server.family()
  const { agent, cs } = family
  await agent.call('deskSetting/save', { ...defaultRules, assign: 'least', ...rules })
  await agent.call('desk/state', { state: 'away' })
  const second = await server.person({ role: Role.customerService, under: agent })
  return { ...family, first: cs, second }
}
const memberOf = async (agent: Person) => {
  const member = await server.person({ role: Role.member, under: agent })
  return { member, code: (await member.call('room/list', {})).data[0]?.code ?? '' }
}
const update = (query: ReturnType<typeof sql>) => run(server.services.db, query)

test('[DESK-02] a waiting member gets an owner live, with a line for the group and nothing for the member', async () => {
  const { first, member, room, agent } = await desk()
  await first.call('desk/state', { state: 'on' })
  const [socket, memberSocket] = [await agent.socket(), await member.socket()]
  const seenByMember: unknown[] = []
  memberSocket.onAny((...event) => seenByMember.push(event))
  const changed = new Promise<DeskChange>((resolve) => socket.on('desk', resolve))
  await say(member, room)
  expect(await changed).toMatchObject({
    code: room,
    room: { owner_id: first.id, assigned_at: expect.any(String) },
    asides: [{ kind: 'assigned', user_username: first.username, target_id: first.id }],
  })
  expect(await linesOf(first, room)).toEqual([`assigned ${first.username}`])
  const { asides, ...entered } = await member.call('room/enter', { code: room })
  expect(asides).toEqual([])
  expect(JSON.stringify([entered, seenByMember, await rowOf(member, room)])).not.toContain('assigned')
})

test('[DESK-02] nothing is assigned to nobody, in a group that does not want it, of the bot, or hidden', async () => {
  const { first, agent, member, room } = await desk({ assign: 'off' })
  await first.call('desk/state', { state: 'on' })
  await say(member, room)
  const other = await desk()
  await say(other.member, other.room)
  const third = await desk()
  await third.first.call('desk/state', { state: 'on' })
  await update(sql`update rooms set status = 3, waiting_since = now() where code = ${third.room}`)
  const { code } = await memberOf(third.agent)
  await update(sql`update rooms set status = 2, waiting_since = now() where code = ${code}`)
  // What is assigned after them shows that they had their turn.
  const last = await memberOf(third.agent)
  await say(last.member, last.code)
  await expect.poll(() => ownerOf(third.agent, last.code)).toBe(third.first.id)
  const owners = await Promise.all([ownerOf(agent, room), ownerOf(other.agent, other.room)])
  expect(owners).toEqual([null, null])
  const left = await one<{ n: number }>(
    server.services.db,
    sql`select count(owner_id)::int as n from rooms where code = any(${[third.room, code]}::text[])`,
  )
  expect(left?.n).toBe(0)
})

test('[DESK-02] [DESK-03] away gives one’s members to a colleague, with a line why; taking by hand may exceed the capacity', async () => {
  const { first, second, agent, member, room } = await desk({ capacity: 1 })
  await first.call('desk/state', { state: 'on' })
  await say(member, room)
  await expect.poll(() => ownerOf(agent, room)).toBe(first.id)
  const more = await memberOf(agent)
  await say(more.member, more.code)
  await second.call('desk/state', { state: 'on' })
  await expect.poll(() => ownerOf(agent, more.code)).toBe(second.id)
  await first.call('desk/take', { code: more.code, from: second.id })
  expect((await first.call('desk/colleagues', {})).data.find(({ id }) => id === first.id)?.load).toBe(2)
  await first.call('desk/state', { state: 'away' })
  await expect.poll(() => ownerOf(agent, room)).toBe(second.id)
  expect(await linesOf(agent, room)).toEqual([
    `assigned ${first.username}`,
    `returned away ${first.username}`,
    `assigned ${second.username}`,
  ])
  // Beyond the capacity: it waits in the queue, and is nobody's.
  await expect.poll(() => ownerOf(agent, more.code)).toBe(null)
  await say(second, room)
  await update(sql`update rooms set last_message_at = now() - interval '11 minutes' where code = ${room}`)
  await expect.poll(() => ownerOf(agent, more.code)).toBe(second.id)
})

test('[DESK-03] without an answer a member goes to another colleague; the second time in a row sets away, and says so', async () => {
  const { first, second, agent, member, room } = await desk()
  const more = await memberOf(agent)
  await first.call('desk/state', { state: 'on' })
  for (const one of [{ member, code: room }, more]) {
    await say(one.member, one.code)
    await expect.poll(() => ownerOf(agent, one.code)).toBe(first.id)
  }
  await second.call('desk/state', { state: 'on' })
  const late = (code: string) =>
    update(sql`update rooms set waiting_since = waiting_since - interval '5 minutes',
      assigned_at = assigned_at - interval '5 minutes' where code = ${code}`)
  await late(room)
  await expect.poll(() => ownerOf(agent, room)).toBe(second.id)
  expect((await linesOf(agent, room)).at(-2)).toBe(`returned no_answer ${first.username}`)
  const own = async () => (await first.call('desk/colleagues', {})).data.find(({ id }) => id === first.id)
  expect(await own()).toMatchObject({ state: 'on', passed: 0 })
  await late(more.code)
  await expect.poll(() => ownerOf(agent, more.code)).toBe(second.id)
  expect(await own()).toMatchObject({ state: 'away', passed: 1 })
  await first.call('desk/state', { state: 'on' })
  expect(await own()).toMatchObject({ state: 'on', passed: 0 })
})

test('[DESK-03] an answer between two ends the row', async () => {
  const { first, agent, member, room } = await desk()
  await first.call('desk/state', { state: 'on' })
  await say(member, room)
  await expect.poll(() => ownerOf(agent, room)).toBe(first.id)
  const late = () =>
    update(sql`update rooms set waiting_since = waiting_since - interval '5 minutes',
      assigned_at = assigned_at - interval '5 minutes' where code = ${room}`)
  const passes = async () => (await linesOf(agent, room)).filter((line) => line.startsWith('returned no_answer')).length
  await late()
  // It is alone, and gets the member again.
  await expect.poll(passes).toBe(1)
  await say(first, room)
  await say(member, room)
  await late()
  await expect.poll(passes).toBe(2)
  expect((await first.call('desk/colleagues', {})).data.find(({ id }) => id === first.id)?.state).toBe('on')
})

test('[DESK-03] the right and the group’s rules decide: who loses the conversations, or has no page, keeps no member', async () => {
  const { top, first, second, agent, member, room } = await desk({ gone_s: 30 })
  await first.call('desk/state', { state: 'on' })
  await say(member, room)
  await expect.poll(() => ownerOf(agent, room)).toBe(first.id)
  await agent.call('right/save', { id: first.id, rights: [{ name: 'chat', given: false }] })
  await second.call('desk/state', { state: 'on' })
  await expect.poll(() => ownerOf(agent, room)).toBe(second.id)
  expect((await linesOf(agent, room)).at(-2)).toBe(`returned right_lost ${first.username}`)
  expect(top.id).toBeGreaterThan(0)
  await expect
    .poll(() => one(server.services.db, sql`select 1 as found from desk_heartbeats where account_id = ${second.id}`))
    .toBeTruthy()
  await update(
    sql`update desk_heartbeats set seen_at = clock_timestamp() - interval '31 seconds' where account_id = ${second.id}`,
  )
  await expect.poll(() => ownerOf(agent, room)).toBe(null)
  expect((await linesOf(agent, room)).at(-1)).toBe(`returned gone ${second.username}`)
})

test('[DESK-04] however many assign at once, each has as much as the others, none more than the capacity, in the order of writing', async () => {
  const { first, second, agent } = await desk({ capacity: 5, sticky_hours: 0 })
  const third = await server.person({ role: Role.customerService, under: agent })
  const colleagues = [first, second, third]
  const members = await Promise.all(Array.from({ length: 17 }, () => memberOf(agent)))
  const stops = [1, 2, 3].map(() => startAssigner({ ...server.services, hub: silentHub }))
  for (const colleague of colleagues) await colleague.call('desk/state', { state: 'on' })
  await Promise.all(members.slice(0, 15).map(({ member, code }) => say(member, code)))
  const owners = async () => {
    const { data } = await agent.call('room/list', {})
    return new Map(data.map(({ code, owner_id }) => [code, owner_id]))
  }
  const loads = async () => {
    const found = [...(await owners()).values()]
    return colleagues.map(({ id }) => found.filter((owner) => owner === id).length)
  }
  await expect.poll(loads).toEqual([5, 5, 5])
  // Nobody has a place left: the two wait, and the one who wrote first is the first to get one.
  for (const { member, code } of members.slice(15)) await say(member, code)
  const [earlier, later] = members.slice(15).map(({ code }) => code)
  const [put = ''] = [...(await owners())].find(([, owner]) => owner === first.id) ?? []
  await first.call('desk/snooze', { code: put, until: new Date(Date.now() + 3_600_000).toISOString() })
  await expect.poll(async () => (await owners()).get(earlier ?? '')).toBe(first.id)
  await Promise.all(stops.map((stop) => stop()))
  expect([(await owners()).get(later ?? ''), await loads()]).toEqual([null, [6, 5, 5]])
  const lines = await Promise.all(members.map(({ code }) => linesOf(agent, code)))
  const times = lines.map((some) => some.filter((line) => line.startsWith('assigned')).length)
  expect(times).toEqual([...Array.from({ length: 16 }, () => 1), 0])
})

test('[DESK-10] the head reads and saves the rules; the log has them; others may not; wrong numbers are refused', async () => {
  const { agent, cs, top } = await server.family()
  expect(await agent.call('deskSetting/view', {})).toEqual(defaultRules)
  const rules = { assign: 'round', capacity: 3, sticky_hours: 0, answer_s: 0, gone_s: 90 } as const
  await agent.call('deskSetting/save', rules)
  expect(await agent.call('deskSetting/view', {})).toEqual(rules)
  expect(await cs.call('desk/colleagues', {})).toMatchObject({ capacity: 3, answer_s: 0 })
  // Of another group.
  expect(await top.call('deskSetting/view', {})).toEqual(defaultRules)
  expect(await cs.ask('deskSetting/view', {})).toBeRefusal('access.denied')
  for (const wrong of [{ capacity: 0 }, { capacity: 51 }, { answer_s: 29 }, { gone_s: 29 }, { sticky_hours: 721 }])
    expect(await agent.ask('deskSetting/save', { ...rules, ...wrong })).toBeRefusal('request.invalid')
  await expect
    .poll(async () => {
      const { data } = await top.call('audit/list', { kind: 'settings_changed' })
      return data.flatMap(({ facts }) => facts.map(({ field, after }) => `${field} ${after}`))
    })
    .toEqual(expect.arrayContaining(['assign round', 'capacity 3', 'gone_s 90']))
})
