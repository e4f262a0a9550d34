import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { rooms } from '../../../chat/model/chat-session.ts'
import { t } from '../../../i18n/i18n.ts'
import { setStored } from '../../../lib/storage.ts'
import { server } from '../../../testing/fake-server.ts'
import { colleague, colleagues, ownAccount, roomSummary } from '../../../testing/fixtures.ts'
import { button, renderOffice } from '../../../testing/render.tsx'
import { clearSavedFilter } from '../state/filter.ts'
import { RoomList } from './room-list.tsx'

let restore = () => {}
beforeEach(() => {
  // The test environment measures nothing, and a list without a height shows no rows.
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  restore = () => height.mockRestore()
  setStored('user_id', '9')
  server.answers('user/view', ownAccount())
  const names = ['Ann', 'Ben', 'Cleo', 'Dan']
  const data = names.map((name, at) =>
    roomSummary({ room_id: at + 1, code: name, name, message_time: `2026-11-22T10:0${9 - at}:00.000Z` }),
  )
  server.answers('room/list', { data, cursor: '1' })
  server.answers(
    'desk/colleagues',
    colleagues([
      colleague(8, 'omar', { nickname: 'Omar', waiting: 3 }),
      colleague(9, 'mika', { nickname: 'Mika', state: 'busy' }),
    ]),
  )
})
afterEach(() => {
  // A page that is still there would load the list again, for the next file.
  cleanup()
  rooms.clear()
  clearSavedFilter()
  restore()
})

const row = async (name: string) => {
  const link = (await screen.findByText(name, { selector: '.room-name' })).closest('a')
  if (!link) throw new Error(`${name} has no row`)
  return link
}
const selected = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox')
    .filter(({ checked, className }) => checked && className === 'room-choose')
    .map((box) => box.getAttribute('aria-label'))
const selecting = (...names: string[]) => names.map((name) => t('chat.select', { name }))

test('[CHAT-04] while selecting, a click on a row selects it, with Shift all from the last one on, and Escape ends it', async () => {
  const { user, router } = await renderOffice(<RoomList />, { path: '/chat/messaging' })
  await user.click(await screen.findByRole('button', { name: t('chat.select_some') }))
  await user.click(await row('Ann'))
  expect(selected()).toEqual(selecting('Ann'))
  await user.keyboard('{Shift>}')
  await user.click(await row('Cleo'))
  await user.keyboard('{/Shift}')
  expect(selected()).toEqual(selecting('Ann', 'Ben', 'Cleo'))
  await user.click(await row('Ben'))
  expect(selected()).toEqual(selecting('Ann', 'Cleo'))
  expect(router.state.location.pathname).toBe('/chat/messaging')
  await user.keyboard('{Escape}')
  expect(selected()).toEqual([])
  expect(button(t('chat.select_some')).getAttribute('aria-pressed')).toBe('false')
})

test('[CHAT-04] selected conversations are assigned, marked as done or as read, and hidden', async () => {
  server.answers('desk/bulk', { codes: ['Ann', 'Ben'], next: null })
  const { user } = await renderOffice(<RoomList />, { path: '/chat/messaging' })
  const select = async () => {
    await user.click(await screen.findByRole('button', { name: t('chat.select_some') }))
    for (const name of ['Ann', 'Ben']) await user.click(await row(name))
  }
  await select()
  await user.click(button(t('chat.assign')))
  const items = await screen.findAllByRole('menuitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    `Mika (${t('message.you')})${t('desk.state_busy')}`,
    `Omar (omar)${t('desk.state_on')}${t('desk.waiting_count', { n: 3 })}`,
  ])
  await user.click(screen.getByRole('menuitem', { name: /Omar/ }))
  expect(await screen.findByText(t('chat.done_assign', { n: 2, name: 'Omar' }))).toBeTruthy()
  for (const [word, done] of [
    [t('desk.done'), t('chat.done_settle', { n: 2 })],
    [t('chat.mark_read'), t('chat.done_read', { n: 2 })],
    [t('chat.hide'), t('chat.done_hide', { n: 2 })],
  ] as const) {
    await select()
    await user.click(button(word))
    expect(await screen.findByText(done)).toBeTruthy()
  }
  const codes = ['Ann', 'Ben']
  await waitFor(() => expect(server.asked('desk/bulk')).toHaveLength(4))
  expect(server.asked('desk/bulk')).toMatchObject([
    { deed: 'assign', to: 8, codes },
    { deed: 'settle', codes },
    { deed: 'read', codes },
    { deed: 'hide', codes },
  ])
})
