import type { CallName } from '@tallyroom/contract'
import { type AskedPart, type AskedRight, askedRights } from '@tallyroom/contract/asked-rights'
import { isOffice, Role } from '@tallyroom/contract/codes'
import { admin, everyone, heads, member, office } from './policy-roles.ts'
import { signInPolicy } from './policy-sign-in.ts'
import { isTaking, type OfficeKind } from '@tallyroom/contract/transfer-kinds'
import type { Actor } from './actor.ts'
import { type Action, actionRight, ceilings, menuPages, type PageName, type RightName } from './menu-pages.ts'

/**
 * Who may make which call: the only list of rights. `roles` are the ceiling; what an account has of it is data
 * (rights.ts). The menu below sends the same list to the browser. Which accounts a call may touch is decided by
 * `visibleAccounts(actor)` and the joins of its handler.
 *
 * `needs` is the right to a page or an action on it, or one of several; members have no such rights.
 * A call on an account also needs a menu action on the page where accounts of that role are managed (`mayAct`).
 * `parts` are actions that a part of the call needs instead.
 */
type Right =
  | 'anyone'
  | {
      roles: readonly Role[]
      needs?: RightName | readonly RightName[]
      action?: Action
      parts?: Record<string, Action>
    }

/** BANK-02: agents may only read. */
const bankEditors = { roles: [1, 3], needs: 'chat' } as const
/** Bank accounts are shown in a conversation and with a request for points. */
const bankReaders = { ...office, needs: ['chat', 'requests'] } as const
const chat = { ...office, needs: 'chat' } as const
/** An agent also has a conversation with its upline's customer service. */
const joined = { ...everyone, needs: ['chat', 'customer_service_chat'] } as const
const cashRequests = { ...office, needs: 'requests' } as const
const settings = { ...admin, needs: 'system_settings' } as const

