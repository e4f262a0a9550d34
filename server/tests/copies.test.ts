import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingsFrom } from '../src/config/settings.ts'
import { openRedis } from '../src/data/redis.ts'
import { frameSeal } from '../src/live/sealed-frames.ts'
import { type TestServer, startTestServer } from '../src/testing/app.ts'
import { changeOf, hasRedis, liveChannel, once, send, startRedis, type TestRedis } from '../src/testing/redis.ts'
import { outcomeOf } from '../src/testing/outcome.ts'

test('an invalid REDIS_URL is refused in one line', () => {
  expect(() => settingsFrom({ REDIS_URL: 'localhost' })).toThrow('REDIS_URL must look like redis://')
  expect(settingsFrom({}).redisUrl).toBeUndefined()
})

describe.skipIf(!hasRedis)('two copies and Redis', () => {
  let redis: TestRedis
  let here: TestServer
  let there: TestServer
  beforeAll(async () => {
    redis = await startRedis()
    here = await startTestServer({ REDIS_URL: redis.url })
    there = await startTestServer({ REDIS_URL: redis.url })
  })
  afterAll(() => redis.kill())

  test('[R4] [CHAT-09] a message sent at one copy arrives at the other, each receiver in its own view', async () => {
    const { agent, cs, member, room } = await here.family()
    const [toAgent, toMember] = await Promise.all([agent, member].map((who) => there.here(who).socket()))
    if (!toAgent || !toMember) throw new Error('no socket')
    const received = Promise.all([changeOf(toAgent), changeOf(toMember)])
    await send(cs, room, 'from the other copy')
    const [group, partner] = await received
    expect(group.messages[0]).toMatchObject({ content: 'from the other copy', user_username: cs.username })
    expect(partner.messages[0]).toMatchObject({ content: 'from the other copy', user_username: '' })

    const joined = await toAgent.emitWithAck('join', room)
    expect(joined).toEqual({ ok: true })
    const typing = once(toAgent, 'presence')
    const near = await member.socket()
    await near.emitWithAck('join', room)
    near.emit('typing', room, false)
    expect(await typing).toEqual([{ code: room, what: 'typing', account_id: 0, name: '' }])
  })

  test('[RUN-10] a copy subscribes to the topics of its sockets, and to no others', async () => {
    const { agent, cs, member, room } = await here.family()
    const client = await openRedis(redis.url, here.services.log)
    await expect.poll(() => client.isReady).toBe(true)
    const copiesWith = async (topic: string) =>
      (
        (await client.eval(`return redis.call('PUBSUB', 'NUMSUB', ARGV[1])`, {
          keys: [],
          arguments: [`${liveChannel(there)}:${topic}`],
        })) as [string, number]
      )[1]
    await there.here(cs).socket()
    expect([await copiesWith(`group:${agent.id}`), await copiesWith(`user:${member.id}`)]).toEqual([1, 0])
    const socket = await here.here(agent).socket()
    await socket.emitWithAck('join', room)
    expect([await copiesWith(`group:${agent.id}`), await copiesWith(`user:${member.id}`)]).toEqual([2, 1])
    client.destroy()
  })

  test('[S13] an account frozen at one copy is disconnected at the other, with the reason', async () => {
    const { agent, cs } = await here.family()
    const socket = await there.here(cs).socket()
    const ended = once(socket, 'ended')
    const gone = once(socket, 'disconnect')
    await agent.call('user/delete', { id: cs.id })
    expect(await ended).toEqual([{ reason: 'frozen' }])
    await gone
    expect(await there.here(cs).ask('user/view', {})).toBeRefusal('session.dead')
  })

  test('[R4] Redis goes and comes back empty: both copies go on and catch up', async () => {
    const { agent, cs, member, room } = await here.family()
    const far = there.here(member)
    const [toMember, toCs] = await Promise.all([far.socket(), there.here(cs).socket()])
    const before = await far.call('room/enter', { code: room })
    await redis.kill()

    // Sockets on the same copy still get it.
    const near = await member.socket()
    const received = changeOf(near)
    await send(agent, room, 'while Redis is away')
    expect((await received).messages[0]?.content).toBe('while Redis is away')
    // A freeze reaches the other copy through the database.
    const gone = once(toCs, 'disconnect')
    await agent.call('user/delete', { id: cs.id })
    await gone

    // Nobody is disconnected: the room is sent again, and the page asks for what it lacks.
    const cuts: string[] = []
    toMember?.on('disconnect', (reason) => cuts.push(reason))
    const [again, missed] = [changeOf(toMember), once(toMember, 'missed')]
    await redis.start()
    const { since, version, room: summary } = await again
    expect([since, summary.message_content]).toEqual([version, 'while Redis is away'])
    await missed
    const { messages } = await far.call('room/sync', { code: room, version: before.room.version })
    expect([messages.map(({ content }) => content), cuts]).toEqual([['while Redis is away'], []])
    const live = changeOf(toMember)
    await send(agent, room, 'and again')
    expect((await live).messages.at(-1)?.content).toBe('and again')
  })

  test('[RUN-09] what a dead copy did not tell is looked for in the database; no socket is cut', async () => {
    const dying = await startTestServer()
    const { top, agent, cs, member, room } = await here.family()
    const colleague = await here.person({ role: Role.customerService, under: agent })
    const people = [cs, colleague, member]
    const sockets = await Promise.all(people.map((person) => there.here(person).socket()))
    const [toCs, toColleague, toMember] = sockets
    if (!toCs || !toColleague || !toMember) throw new Error('no socket')
    const cuts: string[] = []
    for (const socket of [toCs, toMember]) socket.on('disconnect', (reason) => cuts.push(reason))
    await send(dying.here(agent), room, 'its last word')
    await dying.here(top).call('user/saveAbilities', { id: cs.id, masks_usernames: 1 })
    await dying.here(colleague).call('logout', {})

    const told = Promise.all([changeOf(toCs), changeOf(toMember), once(toCs, 'missed'), once(toColleague, 'ended')])
    // The others have missed three of its actions.
    const channel = liveChannel(there)
    const seal = frameSeal(there.services.key.derive('relay/v1'))
    const client = await openRedis(redis.url, here.services.log)
    await expect.poll(() => client.isReady).toBe(true)
    await client.publish(channel, seal.write(channel, { from: 'dying', n: 3 }))
    const [group, partner] = await told
    expect([group.since, group.room.message_content]).toEqual([group.version, 'its last word'])
    expect([partner.since, partner.room.message_content]).toEqual([partner.version, 'its last word'])
    await client.publish(channel, seal.write(channel, { from: 'dying', n: 3, bye: true }))
    client.destroy()
    // Its names are masked from now on.
    await expect
      .poll(async () => {
        const next = changeOf(toCs)
        await send(member, room, 'hello')
        return (await next).messages[0]?.user_username
      })
      .not.toBe(member.username)
    expect(cuts).toEqual([])
  })

  test('[S29] limits apply across both, whatever address is claimed; without Redis each copy counts alone', async () => {
    const env = { REDIS_URL: redis.url, CALL_LIMITS: 'on', READS_PER_SECOND: '1', OPEN_CALLS_PER_SECOND: '1' }
    // Other servers than above: the same Redis would count their calls.
    const [one, two] = [await startTestServer(env), await startTestServer(env)]
    const { agent } = await one.family()
    const far = two.here(agent)
    const asked = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? agent : far).ask('user/view', {})))
    const answered = asked.filter((reply) => reply.code === OK).length
    expect(answered).toBeGreaterThan(0)
    expect(answered).toBeLessThan(10)

    const invite = (server: TestServer, n: number) =>
      server.post('member/invitation', server.wire.seal('member/invitation', { share_code: 'x' }), {
        'x-forwarded-for': `10.1.0.${n}`,
      })
    const open = await Promise.all(Array.from({ length: 60 }, (_, n) => invite(n % 2 ? one : two, n)))
    expect(open.filter(({ status }) => status === 200).length).toBeLessThan(20)

    await redis.kill()
    const alone = await Promise.all(Array.from({ length: 40 }, () => one.here(agent).ask('user/view', {})))
    expect(alone.filter(({ code }) => code === OK).length).toBeLessThan(10)
    await redis.start()
  })

  test('[R13] a stopping copy is not ready, answers remaining calls and disconnects its sockets', async () => {
    const going = await startTestServer({ REDIS_URL: redis.url, DRAIN_SECONDS: '1' })
    const { agent } = await going.family()
    const socket = await agent.socket()
    const gone = once(socket, 'disconnect')
    const closing = going.close()
    expect((await fetch(`${going.address}/readyz`)).status).toBe(503)
    const answer = await going.post('user/view', going.wire.seal('user/view', {}), {
      authorization: `Bearer ${agent.token}`,
    })
    expect([outcomeOf(answer.reply), answer.headers.get('connection')]).toEqual(['done', 'close'])
    // It reconnects by itself, which a socket of an ended session does not.
    expect((await gone)[0]).toBe('transport close')
    await closing
  })
})
