import type { Answer } from '@tallyroom/contract'
import { apiDates } from '@tallyroom/contract/api/dates'
import { apiRights } from '@tallyroom/contract/api/rights'
import { TransferKind } from '@tallyroom/contract/codes'
import { screen, waitFor, within } from '@testing-library/react'
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
  actor_id: 70,
  rights: ['bets'],
  addresses: [],
  expires_on: null,
  per_second: null,
  version: null,
  is_sandbox: false,
  days: [],
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

const dialogKey = { request_id: expect.any(String) as string }

test('[API-01] a new key has no rights until they are chosen, and the list says what each key may do', async () => {
  server.answers('apiKey/add', { id: SHOP, secret: 'the-secret' })
  const user = await open()
  await user.click(button(t('api_key.make')))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText(new RegExp(t('api_key.label'))), 'Receiver')
  expect(dialog.getAllByRole<HTMLInputElement>('checkbox').some(({ checked }) => checked)).toBe(false)
  await user.click(dialog.getByRole('checkbox', { name: new RegExp(t('api_key.right_webhooks')) }))
  const days = [
    { day: '2026-11-02', calls: 5, refused: 1 },
    { day: '2026-11-01', calls: 2, refused: 0 },
  ]
  server.answers('apiKey/list', {
    data: [
      { ...key(SHOP, 'Receiver'), rights: ['webhooks'], signs_webhooks: true, days },
      { ...key(GAME, 'Game'), rights: [], signs_webhooks: false },
    ],
  })
  await user.click(dialog.getByRole('button', { name: t('api_key.make') }))
  await screen.findByText('the-secret')
  const none = { addresses: [], expires_on: null, per_second: null, version: null }
  expect(server.asked('apiKey/add')).toEqual([{ label: 'Receiver', rights: ['webhooks'], ...none }])
  await screen.findByText(`${t('api_key.right_webhooks')} · ${t('api_key.signs')}`)
  expect(screen.getByText(t('api_key.no_rights'))).toBeTruthy()
  await user.click(screen.getByText(t('api_key.calls', { calls: 7, refused: 1 })))
  expect(screen.getByText(t('api_key.day', { day: '2026-11-02', calls: 5, refused: 1 }))).toBeTruthy()
})

test('[API-01] what a key may do is changed, with the own password if it is asked for, and may have to wait', async () => {
  server.answers('apiKey/list', {
    data: [{ ...key(GAME, 'Game'), addresses: ['10.0.0.0/8'], expires_on: '2027-01-31', per_second: 20 }],
  })
  const { user } = await renderOffice(<KeysCard />)
  await screen.findByText(new RegExp(t('api_key.last_day', { day: '2027-01-31' })))
  await user.click(button(t('api_key.change_named', { name: 'Game' })))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('checkbox', { name: new RegExp(t('api_key.right_signin')) }))
  await user.type(dialog.getByLabelText(t('audit.field_key_addresses')), '\n192.0.2.7')
  await user.clear(dialog.getByLabelText(t('audit.field_expires_on')))
  server.once.refuses('apiKey/set', 'session.needs_password')
  await user.click(dialog.getByRole('button', { name: t('action.save') }))
  await user.type(await dialog.findByLabelText(new RegExp(t('payment.login_password'))), 'own-one')
  server.answers('apiKey/set', { approval: 1 })
  await user.click(dialog.getByRole('button', { name: t('action.save') }))
  await screen.findByText(t('change.asked'))
  expect(server.asked('apiKey/set')[1]).toEqual({
    ...dialogKey,
    id: GAME,
    rights: ['signin', 'bets'],
    addresses: ['10.0.0.0/8', '192.0.2.7'],
    expires_on: null,
    per_second: 20,
    version: null,
    current_password: 'own-one',
  })
})

