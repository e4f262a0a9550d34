import { createBrowserHistory } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { nameOfEntry, pageOfEntry, replaceAddress, routerWindow, watchHistory, writeEntry } from './router-history.ts'

// Fails when the next version of the router names its entries otherwise, or reaches past the window it is given.

let ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})
const open = () => {
  window.history.replaceState(null, '', '/one')
  const history = createBrowserHistory({ window: routerWindow() })
  ends.push(() => history.destroy())
  const push = (path: string) => {
    history.push(path)
    history.flush()
    return window.history.state as unknown
  }
  return { history, push }
}
const arrive = (steps: number) =>
  new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true })
    window.history.go(steps)
  })

test('each entry has a name of its own, and the number of its page', async () => {
  const { push } = open()
  const first = pageOfEntry(window.history.state) ?? Number.NaN
  const [two, three] = [push('/two'), push('/three')]
  expect([pageOfEntry(two), pageOfEntry(three)]).toEqual([first + 1, first + 2])
  expect(nameOfEntry(two)).toMatch(/./)
  expect(nameOfEntry(two)).not.toBe(nameOfEntry(three))
  await arrive(-1)
  expect(nameOfEntry(window.history.state)).toBe(nameOfEntry(two))
})

test('an address that is replaced is another entry of the same page number', () => {
  const { history, push } = open()
  const two = push('/two')
  history.replace('/two?find=ann')
  history.flush()
  expect(pageOfEntry(window.history.state)).toBe(pageOfEntry(two))
  expect(nameOfEntry(history.location.state)).toBe(nameOfEntry(window.history.state))
})

test('the router writes by its window alone, and leaves the page’s history as it is', () => {
  const { push } = open()
  const write = vi.fn<typeof writeEntry>(writeEntry)
  ends.push(watchHistory({ write, pop: () => true }))
  const state = push('/two')
  expect(write.mock.calls).toEqual([['pushState', state, '/two']])
  const isOurs = (method: string) => Object.hasOwn(window.history, method)
  expect([isOurs('pushState'), isOurs('replaceState')]).toEqual([false, false])
})

test('the router hears of another entry only if the watcher says so', async () => {
  const { history, push } = open()
  push('/two')
  push('/three')
  let isHeard = false
  ends.push(watchHistory({ write: writeEntry, pop: () => isHeard }))
  const heard = vi.fn<() => void>()
  history.subscribe(heard)
  await arrive(-1)
  expect(heard).not.toHaveBeenCalled()
  isHeard = true
  await arrive(-1)
  await vi.waitFor(() => expect(heard).toHaveBeenCalled())
  expect(history.location.pathname).toBe('/one')
})

test('[AUTH-10] the router hears of an address that the landing page has replaced', () => {
  const { history } = open()
  replaceAddress('/index')
  expect([window.location.pathname, history.location.pathname]).toEqual(['/index', '/index'])
})
