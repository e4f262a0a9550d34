import { z } from 'zod'
import { accountActs, accountParts } from '../../pages/account-parts.ts'
import { calls } from '../../call.ts'
import { OfficeKindCode, RoleCode } from '../../code-fields.ts'
import { Role } from '../../codes.ts'
import {
  DataUrl,
  Flag,
  Id,
  NewPassword,
  Nickname,
  Page,
  perPage,
  PointsText,
  TypedUsername,
  Username,
  WaitsForApproval,
} from '../../fields.ts'
import { offerRefusals } from '../../offer-refusals.ts'
import { LimitPartName } from '../points/limit.ts'
import { MAX_PASSWORD, MAX_TYPED_NAME } from '../../lengths.ts'

/** An account as a list shows it. */
export const AccountRow = z.object({
  id: z.int(),
  role_id: RoleCode,
  username: z.string(),
  nickname: z.string(),
  thumbnail: z.string(),
  status: Flag,
  withdraw_confirm: Flag,
  /** The balance that the account can spend; "-1" when `unlimited` is true. */
  balance: PointsText,
  game_wallet: PointsText,
  is_multiple_wallet: Flag,
  unlimited: z.boolean(),
  /** Customer service that spends from the wallet of its group; absent from all others. */
  shares_wallet: z.literal(true).optional(),
  limit_of_credit: PointsText,
  used_credit: PointsText,
  created_at: z.string(),
  last_seen_at: z.string().nullable(),
})

/** Sums of a list, of the values that its rows show: unlimited accounts have none, nor has a wallet that is not in use. */
const AccountTotals = z.object({
  /** What the accounts can spend, credit included. */
  available: PointsText,
  game_wallet: PointsText,
  limit_of_credit: PointsText,
})

const flags = {
  is_sub: Flag,
  customized_has_qrcode_show: Flag,
  deduct_point_button_visible: Flag,
  red_envelope_button_visible: Flag,
  send_red_envelope_button_visible: Flag,
  receive_red_envelope_button_visible: Flag,
  gift_red_envelope_button_visible: Flag,
  point_button_visible: Flag,
  cs_flow_limit_button_visible: Flag,
  chat_ai_bot_visible: Flag,
  flow_limit_modify_permission: Flag,
  transfer_member_flow_limit_multiple: z.int(),
}

/** Customer service begins where its work is. Members have only the last. */
export const startPages = ['/index', '/chat/messaging', '/m'] as const

/** An account as it sees itself. */
export const OwnView = AccountRow.extend({
  ...flags,
  member_id: z.int(),
  /** The account's own username: `member_id` is the account itself. */
  member_username: z.string(),
  share_code: z.string(),
  domain: z.string(),
  /** The picture behind the account's QR code: a path on this server, or empty. */
  customized_cs_qrcode_pic_url: z.string(),
  EventMode: Flag,
  transaction_all: Flag,
  has_payment_password: z.boolean(),
  /** It is in a sandbox, where nothing is worth anything. */
  is_sandbox: z.boolean(),
  agent_login: Flag,
  /** The page where the account's work begins: the first one after a sign-in. */
  start_page: z.enum(startPages),
})

/** A wallet that pays for what somebody else gives. `available` is what it can spend, credit included. */
const Payer = z.object({ id: z.int(), name: z.string(), available: PointsText, unlimited: z.boolean() })

const Filter = z.object({
  role_id: z.literal([Role.agent, Role.customerService]).default(Role.agent),
  /** 2 operators, 3 customer service, 13 users; missing: `role_id` decides. */
  menu_id: z.union([z.literal(2), z.literal(3), z.literal(13)]).optional(),
  username: z.string().max(MAX_TYPED_NAME).default(''),
  nickname: z.string().max(MAX_TYPED_NAME).default(''),
})

/** What the maker of an account says about it. */
export const NewAccount = z.object({
  username: Username,
  nickname: Nickname.optional(),
  password: NewPassword,
  password_confirmation: z.string().max(MAX_PASSWORD),
  thumbnail: z.union([DataUrl, z.literal('')]).optional(),
})

