import { cleanup, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { clearStored, getStored, setFace, setStored } from '../../lib/storage.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { profile } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderLight } from '../../testing/render.tsx'
import { rememberGroup, storedLook } from '../look.ts'
import { SignInPage } from './sign-in.tsx'
import { SignUpPage } from './sign-up.tsx'

const INVITATION = {
  nickname: 'Ann',
  name: 'Ann’s table',
  picture: 'data:image/webp;base64,AAAA',
  header_background_color: '#3d2466',
  header_font_color: '',
}
beforeEach(() => {
  setFace('member')
  localStorage.clear()
  server.answers('member/invitation', INVITATION)
})

const open = async () => {
  const onSignIn = vi.fn<() => void>()
  const view = renderLight(<SignUpPage shareCode="CODE" onSignIn={onSignIn} />)
  await screen.findByText(t('member.invited_by', { name: 'Ann' }))
  return { ...view, onSignIn }
}
type User = Awaited<ReturnType<typeof open>>['user']
type Typed = { username?: string; password?: string; again?: string }
const fillIn = async (user: User, typed: Typed = {}) => {
  const { username = 'gina01', password = 'secret1', again = password } = typed
  await fill(user, t('member.username'), username)
  await fill(user, t('member.password'), password)
  await fill(user, t('member.password_again'), again)
}
const submit = (user: User) => user.click(button(t('member.sign_up_now')))

test('[SHELL-03] a visitor with a share code becomes a member', async () => {
  server.answers('member/signup', profile({ id: 77 }))
  const { user } = await open()
  await fillIn(user)
  await fill(user, t('member.nickname'), 'Gina')
  await submit(user)
  await waitFor(() => expect(getStored('user_id')).toBe('77'))
  expect(server.asked('member/signup')).toEqual([
    {
      request_id: expect.any(String),
      share_code: 'CODE',
      username: 'gina01',
      nickname: 'Gina',
      password: 'secret1',
      password_confirmation: 'secret1',
    },
  ])
})

test.each([
  [{ username: 'abc' }, 'member.username', 'member.username_length'],
  [{ username: 'ab cd' }, 'member.username', 'member.username_letters'],
  [{ password: 'abc' }, 'member.password', 'member.password_length'],
  [{ password: 'ab-cd' }, 'member.password', 'member.password_letters'],
  [{ again: 'secret2' }, 'member.password_again', 'account.passwords_differ'],
] as const)('[ACC-07] %j is not sent, and its field says why', async (typed, name, words) => {
  const { user } = await open()
  await fillIn(user, typed)
  await submit(user)
  const wrong = field(t(name))
  expect([wrong.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', wrong])
  expect(document.getElementById(wrong.getAttribute('aria-describedby') ?? '')?.textContent).toContain(t(words))
  expect(alerts()).toEqual([t(words)])
  expect(server.asked('member/signup')).toEqual([])
})

test('[ACC-13] a taken username is said at its field, and what was typed stays', async () => {
  server.refuses('member/signup', 'account.username_taken', { username: 'gina01' })
  const { user } = await open()
  await fillIn(user)
  await submit(user)
  await waitFor(() => expect(screen.getByText(wordsOf('account.username_taken'))).toBeTruthy())
  expect(field(t('member.username')).getAttribute('aria-invalid')).toBe('true')
  expect(field(t('member.password')).value).toBe('secret1')
})

test('[R1] a lost answer is an alert, and the same sign-up goes again under the same id', async () => {
  server.once.losesAnswer('member/signup')
  server.answers('member/signup', profile())
  const { user } = await open()
  await fillIn(user)
  await submit(user)
  await waitFor(() => expect(alerts()).toEqual([t('network.failed')]))
  await submit(user)
  await waitFor(() => expect(server.asked('member/signup')).toHaveLength(2))
  const [first, second] = server.asked('member/signup')
  expect(second).toEqual(first)
})

test('[SHELL-03] an unknown share code is said at once, without a form', async () => {
  server.refuses('member/invitation', 'signup.unknown_share_code')
  renderLight(<SignUpPage shareCode="CODE" onSignIn={() => {}} />)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('signup.unknown_share_code')]))
  expect(screen.queryByLabelText(t('member.username'))).toBeNull()
  expect(screen.queryByRole('button', { name: t('action.try_again') })).toBeNull()
})

test('[WIRE-04] an invitation that does not load can be loaded again, and what was typed meanwhile stays', async () => {
  server.once.losesAnswer('member/invitation')
  const { user } = renderLight(<SignUpPage shareCode="CODE" onSignIn={() => {}} />)
  await fill(user, t('member.username'), 'gina01')
  await user.click(await screen.findByRole('button', { name: t('action.try_again') }))
  expect(await screen.findByText(t('member.invited_by', { name: 'Ann' }))).toBeTruthy()
  expect(field(t('member.username')).value).toBe('gina01')
})

