import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { setStored } from '../lib/storage.ts'
import { server } from '../testing/fake-server.ts'
import { menuPage } from '../testing/fixtures.ts'
import { guardMenu, reloadMenu } from './guards.ts'

const pages = [menuPage('/user', { name: 'user', action: 'transaction' })]
const log = menuPage('/transaction/list', { name: 'transaction_log' })

beforeEach(() => {
  setStored('user_token', 'token')
  server.answers('userMenu/list', pages)
})

test('[RIGHT-01] after a lost line the menu is loaded again, and a page that was added or taken is noticed', async () => {
  const cache = new QueryClient()
  await guardMenu(cache, '/user')
  expect(await reloadMenu(cache)).toBe(false)

  server.answers('userMenu/list', [...pages, log])
  expect(await reloadMenu(cache)).toBe(true)
  // Also one action less on a page that stays.
  server.answers('userMenu/list', [menuPage('/user', { name: 'user' }), log])
  expect(await reloadMenu(cache)).toBe(true)
  expect(await reloadMenu(cache)).toBe(false)
})

test('[RIGHT-01] without an answer the menu stays, and a page that needs none does not load it', async () => {
  const cache = new QueryClient()
  expect(await reloadMenu(cache)).toBe(false)
  expect(server.asked('userMenu/list')).toHaveLength(0)

  await guardMenu(cache, '/user')
  server.once.losesAnswer('userMenu/list')
  expect(await reloadMenu(cache)).toBe(false)
  await expect(guardMenu(cache, '/user')).resolves.toBeUndefined()
})
