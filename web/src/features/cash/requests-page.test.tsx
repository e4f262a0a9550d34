import { act, screen, waitFor, within } from '@testing-library/react'
import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import { cashReasons } from '@tallyroom/contract/cash'
import { Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../chat/model/chat-session.ts'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { cashRow, memberView, offer, ownAccount } from '../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../testing/render.tsx'
import { CashRequestsPage } from './requests-page.tsx'

const own = ownAccount({ id: 9, role_id: Role.customerService })
const figures = {
  day: '2026-11-22',
  asked: 5,
  paid: 2,
  refused: 1,
  withdrawn: 1,
  expired: 0,
  open: 1,
  paid_in: '0.0000',
  paid_out: '22.0000',
  median: 130,
  p95: 465,
}
const person = { id: 9, name: 'Mika', paid: 2, refused: 1, paid_in: '0.0000', paid_out: '22.0000', median: 1, p95: 2 }

let row: CashRow
let restore = () => {}
afterEach(() => restore())
/** The server's answers: taking and paying change the one request. */
beforeEach(() => {
  const spy = vi.spyOn(rooms, 'sync').mockResolvedValue(undefined)
  restore = () => spy.mockRestore()
  vi.setSystemTime(new Date('2026-11-22T10:00:00Z'))
  row = cashRow()
  server.answers('user/view', own)
  server.answers('member/view', memberView({ member_id: row.member_id }))
  server.answers('members/bank-card', { data: [], enable_bsb_code: 0, bsb_code_alias: '', editable: 0 })
  server.answers('listView/list', { data: [] })
  server.answers('cash/day', { ...figures, people: [person], accounts: [] })
  server.answers('cash/list', ({ states }) => {
    const isShown = !states?.length || states.includes(row.state)
    return { data: isShown ? [row] : [], next: null }
  })
  server.answers('cash/renew', { lease: 60 })
  server.answers('cash/take', ({ id }) => {
    row = { ...row, state: 'taken', taken_by: own.id, taken_name: 'Mika', lease: 60 }
    return { id: Number(id), state: 'taken' }
  })
  server.answers('cash/pay', ({ id }) => {
    row = { ...row, state: 'paid', taken_by: null, ended_name: 'Mika' }
    const transaction_id = '0197a000-0000-7000-8000-000000000001'
    return {
      id: Number(id),
      state: 'paid',
      transaction_id,
      status: TransferStatus.success,
      balance: '30.0000',
      target_balance: '70.0000',
    }
  })
})
const open = async () => {
  const view = await renderOffice(<CashRequestsPage />)
  await screen.findByText('Ann Lee')
  return view
}
/** Drawer and dialog have one label in these tests, so the dialog is found by its box. */
const dialog = () =>
  waitFor(() => {
    const box = document.querySelector<HTMLElement>('[role="dialog"][aria-modal="true"]')
    if (!box) throw new Error('no dialog is open')
    return within(box)
  })
const payWords = () => t('requests.pay_out', { amount: '30.00', name: 'Ann Lee' })
const paidWords = () => t('requests.have_paid', { amount: '30.00' })

test('[CASH-04] two keys and the confirmation pay the oldest request', async () => {
  const { user } = await open()
  await waitFor(() => expect(document.activeElement?.textContent).toBe(t('cash.take')))
  const described = document.activeElement?.getAttribute('aria-describedby')?.split(' ') ?? []
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    expect.stringContaining('Ann Lee'),
    t('cash.out'),
    '−30.00',
  ])
  await user.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe(payWords()))
  await user.keyboard('{Enter}')
  await dialog()
  expect(server.asked('cash/pay')).toEqual([])
  await waitFor(() => expect(document.activeElement?.closest('[role="dialog"][aria-modal="true"]')).toBeTruthy())
  await user.keyboard('{Enter}')
  expect(await screen.findByText('30.00 paid to Ann Lee')).toBeTruthy()
  expect(server.asked('cash/take')).toMatchObject([{ id: 7 }])
  const ids = { id: 7, request_id: expect.any(String) }
  const sent = { amount: '30.0000', remark: '', bank_reference: '', account_version: '0' }
  expect(server.asked('cash/pay')).toEqual([{ ...ids, ...sent }])
  expect(await screen.findByText(t('requests.empty'))).toBeTruthy()
})

