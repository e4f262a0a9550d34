import { expect, test } from 'vitest'
import { fairLimit, keyedLimit, limitOf, repeat, semaphore, TimeoutError, withTimeout } from './concurrency.ts'

test('a keyed limit runs so many of a key at once, the others in order; other keys do not wait', async () => {
  const ofKey = keyedLimit<number>({ concurrency: 2 })
  const began: string[] = []
  const ends: (() => void)[] = []
  const work = (key: number, name: string) =>
    ofKey(key, () => {
      began.push(name)
      return new Promise<void>((end) => ends.push(end))
    })
  const all = ['a', 'b', 'c', 'd'].map((name) => work(1, name))
  all.push(work(2, 'other'))
  await Promise.resolve()
  expect(began).toEqual(['a', 'b', 'other'])
  ends[0]?.()
  await all[0]
  expect(began).toEqual(['a', 'b', 'other', 'c'])
  // One that fails makes room too.
  const failing = ofKey(3, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await expect
    .poll(() => {
      ends.pop()?.()
      return began
    })
    .toHaveLength(5)
})

test('a key with too many waiting is refused', async () => {
  const ofKey = keyedLimit<number>({ concurrency: 1 })
  let end = () => {}
  const first = ofKey(1, () => new Promise<void>((done) => (end = done)))
  const rest = Array.from({ length: 100 }, () => ofKey(1, async () => {}))
  await expect(ofKey(1, async () => {})).rejects.toMatchObject({ refusal: 'server.busy' })
  await expect(ofKey(2, async () => 'passes')).resolves.toBe('passes')
  end()
  await Promise.all([first, ...rest])
})

test('a limit that lets nothing wait refuses at once, and runs again after a failure', async () => {
  const limit = limitOf({ concurrency: 1, maxWaiting: 0 })
  let fail = (_: Error) => {}
  const first = limit(() => new Promise((_, reject) => (fail = reject)))
  await expect(limit(async () => {})).rejects.toMatchObject({ refusal: 'server.busy' })
  fail(new Error('no'))
  await expect(first).rejects.toThrow('no')
  await expect(limit(async () => 'passes')).resolves.toBe('passes')
})

test('a fair limit: what one key starts at once delays another key by one', async () => {
  const limit = fairLimit<string>({ concurrency: 1, total: 1 })
  const order: string[] = []
  const work = (key: string) => limit(key, async () => void order.push(key))
  await Promise.all([work('many'), work('many'), work('many'), work('one')])
  expect(order).toEqual(['many', 'one', 'many', 'many'])
})

test('a semaphore: who stops waiting is passed over, and releasing twice frees one', async () => {
  const { acquire } = semaphore(1)
  const never = new AbortController().signal
  const release = await acquire(never)
  const impatient = new AbortController()
  const left = acquire(impatient.signal)
  const second = acquire(never)
  impatient.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  release()
  release()
  const releaseSecond = await second
  let isThird = false
  const third = acquire(never).then((released) => {
    isThird = true
    return released
  })
  await Promise.resolve()
  expect(isThird).toBe(false)
  releaseSecond()
  await third
})

test('work that does not end in time is a TimeoutError; a failure passes as it is', async () => {
  await expect(withTimeout(new Promise(() => {}), 1)).rejects.toThrow(TimeoutError)
  await expect(withTimeout(Promise.reject(new Error('no')), 1000)).rejects.toThrow('no')
  await expect(withTimeout(Promise.resolve('yes'), 1000)).resolves.toBe('yes')
})

test('repeated work never runs twice at once, and stopping waits for it', async () => {
  let [running, most, ended] = [0, 0, 0]
  let stop = async () => {}
  await new Promise<void>((enough) => {
    const work = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 3))
      running--
      if (++ended === 3) enough()
    }
    stop = repeat({ everyMs: 1, atOnce: true, work, onError: () => {} })
  })
  await stop()
  expect([running, most]).toEqual([0, 1])
})
