import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, NO_ANSWER } from './call.ts'

/** What the line does with the next calls, one after the other. */
type Fate = 'silent' | 'down' | { status: number; code: number }
let fates: Fate[] = []
const reply = (body: object, status = 200) => new Response(JSON.stringify(body), { status })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit = {}) => {
    if (url === '/config.json') return Promise.resolve(reply({ api: '', secret: 'tallyroom' }))
    const fate = fates.shift() ?? { status: 200, code: 1000 }
    if (fate === 'down') return Promise.reject(new TypeError('failed'))
    if (fate !== 'silent') return Promise.resolve(reply({ code: fate.code, message: '', data: null }, fate.status))
    return new Promise((_, reject) =>
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
    )
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Seconds until the call has ended, and the code it ended with. */
const ended = async (fate: Fate) => {
  fates = [fate]
  const began = Date.now()
  const end = call('logout', {}).then(
    () => 1000,
    (error: { code: number }) => error.code,
  )
  await vi.runAllTimersAsync()
  return [await end, Math.floor((Date.now() - began) / 1000)]
}

test('[R8] a silent line is waited for 8 s, and twice as long each time until something comes over it', async () => {
  for (const seconds of [8, 16, 32, 32]) expect(await ended('silent')).toEqual([NO_ANSWER, seconds])
  expect(await ended('down')).toEqual([NO_ANSWER, 0])
  expect(await ended('silent')).toEqual([NO_ANSWER, 32])
  expect(await ended({ status: 200, code: 1400 })).toEqual([1400, 0])
  expect(await ended('silent')).toEqual([NO_ANSWER, 8])
  expect(await ended({ status: 200, code: 1000 })).toEqual([1000, 0])
})

test('[R1] nobody knows what became of a call whose commit was not answered, or for whom a proxy answers', async () => {
  for (const status of [502, 503, 504]) expect(await ended({ status, code: 1504 })).toEqual([NO_ANSWER, 0])
})