test('[CASH-03] a request that a colleague was quicker to take says so', async () => {
  server.refuses('cash/take', 'cash.taken')
  const { user } = await open()
  await user.click(screen.getByText(t('cash.take')))
  expect(await screen.findByText(wordsOf('cash.taken'))).toBeTruthy()
})

test('[CASH-04] a lease that ends in the dialog is shown there, and nothing is paid', async () => {
  row = cashRow({ state: 'taken', taken_by: own.id, taken_name: 'Mika', lease: 1 })
  server.refuses('cash/pay', 'cash.lease_over')
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  await user.click(await screen.findByRole('button', { name: payWords() }))
  const box = await dialog()
  await user.click(box.getByRole('button', { name: paidWords() }))
  await waitFor(() => expect(alerts()).toContain(wordsOf('cash.lease_over')))
})

test('[CASH-03] a lease that ends while the dialog is open, as for a hidden page, leaves the dialog and what was typed', async () => {
  row = cashRow({ state: 'taken', taken_by: own.id, taken_name: 'Mika', lease: 60 })
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  await user.click(await screen.findByRole('button', { name: t('requests.refuse') }))
  await user.keyboard('6')
  await fill(user, t('requests.own_words'), 'Another name on the slip')
  // A colleague has taken it meanwhile, and the page learns it.
  row = cashRow({ state: 'taken', taken_by: 8, taken_name: 'Omar', lease: 60 })
  server.refuses('cash/renew', 'cash.lease_over')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(await screen.findByText(t('cash.taken_by', { name: 'Omar' }))).toBeTruthy()
  expect(field(t('requests.own_words')).value).toBe('Another name on the slip')
  server.refuses('cash/refuse', 'cash.taken')
  await user.click((await dialog()).getByRole('button', { name: t('requests.refuse') }))
  await waitFor(() => expect(alerts()).toContain(wordsOf('cash.taken')))
})

test('[CASH-04] with turnover due only who may lift the limit pays', async () => {
  row = cashRow({ state: 'taken', taken_by: own.id, turnover_due: '12.0000' })
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  await user.click(await screen.findByRole('button', { name: payWords() }))
  const box = await dialog()
  expect(await box.findByText(t('points.stop_turnover_left', { amount: '12.00' }))).toBeTruthy()
  expect(box.getByRole('button', { name: new RegExp(t('action.next')) })).toHaveProperty('disabled', true)
  expect(box.queryByText(t('room.flow_override'))).toBeNull()
})

test('[CASH-04] points in are given with a turnover that who may sets it can change', async () => {
  row = cashRow({ state: 'taken', taken_by: own.id, direction: 'in' })
  server.answers('user/view', { ...own, flow_limit_modify_permission: 1 })
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  const act = t('requests.pay_in', { amount: '30.00', name: 'Ann Lee' })
  await user.click(await screen.findByRole('button', { name: act }))
  const box = await dialog()
  await user.click(await box.findByRole('button', { name: new RegExp(t('action.back')) }))
  const turnover = await box.findByLabelText<HTMLInputElement>(t('room.turnover'))
  expect(turnover.value).toBe('30')
  await user.clear(turnover)
  await user.type(turnover, '90{Enter}')
  await user.click(await box.findByRole('button', { name: new RegExp(act) }))
  await waitFor(() =>
    expect(server.asked('cash/pay')).toMatchObject([{ id: 7, amount: '30.0000', audit_amount: '90' }]),
  )
})

test('[CAPS-02] above a limit paying asks for a reason first, and the queue then says that it waits for approval', async () => {
  const limit = { left: '10.0000', over: 'transfer', most: '10.0000', approver: 'Dana' } as const
  const offers = [offer(TransferKind.send), offer(TransferKind.receive, { limit })]
  server.answers('member/view', memberView({ member_id: row.member_id, offers }))
  server.answers('cash/pay', ({ id }) => {
    row = { ...row, approval: 1 }
    const transaction_id = '0197a000-0000-7000-8000-000000000001'
    return {
      id: Number(id),
      state: 'taken',
      transaction_id,
      status: TransferStatus.pending,
      approval: 1,
      balance: '30.0000',
      target_balance: '70.0000',
    }
  })
  const { user } = await open()
  await user.click(button(`${t('cash.take')} ${t('requests.one', { n: row.id })}`))
  await user.click(await screen.findByRole('button', { name: payWords() }))
  await fill(user, t('approval.for_approver'), 'First payout')
  await user.click((await dialog()).getByRole('button', { name: new RegExp(t('action.next')) }))
  // The last step says it too: the points will not move at once.
  expect(await (await dialog()).findByText(t('approval.needed', { amount: '10.00' }))).toBeTruthy()
  expect((await dialog()).getByText('First payout')).toBeTruthy()
  const ask = t('approval.ask_name', { name: 'Dana', amount: '30.00' })
  await user.click(await (await dialog()).findByRole('button', { name: new RegExp(ask) }))
  await waitFor(() => expect(server.asked('cash/pay')).toMatchObject([{ amount: row.amount, reason: 'First payout' }]))
  expect((await screen.findAllByText(t('approval.waits'))).length).toBeGreaterThan(0)
})

