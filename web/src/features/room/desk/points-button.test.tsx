import { act as rerender, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { memberView, ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { alerts, button, field, fill, renderOffice } from '../../../testing/render.tsx'
import { PointsButton } from './points-button.tsx'

beforeEach(() => {
  server.answers('member/view', memberView())
  server.answers('user/view', ownAccount())
})

test.each([
  [1, true],
  [0, false],
] as const)('[ENV-01] with red_envelope_button_visible %i a room has the button: %s', async (flag, isShown) => {
  await renderOffice(<PointsButton room={roomSummary()} own={ownAccount({ red_envelope_button_visible: flag })} />)
  await waitFor(() => expect(screen.queryByRole('button', { name: t('room.points') }) !== null).toBe(isShown))
})

test('[ENV-01] the button goes when the server offers no kind', async () => {
  server.answers('member/view', memberView({ offers: [] }))
  await renderOffice(<PointsButton room={roomSummary()} own={ownAccount()} />)
  await waitFor(() => expect(screen.queryByRole('button', { name: t('room.points') })).toBeNull())
})

test('[RIGHT-01] a right that is taken while the dialog is open leaves the amount; sending says why it is refused', async () => {
  server.answers('member/view', memberView({ consent_needed: 0 }))
  server.refuses('transaction/add', 'access.denied')
  let take = () => {}
  const Room = () => {
    const [flag, setFlag] = useState<0 | 1>(1)
    take = () => setFlag(0)
    return <PointsButton room={roomSummary()} own={ownAccount({ red_envelope_button_visible: flag })} />
  }
  const { user } = await renderOffice(<Room />)
  await user.click(await screen.findByRole('button', { name: t('room.points') }))
  await waitFor(() => expect(field(t('transfer.amount'))).toBeTruthy())
  await fill(user, t('transfer.amount'), '30')
  rerender(() => take())
  expect(field(t('transfer.amount')).value).toBe('30')
  await user.click(button(t('action.next')))
  await user.click(button(t('points.do_give', { amount: '30.00', name: 'Mia' })))
  await waitFor(() => expect(alerts()).toContain(wordsOf('access.denied')))
})

test('[ENV-05] in event mode a lock takes the place of the button', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  server.answers('member/view', memberView({ event_mode: 1 }))
  await renderOffice(<PointsButton room={roomSummary()} own={ownAccount()} />)
  await vi.advanceTimersByTimeAsync(1300)
  expect(await screen.findByRole('img', { name: t('transfer.event_mode') })).toBeTruthy()
  expect(screen.queryByRole('button', { name: t('room.points') })).toBeNull()
})

test('[CONV-14] Alt+P before the member has arrived shows the box at once, and it takes the focus', async () => {
  const release = server.delays('member/view', memberView())
  const { user } = await renderOffice(<PointsButton room={roomSummary()} own={ownAccount()} />)
  await user.click(button(t('room.points')))
  const box = screen.getByRole('dialog', { name: t('room.points_word') })
  expect(document.activeElement).toBe(box)
  release()
  await waitFor(() => expect(field(t('transfer.amount'))).toBe(document.activeElement))
  expect(screen.getAllByRole('dialog')).toHaveLength(1)
})
