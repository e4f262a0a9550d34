import { TransferKind } from '@tallyroom/contract/codes'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, isRefusal, NO_ANSWER, refusedBy, sendEarly, setSessionEndHandler } from './call.ts'

/** How the network answers the next calls, one after the other. */
type Reply = 'silent' | 'down' | { status: number; code: number; refusal?: string }
let replies: Reply[] = []
const reply = (body: object, status = 200) => new Response(JSON.stringify(body), { status })

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (url: string, { signal }: RequestInit = {}) => {
    if (url === '/config.json') return Promise.resolve(reply({ api: '', secret: 'tallyroom' }))
    const next = replies.shift() ?? { status: 200, code: 1000 }
    if (next === 'down') return Promise.reject(new TypeError('failed'))
    if (next !== 'silent') return Promise.resolve(reply({ message: '', data: null, ...next }, next.status))
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
const ended = async (next: Reply) => {
  replies = [next]
  const began = Date.now()
  const end = call('logout', {}).then(
    () => 1000,
    (error: { code: number }) => error.code,
  )
  await vi.runAllTimersAsync()
  return [await end, Math.floor((Date.now() - began) / 1000)]
}

test('[R8] a call without an answer times out after 8 s, and after twice as long each time until something answers', async () => {
  for (const seconds of [8, 16, 32, 32]) expect(await ended('silent')).toEqual([NO_ANSWER, seconds])
  expect(await ended('down')).toEqual([NO_ANSWER, 0])
  expect(await ended('silent')).toEqual([NO_ANSWER, 32])
  expect(await ended({ status: 200, code: 1400 })).toEqual([1400, 0])
  expect(await ended('silent')).toEqual([NO_ANSWER, 8])
  expect(await ended({ status: 200, code: 1000 })).toEqual([1000, 0])
})

test('[R1] the outcome is unknown when the commit was not confirmed, or a proxy answers instead of the server', async () => {
  for (const status of [502, 503, 504]) expect(await ended({ status, code: 1504 })).toEqual([NO_ANSWER, 0])
})

test('[WIRE-04] refusals of one code differ by name; without a name the code decides', async () => {
  const refused = async (code: number, refusal?: string) => {
    replies = [{ status: 200, code, ...(refusal ? { refusal } : {}) }]
    return call('transaction/add', { member_id: 1, type: TransferKind.send, amount: '1' }).catch(
      (error: unknown) => error,
    )
  }
  const isFrozen = (error: unknown) => refusedBy('transaction/add', error, 'transfer.frozen')
  expect(isFrozen(await refused(1414, 'transfer.frozen'))).toBe(true)
  expect(isFrozen(await refused(1414, 'transfer.event_mode'))).toBe(false)
  expect(isFrozen(await refused(1414, 'a refusal that only a newer server knows'))).toBe(false)
  expect(isFrozen(await refused(1414))).toBe(true)
  expect(isFrozen(await refused(1400))).toBe(false)
  expect(isRefusal(await refused(9998), 'session.dead')).toBe(true)
  expect(refusedBy('login', await refused(7001), 'session.needs_authenticator')).toBe(true)
  expect(
    refusedBy('login', await refused(7001, 'transfer.needs_payment_password'), 'session.needs_authenticator'),
  ).toBe(false)
})

test('a call that was sent early is not sent again; its answer is used once, while it is new', async () => {
  const sent = () => vi.mocked(fetch).mock.calls.filter(([url]) => url === '/api/userMenu/list').length
  vi.stubGlobal('fetch', vi.fn<typeof fetch>(fetch))
  for (const wait of [0, 9000]) {
    sendEarly('userMenu/list', {})
    await vi.advanceTimersByTimeAsync(wait)
    const before = sent()
    await call('userMenu/list', {})
    expect(sent()).toBe(before)
    await call('userMenu/list', {})
    expect(sent()).toBe(before + 1)
  }
  sendEarly('userMenu/list', {})
  await vi.advanceTimersByTimeAsync(11_000)
  const before = sent()
  await call('userMenu/list', {})
  expect(sent()).toBe(before + 1)
})

test('[WIRE-05] the end of the session in an early answer reaches the call that takes it', async () => {
  const ended = vi.fn<(reason: string) => void>()
  replies = [{ status: 200, code: 9998 }]
  sendEarly('userMenu/list', {})
  await vi.advanceTimersByTimeAsync(100)
  setSessionEndHandler(ended)
  await expect(call('userMenu/list', {})).rejects.toMatchObject({ code: 9998 })
  expect(ended).toHaveBeenCalledOnce()
})
