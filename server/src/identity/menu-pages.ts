import type { Role } from '@tallyroom/contract/codes'

export type Action = 'transaction' | 'deposit' | 'edit' | 'delete' | 'add' | 'encryption_username'

type MenuPage = {
  id: number
  name: string
  url: string
  /** Nobody can take it away: the page that the others lead back to, the own settings, the agent's own upline. */
  always?: true
  /** The actions that a role begins with. A role that is missing does not begin with the page. */
  actions: Partial<Record<Role, readonly Action[]>>
  /** Actions that the role does not begin with and can be given. */
  more?: Partial<Record<Role, readonly Action[]>>
}

/**
 * The pages of the back office, in the order of the menu. `transaction` moves points: in conversations, by paying a
 * request, and from the lists.
 */
const all = [
  { id: 1, name: 'home', url: '/index', always: true, actions: { 1: [], 2: [], 3: [] } },
  { id: 4, name: 'chat', url: '/chat', actions: { 1: ['transaction'], 2: ['transaction'], 3: ['transaction'] } },
  { id: 24, name: 'requests', url: '/cash', actions: { 1: ['transaction'], 2: ['transaction'], 3: ['transaction'] } },
  { id: 25, name: 'approvals', url: '/approvals', actions: { 1: [], 2: [], 3: [] } },
  { id: 26, name: 'tree', url: '/tree', actions: { 1: [], 2: [] } },
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
    more: { 3: ['edit', 'delete'] },
  },
  { id: 21, name: 'customer_service_chat', url: '/customer_service_chat', always: true, actions: { 2: [] } },
  { id: 9, name: 'quick_replies', url: '/MessageTemplate', actions: { 1: [], 2: [], 3: [] } },
  { id: 32, name: 'work', url: '/report/work', actions: { 1: [], 2: [], 3: [] } },
  { id: 5, name: 'transaction_log', url: '/transaction/list', actions: { 1: [], 2: [], 3: [] } },
  { id: 6, name: 'sr02', url: '/report/sr02', actions: { 1: [], 2: [] } },
  { id: 28, name: 'statement', url: '/report/statement', actions: { 1: [], 2: [], 3: [] } },
  { id: 22, name: 'reconciliation', url: '/report/reconciliation', actions: { 1: [] } },
  { id: 20, name: 'audit', url: '/audit', actions: { 1: [] } },
  { id: 30, name: 'personal_data', url: '/person', actions: { 1: [] } },
  { id: 29, name: 'installation', url: '/installation', actions: { 1: [] } },
  { id: 7, name: 'my_settings', url: '/setup/self', always: true, actions: { 1: [], 2: [], 3: [] } },
  { id: 31, name: 'desk', url: '/setup/desk', actions: { 1: [], 2: [] } },
  { id: 8, name: 'system_settings', url: '/setup/system', actions: { 1: [], 2: [] } },
  { id: 23, name: 'technical_files', url: '/file', actions: { 1: [] } },
  { id: 10, name: 'api_doc', url: '/file/api', actions: { 1: [], 2: [] } },
] as const satisfies readonly MenuPage[]

export type PageName = (typeof all)[number]['name']
/** A page of the menu, or an action on it. Nobody has an action without its page. */
export type RightName = PageName | `${PageName}.${Action}`
export const menuPages: readonly (MenuPage & { name: PageName })[] = all

export const actionRight = (page: PageName, action: Action): RightName => `${page}.${action}`

const rightsOfPages = (role: Role, withMore: boolean): RightName[] =>
  menuPages.flatMap(({ name, actions, more }) => {
    const begins = actions[role]
    const given = (withMore && more?.[role]) || []
    if (!begins && given.length === 0) return []
    return [name, ...[...(begins ?? []), ...given].map((action) => actionRight(name, action))]
  })

const byRole = (withMore: boolean): Record<Role, ReadonlySet<RightName>> => ({
  1: new Set(rightsOfPages(1, withMore)),
  2: new Set(rightsOfPages(2, withMore)),
  3: new Set(rightsOfPages(3, withMore)),
  4: new Set(),
})
/** The rights of an account to which nobody has given a right or from which nobody has taken one. */
export const roleRights = byRole(false)
/** The most that a role can have. What one role can have, the roles above it begin with. */
export const ceilings = byRole(true)

/** Pages that show no other account. */
const withoutPeople = new Set<string>([
  'home',
  'my_settings',
  'customer_service_chat',
  'quick_replies',
  'desk',
  'system_settings',
  'installation',
  'technical_files',
  'api_doc',
] satisfies PageName[])
/** GUARD-07: an account without a page that shows others reads nobody, also by calls that need no page of their own. */
export const meetsOthers = (rights: ReadonlySet<RightName>): boolean =>
  [...rights].some((name) => !withoutPeople.has(name.split('.')[0] ?? name))

const fixed = new Set<string>(menuPages.filter(({ always }) => always).map(({ name }) => name))
/** The rights that can be given to a role or taken from it, in the order of the menu. */
export const changeableRights = (role: Role): RightName[] => [...ceilings[role]].filter((name) => !fixed.has(name))
