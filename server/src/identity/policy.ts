import type { CallName } from '@tallyroom/contract'
import type { Actor } from './actor.ts'
import { isOffice, Role } from '@tallyroom/contract/codes'

/**
 * Which roles may make which call: the only list of rights. The menu below sends the same list to the browser.
 * Which accounts a call may touch is decided by `visibleAccounts(actor)` and the joins of its handler.
 *
 * A call on an account also needs a menu action on the page where accounts of that role are managed (`mayAct`).
 * `parts` are actions that a part of the call needs instead.
 */
type Right = 'anyone' | { roles: readonly Role[]; action?: Action; parts?: Record<string, Action> }
type Action = 'transaction' | 'deposit' | 'edit' | 'delete' | 'add' | 'encryption_username'

const everyone = { roles: [1, 2, 3, 4] } as const
const office = { roles: [1, 2, 3] } as const
const heads = { roles: [1, 2] } as const
const admin = { roles: [1] } as const
const member = { roles: [4] } as const
/** BANK-02: agents may only read. */
const bankEditors = { roles: [1, 3] } as const

export const policy = {
  login: 'anyone',
  sendValidateCode: 'anyone',
  checkValidateCode: 'anyone',
  googleAuth: 'anyone',
  'member/signup': 'anyone',
  'member/invitation': 'anyone',
  logout: everyone,
  'session/list': everyone,
  'session/end': everyone,
  'session/endOthers': everyone,
  'session/listOf': { ...heads, action: 'edit' },
  'session/endOf': { ...heads, action: 'edit' },
  'factor/view': office,
  'factor/begin': office,
  'factor/confirm': office,
  'factor/sendCode': office,
  'factor/remove': office,
  'factor/recoveryCodes': office,
  'factor/sendPhoneCode': office,
  'factor/setPhone': office,
  'factor/removePhone': office,
  'userMenu/list': office,
  'userMenu/auth': office,
  'user/list': office,
  'user/view': everyone,
  'user/path': office,
  'user/export': heads,
  'user/add': { ...heads, action: 'add' },
  // TREE-02. Not a menu action: the lists have no button for it (ACC-03).
  'user/addAgent': heads,
  // Editing oneself needs no action. Changing the status is freezing, which needs `delete`.
  'user/edit': { ...everyone, action: 'edit', parts: { status: 'delete' } },
  'user/delete': { ...heads, action: 'delete' },
  'user/abilities': { ...heads, action: 'edit' },
  'user/saveAbilities': { ...heads, action: 'edit' },
  'user/paymentPassword': office,
  'user/transaction': { ...office, action: 'transaction', parts: { giving: 'deposit' } },
  'member/view': office,
  'transaction/add': office,
  'transaction/correct': admin,
  'transaction/edit': office,
  'transaction/list': everyone,
  'redEnvelope/record': everyone,
  'envelope/answer': member,
  'wallet/toGame': member,
  'member/flowLimit': everyone,
  'transaction/view': office,
  'transaction/export': heads,
  'home/view': office,
  'home/steps': heads,
  'home/putAway': heads,
  'report/sr02': heads,
  'report/sr02Export': heads,
  'report/reconciliation': admin,
  'report/check': admin,
  'audit/list': admin,
  'setting/view': everyone,
  'setting/save': heads,
  'share/savePicture': office,
  'share/saveDomain': heads,
  'apiKey/list': admin,
  'apiKey/add': admin,
  'apiKey/rotate': admin,
  'apiKey/revoke': admin,
  'webhook/list': admin,
  'room/list': everyone,
  'room/enter': everyone,
  'room/history': everyone,
  'room/sync': everyone,
  'room/changeStatus': office,
  'draft/list': everyone,
  'draft/save': everyone,
  'push/view': everyone,
  'push/subscribe': everyone,
  'push/unsubscribe': everyone,
  'desk/take': office,
  'desk/handOver': office,
  'desk/release': office,
  'desk/colleagues': office,
  'desk/whisper': office,
  'desk/asides': office,
  'desk/settle': office,
  'desk/markUnread': office,
  'desk/bulk': office,
  'room/recover': office,
  'room/giveToBot': office,
  'ai/view': heads,
  'ai/save': heads,
  sendMessage: everyone,
  readMessage: everyone,
  'message/takeBack': everyone,
  'message/original': heads,
  'upload/begin': everyone,
  'message/sendFile': everyone,
  'friend/list': office,
  'customer/list': office,
  'friend/view': office,
  'friend/edit': office,
  'orderType/list': office,
  'orderType/save': admin,
  'members/hasBankCardSetting': office,
  'members/bank-card': office,
  'members/bank-card/create': bankEditors,
  'members/bank-card/delete': bankEditors,
  'members/bank-account': office,
  'members/bank-account/create': bankEditors,
  'members/bank-account/show': office,
  'bank_setting/view': admin,
  'bank_setting/save': admin,
  'cash/view': member,
  'cash/ask': member,
  'cash/withdraw': member,
  'cash/list': office,
  'cash/open': office,
  'cash/take': office,
  'cash/renew': office,
  'cash/giveBack': office,
  'cash/refuse': office,
  'cash/pay': office,
  'cash/day': office,
  'cash/export': heads,
  'note/list': office,
  'note/add': office,
  'note/edit': office,
  'note_content/list': office,
  'note_content/add': office,
  'note_content/edit': office,
  'note_content/delete': office,
  'message-template/list': office,
  'message-template/create': office,
  'message-template/update': office,
  'message-template/delete': office,
  'message-template/use': office,
  'search/accounts': office,
  'search/messages': office,
  'search/notes': office,
} as const satisfies Record<CallName, Right>

