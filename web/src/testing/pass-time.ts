import { vi } from 'vitest'

/** Lets time pass on both clocks of the page without running its timers. */
export const passTime = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms)
  const now = performance.now.bind(performance)
  performance.now = () => now() + ms
}