test('[API-01] [TEXT-02] calls per second are taken as they are typed, and what is no number is not taken for no limit', async () => {
  server.answers('apiKey/list', { data: [{ ...key(GAME, 'Game'), per_second: 20 }] })
  server.answers('apiKey/set', { approval: 0 })
  const { user } = await renderOffice(<KeysCard />)
  await screen.findByText('Game')
  await user.click(button(t('api_key.change_named', { name: 'Game' })))
  const dialog = within(await screen.findByRole('dialog'))
  const calls = dialog.getByLabelText<HTMLInputElement>(t('audit.field_per_second'))
  const saveWith = async (typed: string) => {
    await user.clear(calls)
    await user.type(calls, typed)
    await user.click(dialog.getByRole('button', { name: t('action.save') }))
  }
  for (const typed of ['1,5', '5-10', '0', '1000001', 'many']) {
    await saveWith(typed)
    expect([typed, (await dialog.findByText('1 – 1,000,000')).className]).toEqual([typed, 'field-error'])
  }
  expect(server.asked('apiKey/set')).toEqual([])
  await saveWith('২০')
  await waitFor(() => expect(server.asked('apiKey/set')).toMatchObject([{ per_second: 20 }]))
})

test('[API-01] [CAPS-01] the limits of a key are those of its account, and are saved with it', async () => {
  const none = { transfer: null, hour: null, day: null, member: null }
  const limit = {
    type: TransferKind.send,
    ...none,
    effective: none,
    above: none,
    used: { hour: '0.0000', day: '0.0000' },
  }
  server.answers('limit/view', { id: 70, username: GAME, limits: [limit], ceiling: { envelope: null, day: null } })
  server.answers('limit/save', null)
  server.answers('apiKey/set', {})
  const user = await open()
  await user.click(button(t('api_key.change_named', { name: 'Game' })))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByText(t('limit.title')))
  await user.selectOptions(await dialog.findByRole('combobox', { name: t('limit.add') }), `${TransferKind.send}/day`)
  await user.type(dialog.getByLabelText(t('limit.day')), '5000')
  await user.click(dialog.getByRole('button', { name: t('action.save') }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('limit/view')[0]).toEqual({ id: 70 })
  expect(server.asked('limit/save')).toMatchObject([
    { id: 70, limits: [{ type: TransferKind.send, ...none, day: '5000' }] },
  ])
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
  await waitFor(() => expect(button(t('api_key.make'))).toBeTruthy())
})

test('[API-11] a key of the sandbox may do everything at first and is shown apart, and one button empties the sandbox', async () => {
  const [OF_SANDBOX] = [`tks_${'c'.repeat(24)}`]
  server.answers('apiKey/add', { id: OF_SANDBOX, secret: 'the-secret' })
  server.answers('apiKey/emptySandbox', null)
  const user = await open()
  expect(screen.queryByRole('button', { name: t('api_key.sandbox_empty') })).toBeNull()
  await user.click(button(t('api_key.sandbox_make')))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getAllByRole<HTMLInputElement>('checkbox').every(({ checked }) => checked)).toBe(true)
  await user.click(dialog.getByRole('button', { name: t('api_key.sandbox_make') }))
  expect([dialog.getByText(t('api_key.label_needed')), server.asked('apiKey/add')]).toEqual([expect.anything(), []])
  await user.type(dialog.getByLabelText(new RegExp(t('api_key.label'))), 'Tests')
  await user.selectOptions(dialog.getByRole('combobox', { name: t('audit.field_key_version') }), apiDates[0])
  server.answers('apiKey/list', {
    data: [key(GAME, 'Game'), { ...key(OF_SANDBOX, 'Tests'), version: apiDates[0], is_sandbox: true }],
  })
  await user.click(dialog.getByRole('button', { name: t('api_key.sandbox_make') }))
  await screen.findByText('the-secret')
  expect(server.asked('apiKey/add')).toEqual([
    {
      label: 'Tests',
      sandbox: 1,
      rights: [...apiRights],
      addresses: [],
      expires_on: null,
      per_second: null,
      version: apiDates[0],
    },
  ])
  const row = screen.getByText(OF_SANDBOX, { selector: 'li code' }).closest('li') as HTMLElement
  expect(within(row).getByText(t('shell.sandbox'))).toBeTruthy()
  expect(row.textContent).toContain(t('api_key.form', { date: apiDates[0] }))
  await user.click(button(t('api_key.sandbox_empty')))
  const asked = within(await screen.findByRole('dialog'))
  await user.click(asked.getByRole('button', { name: t('api_key.sandbox_empty') }))
  await screen.findByText(t('audit.kind_sandbox_emptied'))
  expect(server.asked('apiKey/emptySandbox')).toHaveLength(1)
})
