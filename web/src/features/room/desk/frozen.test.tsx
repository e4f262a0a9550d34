import { screen, waitFor } from '@testing-library/react'
import { AccountStatus, RoomType } from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { server } from '../../../testing/fake-server.ts'
import { memberView, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { FrozenMark, FrozenNotice } from './frozen.tsx'

const Both = ({ room }: { room: RoomSummary }) => (
  <>
    <FrozenMark room={room} />
    <FrozenNotice room={room} />
  </>
)

test('[ACC-09] a room says that its member is frozen, and what that means for messages', async () => {
  server.answers('member/view', memberView({ status: AccountStatus.frozen }))
  await renderOffice(<Both room={roomSummary({ name: 'Mia' })} />)
  expect(await screen.findByText(t('status.frozen'))).toBeTruthy()
  expect(screen.getByText(t('room.member_frozen', { name: 'Mia' }))).toBeTruthy()
  // The header, the panel and the composer share one answer.
  expect(server.asked('member/view')).toHaveLength(1)
})

test('the room of an active member says nothing, and that of an agent does not ask', async () => {
  server.answers('member/view', memberView())
  const { unmount } = await renderOffice(<Both room={roomSummary()} />)
  await waitFor(() => expect(server.asked('member/view')).toHaveLength(1))
  expect(screen.queryByText(t('status.frozen'))).toBeNull()
  expect(screen.queryByText(t('room.member_frozen', { name: 'Mia' }))).toBeNull()
  unmount()
  await renderOffice(<Both room={roomSummary({ type: RoomType.agent })} />)
  expect(server.asked('member/view')).toHaveLength(1)
})
