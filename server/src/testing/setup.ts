import { afterAll, vi } from 'vitest'
import { makePasswordsCheap } from './cheap-passwords.ts'
import './outcome.ts'
import { closeAll } from './postgres.ts'

makePasswordsCheap()

// Registered before the file's own, so it runs last, after the file has closed its pools.
afterAll(async () => {
  // A clock left standing would stop the next file too.
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  await closeAll()
})
