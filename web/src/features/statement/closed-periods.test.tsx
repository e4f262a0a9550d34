import type { Answer } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server, wordsOf } from '../../testing/fake-server.ts'
import { alerts, field, fill, renderOffice } from '../../testing/render.tsx'
import { CloseDialog } from './close-dialog.tsx'
import { ClosePeriod, usePeriods } from './closed-periods.tsx'
import { Settlements, useSettlements } from './settlements.tsx'

const sums = { opening: '10.0000', in: '5.0000', out: '2.0000', closing: '13.0000', held: '0.0000' }
const view: Answer<'statement/view'> = {
  ...sums,
  account: { id: 10, role_id: Role.agent, username: 'ann01', nickname: 'Ann' },
  upline: { username: '', nickname: '' },
  accounts: 3,
  group: 'Ann',
  closed_until: '2026-11-15',
  drawn_up: '2026-11-22 10:30:20',
  others: '0.0000',
  lines: 2,
  held_lines: [],
  held_cut: false,
  seal: null,
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true
  }
  server.answers('statement/view', view)
})

test('[BOOK-02] closing begins where the last period ended, shows the sums first, and says why it is refused', async () => {
  server.refuses('period/close', 'period.not_over')
  const closed = vi.fn<() => void>()
  const { user } = await renderOffice(<CloseDialog next="2026-11-16" onClose={closed} />)
  await screen.findByText(t('statement.closing'))
  expect(screen.getByText('13.00')).toBeTruthy()
  const days = { start_date: '2026-11-16', end_date: '2026-11-21' }
  expect(server.asked('statement/view')).toEqual([{ scope: 'branch', ...days }])
  expect(server.asked('period/close')).toEqual([])
  const submit = within(screen.getByRole('dialog')).getByRole('button', { name: t('period.close') })
  await user.click(submit)
  await waitFor(() => expect(alerts()).toEqual([t('period.not_over')]))
  expect(closed).not.toHaveBeenCalled()
  server.answers('period/close', { id: 4 })
  await user.click(submit)
  await waitFor(() => expect(closed).toHaveBeenCalledOnce())
  expect(server.asked('period/close')).toMatchObject([days, days])
})

test('[BOOK-02] when all days up to yesterday are closed, the dialog says so and proposes no days', async () => {
  const closed = vi.fn<() => void>()
  const { user } = await renderOffice(<CloseDialog next="2026-11-22" onClose={closed} />)
  expect(await screen.findByText(t('period.up_to_date', { day: '2026-11-22' }))).toBeTruthy()
  expect(screen.queryByLabelText(new RegExp(t('report.start')))).toBeNull()
  await user.click(screen.getByRole('button', { name: t('action.ok') }))
  await waitFor(() => expect(closed).toHaveBeenCalledOnce())
  expect(server.asked('period/close')).toEqual([])
})

test('[BOOK-02] when somebody else has closed a period meanwhile, the open dialog goes on behind it', async () => {
  server.answers('period/list', { data: [], next_start: '2026-11-16' })
  server.refuses('period/close', 'period.overlaps', { day: '2026-11-18' })
  const Close = () => {
    const periods = usePeriods(true)
    return periods ? <ClosePeriod next={periods.next_start} /> : null
  }
  const { user } = await renderOffice(<Close />)
  await user.click(await screen.findByRole('button', { name: t('period.close') }))
  const dialog = await screen.findByRole('dialog')
  await within(dialog).findByText(t('statement.closing'))
  server.answers('period/list', { data: [], next_start: '2026-11-19' })
  const submit = within(dialog).getByRole('button', { name: t('period.close') })
  await user.click(submit)
  await waitFor(() => expect(alerts()).toEqual([wordsOf('period.overlaps')]))
  const days = { start_date: '2026-11-19', end_date: '2026-11-21' }
  await waitFor(() => expect(server.asked('statement/view').at(-1)).toEqual({ scope: 'branch', ...days }))
  server.answers('period/close', { id: 5 })
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: t('period.close') }))
  await waitFor(() => expect(server.asked('period/close').at(-1)).toMatchObject(days))
})

test('[BOOK-02] a settlement says who owes whom; only the upline marks it as settled', async () => {
  const row = {
    start_date: '2026-11-16',
    end_date: '2026-11-21',
    state: 'open' as const,
    settled_at: null,
    remark: '',
    upline: { username: 'ann01', nickname: 'Ann' },
    downline: { username: 'sue01', nickname: 'Sue' },
  }
  server.answers('settlement/list', {
    data: [
      { ...row, id: 2, amount: '70.0000', own: 1 },
      { ...row, id: 1, amount: '-8.5000', own: 0, upline: row.downline, downline: row.upline },
    ],
  })
  server.answers('settlement/settle', null)
  const Listed = () => <Settlements rows={useSettlements(true)?.data ?? []} />
  const { user } = await renderOffice(<Listed />)
  const sue = await screen.findAllByRole('link', { name: 'Sue' })
  expect(sue.map((link) => [link.getAttribute('href'), link.closest('td')?.textContent])).toEqual(
    Array.from({ length: 2 }, () => ['/member/sue01', t('settlement.owes', { name: 'Sue', other: 'Ann' })]),
  )
  expect(screen.getByText('8.50')).toBeTruthy()
  const [only, ...more] = screen.getAllByRole('button', {
    name: `${t('settlement.settle')}: Sue, 2026-11-16 – 2026-11-21`,
  })
  expect(more).toEqual([])
  await user.click(only as HTMLElement)
  await fill(user, t('transfer.remark'), ' cash ')
  expect(field(t('transfer.remark')).value).toBe(' cash ')
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: t('settlement.settle') }))
  await waitFor(() => expect(server.asked('settlement/settle')).toMatchObject([{ id: 2, remark: 'cash' }]))
})
