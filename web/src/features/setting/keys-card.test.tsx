import type { Answer } from '@tallyroom/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { alerts, button, fill, renderOffice } from '../../testing/render.tsx'
import { KeysCard } from './keys-card.tsx'

type KeyRow = Answer<'apiKey/list'>['data'][number]
const [GAME, SHOP] = ['a', 'b'].map((digit) => `tk_${digit.repeat(24)}`) as [string, string]
const key = (id: string, label: string): KeyRow => ({
  id,
  label,
  active: true,
  created_at: '2026-11-01 10:00:00',
  used_at: null,
  revoked_at: null,
  signs_webhooks: id === GAME,
  only_webhooks: false,
})
const made = { id: 'tk_new', secret: 'the-secret' }
const open = async () => {
  server.answers('apiKey/list', { data: [key(GAME, 'Game'), key(SHOP, 'Shop')] })
  const { user } = await renderOffice(<KeysCard />)
  await screen.findByText('Game')
  return user
}

test('[S28] a key is revoked only after a question that names it', async () => {
  server.answers('apiKey/revoke', null)
  const user = await open()
  const opener = button(t('api_key.revoke_named', { name: 'Shop' }))
  await user.click(opener)
  await screen.findByRole('dialog', { name: t('api_key.revoke_named', { name: 'Shop' }) })
  // Enter alone does nothing: the focus is on the button that keeps the key.
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('apiKey/revoke')).toEqual([])
  await user.click(opener)
  await screen.findByRole('dialog')
  await user.click(button(t('api_key.revoke')))
  await screen.findByText(t('api_key.revoked'))
  expect(server.asked('apiKey/revoke')).toEqual([{ id: SHOP }])
})

test('the list says which key signs webhooks', async () => {
  await open()
  expect(screen.getAllByText(new RegExp(t('api_key.signs'))).map((row) => row.closest('li')?.textContent)).toEqual([
    expect.stringContaining(GAME),
  ])
})

test('[API-08] a key can be made that only signs webhooks, and the list says so', async () => {
  server.answers('apiKey/add', { id: SHOP, secret: 'the-secret' })
  const user = await open()
  await user.type(screen.getByLabelText(t('api_key.label')), 'Receiver')
  await user.click(screen.getByRole('checkbox', { name: t('api_key.only_webhooks') }))
  server.answers('apiKey/list', { data: [{ ...key(SHOP, 'Receiver'), only_webhooks: true, signs_webhooks: true }] })
  await user.click(button(t('api_key.make')))
  await screen.findByText('the-secret')
  expect(server.asked('apiKey/add')).toEqual([{ label: 'Receiver', only_webhooks: true }])
  expect(screen.getByRole('listitem').textContent).toContain(
    `${t('api_key.unused')} · ${t('api_key.only_webhooks')} · ${t('api_key.signs')}`,
  )
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: t('api_key.only_webhooks') }).checked).toBe(false)
})

test('[S28] a new secret is shown once, and the focus is on the button that copies it', async () => {
  server.once.refuses('apiKey/rotate', 'session.needs_password')
  server.answers('apiKey/rotate', made)
  const user = await open()
  await user.click(button(t('api_key.rotate_named', { name: 'Game' })))
  await fill(user, t('payment.login_password'), 'own-one')
  // Asking for it is not an error.
  expect(alerts()).not.toContain(wordsOf('session.needs_password'))
  // The button says what it goes on with.
  await user.click(button(t('api_key.rotate')))
  await screen.findByText('the-secret')
  await waitFor(() => expect(document.activeElement).toBe(button(t('api_key.copy'))))
  expect(server.asked('apiKey/rotate')[1]).toEqual({ id: GAME, current_password: 'own-one' })
})

test('[S28] the question for the password can be cancelled, and a revoked key takes its secret away', async () => {
  server.answers('apiKey/rotate', { ...made, id: GAME })
  server.answers('apiKey/revoke', null)
  const user = await open()
  await user.click(button(t('api_key.rotate_named', { name: 'Game' })))
  await screen.findByText('the-secret')
  await user.click(button(t('api_key.revoke_named', { name: 'Game' })))
  await screen.findByRole('dialog')
  await user.click(button(t('api_key.revoke')))
  await waitFor(() => expect(screen.queryByText('the-secret')).toBeNull())
  server.refuses('apiKey/rotate', 'session.needs_password')
  await user.click(button(t('api_key.rotate_named', { name: 'Shop' })))
  await screen.findByLabelText(new RegExp(t('payment.login_password')))
  await user.click(button(t('action.cancel')))
  await screen.findByLabelText(t('api_key.label'))
  expect(button(t('api_key.make'))).toBeTruthy()
})
