import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from '@tallyroom/contract'
import { BankStatus } from '@tallyroom/contract/codes'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { bankCard, roomSummary } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { BankDialog } from './bank-dialog.tsx'

const onClose = vi.fn<() => void>()
beforeEach(() => onClose.mockClear())

type Cards = Answer<'members/bank-card'>
const open = async (fields: Partial<Cards> = {}, slots = 0) => {
  server.answers('members/hasBankCardSetting', {
    has_bank_card_setting: slots ? 1 : 0,
    bank_card_amount: slots || 1,
  })
  server.answers('orderType/list', {
    data: [
      { id: 1, name: 'North', status: BankStatus.offered },
      { id: 2, name: 'Closed', status: BankStatus.withdrawn },
    ],
  })
  server.answers('members/bank-card', { data: [], enable_bsb_code: 0, bsb_code_alias: '', editable: 1, ...fields })
  const view = await renderOffice(<BankDialog room={roomSummary()} onClose={onClose} />)
  await screen.findByText('(mia01)')
  return view
}
const save = (user: Awaited<ReturnType<typeof open>>['user']) => user.click(button(t('action.save')))

test('[BANK-01] an account is saved with its bank, name and number, and said', async () => {
  server.answers('members/bank-account/create', null)
  const { user } = await open()
  expect(
    within(field(t('bank.bank')))
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([t('bank.choose'), 'North'])
  await user.selectOptions(field(t('bank.bank')), 'North')
  await fill(user, t('bank.account_name'), 'Mia Miller')
  await fill(user, t('bank.account_no'), '12345678')
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('members/bank-account/create')).toEqual([
    { request_id: expect.any(String), member_id: 20, bank_id: 1, account_name: 'Mia Miller', account_no: '12345678' },
  ])
  expect(screen.getByText(t('done.bank'))).toBeTruthy()
})

test('[BANK-01] what is missing is said at each field, and nothing is sent', async () => {
  const { user } = await open({ enable_bsb_code: 1 })
  await save(user)
  expect(alerts()).toEqual(Array.from({ length: 4 }, () => t('bank.required')))
  expect(server.asked('members/bank-account/create')).toEqual([])
})

test('[BANK-01] with a code the number is stored as code, two underscores and number, 50 letters each', async () => {
  server.answers('members/bank-account/create', null)
  const { user } = await open({ enable_bsb_code: 1, bsb_code_alias: 'Branch' })
  await user.selectOptions(field(t('bank.bank')), 'North')
  await fill(user, t('bank.account_name'), 'Mia Miller')
  await fill(user, 'Branch', '06-2')
  await fill(user, t('bank.account_no'), '1'.repeat(60))
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('members/bank-account/create')[0]).toMatchObject({ account_no: `062__${'1'.repeat(50)}` })
})

test.each([
  ['০৬২ ০০০', '062000'],
  ['062–000', '062000'],
  ['BSB 062000', 'BSB062000'],
])('[BANK-01] the code %j is read as %j: no part of it is lost', async (typed, code) => {
  server.answers('members/bank-account/create', null)
  const { user } = await open({ enable_bsb_code: 1, bsb_code_alias: 'Branch' })
  await user.selectOptions(field(t('bank.bank')), 'North')
  await fill(user, t('bank.account_name'), 'Mia Miller')
  await user.click(field('Branch'))
  await user.paste(typed)
  await fill(user, t('bank.account_no'), '12345678')
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('members/bank-account/create')[0]).toMatchObject({ account_no: `${code}__12345678` })
})

test('[BANK-02] who may not change the accounts only looks', async () => {
  await open({ editable: 0, data: [bankCard()] })
  expect(screen.queryByRole('button', { name: t('action.save') })).toBeNull()
  for (const name of [t('bank.bank'), t('bank.account_name'), t('bank.account_no')])
    expect(field(name)).toHaveProperty('disabled', true)
})

