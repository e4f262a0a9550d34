import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeLog } from '../lib/log.ts'
import { openRedis, type Redis } from '../data/redis.ts'
import type { RelayAction } from './frames.ts'
import { openRelay } from './relay.ts'
import { frameSeal } from './sealed-frames.ts'
import { makeTopics } from './topics.ts'
import { hasRedis, startRedis, type TestRedis } from '../testing/redis.ts'

const endAction = (reason: string): RelayAction => ({ do: 'end', sessions: [], reason })
const key = Buffer.alloc(32, 7)
const seal = frameSeal(key)
const log = makeLog('silent')
const events = (event: string) => [{ event, to: ['user:7'], except: [], payload: {} }]

describe.skipIf(!hasRedis)('[R4] copies that listen to each other', () => {
  let server: TestRedis
  let redis: Redis
  beforeAll(async () => {
    server = await startRedis()
    redis = await openRedis(server.url, makeLog('silent'))
  })
  afterAll(async () => {
    redis.destroy()
    await server.kill()
  })

  /** A copy that records the actions it receives; `until` waits for one. */
  const listen = async (channel: string) => {
    const received: string[] = []
    let lost = 0
    let check = () => {}
    const note = (word: string) => {
      received.push(word)
      check()
    }
    const relay = openRelay(
      redis,
      { channel, key, log },
      {
        perform: (one) => note(one.do === 'end' ? one.reason : one.do === 'say' ? (one.said[0]?.event ?? '') : one.do),
        onGap: () => note('gap'),
        onLost: () => lost++,
        onDark: () => {},
        isNeeded: () => true,
      },
    )
    await relay.subscribed
    const until = (word: string, count = 1) =>
      new Promise<string[]>((resolve) => {
        check = () => received.filter((one) => one === word).length >= count && resolve(received)
        check()
      })
    return { relay, until, lost: () => lost }
  }
  const say = (channel: string, frame: object) =>
    redis.publish(channel, seal.write(channel, { from: 'other', ...frame }))

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

  test('[RUN-04] a copy that falls silent is counted as lost, and may have done something unnoticed', async () => {
    const { relay, until, lost } = await listen('silence')
    await say('silence', { n: 0 })
    await until('gap')
    expect(relay.alone()).toBe(true)
    expect(lost()).toBe(1)
    // It was only slow, and has done nothing since.
    await say('silence', { n: 0 })
    await say('silence', { n: 1, deed: endAction('on again') })
    expect(await until('on again')).toEqual(['gap', 'on again'])
    await relay.close()
  })

  /** What is sent over the common channel; never asked for by the relays' own connection. */
  const tap = async (channel: string) => {
    type Heard = { deed?: RelayAction; said?: object }
    const heard: Heard[] = []
    const listener = await new Promise<{ destroy(): void }>((resolve) => {
      const made = redis.listen(
        channel,
        (text) => heard.push(JSON.parse(text) as Heard),
        () => resolve(made),
      )
    })
    return { heard, destroy: () => listener.destroy() }
  }

  test('[RUN-10] an action of a topic reaches the copies that want it, and no others', async () => {
    const [one, two, three] = [await listen('topics'), await listen('topics'), await listen('topics')]
    const { heard, destroy } = await tap('topics')
    await Promise.all([two.relay.want(['user:7']), three.relay.want(['user:8'])])
    await expect.poll(() => [one, two, three].map(({ relay }) => relay.alone())).toEqual([false, false, false])
    one.relay.say(new Map([['user:7', events('to seven')]]))
    one.relay.say(new Map([['user:7', events('to seven, loose')]]), true)
    one.relay.say(
      new Map([
        ['user:7', []],
        ['user:8', events('to eight')],
      ]),
    )
    one.relay.publish(endAction('to all'))
    expect((await two.until('to all')).filter((word) => word.startsWith('to'))).toEqual([
      'to seven',
      'to seven, loose',
      'to all',
    ])
    expect((await three.until('to all')).filter((word) => word.startsWith('to'))).toEqual(['to eight', 'to all'])
    // The beat says how many there were: nothing is missed, by nobody.
    await expect
      .poll(() => heard.find(({ said }) => said)?.said, { timeout: 10_000 })
      .toEqual({ 'user:7': 1, 'user:8': 1 })
    expect(heard.flatMap((frame) => frame.deed ?? [])).toEqual([endAction('to all')])
    one.relay.publish(endAction('on'))
    for (const copy of [two, three]) expect(await copy.until('on')).not.toContain('gap')
    destroy()
    for (const { relay } of [one, two, three]) await relay.close()
  })

  test('[RUN-10] a missed action of a topic is noticed by the beat; one of another topic is not missed', async () => {
    const { relay, until } = await listen('sums')
    const sayTo = (topic: string, frame: object) =>
      redis.publish(`sums:${topic}`, seal.write(`sums:${topic}`, { from: 'other', ...frame }))
    await say('sums', { n: 0, beat: 0 })
    // Before its own beat has come back a copy waits for no topic, and looks for what it may have missed.
    await expect.poll(() => relay.isUp()).toBe(true)
    await relay.want(['user:7'])
    // It may have been sent before this copy subscribed.
    await say('sums', { n: 1, beat: 1, said: { 'user:7': 2 } })
    await sayTo('user:7', { beat: 2, i: 1, deed: endAction('first') })
    await sayTo('user:7', { beat: 2, i: 1, deed: endAction('first') })
    await say('sums', { n: 2, beat: 2, said: { 'user:7': 1, 'user:8': 5 } })
    await say('sums', { n: 3, deed: endAction('fine') })
    expect(await until('fine')).toEqual(['first', 'fine'])
    await sayTo('user:7', { beat: 3, i: 2, deed: endAction('second') })
    expect((await until('second')).slice(2)).toEqual(['gap', 'second'])
    await say('sums', { n: 4, beat: 3, said: { 'user:7': 3 } })
    await say('sums', { n: 5, deed: endAction('third') })
    expect((await until('third')).slice(4)).toEqual(['gap', 'third'])
    // A beat is missed, and nobody knows what it said.
    await say('sums', { n: 7, beat: 5, said: { 'user:8': 1 } })
    expect((await until('gap', 3)).slice(6)).toEqual(['gap'])
    await relay.close()
  })

  test('[RUN-10] beside a copy of before topics, everything goes over the common channel', async () => {
    const [one, two] = [await listen('mixed'), await listen('mixed')]
    const { heard, destroy } = await tap('mixed')
    await two.relay.want(['user:7'])
    await say('mixed', { n: 0 })
    await expect
      .poll(() => {
        one.relay.say(new Map([['user:7', events('for old and new')]]))
        return heard.some((frame) => frame.deed?.do === 'say')
      })
      .toBe(true)
    expect(await two.until('for old and new')).not.toContain('gap')
    await say('mixed', { n: 0, bye: true })
    await two.until('for old and new')
    destroy()
    for (const { relay } of [one, two]) await relay.close()
  })
})

