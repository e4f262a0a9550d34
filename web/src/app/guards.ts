import type { Answer } from '@tallyroom/contract'
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { getStored } from '../lib/storage.ts'
import { keyOf } from '../api/use-call.ts'
import { MENU_FRESH } from '../api/use-menu.ts'

type Menu = Answer<'userMenu/list'>

/** GUARD-01, for a session that ended while the page was open. */
const needSession = () => {
  if (getStored('user_token')) return
  window.location.assign('/login')
  // The browser is leaving the page: stop the router from rendering it.
  redirect({ href: '/login', reloadDocument: true, throw: true })
}

const inMenu = (menu: Menu, path: string) =>
  path === '/index' ||
  // Linked from the toolbar; the page itself checks whether the account has it.
  path === '/shareQRCode' ||
  // RIGHT-02: everyone sees what they may do.
  path === '/rights' ||
  path.startsWith('/rights/') ||
  // MEMB-01: every name leads there; the server says what may be seen.
  /^\/(member|colleague)\/./.test(path) ||
  // GUARD-02: a room links to the history of its member, even if the menu has no history page.
  path.startsWith('/transaction/list/') ||
  menu.some(({ url }) => path === url || path.startsWith(`${url}/`))

const menuQuery = {
  queryKey: keyOf('userMenu/list', {}),
  queryFn: ({ signal }: { signal: AbortSignal }) => call('userMenu/list', {}, signal),
}

/**
 * RIGHT-01: loads the menu again. @returns whether it is another one. Rights that change while the line is lost are
 * announced to nobody.
 */
export const reloadMenu = async (cache: QueryClient): Promise<boolean> => {
  const before = cache.getQueryData(menuQuery.queryKey)
  if (!before) return false
  try {
    await cache.fetchQuery({ ...menuQuery, staleTime: 0 })
  } catch {
    return false
  }
  // An equal answer keeps the former object.
  return cache.getQueryData(menuQuery.queryKey) !== before
}

/** GUARD-02: redirects to the home page if the menu does not contain this page. */
export const guardMenu = async (cache: QueryClient, path: string) => {
  needSession()
  const menu = await cache.fetchQuery({ ...menuQuery, staleTime: MENU_FRESH })
  const bare = path.replace(/(.)\/$/, '$1')
  if (!inMenu(menu, bare)) redirect({ to: '/index', throw: true })
}

/** First path parts that the server has allowed since this page was loaded. */
const allowedParts = new Set<string | undefined>()
/** RIGHT-01: the rights have changed, so the next address waits for the server again. */
export const forgetAllowed = (): void => allowedParts.clear()

/**
 * GUARD-03: asks the server about each address of the chat. Only the first one waits for the answer: otherwise every
 * room would open one call later, with the previous room still visible.
 */
export const guardChat = async (cache: QueryClient, path: string) => {
  needSession()
  const part = path.split('/')[1]
  const check = cache.fetchQuery({
    queryKey: keyOf('userMenu/auth', { url: path }),
    queryFn: ({ signal }) => call('userMenu/auth', { url: path }, signal),
    staleTime: MENU_FRESH,
  })
  if (allowedParts.has(part)) {
    // Without an answer the page stays: the server checks each of its calls anyway.
    check.then(({ allowed }) => allowed || window.location.assign('/forbidden')).catch(() => undefined)
    return
  }
  const { allowed } = await check
  if (!allowed) redirect({ to: '/forbidden', throw: true })
  allowedParts.add(part)
}