test('[BANK-04] a name that the viewer is not to see has no field', async () => {
  const { account_name: _, ...card } = bankCard()
  await open({ editable: 0, data: [card] })
  expect(screen.queryByLabelText(t('bank.account_name'))).toBeNull()
  expect(field(t('bank.account_no'))).toBeTruthy()
})

test('[BANK-03] there are as many slots as the setting says; other accounts have the name of the first', async () => {
  server.answers('members/bank-card/create', null)
  const { user } = await open({ data: [bankCard()] }, 3)
  expect(screen.getAllByRole('group').map((slot) => slot.querySelector('legend')?.textContent)).toEqual([
    `${t('bank.slot', { n: 1 })}${t('bank.first')}`,
    t('bank.slot', { n: 2 }),
    t('bank.slot', { n: 3 }),
  ])
  const second = within(screen.getAllByRole('group')[1] as HTMLElement)
  expect(second.getByLabelText(new RegExp(t('bank.account_name')))).toHaveProperty('disabled', true)
  await user.selectOptions(second.getByLabelText(new RegExp(`^${t('bank.bank')}`)), 'North')
  await user.type(second.getByLabelText(new RegExp(t('bank.account_no'))), '99')
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('members/bank-card/create')).toEqual([
    { request_id: expect.any(String), member_id: 20, accounts: [{ bank_id: 1, account_no: '99' }] },
  ])
})

test('[BANK-03] an account is deleted after a question', async () => {
  server.answers('members/bank-card/delete', null)
  const { user } = await open({ data: [bankCard()] }, 1)
  await user.click(button(t('action.delete')))
  expect(alerts()).toEqual([t('bank.delete_sure')])
  expect(server.asked('members/bank-card/delete')).toEqual([])
  await user.click(button(t('action.delete')))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('members/bank-card/delete')).toEqual([{ request_id: expect.any(String), member_id: 20, id: 8 }])
})

test('[BANK-01] a refusal keeps what was typed, and asks for the own password when it wants one', async () => {
  server.once.refuses('members/bank-account/create', 'session.needs_password')
  server.answers('members/bank-account/create', null)
  const { user } = await open({ data: [bankCard()] })
  await fill(user, t('bank.account_no'), '777')
  await save(user)
  await screen.findByText(t('session.password_hint'))
  expect(alerts()).toEqual([])
  expect(field(t('bank.account_no')).value).toBe('777')
  await fill(user, t('payment.login_password'), 'own-one')
  await save(user)
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(server.asked('members/bank-account/create')[1]).toMatchObject({
    exist_data_id: 8,
    account_no: '777',
    current_password: 'own-one',
  })
})

test('[BANK-01] a number is shown on request only', async () => {
  server.answers('members/bank-account/show', { account_no: '12345678' })
  const { user } = await open({ data: [bankCard()] })
  expect(screen.queryByText('12345678')).toBeNull()
  await user.click(button(t('bank.show')))
  expect(await screen.findByText('12345678')).toBeTruthy()
})

test('[WIRE-04] a dialog that does not load says why, and "Try again" loads it', async () => {
  server.answers('members/hasBankCardSetting', { has_bank_card_setting: 0, bank_card_amount: 1 })
  server.answers('orderType/list', { data: [] })
  server.once.refuses('members/bank-card', 'server.busy')
  server.answers('members/bank-card', { data: [], enable_bsb_code: 0, bsb_code_alias: '', editable: 1 })
  const { user } = await renderOffice(<BankDialog room={roomSummary()} onClose={onClose} />)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('server.busy')]))
  await user.click(button(t('action.try_again')))
  // No bank is offered yet.
  await waitFor(() => expect(alerts()).toEqual([t('bank.no_banks')]))
})

test('it starts on its first field, and where nothing can be changed on "Close"', async () => {
  const { unmount } = await open()
  await waitFor(() => expect(document.activeElement).toBe(field(t('bank.bank'))))
  unmount()
  await open({ data: [bankCard()], editable: 0 })
  await waitFor(() => expect(document.activeElement?.textContent).toBe(t('action.close')))
})
