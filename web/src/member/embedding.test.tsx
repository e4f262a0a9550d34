import { beforeEach, expect, test, vi } from 'vitest'
import { listenToHost } from './embedding.ts'
import * as siteSignIn from './site-sign-in.ts'

const page = { postMessage: vi.fn<(message: unknown, origin: string) => void>() }
const SHOP = 'https://shop.example'
/** What the frame hears, from the page around it unless `source` is given. */
const hear = (origin: string, data: unknown, source: unknown = page) =>
  window.dispatchEvent(Object.assign(new MessageEvent('message', { origin, data }), { source }))
beforeEach(() => {
  Object.defineProperty(window, 'parent', { value: page, configurable: true })
  Object.defineProperty(MessageEvent.prototype, 'source', { writable: true, configurable: true })
  page.postMessage.mockClear()
})

test('[API-13] the frame obeys the page around it alone, and the origin that greeted it first', () => {
  const greet = vi.spyOn(siteSignIn, 'greet').mockImplementation(() => {})
  const take = vi.spyOn(siteSignIn, 'takeAnswer').mockImplementation(() => {})
  listenToHost()
  expect(page.postMessage.mock.calls).toEqual([[{ tallyroom: 'ready' }, '*']])
  // Before a greeting nothing else is heard, nor is another window.
  hear(SHOP, { tallyroom: 'signed', token: 'a' })
  hear('https://evil.example', { tallyroom: 'hello' }, {})
  expect([greet.mock.calls, take.mock.calls, page.postMessage.mock.calls.length]).toEqual([[], [], 1])

  hear(SHOP, { tallyroom: 'hello' })
  hear('https://evil.example', { tallyroom: 'hello' })
  hear('https://evil.example', { tallyroom: 'signed', token: 'b' })
  hear(SHOP, { tallyroom: 'signed', token: 'c' })
  expect(greet).toHaveBeenCalledTimes(1)
  expect(take.mock.calls).toEqual([[{ tallyroom: 'signed', token: 'c' }]])
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))
  expect(page.postMessage.mock.calls.slice(1)).toEqual([
    [{ tallyroom: 'unread', count: 0 }, SHOP],
    [{ tallyroom: 'close' }, SHOP],
  ])
})