test('[RUN-10] what was sent before a topic was received is looked for', async () => {
  let onReady = () => {}
  const added: string[][] = []
  const gaps: number[] = []
  const away = {
    isReady: false,
    add: (channels: string[]) => {
      added.push(channels)
      return Promise.resolve(false)
    },
    drop: () => {},
    destroy: () => {},
  }
  const relay = openRelay(
    {
      isReady: false,
      publish: () => Promise.resolve(),
      listen: (_, __, ready) => {
        onReady = ready
        return away
      },
    },
    { channel: 'late', key, log },
    { perform: () => {}, onGap: (since) => gaps.push(since), onDark: () => {}, isNeeded: () => true },
  )
  const before = performance.now()
  // Redis is away: no socket waits for it.
  await relay.want(['user:7', 'group:5'])
  await relay.want(['user:7'])
  expect([added, gaps]).toEqual([[['late:user:7', 'late:group:5']], []])
  onReady()
  expect(gaps).toHaveLength(1)
  expect(gaps[0]).toBeGreaterThanOrEqual(before)
  onReady()
  expect(gaps).toHaveLength(1)
  await relay.close()
})

test('[RUN-10] a socket goes on without a topic that is late, and not without one that failed', async () => {
  const gaps: number[] = []
  const subscriptions = [() => new Promise<boolean>(() => {}), () => Promise.reject(new Error('refused'))]
  const topics = makeTopics({
    listener: () => ({ add: () => subscriptions.shift()?.() ?? Promise.resolve(true), drop: () => {} }),
    channelOf: (topic) => `all:${topic}`,
    isNeeded: () => true,
    isUp: () => true,
    onLate: (since) => gaps.push(since),
  })
  await topics.want(['user:7'])
  await expect(topics.want(['group:5'])).rejects.toThrow('refused')
  topics.onListening()
  expect(gaps).toHaveLength(1)
})

test('[RUN-10] a topic that no socket needs is dropped a while later', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const dropped: string[][] = []
  const needed = new Set(['user:7'])
  const topics = makeTopics({
    listener: () => ({ add: () => Promise.resolve(true), drop: (channels) => dropped.push(channels) }),
    channelOf: (topic) => `all:${topic}`,
    isNeeded: (topic) => needed.has(topic),
    isUp: () => true,
    onLate: () => {},
  })
  await topics.want(['user:7', 'group:5'])
  vi.advanceTimersByTime(29_000)
  topics.sweep()
  await topics.want(['group:5'])
  vi.advanceTimersByTime(2000)
  topics.sweep()
  expect(dropped).toEqual([])
  needed.clear()
  vi.advanceTimersByTime(29_000)
  topics.sweep()
  expect([dropped, topics.since('group:5')]).toEqual([[['all:group:5']], undefined])
  expect(topics.since('user:7')).toBeDefined()
})
