import type { Answer } from '@tallyroom/contract'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { call } from './call.ts'
import { kept } from './store.ts'
import { keyOf } from './use-call.ts'

type Menu = Answer<'userMenu/list'>
const FRESH = 5 * 60_000

/** GUARD-01, for a session that ended while the page was open. */
const needSession = () => {
  if (kept('user_token')) return
  window.location.assign('/login')
  // The page is about to go: nothing more is drawn.
  redirect({ href: '/login', reloadDocument: true, throw: true })
}

export const inMenu = (menu: Menu, path: string) =>
  path === '/index' ||
  // Reached from the toolbar; the page itself looks whether the account has it.
  path === '/shareQRCode' ||
  // GUARD-02: the history of one account is reached from its room, whatever the menu says.
  path.startsWith('/transaction/list/') ||
  menu.some(({ url }) => path === url || path.startsWith(`${url}/`))

/** GUARD-02: a page that is not in the menu leads home. */
export const guardMenu = async (cache: QueryClient, path: string) => {
  needSession()
  const menu = await cache.fetchQuery({
    queryKey: keyOf('userMenu/list', {}),
    queryFn: ({ signal }) => call('userMenu/list', {}, signal),
    staleTime: FRESH,
  })
  const bare = path.replace(/(.)\/$/, '$1')
  if (!inMenu(menu, bare)) redirect({ to: '/index', throw: true })
}

/** GUARD-03: for the talk the server is asked with the address. */
export const guardTalk = async (cache: QueryClient, path: string) => {
  needSession()
  const { allowed } = await cache.fetchQuery({
    queryKey: keyOf('userMenu/auth', { url: path }),
    queryFn: ({ signal }) => call('userMenu/auth', { url: path }, signal),
    staleTime: FRESH,
  })
  if (!allowed) redirect({ to: '/forbidden', throw: true })
}