const openRefusal = async () => {
  row = cashRow({ state: 'taken', taken_by: own.id })
  server.answers('cash/refuse', { id: 7, state: 'refused' })
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  await user.click(await screen.findByRole('button', { name: t('requests.refuse') }))
  const box = await dialog()
  return { user, box, submit: box.getByRole('button', { name: t('requests.refuse') }) }
}

test('[CASH-03] a usual reason is one key, and Enter refuses; digits in the own words are text', async () => {
  const { user, box, submit } = await openRefusal()
  expect(submit).toHaveProperty('disabled', true)
  const reasons = box.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)
  expect(reasons).toEqual([
    ...cashReasons.out.map((code, at) => `${at + 1} ${t(`cash.reason_${code}`)}`),
    `6 ${t('requests.other_reason')}`,
  ])
  await user.keyboard('2')
  expect(box.getByRole('radio', { name: t('cash.reason_other_name') })).toHaveProperty('checked', true)
  await user.type(box.getByRole('textbox'), '1')
  expect(box.getByRole('radio', { name: t('cash.reason_other_name') })).toHaveProperty('checked', true)
  await user.clear(box.getByRole('textbox'))
  box.getByRole('radio', { name: t('cash.reason_other_name') }).focus()
  await user.keyboard('{Enter}')
  await waitFor(() =>
    expect(server.asked('cash/refuse')).toEqual([
      { request_id: expect.any(String), id: 7, reason_code: 'other_name', reason: '' },
    ]),
  )
})

test('[CASH-03] another reason needs own words, which the member reads', async () => {
  const { user, box, submit } = await openRefusal()
  await user.click(box.getByRole('radio', { name: t('requests.other_reason') }))
  expect(submit).toHaveProperty('disabled', true)
  await user.type(box.getByRole('textbox'), 'Another name on the slip')
  await user.click(submit)
  await waitFor(() =>
    expect(server.asked('cash/refuse')).toEqual([
      { request_id: expect.any(String), id: 7, reason: 'Another name on the slip' },
    ]),
  )
})

test('[CASH-02] a row shows what is unusual, and who has taken it', async () => {
  row = cashRow({ state: 'taken', taken_by: 8, taken_name: 'Omar', warnings: ['account_changed'] })
  await open()
  expect(screen.getByText(t('requests.warn_account_changed'))).toBeTruthy()
  expect(screen.getByText('Omar')).toBeTruthy()
})

test('[CASH-06] each number opens its rows, and its button says what it counts', async () => {
  const { user } = await open()
  expect(button(`${t('cash.state_paid')} 2`)).toBeTruthy()
  expect(button(`Mika ${t('cash.state_refused')} 1`)).toBeTruthy()
  const figure = (word: string) => within(screen.getByText(word, { selector: 'dt' }).parentElement as HTMLElement)
  await user.click(figure(t('cash.state_paid')).getByRole('button'))
  await user.click(figure(t('cash.out')).getByRole('button'))
  await user.click(within(screen.getByText('Mika').closest('tr') as HTMLElement).getAllByRole('button')[1] as Element)
  await waitFor(() =>
    expect(server.asked('cash/list').slice(1)).toEqual([
      { states: ['paid'], ended_on: figures.day },
      { states: ['paid'], ended_on: figures.day, direction: 'out' },
      { states: ['refused'], ended_by: 9, ended_on: figures.day },
    ]),
  )
})

