import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRedis } from '../src/data/redis.ts'
import { many, one, run, sql } from '../src/data/sql.ts'
import { frameSeal } from '../src/live/sealed-frames.ts'
import { type TestServer, startTestServer } from '../src/testing/app.ts'
import { changeOf, hasRedis, liveChannel, once, send, startRedis, type TestRedis } from '../src/testing/redis.ts'

describe.skipIf(!hasRedis)('an attacker who reaches only Redis', () => {
  let redis: TestRedis
  let here: TestServer
  let there: TestServer
  beforeAll(async () => {
    redis = await startRedis()
    here = await startTestServer({ REDIS_URL: redis.url })
    there = await startTestServer({ REDIS_URL: redis.url })
  })
  afterAll(() => redis.kill())

  test('[S15] what no copy has written reaches no socket, and makes no copy deaf', async () => {
    const { agent, cs, member, room } = await here.family()
    // Not by a call: its announcement may close a socket that connects meanwhile.
    await run(here.services.db, sql`update accounts set masks_usernames = 1 where id = ${cs.id}`)
    const sockets = await Promise.all([agent, cs, member].map((who) => there.here(who).socket()))
    const [toAgent, toCs, toMember] = sockets
    if (!toAgent || !toCs || !toMember) throw new Error('no socket')
    const client = await openRedis(redis.url, here.services.log)
    await expect.poll(() => client.isReady).toBe(true)
    const heard: string[] = []
    for (const [at, socket] of sockets.entries())
      socket.onAny((event: string, ...args) => heard.push(`${event} at ${at} ${JSON.stringify(args)}`))
    for (const socket of sockets) socket.on('disconnect', () => heard.push('disconnect'))
    const channel = liveChannel(there)
    const topic = `${channel}:user:${member.id}`
    const said = { do: 'say', said: [{ event: 'room', to: [`user:${member.id}`], except: [], payload: 'forged' }] }
    const session = await one<{ id: string }>(
      here.services.db,
      sql`select id::text from sessions where account_id = ${member.id}`,
    )
    const stranger = frameSeal(Buffer.alloc(32))
    const own = frameSeal(there.services.key.derive('relay/v1'))
    const actions = [
      said,
      { do: 'end', sessions: [session?.id], reason: 'frozen' },
      { do: 'mask', accounts: [cs.id], masks: false },
      { do: 'rights', accounts: [cs.id] },
      { do: 'reconnect', channels: [`user:${member.id}`] },
      { do: 'look', rooms: [], accounts: [], everyone: true },
    ]
    const forged = [
      'null',
      '7',
      '"text"',
      '[]',
      '{}',
      '{',
      '',
      '\0',
      '{"from":null}',
      '{"from":{},"n":"1"}',
      '[[[[',
      ...actions.flatMap((action) => [
        JSON.stringify({ from: 'x', n: 1, deed: action }),
        stranger.write(channel, { from: 'x', n: 1, deed: action }),
        // Of another channel.
        own.write(topic, { from: 'x', n: 1, deed: action }),
        own.write(channel, { from: 'x', n: 1, deed: action }).replace('"n":1', '"n":2'),
        // Of no form that a copy writes.
        own.write(channel, { from: 'x', n: '1', deed: action }),
        own.write(channel, { from: 'x', n: 1, deed: { ...action, [Object.keys(action)[1] ?? '']: 5 } }),
      ]),
    ]
    for (const text of forged) {
      await client.publish(channel, text)
      await client.publish(topic, text)
    }
    for (let n = 0; n < 3; n++) {
      await send(cs, room, `real ${n}`)
      const has = (at: number) =>
        heard.some((event) => event.startsWith(`room at ${at}`) && event.includes(`"real ${n}"`))
      await expect.poll(() => sockets.every((_, at) => has(at))).toBe(true)
    }
    expect(heard.filter((event) => /forged|^ended|disconnect/.test(event))).toEqual([])
    expect(there.services.live.isRelayUp()).toBe(true)
    // The viewer who sees names masked still does.
    const event = changeOf(toCs)
    await send(member, room, 'whose name?')
    expect((await event).messages[0]?.user_username).not.toBe(member.username)
    client.destroy()
  })

  test('[S13] a session that a copy of before signed frames has ended is closed all the same', async () => {
    const { member } = await here.family()
    const socket = await there.here(member).socket()
    const ended = once(socket, 'ended')
    const client = await openRedis(redis.url, here.services.log)
    await expect.poll(() => client.isReady).toBe(true)
    const [row] = await many<{ id: string }>(
      here.services.db,
      sql`update sessions set ended_at = now(), end_reason = 'frozen' where account_id = ${member.id} returning id::text`,
    )
    const action = { do: 'end', sessions: [row?.id], reason: 'frozen' }
    await client.publish(liveChannel(there), JSON.stringify({ from: 'before', n: 1, deed: action }))
    expect(await ended).toEqual([{ reason: 'frozen' }])
    client.destroy()
  })

  test('[S29] what Redis has kept of an address delays nobody for long', async () => {
    const env = { REDIS_URL: redis.url, CALL_LIMITS: 'on', TRUSTED_PROXIES: '1' }
    const tested = await startTestServer(env)
    const client = await openRedis(redis.url, here.services.log)
    await expect.poll(() => client.isReady).toBe(true)
    const prefix = liveChannel(tested).replace(/:live$/, '')
    const invite = (from: string) =>
      tested.post('member/invitation', tested.wire.seal('member/invitation', { share_code: 'x' }), {
        'x-forwarded-for': from,
      })
    const values: [string, string][] = [
      ['-1e15', '0'],
      ['1e300', '1e300'],
      ['nan', 'nan'],
      ['-inf', 'inf'],
      ['x', 'y'],
    ]
    for (const [n, [left, at]] of values.entries()) {
      const from = `203.0.113.${n}`
      for (const kind of ['address', 'open'])
        await client.eval(`return redis.call('HSET', KEYS[1], 'left', ARGV[1], 'at', ARGV[2])`, {
          keys: [`${prefix}:${kind}:${from}`],
          arguments: [left, at],
        })
      const first = await invite(from)
      const { seconds = 0 } = (first.reply.data as { seconds?: number } | null) ?? {}
      expect(seconds).toBeLessThanOrEqual(1)
      // What was planted is gone after one look.
      const [kept] = (await client.eval(`return redis.call('HMGET', KEYS[1], 'left')`, {
        keys: [`${prefix}:address:${from}`],
        arguments: [],
      })) as [string | null]
      expect(Number(kept ?? 0)).toBeGreaterThanOrEqual(0)
    }
    client.destroy()
  })
})