export const accountCalls = calls({
  'user/list': {
    effect: 'read',
    request: Filter.extend({ page: Page, per_page: perPage(50_000) }),
    response: z.object({
      /** Of members also the agent or admin whose group they are in (`agents`). */
      data: z.array(AccountRow.extend({ agent_id: z.int().optional() })),
      /** Those of the members on this page. `is_own`: the caller's group, which has the conversations with them. */
      agents: z.array(z.object({ id: z.int(), name: z.string(), is_own: Flag })).optional(),
      total: z.int(),
      /** Sums over everything that was found, also beyond this page. */
      totals: AccountTotals.nullable(),
    }),
  },
  /** One account, by its id or its whole username, with what the caller may see of it and do with it. */
  'account/view': {
    effect: 'read',
    request: z.object({ id: Id.optional(), username: TypedUsername.min(1).optional() }),
    response: AccountRow.extend({
      is_self: z.boolean(),
      /** The person was erased: only transfers and amounts are left. */
      is_erased: z.boolean(),
      /** The conversation of the caller's group with it; null without one. */
      room: z.object({ room_id: z.int(), code: z.string() }).nullable(),
      parts: z.array(z.enum(accountParts)),
      acts: z.array(z.enum(accountActs)),
    }),
    refuses: ['account.not_found'],
  },
  /** The accounts that match, as a CSV file. Audited. */
  'user/export': {
    effect: 'read',
    request: Filter,
    /** `cut`: there were more accounts than a file holds. */
    response: z.object({ name: z.string(), csv: z.string(), cut: z.boolean(), approval: WaitsForApproval }),
    refuses: ['change.signed_in_by_link'],
  },
  /** The accounts from the caller down to this one, both included, without those that the caller may not see. */
  'user/path': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: z.object({ path: z.array(z.object({ id: z.int(), role_id: RoleCode, username: z.string() })) }),
    refuses: ['account.not_found'],
  },
  'user/view': {
    effect: 'read',
    request: z.object({ id: Id.optional() }),
    response: OwnView.extend({
      /** Set for customer service that may move points: it has none, and gives those of its group. */
      payer: Payer.nullable(),
    }),
    refuses: ['account.not_found'],
  },
  /** Adds customer service to the caller's group. */
  'user/add': {
    effect: 'write',
    size: 'image',
    request: NewAccount,
    response: z.object({ id: z.int() }),
    refuses: ['account.username_taken', 'account.passwords_differ', 'account.image_invalid', 'message.image_too_large'],
  },
  /** Not in the source: adds an agent below the caller, or below an admin or agent of its downline. */
  'user/addAgent': {
    effect: 'write',
    size: 'image',
    request: NewAccount.extend({ parent_id: Id.optional() }),
    response: z.object({ id: z.int() }),
    refuses: [
      'account.not_found',
      'account.username_taken',
      'account.passwords_differ',
      'account.image_invalid',
      'message.image_too_large',
    ],
  },
  /** Not in the source: adds a member to the caller's group. It chooses its own password at its first sign-in. */
  'user/addMember': {
    effect: 'write',
    size: 'image',
    request: NewAccount,
    response: z.object({ id: z.int() }),
    refuses: ['account.username_taken', 'account.passwords_differ', 'account.image_invalid', 'message.image_too_large'],
  },
  'user/edit': {
    effect: 'write',
    size: 'image',
    request: z.object({
      id: Id,
      nickname: Nickname.optional(),
      password: z.union([NewPassword, z.literal('')]).optional(),
      password_confirmation: z.string().max(MAX_PASSWORD).optional(),
      /** The caller's own password. Needed to set a password when the sign-in is older than ten minutes. */
      current_password: z.string().max(MAX_PASSWORD).optional(),
      thumbnail: z.union([DataUrl, z.literal('')]).optional(),
      status: Flag.optional(),
      withdraw_confirm: Flag.optional(),
    }),
    response: z.null(),
    refuses: [
      'account.not_found',
      'account.passwords_differ',
      'account.image_invalid',
      'message.image_too_large',
      'account.not_yourself',
      'account.passwords_same',
      'session.needs_password',
      'session.wrong_password',
    ],
  },
  'user/delete': {
    effect: 'write',
    request: z.object({ id: Id }),
    response: z.null(),
    refuses: ['account.not_found', 'account.not_yourself'],
  },
  /** Not in the source: sets or changes the caller's payment password; an empty one removes it. */
  'user/paymentPassword': {
    effect: 'write',
    request: z.object({
      password: z.string().min(1).max(MAX_PASSWORD),
      payment_password: z.union([NewPassword, z.literal('')]),
      payment_password_confirmation: z.string().max(MAX_PASSWORD),
    }),
    response: z.null(),
    refuses: ['session.wrong_password', 'account.passwords_differ', 'account.passwords_same'],
  },
  /**
   * A member, and the points that the caller may move in its room. `list`: an account of any role, and the points that
   * `user/transaction` moves; consent, event mode and the choice of a wallet are of rooms.
   */
  'member/view': {
    effect: 'read',
    request: z.object({ member_id: Id, from: z.enum(['room', 'list']).default('room') }),
    response: z.object({
      member_id: z.int(),
      role_id: RoleCode,
      username: z.string(),
      nickname: z.string(),
      thumbnail: z.string(),
      status: Flag,
      /** Without its credit. */
      balance: PointsText,
      limit_of_credit: PointsText,
      unlimited: z.boolean(),
      game_wallet: PointsText,
      is_multiple_wallet: Flag,
      /** Set by the member. */
      withdraw_confirm: Flag,
      /**
       * Envelopes between the caller and this member need consent: the member or the funding account has asked for it.
       */
      consent_needed: Flag,
      event_mode: Flag,
      transaction_all: Flag,
      /** Turnover that remains before points are taken; null for callers who may not see it. */
      turnover_due: PointsText.nullable(),
      /** The account whose wallet pays what the caller gives. */
      payer: Payer,
      /** The hours that the member has to answer an envelope. */
      answer_hours: z.number(),
      /** The kinds that the caller may start there. */
      offers: z.array(
        z.object({
          type: OfficeKindCode,
          /** Why any amount would be refused now. */
          refused: z.enum(offerRefusals).nullable(),
          /** The most that can be moved now; null when nothing limits it. */
          most: PointsText.nullable(),
          /** The amount of the last transfer of this kind, if it is one of the account's last transfers. */
          last: PointsText.nullable(),
          /**
           * Above `left` it needs approval, because of this limit. Absent where nothing does. `approver`: the name of the
           * nearest who may decide; empty for nobody.
           */
          limit: z
            .object({ left: PointsText, over: LimitPartName, most: PointsText, approver: z.string().optional() })
            .optional(),
        }),
      ),
    }),
    refuses: ['account.not_found'],
  },
})
