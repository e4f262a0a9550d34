import type { Answer } from '@tallyroom/contract'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { getStored } from '../lib/storage.ts'
import { keyOf } from '../api/use-call.ts'

type Menu = Answer<'userMenu/list'>
const FRESH = 5 * 60_000

/** GUARD-01, for a session that ended while the page was open. */
const needSession = () => {
  if (getStored('user_token')) return
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

/** The first parts of the paths that the server has allowed since this page was loaded. */
const allowedParts = new Set<string | undefined>()

/**
 * GUARD-03: the server is asked with each address of the chat. Only the first one waits for the answer: else a room that is
 * entered for the first time would come a call later, and the room before would still be there.
 */
export const guardChat = async (cache: QueryClient, path: string) => {
  needSession()
  const part = path.split('/')[1]
  const asked = cache.fetchQuery({
    queryKey: keyOf('userMenu/auth', { url: path }),
    queryFn: ({ signal }) => call('userMenu/auth', { url: path }, signal),
    staleTime: FRESH,
  })
  if (allowedParts.has(part)) {
    // Without an answer nothing is forbidden: every call of the page is refused by itself.
    asked.then(({ allowed }) => allowed || window.location.assign('/forbidden')).catch(() => undefined)
    return
  }
  const { allowed } = await asked
  if (!allowed) redirect({ to: '/forbidden', throw: true })
  allowedParts.add(part)
}
