import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { saveNotice } from '../../lib/handoff.ts'
import { getStored, setStored } from '../../lib/storage.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { profile } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderLight } from '../../testing/render.tsx'
import { SignInPage } from './sign-in.tsx'

const open = () => {
  const onEnter = vi.fn<() => Promise<void>>(() => Promise.resolve())
  return { ...renderLight(<SignInPage onEnter={onEnter} />), onEnter }
}
type User = ReturnType<typeof open>['user']
const signIn = async (user: User) => {
  await fill(user, t('session.login'), ' ann ')
  await fill(user, t('session.password'), 'secret1')
  await user.click(button(t('session.enter')))
}

test('[AUTH-01] [AUTH-04] login and password sign in, and what the pages need is stored', async () => {
  server.answers('login', profile({ nickname: 'Ann' }))
  const { user, onEnter } = open()
  expect(screen.getByRole('heading').textContent).toBe(t('session.title'))
  await signIn(user)
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
  expect(server.asked('login')).toEqual([{ username: 'ann', password: 'secret1', face: 'office' }])
  expect([getStored('user_nickname'), getStored('user_token')]).toEqual(['Ann', 'token'])
})

test('[AUTH-01] an empty field is named and has the focus, and nothing is sent', async () => {
  const { user } = open()
  await user.click(button(t('session.enter')))
  expect(alerts()).toEqual([t('field.needed'), t('field.needed')])
  expect([field(t('session.login')).required, field(t('session.password')).required]).toEqual([true, true])
  expect(document.activeElement).toBe(field(t('session.login')))
  await fill(user, t('session.login'), 'ann')
  await user.click(button(t('session.enter')))
  expect(screen.getAllByText(t('field.needed'))).toHaveLength(1)
  expect(document.activeElement).toBe(field(t('session.password')))
  expect(server.asked('login')).toEqual([])
})

test('[AUTH-13] [AUTH-01] a refusal is an alert, the button works for 1 s and then takes another try', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server.refuses('login', 'session.wrong_login')
  const { user, onEnter } = open()
  await signIn(user)
  expect((await screen.findByRole('alert')).textContent).toBe(wordsOf('session.wrong_login'))
  expect(button(t('session.enter')).getAttribute('aria-busy')).toBe('true')
  await vi.advanceTimersByTimeAsync(1000)
  await waitFor(() => expect(button(t('session.enter')).getAttribute('aria-busy')).toBe('false'))
  expect(field(t('session.login')).value).toBe(' ann ')
  expect(onEnter).not.toHaveBeenCalled()
})

test('[AUTH-02] after an agent login there is only the hint to sign in there again', () => {
  setStored('agent_login', '1')
  open()
  expect(screen.getByText(t('session.agent_again'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('session.enter') })).toBeNull()
})

test.each([
  ['expired', 'session.expired'],
  ['frozen', 'session.frozen'],
  ['password', 'session.new_password'],
  ['ended', 'session.dead'],
  ['logged_out', 'done.logout'],
] as const)('[WIRE-05] [AUTH-11] a page that left with the notice %s has it shown here', async (notice, words) => {
  saveNotice(notice)
  open()
  expect(await screen.findByText(t(words))).toBeTruthy()
})

