import type { Answer, Input } from '@tallyroom/contract'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { workCounts } from '@tallyroom/contract/desk/waits'
import { beforeAll, expect, test } from 'vitest'
import { countChanged } from '../../chat/desk/count-waits.ts'
import { one, run, sql } from '../../data/sql.ts'
import { erasePerson } from '../../retention/person.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { botFamily } from '../../testing/fakes/ai.ts'
import { cashFamily } from '../../testing/cash.ts'
import { compareHistories, withoutCounting } from '../../testing/work/histories.ts'

let server: TestServer
beforeAll(async () => {
  // The histories write what the bot does.
  server = await startTestServer({ AI_ANSWERS: '0' })
})

const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const days = () => ({ start_date: day(1), end_date: day(-1) })
const say = (who: Person, code: string, more = {}) =>
  who.call('sendMessage', { code, type: MessageType.text, content: 'words', ...more })
const report = (who: Person, asked: Partial<Input<'report/work'>> = {}) =>
  who.call('report/work', { ...days(), ...asked })
const listed = (
  who: Person,
  count: Input<'report/workWaits'>['count'],
  asked: Partial<Input<'report/workWaits'>> = {},
) => who.call('report/workWaits', { ...days(), count, ...asked })
const countsOf = (row: Answer<'report/work'>['total'] | undefined) =>
  Object.fromEntries(workCounts.flatMap((name) => (row?.[name] ? [[name, row[name]]] : [])))
/** The counts as soon as the task has seen what was written: it looks every two seconds. */
const expectCountsSoon = (who: Person, wanted: object, asked: Partial<Input<'report/work'>> = {}) =>
  expect.poll(async () => countsOf((await report(who, asked)).total), { timeout: 15_000 }).toEqual(wanted)
/** The counts after a look of the test's own; again while the task is at one. */
const expectCounts = (who: Person, wanted: object, asked: Partial<Input<'report/work'>> = {}) =>
  expect
    .poll(async () => {
      await countChanged(server.services.db, server.services.settings.timeZone)
      return countsOf((await report(who, asked)).total)
    })
    .toEqual(wanted)

test('[DESK-09] random histories against a plain recount: every figure, and the questions that it opens', async () => {
  const { differences, counted } = await compareHistories(server, 5, 1)
  expect(differences).toEqual([])
  // Each kind of step, and each figure, has occurred.
  const kinds = ['ask', 'answer', 'settle', 'takeBack', 'get', 'pass', 'toBot', 'toPeople', 'move']
  expect([...kinds, ...workCounts].filter((name) => !counted.get(name))).toEqual([])
})

test('[DESK-09] an answer counts for who gave it; its figure opens the conversation at the message; the file has the same rows', async () => {
  const { agent, cs, member, room } = await server.family()
  const { seq } = await say(member, room)
  await expectCounts(agent, { waits: 1, waiting: 1 })
  await say(cs, room)
  await expectCountsSoon(agent, { waits: 1, first: 1, answers: 1 })
  const { data, total, since, only_own } = await report(agent)
  const [nobody, row] = [data.find((one) => one.row === null), data.find((one) => one.row === cs.id)]
  expect([nobody, countsOf(row), only_own]).toEqual([undefined, { waits: 1, first: 1, answers: 1 }, false])
  expect(row).toMatchObject({ username: cs.username, clock: total.clock, open: total.open, first_open: total.open })
  expect(Date.parse(since)).toBeLessThan(Date.now())
  const { data: waits, total: n, next } = await listed(agent, 'answers', { row: cs.id })
  expect([n, next]).toEqual([1, null])
  expect(waits).toMatchObject([
    {
      seq,
      room: { code: room, member_id: member.id },
      member: { id: member.id, username: member.username },
      person: { username: cs.username },
      outcome: 'answer',
      is_first: true,
      is_missed: false,
      is_taken_back: false,
    },
  ])
  expect((await listed(agent, 'answers', { row: agent.id })).data).toEqual([])
  const { csv, name } = await agent.call('report/workExport', days())
  expect(name).toBe(`work-${day(1)}-${day(-1)}.csv`)
  const lines = csv.trim().split('\n')
  expect(lines).toHaveLength(1 + data.length)
  const length = '"0:00:0\\d"'
  const wanted = `${cs.username}",.*,"1","1",${length},${length},"1"(,${length}){6}(,"0"){4},"0:00:00"`
  expect(lines.find((line) => line.includes(cs.username))?.trim()).toMatch(new RegExp(wanted))
  for (const by of ['group', 'hour'] as const)
    expect((await report(agent, { by })).data.map((one) => countsOf(one))).toContainEqual({
      waits: 1,
      first: 1,
      answers: 1,
    })
})

