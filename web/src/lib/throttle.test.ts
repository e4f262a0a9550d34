import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('what is told often is asked for a moment after the first word, at most once a second, and once more after the last', async () => {
  const asked: number[] = []
  const begun = performance.now()
  const { soon } = throttle(() => asked.push(performance.now() - begun))
  for (let n = 0; n < 25; n++) {
    soon()
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toEqual([100, 1100, 2100, 3100])
  soon()
  await vi.advanceTimersByTimeAsync(100)
  expect(asked).toHaveLength(5)
})

it('asks for nothing after its end', async () => {
  let asked = 0
  const { soon, stop } = throttle(() => asked++)
  soon()
  stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked).toBe(0)
})
