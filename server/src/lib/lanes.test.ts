import { expect, test } from 'vitest'
import { makeLanes } from './lanes.ts'

test('so many of a key at once, the others in order; other keys do not wait', async () => {
  const inLane = makeLanes<number>(2)
  const began: string[] = []
  const ends: (() => void)[] = []
  const work = (key: number, name: string) =>
    inLane(key, () => {
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
  const failing = inLane(3, () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  await expect
    .poll(() => {
      ends.pop()?.()
      return began
    })
    .toHaveLength(5)
})

test('a key with too many waiting is refused', async () => {
  const inLane = makeLanes<number>(1)
  let end = () => {}
  const first = inLane(1, () => new Promise<void>((done) => (end = done)))
  const rest = Array.from({ length: 100 }, () => inLane(1, async () => {}))
  await expect(inLane(1, async () => {})).rejects.toMatchObject({ refusal: 'server.busy' })
  await expect(inLane(2, async () => 'passes')).resolves.toBe('passes')
  end()
  await Promise.all([first, ...rest])
})