export const policy = {
  ...signInPolicy,
  'userMenu/list': office,
  'userMenu/auth': office,
  'user/list': office,
  'user/view': everyone,
  'account/view': office,
  'user/path': office,
  'user/export': heads,
  'user/add': { ...heads, action: 'add' },
  // TREE-02. Not a menu action: the lists have no button for it (ACC-03).
  'user/addAgent': { ...heads, needs: 'tree' },
  'user/addMember': { ...office, needs: 'user' },
  // Editing oneself needs no action. Changing the status is freezing, which needs `delete`.
  'user/edit': { ...everyone, action: 'edit', parts: { status: 'delete' } },
  'user/delete': { ...office, action: 'delete' },
  'user/abilities': { ...heads, action: 'edit' },
  'user/saveAbilities': { ...heads, action: 'edit' },
  'user/paymentPassword': office,
  'user/transaction': { ...office, action: 'transaction', parts: { giving: 'deposit' } },
  'member/view': office,
  'transaction/add': { ...office, needs: 'chat.transaction' },
  'transaction/correct': { ...admin, needs: 'transaction_log' },
  'transaction/edit': { ...office, needs: 'transaction_log' },
  'transaction/list': { ...everyone, needs: 'transaction_log' },
  'transaction/totals': { ...office, needs: 'transaction_log' },
  'redEnvelope/record': { ...everyone, needs: 'transaction_log' },
  'envelope/answer': member,
  'wallet/toGame': member,
  'member/flowLimit': everyone,
  'transaction/view': { ...office, needs: 'transaction_log' },
  'transaction/export': { ...heads, needs: 'transaction_log' },
  'home/view': office,
  'home/steps': heads,
  'home/putAway': heads,
  'home/chooseZone': admin,
  'report/sr02': { ...heads, needs: 'sr02' },
  'report/sr02Export': { ...heads, needs: 'sr02' },
  'report/work': { ...office, needs: 'work' },
  'report/workWaits': { ...office, needs: 'work' },
  'report/workExport': { ...heads, needs: 'work' },
  'statement/view': { ...office, needs: 'statement' },
  'statement/lines': { ...office, needs: 'statement' },
  'statement/export': { ...heads, needs: 'statement' },
  'statement/seal': { ...heads, needs: 'statement' },
  'period/list': { ...heads, needs: 'statement' },
  'period/close': { ...heads, needs: 'statement' },
  'settlement/list': { ...heads, needs: 'statement' },
  'settlement/settle': { ...heads, needs: 'statement' },
  'report/reconciliation': { ...admin, needs: 'reconciliation' },
  'report/check': { ...admin, needs: 'reconciliation' },
  'audit/list': { ...admin, needs: 'audit' },
  'audit/export': { ...admin, needs: 'audit' },
  'person/view': { ...admin, needs: 'personal_data' },
  'person/export': { ...admin, needs: 'personal_data' },
  'person/erase': { ...admin, needs: 'personal_data' },
  'installation/view': { ...admin, needs: 'installation' },
  'setting/view': everyone,
  'setting/save': { ...heads, needs: 'system_settings' },
  'deskSetting/view': { ...heads, needs: 'desk' },
  'deskSetting/save': { ...heads, needs: 'desk' },
  'deskHours/view': { ...heads, needs: 'desk' },
  'deskHours/save': { ...heads, needs: 'desk' },
  'share/savePicture': office,
  'share/saveDomain': heads,
  'apiKey/list': settings,
  'apiKey/add': settings,
  'apiKey/set': settings,
  'apiKey/rotate': settings,
  'apiKey/revoke': settings,
  'apiKey/emptySandbox': settings,
  'endpoint/list': settings,
  'endpoint/add': settings,
  'endpoint/set': settings,
  'endpoint/remove': settings,
  'endpoint/rotate': settings,
  'endpoint/ping': settings,
  'endpoint/resend': settings,
  'endpoint/deliveries': settings,
  'room/list': joined,
  'room/enter': joined,
  'room/history': joined,
  'room/sync': joined,
  'room/answerTime': member,
  'room/changeStatus': chat,
  'draft/list': joined,
  'draft/save': joined,
  // The group's views are made and changed by its head only.
  'listView/list': office,
  'listView/save': office,
  'listView/delete': office,
  // An item is shown to those who have its page (chat/bell/seen.ts).
  'bell/list': office,
  'bell/open': office,
  'bell/read': office,
  'bell/choose': office,
  'push/view': everyone,
  'push/subscribe': everyone,
  'push/unsubscribe': everyone,
  'desk/take': chat,
  'desk/handOver': chat,
  'desk/release': chat,
  'desk/state': chat,
  'desk/endShift': chat,
  'desk/colleagues': chat,
  'desk/whisper': chat,
  'desk/asides': chat,
  'desk/settle': chat,
  'desk/snooze': chat,
  'desk/remind': chat,
  'message/schedule': chat,
  'message/scheduled': chat,
  'message/unschedule': chat,
  'desk/markUnread': chat,
  'desk/bulk': chat,
  'room/recover': chat,
  'room/giveToBot': chat,
  'ai/view': heads,
  'ai/save': heads,
  sendMessage: joined,
  readMessage: joined,
  'message/takeBack': joined,
  'message/original': { ...heads, needs: 'chat' },
  'upload/begin': joined,
  'message/sendFile': joined,
  'friend/list': chat,
  'customer/list': chat,
  'friend/view': chat,
  'friend/edit': chat,
  'orderType/list': office,
  'orderType/save': settings,
  'members/hasBankCardSetting': office,
  'members/bank-card': bankReaders,
  'members/bank-card/history': bankReaders,
  'members/bank-card/create': bankEditors,
  'members/bank-card/delete': bankEditors,
  'members/bank-account': bankReaders,
  'members/bank-account/create': bankEditors,
  'members/bank-account/show': bankReaders,
  'bank/addOwn': member,
  'bank_setting/view': settings,
  'bank_setting/save': settings,
  'receiving/list': { ...heads, needs: 'system_settings' },
  'receiving/save': { ...heads, needs: 'system_settings' },
  'cash/payTo': member,
  'cash/view': member,
  'cash/ask': member,
  'cash/withdraw': member,
  'cash/list': cashRequests,
  'cash/open': cashRequests,
  'cash/take': cashRequests,
  'cash/renew': cashRequests,
  'cash/giveBack': cashRequests,
  'cash/refuse': cashRequests,
  'cash/pay': { ...office, needs: 'requests.transaction' },
  'cash/day': cashRequests,
  'cash/export': { ...heads, needs: 'requests' },
  'right/view': office,
  'right/save': { ...heads, action: 'edit' },
  'limit/view': { ...heads, action: 'edit' },
  'limit/save': { ...heads, action: 'edit' },
  'approval/list': { ...office, needs: 'approvals' },
  'approval/open': { ...office, needs: 'approvals' },
  'approval/approve': { ...office, needs: 'approvals' },
  'approval/refuse': { ...office, needs: 'approvals' },
  'approval/withdraw': office,
  'change/list': { ...office, needs: 'approvals' },
  'change/approve': { ...heads, needs: 'approvals' },
  'change/refuse': { ...heads, needs: 'approvals' },
  'change/withdraw': heads,
  'change/rules': settings,
  'change/saveRules': settings,
  'note/list': chat,
  'note/add': chat,
  'note/edit': chat,
  'note_content/list': chat,
  'note_content/add': chat,
  'note_content/edit': chat,
  'note_content/delete': chat,
  'message-template/list': { ...office, needs: ['chat', 'quick_replies'] },
  'message-template/create': { ...office, needs: 'quick_replies' },
  'message-template/update': { ...office, needs: 'quick_replies' },
  'message-template/delete': { ...office, needs: 'quick_replies' },
  'message-template/use': { ...office, needs: ['chat', 'quick_replies'] },
  'tree/view': { ...heads, needs: 'tree' },
  'tree/list': { ...heads, needs: 'tree' },
  'tree/path': { ...heads, needs: 'tree' },
  'tree/find': { ...heads, needs: ['tree', 'personal_data'] },
  'tree/add': { ...heads, needs: 'tree' },
  'tree/previewMove': { ...heads, needs: 'tree' },
  'tree/move': { ...heads, needs: 'tree' },
  'search/accounts': office,
  'search/messages': chat,
  'search/notes': chat,
} as const satisfies Record<CallName, Right>

