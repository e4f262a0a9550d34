import { screen } from '@testing-library/react'
import { onTestFinished, test } from 'vitest'
import { startLive, stopLive } from '../../../api/live.ts'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { fakeSocket } from '../../../testing/fake-socket.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { useOfficeChat } from './use-office-chat.ts'

const Chat = () => {
  useOfficeChat()
  return null
}

test('[DESK-03] whom the server gives a new member reads its name, before the list knows it', async () => {
  setStored('user_id', '9')
  const socket = fakeSocket()
  onTestFinished(() => {
    stopLive()
    socket.stop()
  })
  void startLive()
  await socket.isReady()
  await renderOffice(<Chat />)
  const { message_read: _m, read_seq: _r, marked_unread: _u, mark_version: _v, ...room } = roomSummary({ name: 'Anne' })
  const assigned = {
    aside_id: 'a1',
    seq: 1,
    after_seq: 1,
    kind: 'assigned' as const,
    content: '',
    nickname: 'Carl',
    user_username: 'carl',
    target_id: 9,
    target_name: 'Carl',
    created_at: '2026-11-20T08:00:00.000Z',
  }
  socket.arrives('desk', { code: room.code, room, asides: [assigned] })
  await screen.findByText(t('desk.assigned_you', { member: 'Anne' }))
})
