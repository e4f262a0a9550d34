import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { retryUntilDone } from './retry.ts'

const page = new EventTarget()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', page)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const MINUTE = 60_000

describe('a request that fails', () => {
  it('is retried at growing intervals, at once when the network is back, and never after success', async () => {
    let asked = 0
    let isOnline = false
    const ask = async () => {
      asked++
      if (!isOnline) throw new Error('offline')
      return 'loaded'
    }
    const got = retryUntilDone(ask, () => true)
    await vi.advanceTimersByTimeAsync(MINUTE)
    // Intervals of at most 1, 2, 4, 8, 16, 32 and 60 s, half of that at least.
    expect(asked).toBeGreaterThanOrEqual(6)
    expect(asked).toBeLessThanOrEqual(8)
    const before = asked
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(asked - before).toBeGreaterThanOrEqual(9)
    expect(asked - before).toBeLessThanOrEqual(20)
    isOnline = true
    const last = asked
    page.dispatchEvent(new Event('online'))
    await expect(got).resolves.toBe('loaded')
    expect(asked).toBe(last + 1)
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(asked).toBe(last + 1)
  })

  it('starts again with short intervals after the network was back for a moment', async () => {
    let asked = 0
    const ask = () => {
      asked++
      return Promise.reject(new Error('offline'))
    }
    void retryUntilDone(ask, () => true)
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    asked = 0
    page.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(4000)
    expect(asked).toBeGreaterThanOrEqual(3)
  })

  it('is not retried once it is no longer wanted', async () => {
    let asked = 0
    let isWanted = true
    const ask = () => {
      asked++
      return Promise.reject(new Error('offline'))
    }
    const got = retryUntilDone(ask, () => isWanted)
    await vi.advanceTimersByTimeAsync(100)
    isWanted = false
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    await expect(got).resolves.toBeUndefined()
    expect(asked).toBe(1)
  })
})
