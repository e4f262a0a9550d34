import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { server } from '../../testing/fake-server.ts'
import { renderLight } from '../../testing/render.tsx'
import { useLease } from './use-lease.ts'

const Leased = () => {
  useLease(7, true)
  return null
}
const asked = () => server.asked('cash/renew').length

beforeEach(() => {
  vi.useFakeTimers()
  server.answers('cash/renew', { lease: 60 })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test('[CASH-03] the lease goes on while its taker is in another tab, and ends when nobody comes back', async () => {
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(false)
  const { unmount } = renderLight(
    <QueryClientProvider client={new QueryClient()}>
      <Leased />
    </QueryClientProvider>,
  )
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(0)
  // A page that was loaded again late.
  expect(asked()).toBe(1)
  await pass(40_000)
  expect(asked()).toBe(3)
  hidden.mockReturnValue(true)
  await pass(5 * 60_000)
  const inFiveMinutes = asked()
  expect(inFiveMinutes).toBe(18)
  await pass(10 * 60_000)
  expect(asked()).toBe(inFiveMinutes)
  hidden.mockReturnValue(false)
  await pass(20_000)
  expect(asked()).toBe(inFiveMinutes + 1)
  unmount()
})
