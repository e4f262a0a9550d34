import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchConnection } from '../../../api/connection.ts'
import { whisperKeyOf } from '../../../chat/model/drafts.ts'
import { drafts } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { button, field, fill, goOnline, renderOffice } from '../../../testing/render.tsx'
import { WhisperBox } from './whisper-box.tsx'

const note = {
  aside_id: 'a1',
  seq: 1,
  after_seq: 0,
  kind: 'whisper' as const,
  content: 'She is a VIP',
  nickname: 'Mika',
  user_username: 'mika',
  target_id: null,
  target_name: '',
  created_at: '2026-11-22T10:00:00Z',
}
let lastRoom = 0
let code = ''
let stop = () => {}
beforeEach(() => {
  code = `note-${++lastRoom}`
  server.answers('draft/save', { version: 1, kept: true })
  stop = watchConnection({ asks: false })
})
afterEach(() => {
  stop()
  vi.restoreAllMocks()
})

/** The box, with a button that leaves the room and comes back. */
const Room = () => {
  const [isOpen, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        door
      </button>
      {isOpen && <WhisperBox room={roomSummary({ code })} onBack={() => {}} />}
    </>
  )
}
const box = () => field(t('desk.whisper_write'))

test('[CONV-05] a note on its way when the room is left is not in the box afterwards, and cannot be added twice', async () => {
  const release = server.delays('desk/whisper', note)
  const { user } = await renderOffice(<Room />)
  await fill(user, t('desk.whisper_write'), note.content)
  await user.keyboard('{Enter}')
  await user.click(button('door'))
  await user.click(button('door'))
  expect(box().value).toBe(note.content)
  await user.type(box(), '{Enter}')
  release()
  await waitFor(() => expect(drafts.of(whisperKeyOf(code))).toBe(''))
  await waitFor(() => expect(box().value).toBe(''))
  expect(server.asked('desk/whisper')).toHaveLength(1)
})

test('[CONV-05] a note whose answer was lost is the same request after the room was left', async () => {
  server.losesAnswer('desk/whisper')
  const { user } = await renderOffice(<Room />)
  await fill(user, t('desk.whisper_write'), note.content)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.asked('desk/whisper')).toHaveLength(1))
  await user.click(button('door'))
  await user.click(button('door'))
  server.answers('desk/whisper', note)
  await user.type(box(), '{Enter}')
  await waitFor(() => expect(box().value).toBe(''))
  const [first, second] = server.asked('desk/whisper')
  expect(second?.request_id).toBe(first?.request_id)
})

test('[CONV-16] a note that is added without a line says that it waits', async () => {
  server.answers('desk/whisper', note)
  const { user } = await renderOffice(<Room />)
  await fill(user, t('desk.whisper_write'), note.content)
  goOnline(false)
  await user.type(box(), '{Enter}')
  expect(await screen.findByText(t('message.waiting'))).toBeTruthy()
  expect(box().value).toBe(note.content)
  goOnline(true)
  await waitFor(() => expect(box().value).toBe(''))
  expect(screen.queryByText(t('message.waiting'))).toBeNull()
})
