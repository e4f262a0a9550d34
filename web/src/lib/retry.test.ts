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

describe('what could not be fetched', () => {
  it('is asked for less and less often, at once when the line is back, and not again when it is there', async () => {
    let asked = 0
    let isLine = false
    const ask = async () => {
      asked++
      if (!isLine) throw new Error('no line')
      return 'there'
    }
    const got = retryUntilDone(ask, () => true)
    await vi.advanceTimersByTimeAsync(MINUTE)
    // At most 1/2, 1, 2, 4, 8, 16 and 30 seconds apart, and at least so often.
    expect(asked).toBeGreaterThanOrEqual(6)
    expect(asked).toBeLessThanOrEqual(8)
    const before = asked
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(asked - before).toBeGreaterThanOrEqual(9)
    expect(asked - before).toBeLessThanOrEqual(20)
    isLine = true
    const last = asked
    page.dispatchEvent(new Event('online'))
    await expect(got).resolves.toBe('there')
    expect(asked).toBe(last + 1)
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    expect(asked).toBe(last + 1)
  })

  it('is asked for often again after the line was back for a moment', async () => {
    let asked = 0
    const ask = () => {
      asked++
      return Promise.reject(new Error('no line'))
    }
    void retryUntilDone(ask, () => true)
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    asked = 0
    page.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(4000)
    expect(asked).toBeGreaterThanOrEqual(3)
  })

  it('is not asked for any more when nobody wants it', async () => {
    let asked = 0
    let isWanted = true
    const ask = () => {
      asked++
      return Promise.reject(new Error('no line'))
    }
    const got = retryUntilDone(ask, () => isWanted)
    await vi.advanceTimersByTimeAsync(100)
    isWanted = false
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    await expect(got).resolves.toBeUndefined()
    expect(asked).toBe(1)
  })
})
