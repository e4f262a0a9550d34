import { QueryClient } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { sendEarly } from '../api/call.ts'
import { accountLists, firstCalls } from '../api/first-calls.ts'
import { guardChat, guardMenu } from '../app/guards.ts'
import { rooms } from '../chat/model/chat-session.ts'
import { AccountListPage } from '../features/account/list-page.tsx'
import { setStored } from '../lib/storage.ts'
import { server } from '../testing/fake-server.ts'
import { accountRow, menuPage, ownAccount } from '../testing/fixtures.ts'
import { renderOffice } from '../testing/render.tsx'

const open = (path: string) => {
  setStored('user_token', 'token')
  for (const [name, input] of firstCalls(path, '')) sendEarly(name, input)
}

test.each(Object.keys(accountLists))('%s asks nothing twice that the first script has asked', async (path) => {
  server.answers('userMenu/list', [menuPage(path, { name: 'user' })])
  server.answers('user/list', { data: [accountRow()], total: 1, totals: null })
  server.answers('user/view', ownAccount())
  server.answers('listView/list', { data: [] })
  open(path)
  await guardMenu(new QueryClient(), path)
  expect(server.asked('userMenu/list')).toHaveLength(1)
  await renderOffice(<AccountListPage />, { path })
  await screen.findByText('Mia')
  expect(server.asked('user/list')).toHaveLength(1)
})

test('/chat asks nothing twice that the first script has asked', async () => {
  server.answers('userMenu/auth', { allowed: true })
  server.answers('room/list', { data: [], cursor: '1' })
  open('/chat')
  await guardChat(new QueryClient(), '/chat/messaging')
  await rooms.loadList(1)
  expect(server.asked('userMenu/auth')).toHaveLength(1)
  expect(server.asked('room/list')).toHaveLength(1)
  rooms.clear()
})
