import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchConnection } from '../../../api/connection.ts'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { memberView, ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { button, goOnline, renderOffice } from '../../../testing/render.tsx'
import { WaitingTime } from '../../../chat/view/waiting-time.tsx'
import { PointsButton } from '../desk/points-button.tsx'

let stop = () => {}
beforeEach(() => {
  stop = watchConnection({ asks: false })
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

test('[CONV-16] without a line waits are grey and points cannot be moved', async () => {
  server.answers('member/view', memberView())
  const since = new Date(Date.now() - 10 * 60_000).toISOString()
  await renderOffice(
    <>
      <WaitingTime since={since} />
      <PointsButton room={roomSummary()} own={ownAccount()} />
    </>,
  )
  const points = await screen.findByRole('button', { name: t('room.points') })
  await vi.waitFor(() => expect(points).toHaveProperty('disabled', false))
  const wait = () => document.querySelector<HTMLElement>('.room-waiting')?.dataset.wait
  expect(wait()).toBe('overdue')
  goOnline(false)
  expect(wait()).toBe('unknown')
  expect(button(t('room.points'))).toHaveProperty('disabled', true)
  expect(points.dataset.tip).toBe(t('connection.points'))
  goOnline(true)
  expect(wait()).toBe('overdue')
  expect(button(t('room.points'))).toHaveProperty('disabled', false)
})
