import { act, screen, waitFor } from '@testing-library/react'
import type { ServerEvents } from '@tallyroom/contract/events'
import { beforeEach, expect, test, vi } from 'vitest'
import * as live from '../../../api/live.ts'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { colleagues, colleague, menuPage, ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { runCommand } from '../state/commands.ts'
import { OwnState } from './own-state.tsx'

let told = () => {}
beforeEach(() => {
  setStored('user_id', '9')
  server.answers('user/view', ownAccount({ id: 9, nickname: 'Mika' }))
  server.answers('userMenu/list', [menuPage('/chat')])
  server.answers('desk/colleagues', colleagues([colleague(8, 'omar'), colleague(9, 'mika')]))
  server.answers('desk/state', null)
  vi.spyOn(live, 'onEvent').mockImplementation((name, listener) => {
    if (name === 'colleagues') told = () => (listener as ServerEvents['colleagues'])({})
    return () => {}
  })
  const waiting = { owner_id: 9, waiting_since: '2026-11-22T10:00:00.000Z' }
  const old = { owner_id: 9, waiting_since: null, message_time: '2020-01-01T00:00:00.000Z' }
  vi.spyOn(rooms, 'list').mockReturnValue([
    roomSummary({ code: 'a', ...waiting }),
    roomSummary({ code: 'b', ...old }),
    roomSummary({ code: 'c', owner_id: 8, waiting_since: waiting.waiting_since }),
  ])
  vi.spyOn(rooms, 'listState').mockReturnValue({ loading: 'ready' })
})

const says = (state: string) => `${state}. ${t('desk.load_count', { n: 1 })}`

test('[DESK-01] the own picture says what one is and how much one has to do, and its menu changes it', async () => {
  const { user } = await renderOffice(<OwnState />)
  await user.click(await screen.findByRole('button', { name: says(t('desk.state_on')) }))
  server.answers('desk/colleagues', colleagues([colleague(9, 'mika', { state: 'away' })]))
  await user.click(screen.getByRole('menuitem', { name: t('desk.away_minutes', { n: 30 }) }))
  expect(await screen.findByRole('button', { name: says(t('desk.state_away')) })).toBeTruthy()
  expect(server.asked('desk/state')).toMatchObject([{ state: 'away', minutes: 30 }])
})

test('[DESK-01] the key goes away and comes back, and a change of another device is shown', async () => {
  await renderOffice(<OwnState />)
  await screen.findByRole('button', { name: says(t('desk.state_on')) })
  expect(runCommand('state')).toBe(true)
  await waitFor(() => expect(server.asked('desk/state')).toMatchObject([{ state: 'away', minutes: null }]))
  const until = '2026-11-22T14:00:00.000Z'
  server.answers('desk/colleagues', colleagues([colleague(9, 'mika', { state: 'busy', until })]))
  act(() => told())
  const words = t('desk.state_until', { state: t('desk.state_busy'), time: '14:00' })
  expect(await screen.findByRole('button', { name: says(words) })).toBeTruthy()
  runCommand('state')
  await waitFor(() => expect(server.asked('desk/state')).toMatchObject([{ state: 'away' }, { state: 'on' }]))
})

test('[DESK-03] who was set to away by the server reads why, and sees its load of the capacity', async () => {
  server.answers('desk/colleagues', colleagues([colleague(9, 'mika', { state: 'away', passed: 1 })], { capacity: 8 }))
  await renderOffice(<OwnState />)
  expect(await screen.findByText(t('desk.passed_you'))).toBeTruthy()
  const name = `${t('desk.state_away')}. ${t('desk.load_of', { n: 1, most: 8 })}`
  expect(screen.getByRole('button', { name }).textContent).toContain('1/8')
})
