import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { menuPage, ownAccount } from '../../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../../testing/render.tsx'
import { SelfPage } from './self-page.tsx'

const open = async (own = ownAccount()) => {
  server.answers('user/view', own)
  // The other cards of the page have tests of their own.
  server.refuses('factor/view', 'server.busy')
  server.refuses('passkey/list', 'server.busy')
  server.refuses('session/list', 'server.busy')
  server.refuses('security/list', 'server.busy')
  const view = await renderOffice(<SelfPage />)
  const card = async (heading: string) => {
    const form = (await screen.findByRole('heading', { name: heading })).closest('form')
    if (!form) throw new Error(`${heading} is no form`)
    return within(form)
  }
  return { ...view, profile: await card(t('account.profile')), payment: await card(t('payment.title')) }
}

test('[SET-05] [ACC-08] the own nickname is saved, and an empty picture goes along; the balance is read only', async () => {
  server.answers('user/edit', null)
  const { user, profile } = await open()
  await fill(user, t('account.nickname'), 'Anna')
  await user.click(profile.getByRole('button', { name: t('action.save') }))
  expect(await screen.findByText(t('done.saved'))).toBeTruthy()
  expect(server.asked('user/edit')).toEqual([
    { request_id: expect.any(String), id: 10, nickname: 'Anna', thumbnail: '' },
  ])
  expect(profile.getByRole('status').textContent).toBe('500.00')
})

test('[ACC-08] the own picture is not sent again when it has not changed', async () => {
  server.answers('user/edit', null)
  const { user, profile } = await open(ownAccount({ thumbnail: '/media/1' }))
  await user.click(profile.getByRole('button', { name: t('action.save') }))
  await screen.findByText(t('done.saved'))
  expect(server.asked('user/edit')[0]).not.toHaveProperty('thumbnail')
})

test('[TRF-06] a payment password is set with the sign-in password', async () => {
  server.answers('user/paymentPassword', null)
  const { user, payment } = await open()
  await fill(user, t('payment.login_password'), 'secret1')
  await fill(user, t('payment.new'), 'pay1234')
  await fill(user, t('payment.new_again'), 'pay1234')
  await user.click(payment.getByRole('button', { name: t('action.save') }))
  await screen.findByText(t('done.saved'))
  expect(server.asked('user/paymentPassword')).toEqual([
    {
      request_id: expect.any(String),
      password: 'secret1',
      payment_password: 'pay1234',
      payment_password_confirmation: 'pay1234',
    },
  ])
  expect(field(t('payment.new')).value).toBe('')
})

test.each([
  ['', 'pay1234', 'pay1234', 'field.needed'],
  ['secret1', 'abc', 'abc', 'account.password_rule'],
  ['secret1', 'pay1234', 'pay1235', 'account.passwords_differ'],
] as const)('[ACC-07] with "%s", "%s" and "%s" nothing is sent', async (current, password, again, words) => {
  const { user, payment } = await open()
  if (current) await fill(user, t('payment.login_password'), current)
  await fill(user, t('payment.new'), password)
  await fill(user, t('payment.new_again'), again)
  await user.click(payment.getByRole('button', { name: t('action.save') }))
  expect(payment.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([t(words)])
  expect(server.asked('user/paymentPassword')).toEqual([])
})

test('[TRF-06] an empty one takes the payment password away; a wrong sign-in password is said and all stays', async () => {
  server.refuses('user/paymentPassword', 'session.wrong_password')
  const { user, payment } = await open(ownAccount({ has_payment_password: true }))
  await fill(user, t('payment.login_password'), 'wrong1')
  await user.click(payment.getByRole('button', { name: t('payment.remove') }))
  expect((await payment.findByRole('alert')).textContent).toBe(wordsOf('session.wrong_password'))
  expect(server.asked('user/paymentPassword')[0]).toMatchObject({ payment_password: '' })
  expect(field(t('payment.login_password')).value).toBe('wrong1')
})

const changePassword = async (words: [string, string, string]) => {
  const { user } = await open()
  const labels = ['account.current_password', 'account.new_password', 'account.password_again'] as const
  for (const [n, label] of labels.entries()) if (words[n]) await fill(user, t(label), words[n])
  await user.click(button(t('account.change_password')))
  return user
}

test('[SELF-01] the own sign-in password is changed with the current one', async () => {
  server.answers('user/edit', null)
  await changePassword(['secret1', 'mine123', 'mine123'])
  expect(await screen.findByText(t('account.password_changed'))).toBeTruthy()
  const words = { current_password: 'secret1', password: 'mine123', password_confirmation: 'mine123' }
  expect(server.asked('user/edit')).toEqual([{ request_id: expect.any(String), id: 10, ...words }])
  expect(field(t('account.new_password')).value).toBe('')
})

test.each([
  [['', 'mine123', 'mine123'], 'field.needed'],
  [['secret1', 'abc', 'abc'], 'account.password_rule'],
  [['secret1', 'mine123', 'mine124'], 'account.passwords_differ'],
] as const)('[SELF-01] the own password: with %j nothing is sent', async (typed, words) => {
  await changePassword([...typed])
  expect(alerts()).toContain(t(words))
  expect(server.asked('user/edit')).toEqual([])
})

test('[SELF-01] a wrong current password is said at its field, and what was typed stays', async () => {
  server.refuses('user/edit', 'session.wrong_password')
  await changePassword(['wrong1', 'mine123', 'mine123'])
  await waitFor(() => expect(field(t('account.current_password')).getAttribute('aria-invalid')).toBe('true'))
  expect(alerts()).toContain(wordsOf('session.wrong_password'))
  expect(field(t('account.new_password')).value).toBe('mine123')
})

test.each([
  [['share/saveDomain'], true],
  [[], false],
] as const)('[SHELL-03] [CODE-04] with %j there is a share domain: %s', async (may, isShown) => {
  server.answers('userMenu/list', [menuPage('/index', { may: [...may] })])
  await open()
  await waitFor(() => expect(screen.queryByLabelText(t('share.domain')) !== null).toBe(isShown))
})

test('[SHELL-03] what a share domain may contain is one piece, also at the end of a line', async () => {
  server.answers('userMenu/list', [menuPage('/index', { may: ['share/saveDomain'] })])
  await open()
  const part = await screen.findByText('?a=', { exact: true })
  expect(part.className).toBe('share-part')
  expect(part.parentElement?.textContent).toBe(t('share.domain_hint'))
})

test('[WIRE-04] a page that does not load says why, and "Try again" loads it', async () => {
  server.refuses('factor/view', 'server.busy')
  server.refuses('passkey/list', 'server.busy')
  server.refuses('session/list', 'server.busy')
  server.refuses('security/list', 'server.busy')
  server.once.losesAnswer('user/view')
  server.answers('user/view', ownAccount())
  const { user } = await renderOffice(<SelfPage />)
  await waitFor(() => expect(alerts()).toEqual([t('network.failed')]))
  await user.click(button(t('action.try_again')))
  expect(await screen.findByText(t('account.profile'))).toBeTruthy()
})
