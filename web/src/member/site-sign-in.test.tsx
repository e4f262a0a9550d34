import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../api/call.ts'
import { t } from '../i18n/i18n.ts'
import { getStored, setFace, setStored } from '../lib/storage.ts'
import { server } from '../testing/fake-server.ts'
import { profile } from '../testing/fixtures.ts'
import { alerts, button, renderLight } from '../testing/render.tsx'
import { App } from './app.tsx'
import { currentSession, resume, setSite, signOut } from './session.ts'
import { greet, takeAnswer } from './site-sign-in.ts'
import { SitePage } from './sign-in/site-page.tsx'

const asking = vi.fn<(ask: number) => void>()
const hello = (more: object = {}) => act(() => greet({ signIn: true, ...more }, asking))
const answer = (more: object) => act(() => takeAnswer({ ask: asking.mock.lastCall?.[0], ...more }))
const asked = (times: number) => waitFor(() => expect(asking).toHaveBeenCalledTimes(times))
const sessionIs = (accountId: string | undefined, site: string) =>
  waitFor(() => expect([currentSession().accountId, currentSession().site]).toEqual([accountId, site]))

beforeEach(async () => {
  setFace('member')
  server.answers('logout', null)
  await signOut()
  setSite('waits')
  asking.mockClear()
})
afterEach(() => vi.restoreAllMocks())

const openAs = async (id: number, member?: string) => {
  server.once.answers('login', profile({ id }))
  hello(member === undefined ? {} : { member })
  await asked(1)
  answer({ token: 'one' })
  await sessionIs(String(id), 'in')
  asking.mockClear()
}

test('[API-13] a member of the page is signed in by its token, which is stored nowhere', async () => {
  await openAs(7, 'gina')
  expect(server.asked('login')).toEqual([expect.objectContaining({ widget_token: 'one', face: 'member' })])
  expect([JSON.stringify(localStorage), JSON.stringify(sessionStorage), window.location.href].join(' ')).not.toContain(
    '"one"',
  )
  // The next page of the site has the same member: nothing is asked.
  hello({ member: 'gina' })
  await sessionIs('7', 'in')
  expect(asking).not.toHaveBeenCalled()
})

test('[API-13] another member of the page never sees the one before', async () => {
  await openAs(7, 'gina')
  server.once.answers('login', profile({ id: 8 }))
  hello({ member: 'omar' })
  expect(currentSession().site).toBe('waits')
  await asked(1)
  expect([server.asked('logout').length, currentSession().accountId]).toEqual([2, undefined])
  answer({ token: 'two' })
  await sessionIs('8', 'in')
  // Somebody else has signed in beside the widget.
  setStored('user_id', '9')
  resume()
  hello({ member: 'omar' })
  await asked(2)
  answer({ why: 'signed-out' })
  await sessionIs(undefined, 'signed_out')
})

test('[API-13] who signs out on the page is signed out here, also while a sign-in is under way', async () => {
  await openAs(7, 'gina')
  hello({ member: '' })
  await sessionIs(undefined, 'signed_out')
  hello({ member: 'gina' })
  await asked(1)
  const release = server.once.delays('login', profile({ id: 7 }))
  answer({ token: 'two' })
  await waitFor(() => expect(server.asked('login')).toHaveLength(2))
  hello({ member: '', fresh: true })
  release()
  await sessionIs(undefined, 'signed_out')
  expect(getStored('user_token')).toBeUndefined()
  // An answer that nobody has asked for, or to an earlier question, signs nobody in.
  answer({ token: 'three' })
  answer({ token: 'three', ask: 0 })
  expect(server.asked('login')).toHaveLength(2)
  // A session that the page does not know of ends when it says so.
  await openAs(7)
  hello({ fresh: true })
  await asked(1)
  await sessionIs(undefined, 'waits')
})

test('[API-13] a session that ends is asked for once more by itself, and not again at once', async () => {
  await openAs(7)
  resume()
  const inAnHour = performance.now() + 3_600_000
  vi.spyOn(performance, 'now').mockImplementation(() => inAnHour)
  const end = () => {
    server.once.refuses('user/view', 'session.dead', { reason: 'ended' })
    return act(() => call('user/view', {}).catch(() => undefined))
  }
  await end()
  await asked(1)
  server.once.answers('login', profile({ id: 7 }))
  answer({ token: 'two' })
  await sessionIs('7', 'in')
  await end()
  await sessionIs(undefined, 'ended')
  expect(asking).toHaveBeenCalledTimes(1)
  const { user } = renderLight(<SitePage onForm={undefined} />)
  expect(alerts()).toEqual([t('session.dead')])
  await user.click(button(t('action.try_again')))
  await asked(2)
})

test.each([
  [{ why: 'failed' }, 'member.site_failed'],
  [{ token: 'used' }, 'member.site_failed'],
  [{ token: { garbage: 1 } }, 'member.site_failed'],
  [{ why: 'signed-out' }, 'member.site_signed_out'],
] as const)(
  '[API-13] without a sign-in after %j there is a sentence and a button, and no form',
  async (given, words) => {
    server.refuses('login', 'session.link_over')
    renderLight(<App />)
    hello()
    await asked(1)
    expect(screen.getByRole('status').textContent).toBe(t('chat.loading'))
    answer(given)
    await waitFor(() => expect(alerts()).toEqual([t(words)]))
    expect(document.querySelector('form, input')).toBeNull()
    act(() => button(t('action.try_again')).click())
    await asked(2)
  },
)

test('[API-13] a page that does not answer is not waited for without end', async () => {
  vi.useFakeTimers()
  hello()
  await vi.advanceTimersByTimeAsync(0)
  expect([asking.mock.calls.length, currentSession().site]).toEqual([1, 'waits'])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(currentSession().site).toBe('failed')
  answer({ token: 'late' })
  expect(server.asked('login')).toEqual([])
})

test('[API-13] a site that invites visitors shows its form to one that it does not know', async () => {
  window.history.replaceState(null, '', '/Signup/CODE')
  server.refuses('member/invitation', 'signup.unknown_share_code')
  const { user } = renderLight(<App />)
  hello()
  await asked(1)
  answer({ why: 'failed' })
  await user.click(await screen.findByRole('button', { name: t('member.to_sign_up') }))
  expect(await screen.findByRole('heading', { name: t('member.sign_up') })).toBeTruthy()
  hello({ member: '' })
  expect(await screen.findByRole('heading', { name: t('member.sign_up') })).toBeTruthy()
  window.history.replaceState(null, '', '/')
})