export const rightOf = (call: CallName): Right => policy[call]

export const may = (actor: Pick<Actor, 'role'>, call: CallName): boolean => {
  const right = rightOf(call)
  return right === 'anyone' || right.roles.some((role) => role === actor.role)
}

/** The calls that need an action, and the parts of each. */
type CallWithAction = { [N in CallName]: (typeof policy)[N] extends { action: Action } ? N : never }[CallName]
type PartOf<N extends CallWithAction> = (typeof policy)[N] extends { parts: infer P } ? keyof P & string : never

/** Whether an actor may make a call, or a part of it, on accounts of a role. Menu actions are rights, not hints. */
export const mayAct = <N extends CallWithAction>(
  actor: Pick<Actor, 'role'>,
  call: N,
  targetRole: Role,
  part?: PartOf<N>,
): boolean => {
  const right: Right = rightOf(call)
  if (right === 'anyone' || !may(actor, call)) return false
  const action = part === undefined ? right.action : right.parts?.[part]
  const page = pages.find(({ id }) => id === pageOf[targetRole])
  return action !== undefined && (page?.actions[actor.role]?.includes(action) ?? false)
}

type MenuPage = { id: number; name: string; url: string; actions: Partial<Record<Role, readonly Action[]>> }

/** The pages of the back office with each role's actions. A role that is missing does not have the page. */
const pages: readonly MenuPage[] = [
  { id: 1, name: 'home', url: '/index', actions: { 1: [], 2: [], 3: [] } },
  { id: 4, name: 'chat', url: '/chat', actions: { 1: [], 2: [], 3: [] } },
  { id: 24, name: 'requests', url: '/cash', actions: { 1: [], 2: [], 3: [] } },
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
  { id: 21, name: 'customer_service_chat', url: '/customer_service_chat', actions: { 2: [] } },
  { id: 9, name: 'quick_replies', url: '/MessageTemplate', actions: { 1: [], 2: [], 3: [] } },
  { id: 5, name: 'transaction_log', url: '/transaction/list', actions: { 1: [], 2: [], 3: [] } },
  { id: 6, name: 'sr02', url: '/report/sr02', actions: { 1: [], 2: [] } },
  { id: 22, name: 'reconciliation', url: '/report/reconciliation', actions: { 1: [] } },
  { id: 20, name: 'audit', url: '/audit', actions: { 1: [] } },
  { id: 7, name: 'my_settings', url: '/setup/self', actions: { 1: [], 2: [], 3: [] } },
  { id: 8, name: 'system_settings', url: '/setup/system', actions: { 1: [], 2: [] } },
  { id: 23, name: 'technical_files', url: '/file', actions: { 1: [] } },
  { id: 10, name: 'api_doc', url: '/file/api', actions: { 1: [], 2: [] } },
]

/** The page that manages accounts of a role. */
const pageOf: Partial<Record<Role, number>> = { 2: 2, 3: 3, 4: 13 }

/** List pages that show usernames masked; the menu marks them with `encryption_username`. */
const masking = new Set([2, 3, 13])

/** Only groups that take requests have their page in the menu. */
const OF_REQUESTS = 24

export const menuOf = ({ role, masks }: Pick<Actor, 'role' | 'masks'>, takesRequests: boolean) =>
  pages.flatMap(({ id, name, url, actions }) => {
    const own = actions[role]
    if (!own || (id === OF_REQUESTS && !takesRequests)) return []
    const all: Action[] = masks && masking.has(id) ? [...own, 'encryption_username'] : [...own]
    return [{ id, name, url, action: all.join(',') }]
  })

/** Whether a role has the page of this address. For display only: every call checks its own right. */
export const mayOpen = (role: Role, url: string, debugging = false): boolean => {
  let path: string
  try {
    path = new URL(url, 'http://page').pathname
  } catch {
    return false
  }
  if (path === '/login') return true
  // SET-08: troubleshooting tools that need no right; hidden from users who would only be puzzled by them.
  if (path === '/RD_Debug') return role === Role.admin || (debugging && isOffice(role))
  return pages.some((page) => page.actions[role] && (path === page.url || path.startsWith(`${page.url}/`)))
}