/** Parts of pages that the browser asks about. */
const partPolicy = {
  // ACC-11
  'user.points': { roles: [1, 3], needs: 'user' },
  'view.share': heads,
  // CHAT-07, ROOM-08
  'chat.quick_replies': { roles: [1, 3], needs: 'chat' },
  'chat.give_any': { ...heads, needs: 'chat' },
  'statement.own': { ...heads, needs: 'statement' },
  'setting.api_url': settings,
} as const satisfies Record<AskedPart, Right>

export const rightOf = (name: CallName | AskedPart): Right => (isPart(name) ? partPolicy[name] : policy[name])
const isPart = (name: string): name is AskedPart => Object.hasOwn(partPolicy, name)

/** Whether a role may ever make a call. */
export const roleMay = (role: Role, name: CallName | AskedPart): boolean => {
  const right = rightOf(name)
  return right === 'anyone' || right.roles.includes(role)
}

type Holder = Pick<Actor, 'role' | 'rights'>

export const may = ({ role, rights }: Holder, name: CallName | AskedPart): boolean => {
  const right = rightOf(name)
  if (!roleMay(role, name)) return false
  if (right === 'anyone' || right.needs === undefined || !isOffice(role)) return true
  return [right.needs].flat().some((need) => rights.has(need))
}

/** The calls that need an action, and the parts of each. */
type CallWithAction = { [N in CallName]: (typeof policy)[N] extends { action: Action } ? N : never }[CallName]
type PartOf<N extends CallWithAction> = (typeof policy)[N] extends { parts: infer P } ? keyof P & string : never

