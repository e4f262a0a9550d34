import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { passTime } from '../testing/pass-time.ts'
import { makeConnection } from './connection.ts'
import type { LiveState } from './live.ts'

/** A page whose socket answers after `roundTrip` ms, or never. */
const setUp = ({ asks = true } = {}) => {
  const page = { state: 'connecting' as LiveState, online: true, visible: true, roundTrip: 50 as number | undefined }
  let listener = () => {}
  const connection = makeConnection({
    live: {
      state: () => page.state,
      subscribe: (added) => {
        listener = added
        return () => {}
      },
    },
    ask: (answered) => {
      if (page.state !== 'on') return false
      if (page.roundTrip !== undefined) setTimeout(answered, page.roundTrip)
      return true
    },
    isOnline: () => page.online,
    isVisible: () => page.visible,
  })
  const stop = connection.start({ asks })
  const become = (state: LiveState) => {
    page.state = state
    listener()
  }
  return { page, connection, become, stop, isLost: () => connection.lostSince() !== undefined }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('[CONV-16] a lost line shows within 2 s', () => {
  it('when the socket closes and does not come back, but not for a short interruption', () => {
    const { become, isLost, connection } = setUp()
    become('on')
    const at = performance.now()
    become('connecting')
    vi.advanceTimersByTime(600)
    become('on')
    vi.advanceTimersByTime(5000)
    expect(isLost()).toBe(false)
    become('connecting')
    vi.advanceTimersByTime(2000)
    expect(connection.lostSince()).toBe(at + 5600)
    become('on')
    expect(isLost()).toBe(false)
  })

  it('when the browser says so, at once', () => {
    const { page, become, isLost, connection } = setUp({ asks: false })
    become('on')
    page.online = false
    connection.update()
    expect(isLost()).toBe(true)
    page.online = true
    connection.update()
    expect(isLost()).toBe(false)
  })

  it('but not because the page itself was busy while the answer came', () => {
    const { become, page, isLost } = setUp()
    page.roundTrip = 950
    become('on')
    // The page does nothing for three seconds: its timers are due, and the answer is there too.
    passTime(3000)
    vi.advanceTimersByTime(940)
    expect(isLost()).toBe(false)
    vi.advanceTimersByTime(5000)
    expect(isLost()).toBe(false)
  })

  it('when nothing is closed and nothing answers any more', () => {
    const { page, become, isLost } = setUp()
    become('on')
    vi.advanceTimersByTime(10_000)
    expect(isLost()).toBe(false)
    page.roundTrip = undefined
    vi.advanceTimersByTime(2000)
    expect(isLost()).toBe(true)
    become('connecting')
    page.roundTrip = 50
    become('on')
    vi.advanceTimersByTime(10_000)
    expect(isLost()).toBe(false)
  })

  it('an answer that comes late ends it, and a line that stays slow is not a lost one', () => {
    const { page, become, isLost } = setUp()
    become('on')
    vi.advanceTimersByTime(5000)
    page.roundTrip = 1500
    vi.advanceTimersByTime(2500)
    vi.advanceTimersByTime(500)
    expect(isLost()).toBe(false)
    for (let second = 0; second < 20; second++) {
      vi.advanceTimersByTime(1000)
      expect(isLost()).toBe(false)
    }
  })

  it('a page in the background asks nothing, and the first connection may take longer', () => {
    const { page, become, isLost, stop } = setUp()
    vi.advanceTimersByTime(9000)
    expect(isLost()).toBe(false)
    vi.advanceTimersByTime(2000)
    expect(isLost()).toBe(true)
    become('on')
    page.visible = false
    page.roundTrip = undefined
    vi.advanceTimersByTime(20_000)
    // The question from before it was hidden is the only one without an answer.
    page.visible = true
    stop()
    expect(isLost()).toBe(false)
  })
})
