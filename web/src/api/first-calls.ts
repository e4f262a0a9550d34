import type { CallName, Input } from '@tallyroom/contract'

type ListFilter = Omit<Input<'user/list'>, 'page' | 'per_page'>

/** ACC-04: menu id and role of each list's request. */
export const accountLists = {
  '/agent': { menu_id: 2, role_id: 2 },
  '/customer_service': { menu_id: 3, role_id: 3 },
  '/user': { menu_id: 13, role_id: 2 },
} as const satisfies Record<string, ListFilter>

/** More rows than a screen shows, and whole pages of every size. */
const FIRST_ROWS = 100
export const firstRows = (filter: ListFilter): Input<'user/list'> => ({ ...filter, page: 1, per_page: FIRST_ROWS })

type FirstCall = { [N in CallName]: readonly [N, Input<N>] }[CallName]

/**
 * What the guard of the page at this address asks, and then the page before it can show anything. The first script of the
 * office sends it while the other scripts are on their way.
 */
export const firstCalls = (path: string, search: string): readonly FirstCall[] => {
  if (/^\/chat\/?$|^\/chat\/messaging(\/|$)/.test(path))
    return [
      ['userMenu/auth', { url: path.replace(/^\/chat\/?$/, '/chat/messaging') }],
      ['room/list', { status: 1 }],
    ]
  if (path.startsWith('/chat/')) return []
  if (path === '/index')
    return [
      ['userMenu/list', {}],
      ['home/view', {}],
      ['user/view', {}],
    ]
  const list = search ? undefined : accountLists[path as keyof typeof accountLists]
  return [['userMenu/list', {}], ...(list ? [['user/list', firstRows(list)] as const] : [])]
}