test('[CASH-02] the open request is in the address: “back” closes it, a reload opens it again', async () => {
  row = cashRow({ state: 'taken', taken_by: 8, taken_name: 'Omar' })
  const first = await open()
  await first.user.click(screen.getByText('Ann Lee'))
  const drawer = () => document.querySelector('[role="dialog"]')
  await waitFor(() => expect(drawer()).toBeTruthy())
  expect(first.router.history.location.search).toBe('?request=7')
  act(() => first.router.history.back())
  await waitFor(() => expect(drawer()).toBeNull())
  first.unmount()
  const { user, router } = await renderOffice(<CashRequestsPage />, { address: '/?request=7' })
  await waitFor(() => expect(drawer()).toBeTruthy())
  await user.click(screen.getByRole('button', { name: t('action.close') }))
  await waitFor(() => expect(drawer()).toBeNull())
  expect(router.history.location.search).toBe('')
})

test('[CASH-02] an empty queue says what will be here', async () => {
  server.answers('cash/list', { data: [], next: null })
  await renderOffice(<CashRequestsPage />)
  expect(await screen.findByText(t('requests.empty_hint'))).toBeTruthy()
  expect(screen.queryByRole('table', { name: t('menu.requests') })).toBeNull()
  expect(button(`${t('requests.open')} 1`).getAttribute('aria-pressed')).toBe('true')
})

test('[CASH-02] an account that was changed since the request is shown as it is now, with its own bank', async () => {
  const account_now = { bank: 'South', account_no: '****9999' }
  row = cashRow({ state: 'taken', taken_by: own.id, warnings: ['account_changed'], account_now })
  server.answers('members/bank-account/show', { account_no: '10009999' })
  const { user } = await open()
  expect(screen.getByText('South ****9999')).toBeTruthy()
  await user.click(screen.getByText('Ann Lee'))
  const fact = async (word: string) =>
    (await screen.findByText(word, { selector: 'dt' })).nextElementSibling?.textContent
  expect(await fact(t('requests.account_asked'))).toBe('North ****5678')
  await user.click(button(t('bank.show')))
  await waitFor(async () => expect(await fact(t('requests.pay_to'))).toContain('South 10009999'))
  // Read out, and not on a button that the next Enter would press.
  expect(document.activeElement?.textContent).toBe('South 10009999')
  await user.click(button(payWords()))
  expect((await dialog()).getByText('South 10009999')).toBeTruthy()
})

test('[CASH-09] a slip that was used before leads to the other request, and closing that one leads back', async () => {
  const asked_at = '2026-11-02T08:05:00.000Z'
  const alike = [
    { warning: 'slip_used' as const, id: 3, name: 'Bo Tan', asked_at, state: 'paid' as const },
    { warning: 'slip_used' as const, id: null, name: '', asked_at, state: 'asked' as const },
  ]
  row = cashRow({ direction: 'in', slip: '/media/aa', slip_compared: 1, warnings: ['slip_used'], alike })
  const other = cashRow({ id: 3, nickname: 'Bo Tan', state: 'paid', direction: 'in' })
  server.answers('cash/list', ({ id }) => ({ data: [id === 3 ? other : row], next: null }))
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  const drawer = () => within(screen.getByRole('dialog'))
  await waitFor(() => expect(drawer().getByText(t('requests.warn_slip_used'))).toBeTruthy())
  expect(drawer().getByText(t('requests.other_group'))).toBeTruthy()
  expect(drawer().queryByText(t('requests.slip_new'))).toBeNull()
  await user.click(drawer().getByRole('button', { name: t('requests.one', { n: 3 }) }))
  await waitFor(() => expect(drawer().queryByText(t('requests.warn_slip_used'))).toBeNull())
  expect(drawer().getByText(t('cash.state_paid'))).toBeTruthy()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(drawer().getByText(t('requests.warn_slip_used'))).toBeTruthy())
})

test('[CASH-09] the drawer waits for the comparison of the slip', async () => {
  row = cashRow({ direction: 'in', slip: '/media/aa', slip_compared: 0, warnings: [] })
  const { user } = await open()
  await user.click(screen.getByText('Ann Lee'))
  await screen.findByText(t('requests.slip_comparing'))
  row = { ...row, slip_compared: 1 }
  await screen.findByText(t('requests.slip_new'))
})

test('[API-03] the queue marks a request that a key may have paid', async () => {
  row = cashRow({ maybe_paid: { key: 'Payout server', reference: '' }, warnings: ['first_out'] })
  await open()
  expect(screen.getByText(t('requests.warn_maybe_paid'))).toBeTruthy()
})
