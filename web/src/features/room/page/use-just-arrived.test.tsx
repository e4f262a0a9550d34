import { renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { NOTICE_MS, useJustArrived } from './use-just-arrived.ts'

test('[CONV-04] [CONV-17] a message that came a moment before the answer is news; what the room opened with is not', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { result, rerender } = renderHook(({ seq }) => useJustArrived(seq), {
    initialProps: { seq: undefined as number | undefined },
  })
  rerender({ seq: 7 })
  expect(result.current()).toBe(false)
  rerender({ seq: 8 })
  expect(result.current()).toBe(true)
  vi.advanceTimersByTime(NOTICE_MS)
  expect(result.current()).toBe(false)
})
