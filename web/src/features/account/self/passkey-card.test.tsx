import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Answer } from '@tallyroom/contract'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { created, createOptions, passkeyRow, signOptions, withPasskeys } from '../../../testing/passkeys.ts'
import { alerts, button, field, fill, renderOffice } from '../../../testing/render.tsx'
import { PasskeyCard } from './passkey-card.tsx'

const open = async (list: Partial<Answer<'passkey/list'>> = {}, passkeys = list.data?.length ?? 0) => {
  withPasskeys()
  server.answers('passkey/list', { data: [], here: 'yes', ...list })
  server.answers('factor/view', { authenticator: false, mobile: '', recovery_codes: 0, passkeys })
  return renderOffice(<PasskeyCard />)
}
const dialog = async () => within(await screen.findByRole('dialog'))

test('[PASS-01] the first passkey is added with the password and a name, and brings recovery codes', async () => {
  const { user } = await open()
  expect(await screen.findByText(t('passkey.none'))).toBeTruthy()
  server.answers('passkey/beginAdd', createOptions)
  server.answers('passkey/add', { id: 3, recovery_codes: ['abcde-fghjk'] })
  await user.click(await screen.findByRole('button', { name: t('passkey.add') }))
  await fill(user, t('payment.login_password'), 'secret1')
  await fill(user, t('passkey.name'), 'My phone')
  await user.click((await dialog()).getByRole('button', { name: t('action.next') }))
  expect(await screen.findByText('abcde-fghjk')).toBeTruthy()
  expect(server.asked('passkey/beginAdd')).toEqual([{ password: 'secret1', code: '' }])
  expect(server.asked('passkey/add')).toMatchObject([{ name: 'My phone', passkey: created }])
})

test('[PASS-01] each is listed with its last use and renamed; a copied one says so', async () => {
  const rows = [passkeyRow(), passkeyRow({ id: 4, name: 'Phone', used_at: '2026-11-02T10:00:00Z', copied: true })]
  const { user } = await open({ data: rows })
  expect(await screen.findByText(t('passkey.unused'))).toBeTruthy()
  expect(alerts()).toEqual([t('passkey.copied')])
  server.answers('passkey/rename', null)
  await user.click(button(t('passkey.rename_named', { name: 'Laptop' })))
  expect(field(t('passkey.name')).value).toBe('Laptop')
  await fill(user, t('passkey.name'), 'Old laptop')
  await user.click((await dialog()).getByRole('button', { name: t('action.save') }))
  await waitFor(() => expect(server.asked('passkey/rename')).toMatchObject([{ id: 3, name: 'Old laptop' }]))
})

test('[PASS-01] one is removed with the password and, in place of a code, a passkey', async () => {
  const { user } = await open({ data: [passkeyRow()] })
  await user.click(await screen.findByRole('button', { name: t('passkey.remove_named', { name: 'Laptop' }) }))
  await fill(user, t('payment.login_password'), 'secret1')
  server.answers('passkey/beginProof', signOptions)
  server.answers('passkey/prove', { code: 'a'.repeat(32) })
  await user.click((await dialog()).getByRole('button', { name: t('passkey.use') }))
  expect(await screen.findByText(t('passkey.confirmed'))).toBeTruthy()
  server.answers('passkey/remove', null)
  await user.click((await dialog()).getByRole('button', { name: t('passkey.remove') }))
  await waitFor(() =>
    expect(server.asked('passkey/remove')).toEqual([{ id: 3, password: 'secret1', code: 'a'.repeat(32) }]),
  )
})

test('[PASS-01] at an IP address the card says why there are none, and offers nothing', async () => {
  await open({ here: 'needs_name' })
  expect(await screen.findByText(wordsOf('passkey.needs_name'))).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('passkey.add') })).toBeNull()
})
