import { setTimeout as pause } from 'node:timers/promises'

/** Does something again and again until it is stopped. */
export const again = (work: () => Promise<unknown>): (() => Promise<void>) => {
  let isOver = false
  const working = (async () => {
    while (!isOver) await work().catch(() => pause(100))
  })()
  return async () => {
    isOver = true
    await working
  }
}
