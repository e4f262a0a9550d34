import type { CashRow } from '@tallyroom/contract/calls/points/cash'
import type { Answer } from '@tallyroom/contract'
import {
  AccountStatus,
  Role,
  RoomStatus,
  RoomType,
  TemplateType,
  TransferKind,
  TransferStatus,
  WalletKind,
} from '@tallyroom/contract/codes'
import type { RoomSummary } from '@tallyroom/contract/events'

/** Answers of the server with ordinary values. A test names only what it is about. */

type Row = Answer<'user/list'>['data'][number]
type OwnAccount = Answer<'user/view'>

export const accountRow = (fields: Partial<Row> = {}): Row => ({
  id: 20,
  role_id: Role.member,
  username: 'mia01',
  nickname: 'Mia',
  thumbnail: '',
  status: AccountStatus.active,
  withdraw_confirm: 0,
  balance: '100.0000',
  game_wallet: '7.0000',
  is_multiple_wallet: 0,
  unlimited: false,
  limit_of_credit: '0.0000',
  /** The negative balance: what can be spent is `limit_of_credit` less this. */
  used_credit: '-100.0000',
  created_at: '2026-11-01 10:00:00',
  last_seen_at: null,
  ...fields,
})

/** The member of the own group, as its page shows it, with all parts and acts of an agent. */
export const accountView = (fields: Partial<Answer<'account/view'>> = {}): Answer<'account/view'> => ({
  ...accountRow(),
  is_self: false,
  is_erased: false,
  room: { room_id: 5, code: 'room-5' },
  parts: ['overview', 'transactions', 'requests', 'bank', 'notes', 'sessions'],
  acts: ['chat', 'transaction', 'deposit', 'statement', 'edit', 'move', 'freeze'],
  ...fields,
})

type MenuPage = Answer<'userMenu/list'>[number]
const managed: Record<string, MenuPage['role_id']> = {
  '/agent': Role.agent,
  '/customer_service': Role.customerService,
  '/user': Role.member,
}
/** A page of the menu on which nothing may be done. */
export const menuPage = (url: string, fields: Partial<MenuPage> = {}): MenuPage => ({
  id: 1,
  name: 'home',
  url,
  action: '',
  role_id: managed[url] ?? null,
  may: [],
  ...fields,
})

/** An agent with 500 points who may send and request points in rooms. */
export const ownAccount = (fields: Partial<OwnAccount> = {}): OwnAccount => ({
  ...accountRow({
    id: 10,
    role_id: Role.agent,
    username: 'ann01',
    nickname: 'Ann',
    balance: '500.0000',
    used_credit: '-500.0000',
  }),
  is_sub: 0,
  customized_has_qrcode_show: 0,
  deduct_point_button_visible: 0,
  red_envelope_button_visible: 1,
  send_red_envelope_button_visible: 1,
  receive_red_envelope_button_visible: 1,
  gift_red_envelope_button_visible: 0,
  point_button_visible: 1,
  cs_flow_limit_button_visible: 0,
  chat_ai_bot_visible: 0,
  flow_limit_modify_permission: 0,
  transfer_member_flow_limit_multiple: 1,
  member_id: 10,
  member_username: 'ann01',
  share_code: 'SHARE',
  domain: '',
  customized_cs_qrcode_pic_url: '',
  EventMode: 0,
  transaction_all: 0,
  is_sandbox: false,
  has_payment_password: false,
  agent_login: 0,
  start_page: '/index',
  payer: null,
  ...fields,
})

type TreeRow = Answer<'tree/view'>['row']
/** An agent in the tree, with nobody below. */
export const treeRow = (fields: Partial<TreeRow> = {}): TreeRow => ({
  id: 20,
  role_id: Role.agent,
  username: 'dana01',
  nickname: 'Dana',
  thumbnail: '',
  status: AccountStatus.active,
  balance: '100.0000',
  unlimited: false,
  limit_of_credit: '0.0000',
  used_credit: '-100.0000',
  team: 0,
  members: 0,
  below: 0,
  ...fields,
})

export const profile = (fields: Partial<OwnAccount> = {}): Answer<'login'> => {
  const { payer: _, ...own } = ownAccount(fields)
  return { ...own, token: 'token' }
}

type Offer = Answer<'member/view'>['offers'][number]
/** A kind of transfer that nothing stops. */
export const offer = (type: Offer['type'], fields: Partial<Offer> = {}): Offer => ({
  type,
  refused: null,
  most: null,
  last: null,
  ...fields,
})

export const memberView = (fields: Partial<Answer<'member/view'>> = {}): Answer<'member/view'> => ({
  member_id: 20,
  role_id: Role.member,
  username: 'mia01',
  nickname: 'Mia',
  thumbnail: '',
  status: AccountStatus.active,
  balance: '100.0000',
  limit_of_credit: '0.0000',
  unlimited: false,
  game_wallet: '7.0000',
  is_multiple_wallet: 0,
  withdraw_confirm: 0,
  consent_needed: 0,
  event_mode: 0,
  transaction_all: 0,
  turnover_due: '0.0000',
  answer_hours: 24,
  offers: [offer(TransferKind.send), offer(TransferKind.receive)],
  payer: { id: 10, name: 'Dana', available: '900.0000', unlimited: false },
  ...fields,
})

