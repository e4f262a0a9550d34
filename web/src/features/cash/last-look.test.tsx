import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../chat/model/chat-session.ts'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { cashRow, memberView, offer, ownAccount } from '../../testing/fixtures.ts'
import { alerts, button, fill, renderOffice } from '../../testing/render.tsx'
import { TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { CashRequestDrawer } from './request-drawer.tsx'

const own = ownAccount()
let row = cashRow()
const paid = {
  id: 7,
  state: 'paid',
  transaction_id: '0197a000-0000-7000-8000-000000000001',
  status: TransferStatus.success,
} as const
beforeEach(() => {
  vi.spyOn(rooms, 'sync').mockResolvedValue(undefined)
  row = cashRow({ state: 'taken', taken_by: own.id, taken_name: 'Mika', lease: 60 })
  server.answers('user/view', own)
  server.answers('cash/list', () => ({ data: [row], next: null }))
  server.answers('cash/renew', { lease: 60 })
  server.answers('cash/open', { open: 1, asked: 0 })
  server.answers(
    'member/view',
    memberView({ member_id: row.member_id, offers: [offer(TransferKind.send), offer(TransferKind.receive)] }),
  )
  server.answers('members/bank-card', { data: [], enable_bsb_code: 0, bsb_code_alias: '', editable: 0 })
  server.answers('members/bank-account/show', { account_no: '12345678' })
  server.answers('cash/pay', { ...paid, balance: '30.0000', target_balance: '70.0000' })
})
const openDialog = async () => {
  const { user } = await renderOffice(<CashRequestDrawer id={7} onClose={() => {}} />)
  const pay = t(row.direction === 'out' ? 'requests.pay_out' : 'requests.pay_in', { amount: '30.00', name: 'Ann Lee' })
  await user.click(await screen.findByRole('button', { name: pay }))
  const box = await waitFor(() =>
    within(document.querySelector<HTMLElement>('[role="dialog"][aria-modal="true"]') ?? document.createElement('i')),
  )
  return { user, box }
}
const facts = () =>
  [...document.querySelectorAll('[role="dialog"][aria-modal="true"] dl.facts > div')].map((line) => [
    line.querySelector('dt')?.textContent,
    line.querySelector('dd')?.textContent,
  ])

test('[CASH-12] the last look has one direction, both lines, and the account whole and to copy', async () => {
  const { user, box } = await openDialog()
  const have = await box.findByRole('button', { name: new RegExp(t('requests.have_paid', { amount: '30.00' })) })
  expect(box.getByText('Ann Lee (annlee)')).toBeTruthy()
  expect(document.querySelector('[role="dialog"][aria-modal="true"]')?.textContent).not.toMatch(/−30|From/)
  await user.click(box.getByRole('button', { name: t('bank.show') }))
  const copy = await box.findByRole('button', { name: t('requests.copy_number') })
  const [bank, points] = facts()
  expect(bank).toEqual([t('requests.at_bank'), `30.00 → North 12345678 ${t('requests.copy_number')}`])
  expect(points?.[1]).toMatch(/100\.00 → .*70\.00$/)
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined)
  await user.click(copy)
  expect(copied).toHaveBeenCalledWith('12345678')
  await fill(user, t('requests.reference'), 'MBB-7741')
  await user.click(have)
  await waitFor(() =>
    expect(server.asked('cash/pay')).toMatchObject([{ id: 7, bank_reference: 'MBB-7741', account_version: '0' }]),
  )
})

test('[CASH-12] an account that was changed meanwhile is refused in words, and the drawer shows it as it is now', async () => {
  server.refuses('cash/pay', 'cash.account_changed')
  const { user, box } = await openDialog()
  row = {
    ...row,
    account_version: '77',
    account_now: { bank: 'South', account_no: '****9999' },
    warnings: ['account_changed'],
  }
  await user.click(await box.findByRole('button', { name: new RegExp(t('requests.have_paid', { amount: '30.00' })) }))
  await waitFor(() => expect(alerts()).toContain(wordsOf('cash.account_changed')))
  expect(await screen.findByText('South ****9999')).toBeTruthy()
  expect(server.asked('cash/pay')).toMatchObject([{ account_version: '0' }])
})

test('[CASH-12] a wallet that cannot give the points stops before the last button, and says how much there is', async () => {
  row = { ...row, direction: 'in' }
  const offers = [offer(TransferKind.send, { most: '20.0000' })]
  server.answers('member/view', memberView({ member_id: row.member_id, offers }))
  const { box } = await openDialog()
  expect(await box.findByText(t('points.at_most', { amount: '20.00' }))).toBeTruthy()
  expect(box.getByRole('button', { name: new RegExp(t('action.next')) })).toHaveProperty('disabled', true)
  expect(button(t('action.cancel'))).toBeTruthy()
})

test('[API-03] one that a key may have paid is paid or rejected after a look at the bank was ticked', async () => {
  row = { ...row, maybe_paid: { key: 'Payout server', reference: 'FT-77' }, bank_reference: 'FT-77' }
  const { user, box } = await openDialog()
  const act = await box.findByRole<HTMLButtonElement>('button', {
    name: new RegExp(t('requests.have_paid', { amount: '30.00' })),
  })
  const warning = screen.getByText(t('requests.maybe_paid', { key: 'Payout server' }), { exact: false })
  expect(warning.textContent).toContain(`${t('requests.reference')}: FT-77`)
  expect(act.disabled).toBe(true)
  await user.keyboard('{Enter}')
  expect(server.asked('cash/pay')).toEqual([])
  await user.click(box.getByRole('checkbox', { name: t('requests.looked') }))
  await user.click(act)
  await waitFor(() => expect(server.asked('cash/pay')).toMatchObject([{ id: 7, looked: 1 }]))
})

test('[API-03] rejecting it asks for the same look', async () => {
  row = { ...row, maybe_paid: { key: 'Payout server', reference: '' } }
  server.answers('cash/refuse', { id: 7, state: 'refused' })
  const { user } = await renderOffice(<CashRequestDrawer id={7} onClose={() => {}} />)
  await user.click(await screen.findByRole('button', { name: t('requests.refuse') }))
  await user.click(await screen.findByRole('radio', { name: new RegExp(t('cash.reason_account_wrong')) }))
  const act = () => screen.getAllByRole<HTMLButtonElement>('button', { name: t('requests.refuse') }).at(-1)
  expect(act()?.disabled).toBe(true)
  await user.click(screen.getByRole('checkbox', { name: t('requests.looked') }))
  await user.click(act() ?? document.body)
  await waitFor(() =>
    expect(server.asked('cash/refuse')).toMatchObject([{ id: 7, reason_code: 'account_wrong', looked: 1 }]),
  )
})
