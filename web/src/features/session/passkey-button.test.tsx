import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { profile } from '../../testing/fixtures.ts'
import { signed, signOptions, withPasskeys } from '../../testing/passkeys.ts'
import { alerts, button, fill, renderLight } from '../../testing/render.tsx'
import { SignInPage } from './sign-in.tsx'

const open = () => {
  const onEnter = vi.fn<() => Promise<void>>(() => Promise.resolve())
  return { ...renderLight(<SignInPage onEnter={onEnter} />), onEnter }
}

test('[PASS-01] a browser without passkeys shows no button for them', async () => {
  open()
  await Promise.resolve()
  expect(screen.queryByRole('button', { name: t('passkey.sign_in') })).toBeNull()
})

test('[PASS-01] the user picks a passkey and is signed in without a username', async () => {
  const { get } = withPasskeys()
  server.answers('passkey/begin', signOptions)
  server.answers('login', profile())
  const { user, onEnter } = open()
  await user.click(await screen.findByRole('button', { name: t('passkey.sign_in') }))
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
  expect(get).toHaveBeenCalledOnce()
  expect(server.asked('login')).toMatchObject([{ face: 'office', passkey: signed }])
})

test('[PASS-01] a passkey that is not used, or refused, is an alert and the page stays', async () => {
  const { get } = withPasskeys()
  server.answers('passkey/begin', signOptions)
  get.mockRejectedValueOnce(new Error('NotAllowedError'))
  const { user, onEnter } = open()
  await user.click(await screen.findByRole('button', { name: t('passkey.sign_in') }))
  await waitFor(() => expect(alerts()).toEqual([t('passkey.stopped')]))
  server.refuses('login', 'passkey.wrong')
  await user.click(button(t('passkey.sign_in')))
  await waitFor(() => expect(alerts()).toEqual([wordsOf('passkey.wrong')]))
  expect(onEnter).not.toHaveBeenCalled()
})

const toSecondStep = async (refusal: 'session.needs_passkey' | 'session.needs_authenticator') => {
  server.once.refuses('login', refusal, { challenge: 'c', mobile: '', passkey: true })
  const view = open()
  await fill(view.user, t('session.login'), 'ann')
  await fill(view.user, t('session.password'), 'secret1')
  await view.user.click(button(t('session.enter')))
  await screen.findByRole('button', { name: t('passkey.use') })
  return view
}

test('[PASS-01] [AUTH-05] after the password the passkey is the second step', async () => {
  withPasskeys()
  const { user, onEnter } = await toSecondStep('session.needs_passkey')
  expect(screen.queryByLabelText(t('second.code'))).toBeNull()
  server.answers('passkey/beginStep', signOptions)
  server.answers('passkey/finishStep', { auth_done: 'proof' })
  server.answers('login', profile())
  await user.click(button(t('passkey.use')))
  await waitFor(() => expect(onEnter).toHaveBeenCalledOnce())
  expect(server.asked('login').at(-1)).toEqual({
    username: 'ann',
    password: 'secret1',
    face: 'office',
    auth_done: 'proof',
  })
})

test('[PASS-01] [AUTH-05] beside an authenticator the user chooses, and a recovery code works instead', async () => {
  withPasskeys()
  const { user } = await toSecondStep('session.needs_authenticator')
  await user.click(screen.getByRole('radio', { name: t('second.by_authenticator') }))
  expect(screen.getByLabelText(t('second.code'))).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: t('second.by_passkey') }))
  await user.click(button(t('second.lost_phone')))
  server.answers('googleAuth', { auth_done: 'proof' })
  server.answers('login', profile())
  await fill(user, t('second.recovery_code'), 'abcde-fghjk')
  await user.click(button(t('second.verify')))
  await waitFor(() => expect(server.asked('googleAuth')).toEqual([{ username: 'ann', secret: 'abcde-fghjk' }]))
})
