import type { CallName } from '@tallyroom/contract'
import type { Actor, Role } from './actor.ts'

/**
 * Who may make which call: the only list of rights. The menu below is this list told to the browser.
 * Whom a call may touch is said by `visible(actor)` and by the joins of its handler.
 */
type Right = 'anyone' | { roles: readonly Role[] }

const everyone = { roles: [1, 2, 3, 4] } as const
const office = { roles: [1, 2, 3] } as const
const heads = { roles: [1, 2] } as const
const member = { roles: [4] } as const

export const policy: Record<CallName, Right> = {
  login: 'anyone',
  'member/signup': 'anyone',
  'member/invitation': 'anyone',
  logout: everyone,
  'userMenu/list': office,
  'userMenu/auth': office,
  'user/list': office,
  'user/view': everyone,
  'user/add': heads,
  'user/edit': everyone,
  'user/delete': heads,
  'user/paymentPassword': office,
  'user/transaction': office,
  'member/view': office,
  'transaction/add': office,
  'transaction/edit': office,
  'transaction/list': everyone,
  'redEnvelope/record': everyone,
  'envelope/answer': member,
  'report/sr02': heads,
  'room/list': everyone,
  'room/enter': everyone,
  'room/history': everyone,
  'room/sync': everyone,
  'room/changeStatus': office,
  sendMessage: everyone,
  readMessage: everyone,
}

export const may = (actor: Actor, call: CallName): boolean => {
  const right = policy[call]
  return right === 'anyone' || right.roles.some((role) => role === actor.role)
}

export type Action = 'transaction' | 'deposit' | 'edit' | 'delete' | 'add' | 'encryption_username'
type MenuPage = { id: number; name: string; url: string; actions: Partial<Record<Role, readonly Action[]>> }

/** The pages of the back office, and what each role may do on them. A role that is not named has no such page. */
export const pages: readonly MenuPage[] = [
  { id: 1, name: 'home', url: '/index', actions: { 1: [], 2: [], 3: [] } },
  { id: 4, name: 'chat', url: '/chat', actions: { 1: [], 2: [], 3: [] } },
  {
    id: 2,
    name: 'agent',
    url: '/agent',
    actions: { 1: ['transaction', 'deposit', 'edit', 'delete'], 2: ['transaction', 'deposit', 'edit', 'delete'] },
  },
  {
    id: 3,
    name: 'customer_service',
    url: '/customer_service',
    actions: { 1: ['add', 'edit', 'delete'], 2: ['add', 'edit', 'delete'] },
  },
  {
    id: 13,
    name: 'user',
    url: '/user',
    actions: {
      1: ['transaction', 'deposit', 'edit', 'delete'],
      2: ['transaction', 'deposit', 'edit', 'delete'],
      3: ['transaction', 'deposit'],
    },
  },
  { id: 5, name: 'transaction_log', url: '/transaction/list', actions: { 1: [], 2: [], 3: [] } },
  { id: 6, name: 'sr02', url: '/report/sr02', actions: { 1: [], 2: [] } },
  { id: 7, name: 'my_settings', url: '/setup/self', actions: { 1: [], 2: [], 3: [] } },
]

/** The page on which an account of a role is managed. */
const pageOf: Partial<Record<Role, number>> = { 2: 2, 3: 3, 4: 13 }

/** Whether an actor may do something to accounts of a role: the menu's action is a right, not a hint. */
export const mayDo = (actor: Pick<Actor, 'role'>, action: Action, targetRole: Role): boolean => {
  const page = pages.find(({ id }) => id === pageOf[targetRole])
  return page?.actions[actor.role]?.includes(action) ?? false
}

export const menuOf = (role: Role) =>
  pages.flatMap(({ id, name, url, actions }) => {
    const own = actions[role]
    return own ? [{ id, name, url, action: own.join(',') }] : []
  })

/** Whether a role has the page that an address belongs to. Display only: each call is judged by itself. */
export const mayOpen = (role: Role, url: string): boolean => {
  let path: string
  try {
    path = new URL(url, 'http://page').pathname
  } catch {
    return false
  }
  if (path === '/login') return true
  return menuOf(role).some((page) => path === page.url || path.startsWith(`${page.url}/`))
}
