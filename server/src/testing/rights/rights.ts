import type { CallName, Input } from '@tallyroom/contract'
import type { AskedPart } from '@tallyroom/contract/asked-rights'
import {
  isOffice,
  isOperator,
  MessageType,
  NoteStatus,
  Role,
  RoomStatus,
  TransferKind,
} from '@tallyroom/contract/codes'
import { bankRules } from '../bank.ts'
import { chainOf, groupOf, isInRoom, type Name, parentOf, sees, tree } from './matrix-tree.ts'
import {
  admins,
  type BelongingsAndSession,
  everyone,
  type Judge,
  members,
  office,
  operators,
  type Row,
  type Verdict,
} from './row.ts'
import { rightRows } from './given.ts'
import { bookRows } from './books.ts'
import { limitRows } from './limits.ts'
import { runningRows } from './running.ts'
import { settingRows } from './setting.ts'
import { signInRows } from './sign-in.ts'

/**
 * Who may make which call about whom, as the requirements say it: a second statement that shares no code with
 * identity/policy.ts and visibleAccounts(). server/tests/matrix.test.ts makes each call as everyone about everyone, and
 * both statements must agree. A call without a row here does not compile.
 */

/** BANK-02: agents may only read. */
const bankEditors: readonly Role[] = [Role.admin, Role.customerService]

const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const okIf = (isAllowed: boolean): Verdict => (isAllowed ? 'ok' : 'absent')
const isCustomerService = (name: Name) => tree[name].role === Role.customerService
const isMember = (name: Name) => tree[name].role === Role.member
/** The own members, and the agents directly below, for whom the caller's group is the customer service. */
const isContact = (who: Name, whom: Name) =>
  isOffice(tree[who].role) &&
  (isInRoom(who, whom) || (tree[whom].role === Role.agent && parentOf(whom) === groupOf(who)))
const isUpline = (who: Name, whom: Name) => tree[who].role === Role.agent && parentOf(who) === whom

const self: Judge = (who, whom) => okIf(who === whom)
const seen: Judge = (who, whom) => okIf(sees(who, whom))
const seenMember: Judge = (who, whom) => okIf(isMember(whom) && sees(who, whom))
/** Agents are added below admins and agents. */
const headBelow: Judge = (who, whom) => okIf(isOperator(tree[whom].role) && sees(who, whom))
/** Customer service freezes nobody. */
const frozenBy: Judge = (who, whom) =>
  sees(who, whom) && isCustomerService(who) ? 'denied' : seenButNotSelf(who, whom)
const seenButNotSelf: Judge = (who, whom) => (who === whom ? 'denied' : seen(who, whom))
const inRoom: Judge = (who, whom) => okIf(isInRoom(who, whom))
/** The message is the member's own; the others of its room may not take it back. */
const ownMessage: Judge = (who, whom) => (isInRoom(who, whom) && who !== whom ? 'denied' : inRoom(who, whom))
/** Everyone edits their own account. Customer service edits no other. */
const editable: Judge = (who, whom) =>
  sees(who, whom) && who !== whom && isCustomerService(who) ? 'denied' : seen(who, whom)
/** Points go neither to oneself nor to an account above, nor to the funding account. */
const notUpward =
  (judge: Judge): Judge =>
  (who, whom) =>
    chainOf(who).includes(whom) ? 'denied' : judge(who, whom)
/** Customer service has no points of its own. */
const payable = notUpward((who, whom) => (sees(who, whom) && isCustomerService(whom) ? 'denied' : seen(who, whom)))
/** A transfer belongs to those above its maker, and to those who spend from the same wallet. */
const ownTransfer: Judge = (who, whom) => {
  const maker = parentOf(whom) ?? whom
  return okIf(isMember(whom) && (groupOf(who) === maker || sees(who, maker)))
}
const contact: Judge = (who, whom) => okIf(isContact(who, whom) || isUpline(who, whom))
const contactBelow: Judge = (who, whom) => (isUpline(who, whom) ? 'denied' : okIf(isContact(who, whom)))
const reachable: Judge = (who, whom) => okIf(isInRoom(who, whom) || isContact(who, whom) || isUpline(who, whom))
/** The head of each group has taken the rooms before. It alone changes the views of its group, too. */
const takenRoom: Judge = (who, whom) =>
  isInRoom(who, whom) && isCustomerService(who) ? 'denied' : okIf(isInRoom(who, whom))
/** No account of this tree has the bot ability. */
const roomWithoutBot: Judge = (who, whom) => (isInRoom(who, whom) ? 'denied' : 'absent')

/** Refused for its confirmation, so that nothing is made. */
const newAccount = { username: 'taken', password: 'secret1', password_confirmation: 'other12' }
const day = { start_date: '2026-01-01', end_date: '2026-01-02' }
const time = { start_time: '2026-01-01 00:00:00', end_time: '2026-01-02 00:00:00' }

