import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { rooms } from '../../chat/model/chat-session.ts'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { colleague, colleagues, menuPage, ownAccount, roomSummary } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { HomePage } from './home-page.tsx'

const none = { offers: 0, held: '0.0000', requests: 0, asked: '0.0000' }
const figures = { paid: 0, refused: 0, paid_in: '0.0000', paid_out: '0.0000', median: null, p95: null }
const day = { ...figures, day: '2026-11-22', asked: 0, withdrawn: 0, expired: 0, open: 0 }
const page = (name: string, url: string) => menuPage(url, { name })

test.each([2, 0])('[HOME-01] what waits for approval is among the decisions: %i', async (waiting) => {
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [page('approvals', '/approvals'), page('transaction_log', '/transaction/list')])
  server.answers('home/view', { days: [], open: none, low: [], sign_ins: [], endpoint_off: false })
  server.answers('home/steps', { steps: [] })
  server.answers('approval/open', { open: waiting })
  await renderOffice(<HomePage />)
  await screen.findByText(t('home.open_envelopes'))
  await waitFor(() => expect(server.asked('approval/open')).toHaveLength(1))
  const link = () => screen.queryByRole('link', { name: `${t('menu.approvals')} ${waiting}` })
  await waitFor(() => expect(link() !== null).toBe(waiting > 0))
})

test('[RIGHT-01] without the log nothing leads to it, and without anything to decide there is no such card', async () => {
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [page('tree', '/tree')])
  server.answers('home/view', { days: [], open: null, low: [], sign_ins: [], endpoint_off: false })
  server.answers('home/steps', { steps: [] })
  await renderOffice(<HomePage />)
  await waitFor(() => expect(server.asked('home/view')).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText(t('home.decide'))).toBeNull())
})

test('[HOME-01] the colleagues of the day: the conversations of each, those that wait, and the requests paid today', async () => {
  const rows = [
    colleague(10, 'dana', { nickname: 'Dana', state: 'away', until: '2026-11-22T14:00:00.000Z' }),
    colleague(11, 'mika', { nickname: 'Mika' }),
  ]
  const since = '2026-11-22T10:00:00.000Z'
  const spy = vi
    .spyOn(rooms, 'list')
    .mockReturnValue([
      roomSummary({ code: 'a', owner_id: 11, waiting_since: since }),
      roomSummary({ code: 'b', owner_id: 11, waiting_since: null }),
      roomSummary({ code: 'c', owner_id: null, waiting_since: since }),
    ])
  onTestFinished(() => spy.mockRestore())
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [page('chat', '/chat'), page('requests', '/cash')])
  server.answers('room/list', { data: [], cursor: '1' })
  server.answers('home/view', { days: [], open: null, low: [], sign_ins: [], endpoint_off: false })
  server.answers('home/steps', { steps: [] })
  server.answers('cash/open', { open: 0, asked: 0 })
  server.answers('desk/colleagues', colleagues(rows))
  server.answers('cash/day', { ...day, people: [{ ...figures, paid: 4, id: 11, name: 'Mika' }], accounts: [] })
  await renderOffice(<HomePage />)
  const table = within(await screen.findByRole('region', { name: t('home.team') }))
  await waitFor(() =>
    expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      [t('requests.person'), t('chat.rooms'), t('desk.load'), t('chat.group_waiting'), t('cash.state_paid')].join(''),
      `Dana${t('desk.state_until', { state: t('desk.state_away'), time: '14:00' })}0000`,
      `Mika${t('desk.state_on')}2114`,
    ]),
  )
})
