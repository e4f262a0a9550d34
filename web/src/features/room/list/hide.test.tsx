import { screen, waitFor } from '@testing-library/react'
import { RoomStatus } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { afterEach, expect, test } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { button, renderOffice } from '../../../testing/render.tsx'
import { useHide } from './hide.ts'

afterEach(() => rooms.clear())

const Hide = ({ room }: { room: RoomSummary }) =>
  useHide(room).map(({ word, busy, press }) => (
    <button key={word} type="button" disabled={busy} onClick={press}>
      {`${word} ${room.name}`}
    </button>
  ))

test('[CONV-03] after two rooms were hidden in a row, Undo is for the last one, whichever answer comes first', async () => {
  // A list that an earlier file of this worker has opened asks for what changed.
  server.answers('room/list', { data: [], cursor: '1' })
  const { user } = await renderOffice(
    <>
      <Hide room={roomSummary({ code: 'a', name: 'Ann' })} />
      <Hide room={roomSummary({ code: 'b', name: 'Ben' })} />
    </>,
    { path: '/chat/messaging' },
  )
  const [ann, ben] = [server.once.delays('room/changeStatus', null), server.once.delays('room/changeStatus', null)]
  await user.click(button(`${t('chat.hide')} Ann`))
  await user.click(button(`${t('chat.hide')} Ben`))
  ben()
  await screen.findByRole('button', { name: t('action.undo') })
  ann()
  await waitFor(() => expect(button(`${t('chat.hide')} Ann`)).toHaveProperty('disabled', false))
  server.answers('room/changeStatus', null)
  await user.click(screen.getByRole('button', { name: t('action.undo') }))
  await waitFor(() => expect(server.asked('room/changeStatus')).toHaveLength(3))
  const statuses = server.asked('room/changeStatus').map(({ code, status }) => [code, status])
  expect(statuses).toEqual([
    ['a', RoomStatus.hidden],
    ['b', RoomStatus.hidden],
    ['b', RoomStatus.shown],
  ])
})