/** The room of the member of `memberView`, as an agent sees it. */
export const roomSummary = (fields: Partial<RoomSummary> = {}): RoomSummary => ({
  id: 5,
  room_id: 5,
  code: 'room-code',
  member_id: 20,
  members: [10, 20],
  name: 'Mia',
  username: 'mia01',
  partner_username: 'mia01',
  thumbnail: '',
  status: RoomStatus.shown,
  bot: 0,
  version: 1,
  last_seq: 0,
  message_type: null,
  transaction_type: null,
  message_content: '',
  message_time: null,
  message_read: 1,
  message_taken_back: 0,
  read_seq: 0,
  other_read_seq: 0,
  other_delivered_seq: 0,
  delivered_seq: 0,
  unanswered: 0,
  isThird: 1,
  type: RoomType.member,
  friend_id: 20,
  desk_version: 1,
  waiting_since: null,
  owner_id: null,
  owner_name: '',
  aside_seq: 0,
  marked_unread: 0,
  mark_version: 0,
  ...fields,
})

export const moved = (fields: Partial<Answer<'transaction/add'>> = {}): Answer<'transaction/add'> => ({
  transaction_id: '7b0f6f0e-0000-4000-8000-000000000001',
  status: TransferStatus.success,
  balance: '470.0000',
  target_balance: '130.0000',
  ...fields,
})

type Transfer = Answer<'transaction/list'>['data'][number]
export const transferRow = (fields: Partial<Transfer> = {}): Transfer => ({
  id: '1',
  transaction_id: '7b0f6f0e-0000-4000-8000-000000000001',
  created_at: '2026-11-20 10:00:00',
  settled_at: '2026-11-20 10:00:00',
  type: TransferKind.send,
  wallet: WalletKind.main,
  envelope: 0,
  member_username: 'mia01',
  member_nickname: 'Mia',
  amount: '30.0000',
  balance: '130.0000',
  audit_amount: '0.0000',
  status: TransferStatus.success,
  user_username: 'ann01',
  remark: 'bonus',
  remark_edited: false,
  corrects_type: null,
  corrected: false,
  ...fields,
})

type Template = Answer<'message-template/list'>['data'][number]
export const quickReply = (fields: Partial<Template> = {}): Template => ({
  id: 3,
  type: TemplateType.general,
  title: 'Hello',
  content: 'Good morning',
  memo: '',
  username: 'ann01',
  image: '',
  image_width: null,
  image_height: null,
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  ...fields,
})

type Card = Answer<'members/bank-card'>['data'][number]
export const bankCard = (fields: Partial<Card> = {}): Card => ({
  id: 8,
  bank_id: 1,
  account_name: 'Mia Miller',
  account_no: '****5678',
  is_first: 1,
  account_name_modify: 0,
  held_until: null,
  ...fields,
})

type Colleague = Answer<'desk/colleagues'>['data'][number]
/** A colleague of customer service who is there. */
export const colleague = (id: number, username: string, fields: Partial<Colleague> = {}): Colleague => ({
  id,
  username,
  nickname: '',
  role_id: Role.customerService,
  active: 1,
  waiting: 0,
  state: 'on',
  here: 1,
  since: '2026-11-22T08:00:00.000Z',
  until: null,
  load: 0,
  passed: 0,
  ...fields,
})

/** The answer of `desk/colleagues` in a group that assigns nothing. */
export const colleagues = (
  data: Colleague[],
  fields: Partial<Answer<'desk/colleagues'>> = {},
): Answer<'desk/colleagues'> => ({ data, capacity: null, answer_s: 120, ...fields })

/** Members have no bank accounts. */
export const bankRules = (fields: Partial<Answer<'bank_setting/view'>> = {}): Answer<'bank_setting/view'> => ({
  is_third: 0,
  has_bank_card_setting: 0,
  bank_card_amount: 1,
  enable_bsb_code: 0,
  bsb_code_alias: '',
  account_name_modify: 0,
  cj7: 0,
  changeable: true,
  ...fields,
})

export const systemSetting = (fields: Partial<Answer<'setting/view'>> = {}): Answer<'setting/view'> => ({
  name: 'Talk',
  background_image: '',
  background_color: '',
  header_background_color: '',
  header_font_color: '',
  api_url: '',
  late_after: 2,
  overdue_after: 5,
  cash_requests: 0,
  odd_cents: 0,
  owned_by_answer: 1,
  inherited: false,
  is_top: false,
  ...fields,
})

export const cashRow = (fields: Partial<CashRow> = {}): CashRow => ({
  id: 7,
  state: 'asked',
  direction: 'out',
  amount: '30.0000',
  room_id: 1,
  code: 'room-1',
  member_id: 5,
  username: 'annlee',
  nickname: 'Ann Lee',
  thumbnail: '',
  asked_at: new Date().toISOString(),
  waits: 12,
  account_id: 3,
  bank: 'North',
  account_no: '****5678',
  account_version: '0',
  pay_to: '',
  slip: '',
  reason: '',
  taken_by: null,
  taken_name: '',
  lease: null,
  ended_at: null,
  ended_name: '',
  transaction_id: null,
  bank_reference: '',
  balance: '70.0000',
  turnover_due: '0.0000',
  warnings: [],
  usual: null,
  last: [],
  ...fields,
})

/** A group that takes no requests for points. */
export const noCashRequests = {
  enabled: 0,
  needs_account: 0,
  balance: '0.0000',
  receiving: 0,
  pay_to: null,
  receiving_changed: null,
  turnover_due: '0.0000',
  accounts: [],
  first_account: null,
  last: null,
  open: null,
} satisfies Answer<'cash/view'>
