import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { createOptions, passkeyRow, withPasskeys } from '../../testing/passkeys.ts'
import { button, field, fill, renderLight } from '../../testing/render.tsx'
import { OwnPasskeys } from './own-passkeys.tsx'

test('[PASS-01] a member adds a passkey, and is asked for the password only when the server needs it', async () => {
  withPasskeys()
  server.answers('passkey/list', { data: [], here: 'yes' })
  const { user } = renderLight(<OwnPasskeys />)
  await user.click(await screen.findByRole('button', { name: t('passkey.add') }))
  server.refuses('passkey/beginAdd', 'session.needs_password')
  await user.click(button(t('passkey.add')))
  await screen.findByLabelText(t('member.password'))
  server.refuses('passkey/beginAdd', 'session.wrong_password')
  await fill(user, t('member.password'), 'wrong1')
  await user.click(button(t('passkey.add')))
  await waitFor(() => expect(field(t('member.password')).getAttribute('aria-invalid')).toBe('true'))
  server.answers('passkey/beginAdd', createOptions)
  server.answers('passkey/add', { id: 3, recovery_codes: [] })
  server.answers('passkey/list', { data: [passkeyRow()], here: 'yes' })
  await fill(user, t('member.password'), 'secret1')
  await user.click(button(t('passkey.add')))
  expect((await screen.findByText(t('passkey.added'))).getAttribute('role')).toBe('status')
  expect(await screen.findByText('Laptop')).toBeTruthy()
  expect(server.asked('passkey/beginAdd').at(-1)).toEqual({ password: 'secret1' })
})

test('[PASS-01] a member removes a passkey', async () => {
  server.answers('passkey/list', { data: [passkeyRow()], here: 'yes' })
  server.answers('passkey/remove', null)
  const { user } = renderLight(<OwnPasskeys />)
  await user.click(await screen.findByRole('button', { name: t('passkey.remove_named', { name: 'Laptop' }) }))
  await user.click(button(t('passkey.remove')))
  await screen.findByText(t('passkey.removed'))
  expect(server.asked('passkey/remove')).toEqual([{ id: 3, password: '' }])
})

test('[PASS-01] at an IP address the sheet says why there are none', async () => {
  server.answers('passkey/list', { data: [], here: 'needs_name' })
  renderLight(<OwnPasskeys />)
  expect(await screen.findByText(wordsOf('passkey.needs_name'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('passkey.add') })).toBeNull()
})
