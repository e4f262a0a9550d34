import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLog } from '../lib/log.ts'
import { openRedis, type Redis } from '../data/redis.ts'
import { type RelayAction, openRelay } from './relay.ts'
import { hasRedis, startRedis, type TestRedis } from '../testing/redis.ts'

const endAction = (reason: string): RelayAction => ({ do: 'end', sessions: [], reason })

describe.skipIf(!hasRedis)('[R4] copies that listen to each other', () => {
  let server: TestRedis
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis()
    redis = openRedis(server.url, makeLog('silent'))
  })
  afterAll(async () => {
    redis.destroy()
    await server.kill()
  })

  /** A copy that records the actions it receives; `until` waits for one. */
  const listen = async (channel: string) => {
    const received: string[] = []
    let check = () => {}
    const note = (word: string) => {
      received.push(word)
      check()
    }
    const relay = openRelay(redis, channel, {
      perform: (one) => note(one.do === 'end' ? one.reason : one.do),
      onGap: () => note('gap'),
      onDark: () => {},
    })
    await relay.subscribed
    const until = (word: string, count = 1) =>
      new Promise<string[]>((resolve) => {
        check = () => received.filter((one) => one === word).length >= count && resolve(received)
        check()
      })
    return { relay, until }
  }
  const say = (channel: string, frame: object) => redis.publish(channel, JSON.stringify({ from: 'other', ...frame }))

  test('a missed action is noticed by its number, also by a heartbeat, and a duplicate is done once', async () => {
    const { relay, until } = await listen('numbers')
    expect(relay.alone()).toBe(true)
    await say('numbers', { n: 1, deed: endAction('first') })
    await say('numbers', { n: 1, deed: endAction('first') })
    await say('numbers', { n: 1 })
    expect(await until('first')).toEqual(['first'])
    expect(relay.alone()).toBe(false)
    await say('numbers', { n: 3, deed: endAction('third') })
    expect(await until('third')).toEqual(['first', 'gap', 'third'])
    await say('numbers', { n: 4 })
    expect(await until('gap', 2)).toEqual(['first', 'gap', 'third', 'gap'])
    // It said goodbye: nothing was missed.
    await say('numbers', { n: 5, deed: endAction('last') })
    await say('numbers', { n: 5, bye: true })
    await until('last')
    await say('numbers', { n: 5, loose: true, deed: endAction('and typing') })
    expect(await until('and typing')).toEqual(['first', 'gap', 'third', 'gap', 'last', 'and typing'])
    await relay.close()
  })

  test('a copy that falls silent may have done something unnoticed', async () => {
    const { relay, until } = await listen('silence')
    await say('silence', { n: 0 })
    await until('gap')
    expect(relay.alone()).toBe(true)
    // It was only slow, and has done nothing since.
    await say('silence', { n: 0 })
    await say('silence', { n: 1, deed: endAction('on again') })
    expect(await until('on again')).toEqual(['gap', 'on again'])
    await relay.close()
  })
})
