import { screen, waitFor } from '@testing-library/react'
import { TransferKind } from '@tallyroom/contract/codes'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../chat/model/chat-session.ts'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { memberView, moved, offer, ownAccount, roomSummary } from '../../testing/fixtures.ts'
import { button, field, fill, renderOffice } from '../../testing/render.tsx'
import { PointsDialog } from './points-dialog.tsx'

// What the dialog knows beforehand: what would be refused, how much there is, and what was sent last time.
const onClose = vi.fn<() => void>()
// Not a module mock: the files of a worker share their modules.
let restore = () => {}
afterEach(() => restore())
beforeEach(() => {
  const spy = vi.spyOn(rooms, 'sync').mockResolvedValue(undefined)
  restore = () => spy.mockRestore()
  server.answers('member/view', memberView())
  server.answers('user/view', ownAccount())
})

let lastRoom = 0
type Bound = Parameters<typeof PointsDialog>[0]['bound']
const open = (own = ownAccount(), member = memberView(), bound?: Bound) => {
  const room = roomSummary({ code: `foreseen-${++lastRoom}` })
  const props = { room, own, member, onClose, ...(bound ? { bound } : {}) }
  return renderOffice(<PointsDialog {...props} />)
}
const notice = () => document.querySelector('.notice')?.textContent ?? ''

test.each([
  ['transfer.frozen', 'points.stop_frozen'],
  ['transfer.event_mode', 'transfer.event_mode'],
  ['transfer.member_not_enough', 'points.stop_empty'],
  ['transfer.one_open_at_a_time', 'transfer.one_open_at_a_time'],
] as const)('[CONV-14] %s is said before an amount is typed, with what is possible', async (refused, why) => {
  const offers = [offer(TransferKind.send), offer(TransferKind.receive, { refused, most: '0.0000' })]
  const { user } = await open(ownAccount(), memberView({ offers }))
  await user.click(screen.getByRole('radio', { name: t('room.points_receive') }))
  expect(notice()).toContain(t('points.cannot_take', { name: 'Mia' }))
  expect(notice()).toContain(t(why, { name: 'Mia' }))
  expect(notice()).toContain(t('points.possible', { kinds: t('room.points_send') }))
  expect(field(t('transfer.amount')).readOnly).toBe(true)
  expect(button(t('action.next'))).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('radio', { name: t('room.points_send') }))
  expect(button(t('action.next'))).toHaveProperty('disabled', false)
})

test.each([
  [0, '250.5000', 'Turnover left: 250.50.', false],
  [0, null, 'The turnover requirement is not met yet.', false],
  [1, '250.5000', 'Turnover left: 250.50.', true],
] as const)(
  '[CONV-14] due turnover is said before, and may be waived with the right %i',
  async (flow_limit_modify_permission, turnover_due, why, mayWaive) => {
    server.answers('transaction/add', moved())
    const offers = [offer(TransferKind.receive, { refused: 'transfer.flow_limit_open', most: '100.0000' })]
    const { user } = await open(ownAccount({ flow_limit_modify_permission }), memberView({ offers, turnover_due }))
    expect(notice()).toContain(why)
    expect(screen.queryByRole('checkbox') !== null).toBe(mayWaive)
    if (!mayWaive) return
    await user.click(screen.getByRole('checkbox'))
    await fill(user, t('transfer.amount'), '30')
    await user.click(button(t('action.next')))
    await user.click(button('Collect 30.00 from Mia'))
    await screen.findByText(t('transfer.moved'))
    expect(server.asked('transaction/add')[0]).toMatchObject({ override_flow_limit: 1 })
  },
)

test('[CONV-14] [CASH-12] more than there is is said while it is typed, and goes no further', async () => {
  const offers = [offer(TransferKind.send, { most: '900.0000' })]
  const { user } = await open(ownAccount(), memberView({ offers }))
  await fill(user, t('transfer.amount'), '900')
  expect(screen.queryByText(t('points.at_most', { amount: '900.00' }))).toBeNull()
  await fill(user, t('transfer.amount'), '900.0001')
  expect(screen.getByText(t('points.at_most', { amount: '900.00' }))).toBeTruthy()
  expect(button(t('action.next'))).toHaveProperty('disabled', true)
  await user.keyboard('{Enter}')
  expect(screen.queryByText(t('transfer.confirm_title'))).toBeNull()
})

test('[CASH-12] above a limit the last button says who is asked to approve how much', async () => {
  server.answers('transaction/add', moved())
  const limit = { left: '100.0000', over: 'transfer', most: '100.0000' } as const
  const asks = async (approver: string) => {
    const offers = [offer(TransferKind.send, { limit: { ...limit, approver } })]
    const { user, unmount } = await open(ownAccount(), memberView({ offers }))
    await fill(user, t('transfer.amount'), '1200')
    await user.click(button(t('action.next')))
    const words = [...document.querySelectorAll('button[type=submit]')].map(({ textContent }) => textContent)
    unmount()
    return words.join()
  }
  expect(await asks('Dana')).toContain('Ask Dana to approve 1,200.00')
  expect(await asks('')).toContain('Ask for approval of 1,200.00')
})

test('[CONV-14] the usual amounts and that of last time are one press, and Enter goes on', async () => {
  const offers = [offer(TransferKind.send, { last: '250.5000' }), offer(TransferKind.receive)]
  const { user } = await open(ownAccount(), memberView({ offers }))
  await user.click(button('100'))
  expect(field(t('transfer.amount')).value).toBe('100')
  await user.click(button(`${t('points.last_time')} 250.50`))
  expect(field(t('transfer.amount')).value).toBe('250.5')
  await user.keyboard('{Enter}')
  expect(screen.getByRole('dialog', { name: 'Give 250.50 to Mia?' })).toBeTruthy()
  await user.click(button(t('action.back')))
  await user.click(screen.getByRole('radio', { name: t('room.points_receive') }))
  expect(screen.queryByText(t('points.last_time'))).toBeNull()
})

test('[CONV-14] [CASH-04] a bound request begins with its confirmation, and fixes kind and amount', async () => {
  const send = vi.fn<() => Promise<ReturnType<typeof moved>>>().mockResolvedValue(moved())
  const onMoved = vi.fn<(waits: boolean) => void>()
  const cashRequest = { kind: TransferKind.receive, amount: '80', title: 'Request 7' } as const
  const confirm: NonNullable<Bound>['confirm'] = (transfer) => ({ ...transfer, act: 'Pay 80.00 to Mia' })
  const sign = vi.fn<NonNullable<Bound>['sign']>()
  const { user } = await open(ownAccount(), memberView(), { ...cashRequest, confirm, send, sign, onMoved })
  expect(screen.queryByLabelText(t('transfer.amount'))).toBeNull()
  await user.click(button(t('action.back')))
  expect(screen.queryAllByRole('radio')).toEqual([])
  expect(field(t('transfer.amount'))).toMatchObject({ value: '80', readOnly: true })
  await fill(user, t('transfer.remark'), 'by bank')
  await user.click(button(t('action.next')))
  await user.click(button('Pay 80.00 to Mia'))
  await waitFor(() => expect(onMoved).toHaveBeenCalledOnce())
  expect(send).toHaveBeenCalledExactlyOnceWith({ remark: 'by bank', request_id: expect.any(String) })
  expect(server.asked('transaction/add')).toEqual([])
})
