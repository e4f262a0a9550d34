import { MessageType, Role } from '@tallyroom/contract/codes'
import { screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { startLive, stopLive } from '../../api/live.ts'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { fakeSocket } from '../../testing/fake-socket.ts'
import { menuPage, ownAccount, roomSummary } from '../../testing/fixtures.ts'
import { message, pointsMessage } from '../../testing/message-fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { Side } from './side.tsx'

test('[SHELL-01] [SHELL-08] the own balance; for customer service the wallet that pays, in place of its empty one', async () => {
  server.answers('user/view', ownAccount())
  const { unmount } = await renderOffice(<Side />)
  expect(await screen.findByText('500.00')).toBeTruthy()
  expect(screen.getByText(t('shell.balance'))).toBeTruthy()
  unmount()

  const payer = { id: 10, name: 'Ann', available: '1200.5000', unlimited: false }
  server.answers(
    'user/view',
    ownAccount({ role_id: Role.customerService, balance: '0.0000', used_credit: '0.0000', payer }),
  )
  await renderOffice(<Side />)
  expect(await screen.findByText('1,200.50')).toBeTruthy()
  expect(screen.getByText(t('panel.pays_from', { name: 'Ann' }))).toBeTruthy()
  expect(screen.queryByText('0.00')).toBeNull()
})

test('[SHELL-08] the wallet that pays is loaded again when a colleague pays from it, not for every message', async () => {
  const socket = fakeSocket()
  onTestFinished(() => {
    stopLive()
    socket.stop()
  })
  const paying = (available: string) =>
    ownAccount({ role_id: Role.customerService, payer: { id: 10, name: 'Ann', available, unlimited: false } })
  server.answers('user/view', paying('1200.0000'))
  void startLive()
  await socket.isReady()
  await renderOffice(<Side />)
  await screen.findByText('1,200.00')
  const { message_read: _m, read_seq: _r, marked_unread: _u, mark_version: _v, ...room } = roomSummary({ code: 'r1' })
  const arrives = (type: typeof MessageType.text | typeof MessageType.pointsIn, version: number) => {
    const messages = [
      type === MessageType.text ? message({ seq: version, version }) : pointsMessage({ seq: version, version, type }),
    ]
    socket.arrives('room', { code: 'r1', since: version - 1, version, reset: false, messages, room })
  }
  const asked = server.asked('user/view').length
  arrives(MessageType.text, 2)
  server.answers('user/view', paying('1150.0000'))
  arrives(MessageType.pointsIn, 3)
  await screen.findByText('1,150.00')
  expect(server.asked('user/view')).toHaveLength(asked + 1)
})

test('[SHELL-01] [SHELL-09] the menu has heads over its parts, in the order of the server', async () => {
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [
    menuPage('/index', { name: 'home' }),
    menuPage('/user', { name: 'user' }),
    menuPage('/MessageTemplate', { name: 'quick_replies' }),
    menuPage('/transaction/list', { name: 'transaction_log' }),
    menuPage('/new', { name: 'a_page_of_a_newer_server' }),
    menuPage('/setup/self', { name: 'my_settings' }),
  ])
  await renderOffice(<Side />)
  await screen.findByText(t('menu.my_settings'))
  expect(
    screen.getAllByRole('list').map((list) => [list.getAttribute('aria-labelledby') !== null, list.textContent]),
  ).toEqual([
    [false, t('menu.home')],
    [true, t('menu.user')],
    [true, t('menu.quick_replies')],
    [true, `${t('menu.transaction_log')}a page of a newer server`],
    [true, t('menu.my_settings')],
  ])
  const heads = ['right.group_accounts', 'right.group_chat', 'right.group_points', 'menu.settings'] as const
  expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(heads.map((word) => t(word)))
})

test('[SHELL-01] the number beside the queues counts what waits there, and not unread conversations', async () => {
  server.answers('user/view', ownAccount())
  server.answers('userMenu/list', [
    menuPage('/cash', { name: 'requests' }),
    menuPage('/approvals', { name: 'approvals' }),
  ])
  server.answers('cash/open', { open: 4, asked: 4 })
  server.answers('approval/open', { open: 1 })
  await renderOffice(<Side />)
  for (const n of [4, 1]) expect(await screen.findByLabelText(t('shell.waiting', { n }))).toBeTruthy()
  expect(screen.queryByLabelText(t('shell.unread', { n: 4 }))).toBeNull()
})