test.each([
  ['session.needs_authenticator', [], false],
  ['session.needs_sms', [], true],
  ['session.needs_either', ['second.by_authenticator', 'second.by_sms'], false],
] as const)('[AUTH-05] %s opens its second step', async (refusal, kinds, sendsCode) => {
  server.refuses('login', refusal, { mobile: '09*****678' })
  const { user } = open()
  await signIn(user)
  await screen.findByLabelText(t('second.code'))
  expect(screen.queryAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual(
    kinds.map((key) => t(key)),
  )
  expect(screen.queryByRole('button', { name: t('second.send') }) !== null).toBe(sendsCode)
})

test('[AUTH-07] [AUTH-08] the proof of the second step goes with the same sign-in', async () => {
  server.once.refuses('login', 'session.needs_authenticator')
  server.answers('login', profile())
  server.answers('googleAuth', { auth_done: 'proof' })
  const { user, onEnter } = open()
  await signIn(user)
  await user.type(await screen.findByLabelText(t('second.code')), '123 456')
  await user.click(button(t('second.verify')))
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
  expect(server.asked('googleAuth')).toEqual([{ username: 'ann', secret: '123456' }])
  expect(server.asked('login')[1]).toMatchObject({ username: 'ann', password: 'secret1', auth_done: 'proof' })
})

test('[AUTH-07] an empty code is an alert, and nothing is sent', async () => {
  server.refuses('login', 'session.needs_authenticator')
  const { user } = open()
  await signIn(user)
  expect((await screen.findByLabelText<HTMLInputElement>(t('second.code'))).required).toBe(true)
  await user.click(button(t('second.verify')))
  expect(alerts()).toEqual([t('field.needed')])
  expect(server.asked('googleAuth')).toEqual([])
})

test('[AUTH-07] a kind of proof that this page does not know is an error', async () => {
  // An SMS without a number.
  server.refuses('login', 'session.needs_sms')
  const { user } = open()
  await signIn(user)
  expect((await screen.findByRole('alert')).textContent).toBe(t('second.unsupported'))
})

test('[AUTH-06] the code is sent after the number was confirmed, then 60 s pass; a failed sending ends them', async () => {
  server.refuses('login', 'session.needs_sms', { mobile: '09*****678' })
  server.once.refuses('sendValidateCode', 'code.not_sent')
  server.answers('sendValidateCode', { seconds: 60 })
  const { user } = open()
  await signIn(user)
  const send = async () => {
    await user.click(await screen.findByRole('button', { name: t('second.send') }))
    expect(screen.getByText(t('second.confirm_send', { mobile: '09*****678' }))).toBeTruthy()
    await user.click(button(t('action.ok')))
  }
  await send()
  expect((await screen.findByRole('alert')).textContent).toBe(wordsOf('code.not_sent'))
  await send()
  expect(await screen.findByText(t('second.sent', { mobile: '09*****678' }))).toBeTruthy()
  expect(button(t('second.send_again', { seconds: 60 }))).toHaveProperty('disabled', true)
  expect(server.asked('sendValidateCode')).toHaveLength(2)
})

const toNewPassword = async () => {
  server.once.refuses('login', 'session.needs_new_password')
  const view = open()
  await signIn(view.user)
  await screen.findByText(t('session.needs_new_password'))
  return view
}

test('[AUTH-04] an account with a given password chooses its own before it comes in', async () => {
  const { user, onEnter } = await toNewPassword()
  server.answers('login', profile())
  await fill(user, t('account.new_password'), 'mine22')
  await fill(user, t('account.password_again'), 'mine22')
  await user.click(button(t('session.save_password')))
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
  expect(server.asked('login')[1]).toMatchObject({
    password: 'secret1',
    new_password: 'mine22',
    new_password_confirmation: 'mine22',
  })
})

test.each([
  ['abc', 'abc', 'account.password_rule'],
  ['no-signs', 'no-signs', 'account.password_rule'],
  ['mine22', 'mine23', 'account.passwords_differ'],
] as const)('[ACC-07] the new password %s, again %s, is not sent', async (chosen, again, words) => {
  const { user } = await toNewPassword()
  await fill(user, t('account.new_password'), chosen)
  await fill(user, t('account.password_again'), again)
  await user.click(button(t('session.save_password')))
  expect(alerts()).toEqual([t(words)])
  expect(server.asked('login')).toHaveLength(1)
})

test('[AUTH-13] a refused new password says why and keeps what was typed', async () => {
  const { user } = await toNewPassword()
  server.refuses('login', 'account.password_not_new')
  await fill(user, t('account.new_password'), 'secret1')
  await fill(user, t('account.password_again'), 'secret1')
  await user.click(button(t('session.save_password')))
  await waitFor(() => expect(alerts()).toEqual([wordsOf('account.password_not_new')]))
  expect(field(t('account.new_password')).value).toBe('secret1')
})

test('the typed password can be shown, and is sent all the same', async () => {
  server.answers('login', profile({ nickname: 'Ann' }))
  const { user, onEnter } = open()
  await fill(user, t('session.login'), 'ann')
  await fill(user, t('session.password'), 'secret1')
  await user.click(button(t('field.show_password')))
  expect(field(t('session.password')).type).toBe('text')
  await user.click(button(t('field.hide_password')))
  expect(field(t('session.password')).type).toBe('password')
  await user.click(button(t('field.show_password')))
  await user.click(button(t('session.enter')))
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
  expect(server.asked('login')[0]).toMatchObject({ password: 'secret1' })
})
