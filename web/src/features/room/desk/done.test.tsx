import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { server, wordsOf } from '../../../testing/fake-server.ts'
import { roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { beingSettled } from '../state/neighbour.ts'
import { Shortcuts } from '../page/shortcuts.tsx'
import { Done } from './owner.tsx'

const waiting = (id: number, code: string) =>
  roomSummary({ room_id: id, code, member_id: id + 20, waiting_since: `2026-11-22T10:0${id}:00.000Z` })
const [ann, ben] = [waiting(1, 'a'), waiting(2, 'b')]

let restore = () => {}
afterEach(() => restore())
beforeEach(() => {
  const spy = vi.spyOn(rooms, 'waiting').mockReturnValue([ann, ben])
  restore = () => spy.mockRestore()
})

const open = (room: typeof ann) =>
  renderOffice(
    <>
      <Done room={room} />
      <Shortcuts />
    </>,
    {
      path: '/chat/messaging/$room_id/$member_id/$room_code',
      address: `/chat/messaging/${room.room_id}/21/${room.code}`,
    },
  )

test('[CONV-03] one key marks the conversation as done and opens the next one that waits, without waiting for the answer', async () => {
  const settle = server.once.delays('desk/settle', null)
  const { user, router } = await open(ann)
  await user.keyboard('{Alt>}j{/Alt}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/chat/messaging/2/22/b'))
  expect(server.asked('desk/settle')).toMatchObject([{ code: 'a' }])
  expect([...beingSettled]).toEqual(['a'])
  settle()
  await waitFor(() => expect(beingSettled.size).toBe(0))
})

test('[CONV-03] it does not lead back to a conversation whose mark is on its way, and a refusal is said', async () => {
  server.refuses('desk/settle', 'access.denied')
  beingSettled.add('a')
  const { user, router } = await open(ben)
  await user.keyboard('{Alt>}j{/Alt}')
  expect(await screen.findByText(wordsOf('access.denied'))).toBeTruthy()
  expect(router.state.location.pathname).toBe('/chat/messaging/2/21/b')
  beingSettled.clear()
})

test('[CONV-03] that it is done is read out: the focus goes to the text box', async () => {
  server.answers('desk/settle', null)
  const { user } = await open(ann)
  await user.keyboard('{Alt>}d{/Alt}')
  expect((await screen.findByText(t('desk.done'), { selector: 'p' })).closest('[role="status"]')).toBeTruthy()
})