test('[DESK-09] a head sees its groups and those below, customer service its own work only, others nothing', async () => {
  const { top, agent, cs, member, room } = await server.family()
  const second = await server.person({ role: Role.customerService, under: agent })
  const other = await server.person({ role: Role.agent, under: top })
  const later = await server.person({ role: Role.member, under: agent })
  const code = (await later.call('room/list', {})).data[0]?.code ?? ''
  await say(member, room)
  await say(cs, room)
  await say(later, code)
  await say(second, code)
  const both = { waits: 2, first: 2, answers: 2 }
  await expectCounts(top, both)
  await expectCounts(top, both, { group: agent.id })
  await expectCounts(agent, both)
  const one = { waits: 1, first: 1, answers: 1 }
  const own = await report(cs)
  expect([own.only_own, countsOf(own.total), own.data.map(({ row }) => row)]).toEqual([true, one, [cs.id]])
  for (const asked of [{}, { row: second.id }, { row: cs.id }] as const)
    expect((await listed(cs, 'waits', asked)).data.map(({ person }) => person?.username)).toEqual(
      'row' in asked && asked.row === second.id ? [] : [cs.username],
    )
  expect(countsOf((await report(other)).total)).toEqual({})
  for (const name of ['report/work', 'report/workExport'] as const)
    expect(await other.ask(name, { ...days(), group: agent.id })).toBeRefusal('account.not_found')
  expect(await cs.ask('report/work', { ...days(), group: other.id })).toBeRefusal('account.not_found')
  expect(await cs.ask('report/workExport', days())).toBeRefusal('access.denied')
  expect(await member.ask('report/work', days())).toBeRefusal('access.denied')
  expect(await agent.ask('report/work', { start_date: day(0), end_date: day(1) })).toBeRefusal('report.range_invalid')
  // The conversations of a group below are its own.
  expect((await listed(top, 'answers')).data.map((wait) => wait.room)).toEqual([null, null])
})

test('[DESK-09] the bot and API keys count nowhere; what the bot hands over waits from that moment on', async () => {
  const { agent, cs, member, code, room_id, old, oldRoom } = await botFamily(server)
  await say(member, code)
  await say(old, oldRoom)
  await run(
    server.services.db,
    sql`update messages set created_at = created_at - interval '1 hour' where room_id = ${room_id}`,
  )
  await expectCounts(agent, { waits: 1, waiting: 1 })
  await agent.call('room/recover', { room_id })
  await expectCounts(agent, { waits: 2, waiting: 2 })
  await say(agent, code)
  await expectCounts(agent, { waits: 2, waiting: 1, first: 1, answers: 1 })
  // The hour with the bot is no wait.
  expect((await report(agent)).total.clock?.longest).toBeLessThan(60)
  await withoutCounting(server, async () => {
    await run(server.services.db, sql`update accounts set is_key = false where id = ${cs.id}`)
    await say(cs, oldRoom)
    await run(server.services.db, sql`update accounts set is_key = true where id = ${cs.id}`)
  })
  await expectCounts(agent, { waits: 1, first: 1, answers: 1 })
})

test('[DESK-09] a question that is taken back leaves nothing, an answer that is taken back stays and says so', async () => {
  const { agent, cs, member, room } = await server.family()
  const asked = await say(member, room)
  await expectCounts(agent, { waits: 1, waiting: 1 })
  await member.call('message/takeBack', { code: room, message_id: asked.message_id })
  await expectCounts(agent, {})
  await say(member, room)
  const answer = await say(cs, room)
  await cs.call('message/takeBack', { code: room, message_id: answer.message_id })
  await expectCounts(agent, { waits: 1, answers: 1 })
  expect((await listed(agent, 'answers')).data).toMatchObject([{ outcome: 'answer', is_taken_back: true }])
  await say(member, room)
  await agent.call('desk/settle', { code: room })
  await expectCounts(agent, { waits: 2, answers: 1, settled: 1 })
  expect((await listed(agent, 'settled', { row: agent.id })).total).toBe(1)
})

test('[DESK-09] an answer whose sender had not seen the question leaves it waiting; an older screen reopens nothing', async () => {
  const { agent, cs, member, room } = await server.family()
  const first = await say(member, room)
  const second = await say(member, room)
  await say(cs, room, { seen: first.seq })
  await expectCounts(agent, { waits: 2, first: 1, answers: 1, waiting: 1 })
  expect((await listed(agent, 'waiting')).data).toMatchObject([{ seq: second.seq }])
  // Its screen is older than the answer before.
  await say(cs, room, { seen: 0 })
  await say(cs, room)
  await expectCounts(agent, { waits: 2, first: 1, answers: 2 })
})