test('[AUTH-13] a member that signs in wrongly reads why and may try again', async () => {
  server.refuses('login', 'session.wrong_login')
  const { user } = renderLight(<SignInPage />)
  const enter = button(t('member.sign_in'))
  expect(enter).toHaveProperty('disabled', true)
  await fill(user, t('member.username'), 'gina01')
  await fill(user, t('member.password'), 'wrong1')
  expect([field(t('member.username')).required, field(t('member.password')).required]).toEqual([true, true])
  await user.click(enter)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('session.wrong_login')]))
  expect(server.asked('login')).toEqual([{ username: 'gina01', password: 'wrong1', face: 'member' }])
  expect(enter).toHaveProperty('disabled', false)
})

test('[AUTH-13] a member with a given password chooses its own first', async () => {
  server.once.refuses('login', 'session.needs_new_password')
  server.answers('login', profile({ id: 78 }))
  const { user } = renderLight(<SignInPage />)
  await fill(user, t('member.username'), 'gina01')
  await fill(user, t('member.password'), 'given1')
  await user.click(button(t('member.sign_in')))
  await screen.findByText(t('session.needs_new_password'))
  await fill(user, t('account.new_password'), 'mine22')
  await fill(user, t('account.password_again'), 'mine23')
  await user.click(button(t('session.save_password')))
  expect(screen.getByText(t('account.passwords_differ'))).toBeTruthy()
  await fill(user, t('account.password_again'), 'mine22')
  await user.click(button(t('session.save_password')))
  await waitFor(() => expect(getStored('user_id')).toBe('78'))
  expect(server.asked('login')[1]).toMatchObject({ password: 'given1', new_password: 'mine22' })
})

const front = () => document.querySelector<HTMLElement>('.m-front')
const cover = () => document.querySelector('.m-cover')

test('[FIRST-03] sign-up shows the group’s name, picture and colours, and nothing of the product before them', async () => {
  const release = server.once.delays('member/invitation', INVITATION)
  renderLight(<SignUpPage shareCode="CODE" onSignIn={() => {}} />)
  expect(front()?.textContent).not.toContain(t('product.name'))
  // Only room for what comes, which nobody sees or hears.
  expect([...(cover()?.querySelectorAll('p > :not([aria-hidden])') ?? [])]).toEqual([])
  expect(cover()?.querySelector('strong')?.textContent?.trim()).toBe('')
  release()
  await screen.findByText('Ann’s table')
  expect(cover()?.querySelector('img')?.getAttribute('src')).toBe(INVITATION.picture)
  expect(front()?.style.getPropertyValue('--brand')).toBe('#3d2466')
  expect(front()?.style.getPropertyValue('--brand-over')).toBe('#ffffff')
  expect(document.title).toBe(`${t('member.sign_up')} · Ann’s table`)
})

test('[FIRST-03] sign-in shows the group of a member that came without an invitation', () => {
  rememberGroup({ name: 'Ben’s table', header_background_color: '#3d2466', header_font_color: '#ffffff' })
  renderLight(<SignInPage />)
  expect(cover()?.querySelector('strong')?.textContent).toBe('Ben’s table')
  expect(front()?.style.getPropertyValue('--brand')).toBe('#3d2466')
  // The picture of an invitation stays while the group keeps its name.
  setStored('look', JSON.stringify({ ...INVITATION, code: 'CODE' }))
  const colours = { header_background_color: '', header_font_color: '' }
  rememberGroup({ ...colours, name: INVITATION.name })
  expect(storedLook()).toMatchObject({ ...colours, picture: INVITATION.picture, code: 'CODE' })
  rememberGroup({ ...colours, name: 'Cho’s table' })
  expect(storedLook()).toEqual({ ...colours, name: 'Cho’s table', picture: '', code: '' })
})

test('[FIRST-03] sign-in shows the same at once, in this browser and after a sign-out', async () => {
  await open()
  cleanup()
  clearStored()
  const release = server.once.delays('member/invitation', { ...INVITATION, name: 'Ann’s new table' })
  renderLight(<SignInPage />)
  expect(cover()?.textContent).toBe('Ann’s table')
  release()
  await screen.findByText('Ann’s new table')
  expect(server.asked('member/invitation').at(-1)).toEqual({ share_code: 'CODE' })
})

test('[FIRST-03] where no group is known, sign-in shows the product and asks for nothing', () => {
  renderLight(<SignInPage />)
  expect(front()?.textContent).toContain(t('product.name'))
  expect(server.asked('member/invitation')).toEqual([])
})
