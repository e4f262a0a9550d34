import type { Answer } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { renderOffice } from '../../testing/render.tsx'
import { Sr02Page } from './sr02-page.tsx'

const day = { start_date: '2026-11-22', end_date: '2026-11-22' }
const report: Answer<'report/sr02'> = {
  total: { total_in: '56.0000', total_out: '3.5000' },
  data: [
    {
      id: 10,
      username: 'ann01',
      nickname: 'Ann',
      role_id: Role.agent,
      own: 1,
      total_in: '22.0000',
      total_out: '1.5000',
    },
    { id: 12, username: 'sue01', nickname: 'Sue', role_id: Role.agent, total_in: '34.0000', total_out: '2.0000' },
  ],
  days: [],
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  server.answers('report/sr02', report)
  server.answers('listView/list', { data: [] })
})

const open = async (address: string) => {
  const drawn = await renderOffice(<Sr02Page />, { path: '/report/sr02', address })
  await screen.findByText('sue01')
  return drawn
}
const searchOf = (link: HTMLElement) =>
  Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://office').searchParams)
/** The links of a row's amounts: given, taken, both. */
const linksOf = (row: 0 | 1) =>
  screen
    .getAllByRole('link')
    .filter((link) => link.getAttribute('href')?.startsWith('/transaction'))
    .slice(row * 3, row * 3 + 3)

test('[BOOK-03] by branch, each amount leads to its transactions, and a branch opens', async () => {
  const { user } = await open('/report/sr02?by=branch')
  expect(server.asked('report/sr02')).toEqual([{ username: '', ...day, by: 'branch' }])
  const [given, taken, both] = linksOf(1)
  expect(searchOf(given as HTMLElement)).toMatchObject({ cell: 'points-branch-12-in-', time: '2026-11-22..2026-11-22' })
  expect(searchOf(taken as HTMLElement)).toMatchObject({ cell: 'points-branch-12-out-' })
  expect(searchOf(both as HTMLElement)).toMatchObject({ cell: 'points-branch-12-all-' })
  // The account's own row is of its wallet alone, and has nothing to open.
  expect(searchOf(linksOf(0)[0] as HTMLElement)).toMatchObject({ cell: 'points-operator-10-in-' })
  const [opens, ...more] = screen.getAllByRole('button', { name: new RegExp(t('report.open_branch')) })
  expect(more).toEqual([])
  server.answers('user/path', { path: [{ id: 12, username: 'sue01', role_id: Role.agent }] } as never)
  await user.click(opens as HTMLElement)
  await waitFor(() => expect(server.asked('report/sr02')).toHaveLength(2))
  expect(server.asked('report/sr02')[1]).toEqual({ username: '', ...day, by: 'branch', under: 12 })
})

test('[SR02-01] over midnight "Today" becomes the new day, in the report and in its links; what is typed stays', async () => {
  vi.setSystemTime(new Date('2026-11-22T23:59:50Z'))
  const { user } = await open('/report/sr02')
  await user.type(screen.getByRole('textbox', { name: t('report.operator') }), 'su')
  await vi.advanceTimersByTimeAsync(15_000)
  const next = { start_date: '2026-11-23', end_date: '2026-11-23' }
  await waitFor(() =>
    expect(server.asked('report/sr02')).toEqual([day, next].map((days) => ({ username: '', ...days }))),
  )
  const [given] = linksOf(0)
  expect(searchOf(given as HTMLElement)).toMatchObject({ time: '2026-11-23..2026-11-23' })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: t('report.operator') }).value).toBe('su')
})

test('[BOOK-04] of bets it has wins, bets, what members won or lost, and the counted turnover', async () => {
  server.answers('report/sr02', {
    ...report,
    data: report.data.map((row) => ({ ...row, valid: '3.0000' })),
  })
  await open('/report/sr02?what=bets&by=member')
  expect(server.asked('report/sr02')).toEqual([{ username: '', ...day, by: 'member', what: 'bets' }])
  for (const word of ['transfer.kind_win', 'transfer.kind_bet', 'report.won', 'report.valid'] as const)
    expect(screen.getAllByText(t(word)).length).toBeGreaterThan(0)
  const [won] = linksOf(1)
  expect(searchOf(won as HTMLElement)).toMatchObject({ cell: 'bets-member-12-in-' })
})

test('[ACC-05] rows that still match are not drawn again for a letter typed in the filter', async () => {
  const { user } = await open('/report/sr02?by=branch')
  const numbers = vi.spyOn(BigInt.prototype, 'toString')
  await user.type(screen.getByLabelText(t('account.username')), '01')
  const drawn = numbers.mock.contexts.map(Number)
  numbers.mockRestore()
  // The totals of the page, 56, are drawn again; the 22 and 34 of its rows are not.
  expect(drawn).toContain(56)
  expect(drawn).not.toContain(22)
  expect(drawn).not.toContain(34)
})
