import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { throttle } from './throttle.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('runs shortly after the first call, at most once a second, and once more after the last call', async () => {
  const runs: number[] = []
  const started = performance.now()
  const { soon } = throttle(() => runs.push(performance.now() - started))
  for (let n = 0; n < 25; n++) {
    soon()
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(10_000)
  expect(runs).toEqual([100, 1100, 2100, 3100])
  soon()
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toHaveLength(5)
})

it('does not run after it is stopped', async () => {
  let runs = 0
  const { soon, stop } = throttle(() => runs++)
  soon()
  stop()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(runs).toBe(0)
})