test('[DESK-09] an old group keeps its answers when a member moves; the new one waits from then on', async () => {
  const { top, agent, cs, member, room } = await server.family()
  const other = await server.person({ role: Role.agent, under: top })
  await say(member, room)
  await say(cs, room)
  await say(member, room)
  // At once: the task has not looked yet.
  await top.call('tree/move', { id: member.id, to_id: other.id })
  await expectCounts(agent, { waits: 1, first: 1, answers: 1 })
  await expectCounts(other, { waits: 1, waiting: 1 })
  await say(other, room)
  await expectCounts(other, { waits: 1, answers: 1 })
  expect((await listed(agent, 'answers')).data).toMatchObject([{ room: null, member: { username: '' } }])
  const moved = await one<{ isLater: boolean }>(
    server.services.db,
    sql`select from_at > asked_at as "isLater" from desk_waits where group_id = ${other.id}`,
  )
  expect(moved?.isLater).toBe(true)
})

test('[DESK-09] a request for points waits until it is paid or refused; one that expires is late and nobody’s', async () => {
  const { agent, cs, member, asked, taken } = await cashFamily(server)
  const first = await asked('1')
  await expectCounts(agent, { waits: 1, waiting: 1 })
  await cs.call('cash/take', { id: first })
  await cs.call('cash/pay', { id: first, amount: '1', remark: '' })
  await expectCounts(agent, { waits: 1, first: 1, answers: 1 }, {})
  expect((await listed(agent, 'answers', { row: cs.id })).total).toBe(1)
  await cs.call('cash/refuse', { id: await taken(cs, '2'), reason: 'no' })
  await expectCounts(agent, { waits: 2, first: 1, answers: 2 })
  const expired = await asked('3')
  await asSuperuser((tx) => run(tx, sql`update cash_requests set expires_at = now() where id = ${expired}`))
  await expectCounts(agent, { waits: 3, first: 1, answers: 2, missed: 1 })
  const { data } = await listed(agent, 'missed')
  expect(data).toMatchObject([{ person: null, outcome: 'missed', is_missed: true }])
  // What the member withdraws asks for nothing any more.
  const fourth = await asked('4')
  await expectCounts(agent, { waits: 4, first: 1, answers: 2, missed: 1, waiting: 1 })
  await member.call('cash/withdraw', { id: fourth })
  await expectCounts(agent, { waits: 3, first: 1, answers: 2, missed: 1 })
})

test('[DESK-09] a wait that has ended keeps its figures: other hours, a new question and an erased member change nothing', async () => {
  const { top, agent, cs, member, room } = await server.family()
  await withoutCounting(server, async () => {
    const { seq } = await say(member, room)
    await run(
      server.services.db,
      sql`update messages set created_at = created_at - interval '90 seconds'
        where seq = ${seq} and room_id = (select id from rooms where code = ${room})`,
    )
    await say(cs, room)
  })
  await expectCounts(agent, { waits: 1, first: 1, answers: 1 })
  const lengths = async () => {
    const { clock, open } = (await report(agent, { by: 'group' })).data[0] ?? {}
    return [clock?.longest, open?.longest]
  }
  const before = await lengths()
  expect(before[1]).toBeGreaterThanOrEqual(90)
  const closed = { hours_on: true, time_zone: null, week: Array.from({ length: 7 }, () => []), days: [] }
  await agent.call('deskHours/save', { ...closed, greeting: {}, away: {}, default_language: 'en' })
  await say(member, room)
  await say(cs, room)
  // At once: the task has not looked yet.
  await server.services.db.transact((tx) =>
    erasePerson(tx, {}, { id: member.id, topId: top.id, name: 'someone' }, 'UTC'),
  )
  await expectCounts(agent, { waits: 2, first: 1, answers: 2 })
  expect(await lengths()).toEqual(before)
})

test('[DESK-09] time on is counted while a colleague is on, and ends when it is away or was last seen', async () => {
  const { agent, cs } = await server.family()
  await cs.call('desk/state', { state: 'on' })
  const { db } = server.services
  const shift = (hours: number) =>
    run(
      db,
      sql`update desk_spells set started_at = started_at - make_interval(hours => ${hours}) where account_id = ${cs.id} and not is_over`,
    )
  await shift(2)
  await cs.call('desk/state', { state: 'busy' })
  const secondsOn = async () => (await report(agent)).data.find(({ row }) => row === cs.id)?.on_s ?? 0
  const twoHours = await secondsOn()
  expect(Math.abs(twoHours - 7200)).toBeLessThan(60)
  await cs.call('desk/state', { state: 'on' })
  await shift(1)
  // Its pages were last seen half an hour ago, when the server stopped.
  await run(
    db,
    sql`update desk_spells set until_at = now() - interval '30 minutes' where account_id = ${cs.id} and not is_over`,
  )
  await run(db, sql`update desk_people set is_here = false where account_id = ${cs.id}`)
  expect(Math.abs((await secondsOn()) - twoHours - 1800)).toBeLessThan(60)
  const hours = (await report(agent, { by: 'hour' })).data
  expect(Math.abs(hours.reduce((sum, { on_s }) => sum + on_s, 0) - (await secondsOn()))).toBeLessThan(30)
})
