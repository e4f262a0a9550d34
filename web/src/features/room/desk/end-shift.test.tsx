import { screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { openEndShift } from '../../../chat/view/end-shift-state.ts'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { colleague, colleagues, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { EndShift } from './end-shift.tsx'

afterEach(() => rooms.clear())

test('[DESK-08] all own conversations go in slices to who was chosen, with one note, and a failure keeps what was typed', async () => {
  setStored('user_id', '7')
  const mine = ['Ann', 'Ben'].map((name, at) =>
    roomSummary({ room_id: at + 1, code: name, name, owner_id: 7, message_type: 1, message_content: `${name} asks` }),
  )
  server.answers('room/list', {
    data: [...mine, roomSummary({ room_id: 9, code: 'x', name: 'Cem', owner_id: 8 })],
    cursor: '1',
  })
  server.answers('desk/colleagues', colleagues([colleague(7, 'mika'), colleague(8, 'omar')]))
  await rooms.loadList(1)
  const { user } = await renderOffice(<EndShift />, { path: '/index' })
  openEndShift()
  const dialog = await screen.findByRole('dialog', { name: t('shift.title') })
  for (const text of ['Ann asks', 'Ben asks']) expect(dialog.textContent).toContain(text)
  expect(dialog.textContent).not.toContain('Cem')
  await user.click(await screen.findByRole('radio', { name: /omar/ }))
  await user.type(screen.getByRole('textbox', { name: t('later.note') }), 'until tomorrow')
  server.refuses('desk/endShift', 'room.not_a_colleague')
  await user.click(screen.getByRole('button', { name: t('shift.end') }))
  expect(await screen.findByText(t('room.not_a_colleague'))).toBeTruthy()
  server.answers('desk/endShift', ({ after }) => ({ n: 1, next: after === 0 ? 1 : null }))
  await user.click(screen.getByRole('button', { name: t('shift.end') }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('desk/endShift').map(({ to, note, after }) => [to, note, after])).toEqual([
    [8, 'until tomorrow', 0],
    [8, 'until tomorrow', 0],
    [8, 'until tomorrow', 1],
  ])
  expect(await screen.findByText(t('shift.ended', { n: 2 }))).toBeTruthy()
})

test('[DESK-08] without own conversations it asks nothing, and only sets the user to away', async () => {
  setStored('user_id', '7')
  server.answers('room/list', { data: [roomSummary({ room_id: 9, code: 'x', name: 'Cem', owner_id: 8 })], cursor: '1' })
  server.answers('desk/colleagues', colleagues([colleague(7, 'mika'), colleague(8, 'omar')]))
  await rooms.loadList(1)
  const { user } = await renderOffice(<EndShift />, { path: '/index' })
  openEndShift()
  const dialog = await screen.findByRole('dialog', { name: t('shift.title') })
  await waitFor(() => expect(dialog.textContent).toContain(t('shift.none')))
  expect(dialog.textContent).not.toContain(t('shift.what', { n: 0 }))
  expect(screen.queryByRole('radio')).toBeNull()
  server.answers('desk/endShift', { n: 0, next: null })
  await user.click(screen.getByRole('button', { name: t('shift.set_away') }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('desk/endShift').map(({ to }) => to)).toEqual([null])
  expect(await screen.findByText(t('desk.state_away'))).toBeTruthy()
})
