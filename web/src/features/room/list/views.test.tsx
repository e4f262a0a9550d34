import type { RoomSummary } from '@tallyroom/contract/events'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { colleague, colleagues, menuPage, ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { clearSavedFilter } from '../state/filter.ts'
import { AiList } from './ai-list.tsx'
import { HiddenList } from './hidden-list.tsx'
import { RoomList } from './room-list.tsx'

afterEach(() => {
  cleanup()
  rooms.clear()
  clearSavedFilter()
})

const names = () => {
  const group = screen.getByRole('group', { name: t('chat.filters') })
  return [...group.children].map(({ textContent }) => textContent?.replace(/ ?\d+$/, ''))
}

test('[CHAT-03] [CHAT-05] the bot’s and the hidden conversations are views of the inbox, on each of its lists', async () => {
  server.answers('user/view', ownAccount({ chat_ai_bot_visible: 1 }))
  server.answers('room/list', { data: [], cursor: '1' })
  const words = ['chat.all', 'chat.only_waiting', 'chat.only_unread', 'chat.only_mine', 'chat.ai', 'chat.hidden_short']
  for (const list of [
    <RoomList key="inbox" />,
    <AiList key="ai" small={false} />,
    <HiddenList key="h" small={false} />,
  ]) {
    await renderOffice(list, { path: '/chat/messaging' })
    await screen.findByRole('link', { name: new RegExp(`^${t('chat.ai')}`) })
    expect(names()).toEqual(words.map((word) => t(word as 'chat.all')))
    cleanup()
  }
})

test('[CHAT-05] a view chosen among the hidden conversations is the one that the inbox shows', async () => {
  server.answers('user/view', ownAccount())
  server.answers('room/list', { data: [], cursor: '1' })
  const { user, router } = await renderOffice(<HiddenList small={false} />, { path: '/chat/hide' })
  expect(screen.queryByRole('link', { name: new RegExp(`^${t('chat.ai')}`) })).toBeNull()
  await user.click(screen.getByRole('button', { name: `${t('chat.only_mine')} 0` }))
  expect(router.state.location.pathname).toBe('/chat/messaging')
  cleanup()
  await renderOffice(<RoomList />)
  const mine = screen.getByRole('button', { name: `${t('chat.only_mine')} 0` })
  expect(mine.getAttribute('aria-pressed')).toBe('true')
})

test('[DESK-08] a group that assigns has a queue, with its longest wait, and snoozed rooms a view of their own', async () => {
  setStored('user_id', '7')
  const since = new Date(Date.now() - 60_000).toISOString()
  const room = (room_id: number, fields: Partial<RoomSummary>) =>
    roomSummary({ room_id, code: `r${room_id}`, name: `Room ${room_id}`, waiting_since: since, ...fields })
  const list = [room(1, {}), room(2, { owner_id: 7 }), room(3, { snoozed_until: since })]
  server.answers('user/view', ownAccount())
  server.answers('room/list', { data: list, cursor: '1' })
  server.answers('userMenu/list', [menuPage('/chat')])
  server.answers('desk/colleagues', colleagues([colleague(7, 'mika')], { capacity: 8 }))
  await rooms.loadList(1)
  const { user } = await renderOffice(<RoomList />, { path: '/chat/messaging' })
  await user.click(await screen.findByRole('button', { name: new RegExp(`^${t('chat.queue')} 1 .*1:0`) }))
  const isShown = (n: number) => expect(screen.getByText(t('chat.room_count', { n }))).toBeTruthy()
  isShown(1)
  await user.click(screen.getByRole('button', { name: `${t('later.snoozed')} 1` }))
  isShown(1)
  expect(screen.getByRole('button', { name: `${t('later.snoozed')} 1` }).getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByRole('button', { name: `${t('chat.all')} 2` }))
  isShown(2)
})
