import { afterAll, vi } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

/*
 * Each test file gets a page of its own: a new window, and our modules as nobody has used them. What one file leaves in
 * them (who is signed in, rooms, the device of the sound) makes others fail, by which files a worker happens to get.
 * Libraries stay loaded: a worker for each file, which loads React again, took twice the processor time.
 * @testing-library keeps the body of the page, so it is loaded again too (vitest.config.ts).
 */

const { setTimeout: realTimeout, setInterval: realInterval, BroadcastChannel: RealChannel } = globalThis
const timers = new Set<NodeJS.Timeout>()
/** The same function, which remembers its timers. */
const remembered = <F extends typeof setTimeout | typeof setInterval>(begin: F): F =>
  Object.assign((...args: Parameters<typeof setTimeout>) => {
    const timer = begin(...args)
    timers.add(timer)
    return timer
  }, begin) as F

const channels = new Set<BroadcastChannel>()
class RememberedChannel extends RealChannel {
  constructor(name: string) {
    super(name)
    channels.add(this)
  }
}

const page = await builtinEnvironments['happy-dom'].setup(globalThis, {})
Object.assign(globalThis, {
  setTimeout: remembered(realTimeout),
  setInterval: remembered(realInterval),
  BroadcastChannel: RememberedChannel,
})

// Registered before all others, so it runs last.
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  // What a module of this page has begun would otherwise ask the server of the next file.
  for (const timer of timers) clearTimeout(timer)
  for (const channel of channels) channel.close()
  Object.assign(globalThis, { setTimeout: realTimeout, setInterval: realInterval, BroadcastChannel: RealChannel })
  await page.teardown(globalThis)
  vi.resetModules()
})
