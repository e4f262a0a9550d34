import { isLoad } from '@tallyroom/contract/desk/load'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { type Person, type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const seenBy = async (who: Person, id: number) => {
  const { data } = await who.call('desk/colleagues', {})
  return data.find((one) => one.id === id) ?? expect.fail('the colleague is not in the list')
}
const stateOf = async (who: Person, id: number) => {
  const { state, here, until } = await seenBy(who, id)
  return [state, here, until !== null]
}
/** As if no page of an account had been open for so long. */
const silent = (id: number, seconds: number) =>
  run(
    server.services.db,
    sql`update desk_heartbeats set seen_at = clock_timestamp() - make_interval(secs => ${seconds}) where account_id = ${id}`,
  )
const isNoted = (id: number) =>
  one(server.services.db, sql`select 1 as found from desk_heartbeats where account_id = ${id}`)

test('[DESK-01] a colleague is away before the first page, then what it chose, and the group hears of it live', async () => {
  const { agent, cs, member } = await server.family()
  expect(await stateOf(agent, cs.id)).toEqual(['away', 0, false])
  const heard: string[] = []
  const [agentSocket, memberSocket] = [await agent.socket(), await member.socket()]
  agentSocket.on('colleagues', () => heard.push('agent'))
  memberSocket.on('colleagues' as 'room', () => heard.push('member'))
  await cs.socket()
  await expect.poll(() => stateOf(agent, cs.id)).toEqual(['on', 1, false])
  await expect.poll(() => heard).toContain('agent')
  heard.length = 0
  await cs.call('desk/state', { state: 'busy' })
  await expect.poll(() => heard).toEqual(['agent'])
  expect(await stateOf(agent, cs.id)).toEqual(['busy', 1, false])
  const { since } = await seenBy(agent, cs.id)
  await cs.call('desk/state', { state: 'busy', minutes: 30 })
  expect(await seenBy(agent, cs.id)).toMatchObject({ state: 'busy', since })
  await cs.call('desk/state', { state: 'on', minutes: 30 })
  expect(await stateOf(agent, cs.id)).toEqual(['on', 1, false])
})

test('[DESK-01] busy and away end by the clock', async () => {
  const { agent, cs } = await server.family()
  const socket = await agent.socket()
  await cs.call('desk/state', { state: 'away', minutes: 15 })
  expect(await stateOf(agent, cs.id)).toEqual(['away', 1, true])
  const heard = new Promise((resolve) => socket.on('colleagues', resolve))
  await run(server.services.db, sql`update desk_people set until = now() where account_id = ${cs.id}`)
  await heard
  await expect.poll(() => stateOf(agent, cs.id)).toEqual(['on', 1, false])
})

test('[DESK-01] who has no page open is away, a phone with notifications later; the next page brings back what was chosen', async () => {
  const { agent, cs } = await server.family()
  const first = await cs.socket()
  await expect.poll(() => isNoted(cs.id)).toBeTruthy()
  await cs.call('desk/state', { state: 'busy' })
  first.disconnect()
  await run(
    server.services.db,
    sql`insert into push_subscriptions (session_id, account_id, group_id, top_id, sealed, endpoint_hash, language)
      select s.id, a.id, a.group_id, a.top_id, 'x', ${Buffer.from(`phone ${cs.id}`)}::bytea, 'en'
      from sessions s join accounts a on a.id = s.account_id where a.id = ${cs.id} limit 1`,
  )
  await silent(cs.id, 620)
  const another = await server.person({ role: Role.customerService, under: agent })
  await another.socket()
  await expect.poll(() => isNoted(another.id)).toBeTruthy()
  await silent(another.id, 65)
  // Its socket is noted only every ten seconds. So this one goes, and the phone stays.
  await expect.poll(() => stateOf(agent, another.id)).toEqual(['away', 0, false])
  expect(await stateOf(agent, cs.id)).toEqual(['busy', 1, false])
  await silent(cs.id, 665)
  await expect.poll(() => stateOf(agent, cs.id)).toEqual(['away', 0, false])
  await cs.socket()
  await expect.poll(() => stateOf(agent, cs.id)).toEqual(['busy', 1, false])
})

test('[DESK-01] after a crash the notes are gone, and nobody counts as gone for it', async () => {
  const { agent, cs } = await server.family()
  await cs.call('desk/state', { state: 'on' })
  await expect.poll(() => isNoted(cs.id)).toBeTruthy()
  await silent(cs.id, 59)
  await run(server.services.db, sql`delete from desk_heartbeats where account_id = ${cs.id}`)
  await expect.poll(() => isNoted(cs.id)).toBeTruthy()
  expect(await stateOf(agent, cs.id)).toEqual(['on', 1, false])
})

test('[DESK-01] load is what waits and what was last written in the last ten minutes, as the browser counts it', async () => {
  const { agent, cs, member, room } = await server.family()
  const loads = async () => {
    const { load, waiting } = await seenBy(agent, cs.id)
    const { data } = await agent.call('room/list', {})
    expect(data.filter((one) => one.owner_id === cs.id && isLoad(one, Date.now())).length).toBe(load)
    return [load, waiting]
  }
  const say = (who: Person) => who.call('sendMessage', { code: room, type: MessageType.text, content: 'hello' })
  await say(member)
  expect(await loads()).toEqual([0, 0])
  await cs.call('desk/take', { code: room })
  expect(await loads()).toEqual([1, 1])
  await say(cs)
  expect(await loads()).toEqual([1, 0])
  const later = sql`update rooms set last_message_at = now() - interval '11 minutes' where code = ${room}`
  await run(server.services.db, later)
  expect(await loads()).toEqual([0, 0])
})

test('[DESK-01] wrong states and times are refused', async () => {
  const { cs, member } = await server.family()
  for (const minutes of [0, -1, 1441, 1.5])
    expect(await cs.ask('desk/state', { state: 'away', minutes })).toBeRefusal('request.invalid')
  expect(await cs.ask('desk/state', { state: 'gone' as 'on' })).toBeRefusal('request.invalid')
  expect(await member.ask('desk/state', { state: 'on' })).toBeRefusal('access.denied')
})