const rows: { [Name in CallName]: Row<Input<Name>> } = {
  ...signInRows,

  // Accounts (ACC)
  'user/list': { who: office, ask: {} },
  'user/view': { who: everyone, whom: seen, ask: (id) => ({ id }) },
  'account/view': { who: office, whom: seen, ask: (id) => ({ id }) },
  'user/path': { who: office, whom: seen, ask: (id) => ({ id }) },
  'user/export': { who: operators, ask: {} },
  'user/add': { who: operators, ask: newAccount },
  'user/addAgent': {
    who: operators,
    whom: headBelow,
    ask: (parent_id) => ({ ...newAccount, parent_id }),
  },
  'user/addMember': { who: office, ask: newAccount },
  'tree/view': { who: operators, ask: {} },
  'tree/list': { who: operators, whom: seen, ask: (parent_id) => ({ parent_id, part: 'team' }) },
  'tree/path': { who: operators, whom: seen, ask: (id) => ({ id }) },
  'tree/find': { who: operators, ask: { text: 'a' } },
  'tree/add': {
    who: operators,
    whom: headBelow,
    ask: (parent_id) => ({ ...newAccount, parent_id, role_id: Role.customerService }),
  },
  // Below itself, which is refused later.
  'tree/previewMove': { who: operators, whom: seen, ask: (id) => ({ id, to_id: id }) },
  'tree/move': { who: operators, whom: seenButNotSelf, ask: (id) => ({ id, to_id: id }) },
  'user/edit': { who: everyone, whom: editable, ask: (id) => ({ id, nickname: 'Nick' }) },
  // Customer service can be given it (RIGHT-01); none of this tree was.
  'user/delete': { who: office, whom: frozenBy, ask: (id) => ({ id }) },
  'user/abilities': { who: operators, whom: seenButNotSelf, ask: (id) => ({ id }) },
  'user/saveAbilities': { who: operators, whom: seenButNotSelf, ask: (id) => ({ id, is_sub: 0 }) },
  'user/paymentPassword': { who: office, ask: null },
  'member/view': { who: office, whom: seenMember, ask: (member_id) => ({ member_id }) },

  ...rightRows,

  // Points (TRF, ENV, FLOW, HIST)
  'user/transaction': { who: office, whom: payable, ask: (id) => ({ id, amount: '0.01', remark: 'x' }) },
  'transaction/add': {
    who: office,
    whom: notUpward(seenMember),
    ask: (member_id) => ({ member_id, type: TransferKind.send, amount: '0.01' }),
  },
  'transaction/correct': {
    who: admins,
    whom: seenMember,
    ask: (_, { transaction_id }) => ({ transaction_id, remark: 'x' }),
  },
  'transaction/edit': {
    who: office,
    whom: ownTransfer,
    ask: (_, { transaction_id }) => ({ transaction_id, remark: 'y' }),
  },
  'transaction/list': { who: everyone, ask: time },
  'transaction/view': { who: office, whom: seenMember, ask: (_, { transaction_id }) => ({ transaction_id }) },
  'transaction/export': { who: operators, ask: time },
  'transaction/totals': { who: office, ask: time },
  'redEnvelope/record': { who: everyone, ask: time },
  'envelope/answer': {
    who: members,
    whom: self,
    ask: (_, { envelope }) => ({ transaction_id: envelope, accept: false }),
  },
  'wallet/toGame': { who: members, ask: null },
  'member/flowLimit': { who: everyone, whom: seenMember, ask: (member_id) => ({ member_id }) },

  // First page, reports, audit log (HOME, REP)
  'home/view': { who: office, ask: {} },
  'home/steps': { who: operators, ask: {} },
  'home/putAway': { who: operators, ask: { put_away: false } },
  // Refused later: points were moved already.
  'home/chooseZone': { who: admins, ask: { time_zone: 'UTC' } },
  'report/sr02': { who: operators, ask: day },
  'report/sr02Export': { who: operators, ask: day },
  'report/reconciliation': { who: admins, ask: {} },
  'report/check': { who: admins, ask: {} },
  'audit/list': { who: admins, ask: {} },
  'audit/export': { who: admins, ask: {} },

  ...settingRows,

  // Rooms (ROOM)
  'room/list': { who: everyone, ask: {} },
  'room/enter': { who: everyone, whom: reachable, ask: (friend_id) => ({ friend_id }) },
  'room/history': { who: everyone, whom: inRoom, ask: (_, { code }) => ({ code }) },
  'room/answerTime': { who: members, ask: {} },
  'room/sync': { who: everyone, whom: inRoom, ask: (_, { code }) => ({ code, version: 0 }) },
  'room/changeStatus': { who: office, whom: inRoom, ask: (_, { code }) => ({ code, status: RoomStatus.shown }) },
  'room/recover': { who: office, whom: inRoom, ask: (_, { room_id }) => ({ room_id }) },
  'room/giveToBot': { who: office, whom: roomWithoutBot, ask: (_, { room_id }) => ({ room_id }) },
  'ai/view': { who: operators, ask: {} },
  'ai/save': { who: operators, ask: null },
  sendMessage: { who: everyone, whom: inRoom, ask: (_, { code }) => ({ code, type: MessageType.text, content: 'x' }) },
  readMessage: { who: everyone, whom: inRoom, ask: (_, { code, message_id }) => ({ code, message_id }) },
  'message/takeBack': { who: everyone, whom: ownMessage, ask: (_, { code, message_id }) => ({ code, message_id }) },
  'message/original': {
    who: operators,
    whom: inRoom,
    ask: (_, { code, taken_back_id }) => ({ code, message_id: taken_back_id }),
  },
  'upload/begin': { who: everyone, whom: inRoom, ask: (_, { code }) => ({ code, name: 'slip.pdf', size: 10 }) },
  'message/sendFile': { who: everyone, ask: null },
  'draft/list': { who: everyone, ask: {} },
  'draft/save': { who: everyone, whom: inRoom, ask: (_, { code }) => ({ code, content: 'x' }) },
  'bell/list': { who: office, ask: {} },
  'bell/open': { who: office, ask: {} },
  'bell/read': { who: office, ask: {} },
  'bell/choose': { who: office, ask: { pushes: ['mention'] } },
  'push/view': { who: everyone, ask: {} },
  'push/subscribe': { who: everyone, ask: null },
  'push/unsubscribe': { who: everyone, ask: null },
  'search/accounts': { who: office, ask: { text: 'a' } },
  'search/messages': { who: office, ask: { text: 'hello' } },
  'search/notes': { who: office, ask: { text: 'hello' } },

  // The desk of a room
  'desk/take': { who: office, whom: inRoom, ask: (_, { code }) => ({ code }) },
  'desk/handOver': { who: office, whom: takenRoom, ask: (_, { code, head }) => ({ code, to: head }) },
  'desk/release': { who: office, whom: inRoom, ask: (_, { code }) => ({ code }) },
  'desk/state': { who: office, ask: { state: 'busy' } },
  'desk/endShift': { who: office, ask: {} },
  'desk/colleagues': { who: office, ask: {} },
  'desk/whisper': { who: office, whom: inRoom, ask: (_, { code }) => ({ code, content: 'x' }) },
  'desk/asides': { who: office, whom: inRoom, ask: (_, { code }) => ({ code, after: 0 }) },
  'desk/settle': { who: office, whom: inRoom, ask: (_, { code }) => ({ code }) },
  'desk/remind': { who: office, whom: inRoom, ask: (_, { code }) => ({ code, at: soon() }) },
  'message/schedule': { who: office, whom: inRoom, ask: (_, { code }) => ({ code, content: 'x', at: soon() }) },
  'message/scheduled': { who: office, whom: inRoom, ask: (_, { code }) => ({ code }) },
  'message/unschedule': { who: office, ask: null },
  'desk/snooze': { who: office, whom: inRoom, ask: (_, { code }) => ({ code, until: null }) },
  'desk/markUnread': { who: office, whom: inRoom, ask: (_, { code }) => ({ code }) },
  'desk/bulk': { who: office, ask: { deed: 'hide', codes: [] } },

  // Contacts (CONT)
  'friend/list': { who: office, ask: {} },
  'customer/list': { who: office, ask: {} },
  'friend/view': { who: office, whom: contact, ask: (member_id) => ({ member_id }) },
  'friend/edit': { who: office, whom: contactBelow, ask: (member_id) => ({ member_id, nickname: 'Neighbour' }) },

  // Bank accounts (BANK)
  'orderType/list': { who: office, ask: {} },
  'orderType/save': { who: admins, ask: { name: 'North' } },
  'members/hasBankCardSetting': { who: office, ask: {} },
  'members/bank-card': { who: office, whom: seenMember, ask: (member_id) => ({ member_id }) },
  'members/bank-card/history': { who: office, whom: seenMember, ask: (member_id) => ({ member_id }) },
  'members/bank-card/create': {
    who: bankEditors,
    whom: seenMember,
    ask: (member_id) => ({ member_id, accounts: [{ bank_id: 1, account_no: '1' }] }),
  },
  'members/bank-card/delete': { who: bankEditors, whom: seenMember, ask: (member_id) => ({ member_id }) },
  'members/bank-account': { who: office, whom: seenMember, ask: (member_id) => ({ member_id }) },
  'members/bank-account/create': {
    who: bankEditors,
    whom: seenMember,
    ask: (member_id) => ({ member_id, bank_id: 1, account_name: 'x', account_no: '1' }),
  },
  'members/bank-account/show': {
    who: office,
    whom: seenMember,
    ask: (member_id, { bank_account_id }) => ({ member_id, id: bank_account_id }),
  },
  'bank/addOwn': { who: members, ask: { bank_id: 1, account_name: 'Ann', account_no: '12345678' } },
  'bank_setting/view': { who: admins, ask: {} },
  'bank_setting/save': { who: admins, ask: bankRules },

  // Members' requests for points (CASH)
  'receiving/list': { who: operators, ask: {} },
  'receiving/save': { who: operators, ask: { bank: 'North', account_name: 'Tally', account_no: '12345678' } },
  'cash/payTo': { who: members, ask: { amount: '1' } },
  'cash/view': { who: members, ask: {} },
  'cash/ask': { who: members, ask: null },
  'cash/withdraw': { who: members, whom: self, ask: (_, { cash_id }) => ({ id: cash_id }) },
  'cash/list': { who: office, ask: {} },
  'cash/open': { who: office, ask: {} },
  'cash/take': { who: office, whom: inRoom, ask: (_, { cash_id }) => ({ id: cash_id }) },
  'cash/renew': { who: office, whom: inRoom, ask: (_, { cash_id }) => ({ id: cash_id }) },
  'cash/giveBack': { who: office, whom: inRoom, ask: (_, { cash_id }) => ({ id: cash_id }) },
  'cash/refuse': { who: office, whom: inRoom, ask: (_, { cash_id }) => ({ id: cash_id, reason: 'x' }) },
  'cash/pay': { who: office, whom: inRoom, ask: (_, { cash_id }) => ({ id: cash_id, amount: '1' }) },
  'cash/day': { who: office, ask: {} },
  'cash/export': { who: operators, ask: {} },

  ...limitRows,
  ...runningRows,
  ...bookRows,

  // Notebook and quick replies (NOTE, TMPL)
  'note/list': { who: office, whom: inRoom, ask: (_, { room_id }) => ({ room_id }) },
  'note/add': { who: office, whom: inRoom, ask: (_, { room_id }) => ({ room_id, title: 'x' }) },
  'note/edit': {
    who: office,
    whom: inRoom,
    ask: (_, { note_id, room_id }) => ({ note_id, room_id, title: 'x', status: NoteStatus.finished }),
  },
  'note_content/list': { who: office, whom: inRoom, ask: (_, { note_id }) => ({ note_id }) },
  'note_content/add': { who: office, whom: inRoom, ask: (_, { note_id }) => ({ note_id, content: 'x' }) },
  'note_content/edit': {
    who: office,
    whom: inRoom,
    ask: (_, { content_id, note_id }) => ({ content_id, note_id, content: 'x' }),
  },
  'note_content/delete': { who: office, whom: inRoom, ask: (_, { content_id, note_id }) => ({ content_id, note_id }) },
  'message-template/list': { who: office, ask: {} },
  'message-template/create': { who: office, ask: { title: 'x', content: 'y' } },
  'message-template/update': {
    who: office,
    whom: inRoom,
    ask: (_, { template_id }) => ({ targetID: template_id, title: 'x', content: 'y' }),
  },
  'message-template/delete': { who: office, whom: inRoom, ask: (_, { template_id }) => ({ targetID: template_id }) },
  'listView/list': { who: office, ask: { list: 'user' } },
  'listView/save': {
    who: office,
    whom: takenRoom,
    ask: (_, { view_id }) => ({ id: view_id, list: 'user', name: 'x', filters: { status: '0' }, shared: 1 }),
  },
  'listView/delete': { who: office, whom: takenRoom, ask: (_, { view_id }) => ({ id: view_id }) },
  'message-template/use': { who: office, whom: inRoom, ask: (_, { template_id }) => ({ targetID: template_id }) },
}

export const rights: Readonly<Record<CallName, Row<object>>> = rows

/** Parts of pages without a call of their own: ACC-11, ROOM-08, and what a group's head does. */
export const partRights: Readonly<Record<AskedPart, readonly Role[]>> = {
  'user.points': [Role.admin, Role.customerService],
  'view.share': operators,
  'chat.quick_replies': [Role.admin, Role.customerService],
  'chat.give_any': operators,
  'statement.own': operators,
  'setting.api_url': admins,
}

/** The input of a call in the matrix, about the account `id` and its belongings where the call is about an account. */
export const inputOf = (call: CallName, id: number, its: BelongingsAndSession): object | undefined => {
  const row = rights[call]
  if (row === 'anyone') return undefined
  return ('whom' in row ? row.ask(id, its) : row.ask) ?? undefined
}
