import { expect, test } from 'vitest'
import { DatabaseAway, UnsureCommit } from '../data/faults.ts'
import { makeBuckets } from '../identity/limits.ts'
import type { RelayAction } from '../live/frames.ts'
import { Refused } from '../lib/refusal.ts'
import { workerLimits } from './limits.ts'
import { type Link, openLink, type Port } from './link.ts'
import { makeSwitchboard, workerRelay } from './relay.ts'

/** Two ends of a channel. What is sent is copied as between processes; `isStuck`: the system takes nothing more. */
const channel = () => {
  const state = { isStuck: false, messages: 0, unsent: [] as (() => void)[] }
  const receivers: Parameters<Port['listen']>[0][] = []
  const end = (other: number): Link =>
    openLink({
      send: (items, onSent) => {
        const send = () => {
          state.messages++
          onSent()
          queueMicrotask(() => receivers[other]?.(structuredClone(items)))
        }
        if (state.isStuck) state.unsent.push(send)
        else send()
      },
      listen: (receive) => void receivers.push(receive),
    })
  return { writer: end(1), worker: end(0), state }
}

test('[SPEED-01] what is asked in one tick travels together, and errors keep their kind', async () => {
  const { writer, worker, state } = channel()
  const errors = [
    new Refused('room.held', { name: 'Mika' }),
    new UnsureCommit(new Error('cut')),
    new DatabaseAway(new Error('gone')),
    new TypeError('broken'),
  ]
  writer.on({
    twice: (n: bigint) => n * 2n,
    fail: (at: number) => Promise.reject(errors[at]),
  })
  const answers = await Promise.all([1n, 2n, 3n].map((n) => worker.ask('twice', n)))
  expect([answers, state.messages]).toEqual([[2n, 4n, 6n], 2])
  const failed = await Promise.all(errors.map((_, at) => worker.ask('fail', at).catch((error: unknown) => error)))
  expect(failed[0]).toMatchObject({ refusal: 'room.held', data: { name: 'Mika' } })
  expect(failed.map((error) => error?.constructor)).toEqual([Refused, UnsureCommit, DatabaseAway, Error])
  expect(failed[3]).toMatchObject({ message: 'broken' })

  const unanswered = worker.ask('twice', 1n)
  worker.close()
  await expect(unanswered).rejects.toThrow('gone')
})

test('[SPEED-01] actions reach the other workers; what a slow or dead one lacks or did not say is looked for', async () => {
  const switchboard = makeSwitchboard()
  const own = switchboard.openRelay({ perform: () => {}, onGap: () => {}, onDark: () => {}, isNeeded: () => true })
  const workers = [1, 2, 3].map(() => {
    const { writer, worker, state } = channel()
    const heard: string[] = []
    const relay = workerRelay(worker)({
      perform: (action) => heard.push(action.do === 'end' ? action.reason : action.do),
      onGap: () => heard.push('gap'),
      onDark: () => {},
      isNeeded: () => true,
    })
    writer.on(switchboard.add(writer))
    return { writer, worker, relay, heard, state }
  })
  const [one, two, three] = workers
  if (!one || !two || !three) throw new Error('no worker')
  const say = (reason: string): RelayAction => ({ do: 'end', sessions: [], reason })
  one.relay.publish(say('from one'))
  await expect.poll(() => workers.map(({ heard }) => heard)).toEqual([[], ['from one'], ['from one']])
  own.publish(say('from the writer'))
  await expect.poll(() => one.heard).toEqual(['from the writer'])

  // An event goes only to those that need its topic, and is not even rendered when nobody does.
  await two.relay.want(['user:7', 'group:5'])
  expect([own.alone('user:7'), own.alone('user:8')]).toEqual([false, true])
  const event = { event: 'account', to: ['user:7'], except: [], payload: {} }
  own.say(
    new Map([
      ['user:7', [event]],
      ['user:8', [event]],
    ]),
  )
  one.relay.say(new Map([['group:5', [event]]]))
  await expect.poll(() => workers.map(({ heard }) => heard.filter((word) => word === 'say').length)).toEqual([0, 2, 0])

  two.state.isStuck = true
  for (let n = 0; n <= 600; n++) {
    own.publish(say(`${n}`))
    await new Promise(setImmediate)
  }
  expect(three.heard).toHaveLength(603)
  expect(two.writer.isClogged()).toBe(true)
  two.state.isStuck = false
  for (const send of two.state.unsent) send()
  own.publish(say('reads again'))
  await expect.poll(() => two.heard.slice(-3)).toEqual(['500', 'gap', 'reads again'])

  switchboard.remove(three.writer, 1000)
  await expect.poll(() => one.heard.at(-1)).toBe('gap')
  own.publish(say('without three'))
  await expect.poll(() => one.heard.at(-1)).toBe('without three')
  expect(three.heard).not.toContain('without three')
  await own.close()
})

test('[SPEED-01] each worker counts what the others let pass', async () => {
  const limits = { read: 1, write: 1, upload: 1, open: 1, address: 1, key: 1000 }
  const switchboard = makeSwitchboard()
  const own = switchboard.openRelay({ perform: () => {}, onGap: () => {}, onDark: () => {}, isNeeded: () => true })
  const [one, two] = [1, 2].map(() => {
    const { writer, worker } = channel()
    writer.on(switchboard.add(writer))
    return workerLimits(worker, { limits })
  })
  for (let n = 0; n < 5; n++) expect(await one?.('read', '::1 7')).toBeUndefined()
  expect(await one?.('read', '::1 7')).toBe(1)
  let passed = 0
  const passes = async () => {
    if ((await two?.('read', '::1 7')) === undefined) passed++
    else return true
  }
  await expect.poll(passes).toBe(true)
  // It would let 5 pass by itself.
  expect(passed).toBeLessThan(4)
  expect(await two?.('read', 'another')).toBeUndefined()
  await own.close()
})

test('[SPEED-01] calls elsewhere may empty a bucket further than to 0, but no further than a burst', () => {
  let now = 0
  const { take, spend } = makeBuckets(
    { limits: { read: 1, write: 1, upload: 1, open: 1, address: 1, key: 1000 } },
    () => now,
  )
  spend('read', 'a', 1000)
  expect(take('read', 'a')).toBe(6)
  now = 6
  expect(take('read', 'a')).toBeUndefined()
})
