import type { Answer } from '@tallyroom/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { button, renderOffice } from '../../testing/render.tsx'
import { WorkPage } from './work-page.tsx'

const day = { start_date: '2026-11-22', end_date: '2026-11-22' }
const figures = {
  waits: 3,
  first: 1,
  answers: 2,
  settled: 0,
  waiting: 1,
  missed: 1,
  passed: 0,
  first_open: { median: 61, p90: 61, longest: 61 },
  clock: { median: 61, p90: 3700, longest: 3700 },
  open: { median: 61, p90: 600, longest: 600 },
  on_s: 7200,
}
const report: Answer<'report/work'> = {
  data: [{ ...figures, row: 12, username: 'mika01', nickname: 'Mika' }],
  total: figures,
  cut: false,
  only_own: false,
  time_zone: 'UTC',
  since: '2026-11-20T08:00:00.000Z',
}
const wait = {
  wait: '5-9',
  room: { room_id: 5, member_id: 20, code: 'abc' },
  seq: 9,
  member: { id: 20, username: 'kim01', nickname: 'Kim' },
  person: { username: 'mika01', nickname: 'Mika' },
  asked_at: '2026-11-22T08:00:00.000Z',
  from_at: '2026-11-22T08:00:00.000Z',
  ended_at: '2026-11-22T08:01:01.000Z',
  outcome: 'answer' as const,
  clock_s: 61,
  open_s: 61,
  is_first: true,
  is_missed: false,
  passed: 0,
  is_taken_back: true,
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date('2026-11-22T10:30:20Z') })
  server.answers('report/work', report)
  server.answers('report/workWaits', { total: 1, data: [wait], next: null })
})

const open = (address: string) => renderOffice(<WorkPage />, { path: '/report/work', address })
const linksTo = (part: string) =>
  screen.getAllByRole('link').flatMap((link) => {
    const href = link.getAttribute('href') ?? ''
    return href.includes(part) ? [href] : []
  })

test('[DESK-09] it says its time zone, since when it counts, and what each figure means', async () => {
  const { user } = await open('/report/work')
  await screen.findByText(t('work.zone', { zone: 'UTC', since: '2026-11-20 08:00:00' }))
  expect(server.asked('report/work')).toEqual([{ by: 'person', ...day }])
  await user.click(button(t('work.about')))
  for (const name of ['questions', 'first', 'answers', 'wait', 'settled', 'waiting', 'missed', 'passed', 'on'] as const)
    expect(screen.getByText(t(`work.about_${name}`))).toBeTruthy()
})

test('[DESK-09] each figure leads to its questions, and a question to its conversation at the message', async () => {
  await open('/report/work')
  await screen.findByText('Mika')
  for (const cell of ['waits-12', 'first-12', 'answers-12', 'waiting-12', 'missed-12', 'waits-all', 'missed-all'])
    expect(linksTo(`cell=${cell}`).length).toBeGreaterThan(0)
  // Nothing is behind a zero.
  expect(linksTo('cell=passed')).toEqual([])
})

test('[DESK-09] the questions of a figure', async () => {
  await open('/report/work?cell=answers-12')
  await screen.findByText('Kim')
  await waitFor(() =>
    expect(server.asked('report/workWaits')).toEqual([{ by: 'person', ...day, count: 'answers', row: 12 }]),
  )
  expect(linksTo('/chat/messaging/5/20/abc')).toEqual(['/chat/messaging/5/20/abc?at=9'])
  expect(screen.getByText(`${t('work.answered')} · ${t('work.taken_back')}`)).toBeTruthy()
})

test('[DESK-09] who sees the own work has no other groups to choose', async () => {
  server.answers('report/work', { ...report, only_own: true })
  await open('/report/work')
  await screen.findByText(t('work.only_own'))
  expect(screen.queryByRole('radio', { name: t('work.group') })).toBeNull()
  expect(screen.queryByText(t('work.group'))).toBeNull()
})