/** The page that manages accounts of a role. */
const pageOf: Partial<Record<Role, PageName>> = { 2: 'agent', 3: 'customer_service', 4: 'user' }
const managedRoles = [Role.agent, Role.customerService, Role.member] as const
/** False when the page that lists accounts of `listed` was taken; a role that never has it sees no such accounts anyway. */
export const mayList = ({ role, rights }: Holder, listed: Role): boolean => {
  const page = pageOf[listed]
  return page === undefined || rights.has(page) || !ceilings[role].has(page)
}

/** Whether an actor may make a call, or a part of it, on accounts of a role. Menu actions are rights, not hints. */
export const mayAct = <N extends CallWithAction>(
  actor: Holder,
  call: N,
  targetRole: Role,
  part?: PartOf<N>,
): boolean => {
  const right: Right = rightOf(call)
  const page = pageOf[targetRole]
  if (right === 'anyone' || page === undefined || !may(actor, call)) return false
  const action = part === undefined ? right.action : right.parts?.[part]
  return action !== undefined && actor.rights.has(actionRight(page, action))
}

/** Whether an actor may move points to and from accounts of a role from their list; with `deposit` only give. */
export const mayMovePoints = (actor: Holder, role: Role, kind: OfficeKind): boolean =>
  mayAct(actor, 'user/transaction', role) || (!isTaking(kind) && mayAct(actor, 'user/transaction', role, 'giving'))

/** List pages that show usernames masked; the menu marks them with `encryption_username`. */
const masking = new Set([2, 3, 13])

/** Pages that are in the menu only where they are used: where a group takes requests, and below a top account with limits or changes that need approval. */
const optional = ['requests', 'approvals'] as const
type OptionalPages = Partial<Record<(typeof optional)[number], boolean>>

/** The page of the menu that carries what the browser asks about: the one that it needs, or the first. */
const carrierOf = (name: AskedRight): string => {
  const right = rightOf(name)
  const needs = right === 'anyone' ? undefined : right.needs
  return [needs ?? 'home'].flat()[0]?.split('.')[0] ?? 'home'
}

export const menuOf = (actor: Pick<Actor, 'role' | 'rights' | 'masks'>, used: OptionalPages) => {
  const { rights, masks } = actor
  const asked = askedRights.filter((name) => may(actor, name))
  return menuPages.flatMap(({ id, name, url, actions, more }) => {
    const option = optional.find((page) => page === name)
    if (!rights.has(name) || (option && !used[option])) return []
    const known = new Set([...Object.values(actions), ...Object.values(more ?? {})].flat())
    const own = [...known].filter((action) => rights.has(actionRight(name, action)))
    const all: Action[] = masks && masking.has(id) ? [...own, 'encryption_username'] : own
    const role_id = managedRoles.find((role) => pageOf[role] === name) ?? null
    return [{ id, name, url, action: all.join(','), role_id, may: asked.filter((one) => carrierOf(one) === name) }]
  })
}

/** Where the work of a role begins: the page after a sign-in. */
export const startPages = {
  1: '/index',
  2: '/index',
  3: '/chat/messaging',
  4: '/m',
} as const satisfies Record<Role, string>

/** Whether an actor has the page of this address. For display only: every call checks its own right. */
export const mayOpen = ({ role, rights }: Holder, url: string, debugging = false): boolean => {
  let path: string
  try {
    path = new URL(url, 'http://page').pathname
  } catch {
    return false
  }
  if (path === '/login') return true
  // RIGHT-02: everyone of the back office sees what they may do.
  if (path === '/rights' || path.startsWith('/rights/')) return isOffice(role)
  // MEMB-01: the page of one account says itself that there is no such one.
  if (/^\/(member|colleague)\/./.test(path)) return isOffice(role)
  // SET-08: troubleshooting tools that need no right; hidden from users who would only be puzzled by them.
  if (path === '/RD_Debug') return role === Role.admin || (debugging && isOffice(role))
  return menuPages.some(({ name, url: page }) => rights.has(name) && (path === page || path.startsWith(`${page}/`)))
}

/** A right that exists for a role, for what comes from outside. */
export const asRight = (role: Role, name: string): RightName | undefined =>
  [...ceilings[role]].find((right) => right === name)
