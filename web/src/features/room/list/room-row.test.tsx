import { MessageType } from '@tallyroom/contract/codes'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { outbox } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { RoomRow } from './room-row.tsx'

test('[CONV-17] a room whose answer is on its way no longer waits on this screen', async () => {
  server.losesAnswer('sendMessage')
  const room = roomSummary({
    waiting_since: '2026-11-22T10:00:00.000Z',
    message_type: MessageType.text,
    message_content: 'is it there?',
  })
  await renderOffice(<RoomRow room={room} current={false} />)
  expect(screen.getByText('is it there?')).toBeTruthy()
  expect(screen.getByText(t('chat.wait_overdue'))).toBeTruthy()
  act(() => void outbox.add(room.code, 'It is on its way.'))
  expect(await screen.findByText('It is on its way.')).toBeTruthy()
  expect(screen.getByText(t('message.sending'))).toBeTruthy()
  expect(screen.queryByText('is it there?')).toBeNull()
  expect(screen.queryByText(t('chat.wait_overdue'))).toBeNull()
  act(() => outbox.stop())
})

test('[CONV-06] a room that was marked as unread is read out as that, not as having no unread messages', async () => {
  const room = roomSummary({ message_read: 0, last_seq: 5, read_seq: 5 })
  await renderOffice(<RoomRow room={room} current={false} />)
  expect(screen.getByText(t('chat.only_unread'))).toBeTruthy()
  expect(screen.queryByText(t('chat.unread', { n: 0 }))).toBeNull()
})
