import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseRedisUrl } from '../config/redis-url.ts'
import { makeLog } from '../lib/log.ts'
import { hasRedis, startRedis } from '../testing/redis.ts'
import { openRedis } from './redis.ts'

/** Answers what a client asks a Sentinel: where the master is. */
const startSentinel = async (master: () => string) => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('data', (part) => {
      for (const command of part
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1)) {
        const port = master()
        const isAsked = command.includes('GET-MASTER-ADDR-BY-NAME') && command.includes('rooms')
        socket.write(isAsked ? `*2\r\n$9\r\n127.0.0.1\r\n$${port.length}\r\n${port}\r\n` : '+OK\r\n')
      }
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

test('[RUN-10] an address with Sentinels names them, the master, and who signs in', () => {
  expect(parseRedisUrl('redis+sentinel://me:p%40ss@one,two:5,[::1]:6/rooms')).toEqual({
    name: 'rooms',
    sentinels: [
      { host: 'one', port: 26379 },
      { host: 'two', port: 5 },
      { host: '::1', port: 6 },
    ],
    username: 'me',
    password: 'p@ss',
  })
  expect(parseRedisUrl('rediss://me:pw@one:1')).toEqual({ url: 'rediss://me:pw@one:1' })
  for (const wrong of [
    'redis://one,two',
    'redis+sentinel://one',
    'redis+sentinel:///rooms',
    'redis+sentinel://one,,two/r',
  ])
    expect(parseRedisUrl(wrong)).toBeUndefined()
})

describe.skipIf(!hasRedis)('with Redis', () => {
  test('[RUN-10] the master that Sentinel names is used, and the next one when it has died', async () => {
    const [one, two] = [await startRedis(), await startRedis()]
    let master = one
    const sentinel = await startSentinel(() => new URL(master.url).port)
    // The first Sentinel does not answer.
    const redis = await openRedis(`redis+sentinel://127.0.0.1:1,127.0.0.1:${sentinel}/rooms`, makeLog('silent'))
    const received: string[] = []
    let times = 0
    const listener = redis.listen(
      'news',
      (text) => received.push(text),
      () => times++,
    )
    const says = (text: string) =>
      expect
        .poll(async () => {
          if (listener.isReady) await redis.publish('news', text).catch(() => undefined)
          return received.includes(text)
        })
        .toBe(true)
    await says('from one')
    expect(times).toBe(1)
    expect(await listener.add(['more', 'dropped'])).toBe(true)
    listener.drop(['dropped'])
    await one.kill()
    await expect.poll(() => redis.isReady || listener.isReady).toBe(false)
    // Not connected: it is received from the next time that the connection is ready.
    expect(await listener.add(['later'])).toBe(false)
    master = two
    await says('from two')
    expect(times).toBe(2)
    for (const channel of ['dropped', 'more', 'later']) await redis.publish(channel, channel)
    await says('the last')
    expect(received.filter((text) => ['dropped', 'more', 'later'].includes(text))).toEqual(['more', 'later'])
    listener.destroy()
    redis.destroy()
    await two.kill()
  })
})
