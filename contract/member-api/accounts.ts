import { z } from 'zod'
import { type AbilityFlag, abilityFlags } from '../ability-flags.ts'
import { moveRefusals } from '../calls/accounts/tree.ts'
import { OfficeKindCode, RoleCode } from '../code-fields.ts'
import type { ErrorName } from '../errors.ts'
import {
  Flag,
  NewPassword,
  Nickname,
  perPage,
  PointsText,
  requiredName,
  Username,
  WaitsForApproval,
} from '../fields.ts'
import { MAX_NICKNAME } from '../lengths.ts'
import { AccountName, Name, noTwoNames, oneName, ThirdPartyId, thirdPartyId } from './account-name.ts'
import { AmountFromZero } from './amounts.ts'
import { cursor, next } from './paging.ts'
import { kinds } from './transfers.ts'
import { Write } from './write.ts'

const username = z.string().describe('Its username.')
const roles = '1: admin. 2: agent. 3: customer service. 4: member.'
const Wallets = z
  .object({
    username,
    third_party_id: thirdPartyId,
    role_id: RoleCode.describe(roles),
    status: Flag.describe('1: active. 0: frozen; nothing can be moved.'),
    balance: PointsText.describe('Points in the main wallet, without its credit; `-1` if `unlimited` is true.'),
    game_wallet: PointsText.describe('Points in the game wallet.'),
    unlimited: z.boolean().describe('The balance may go below zero without a limit.'),
  })
  .meta({ id: 'Balance' })
const NewAccount = z.object({
  id: z.int().describe('Our number of the account. Calls take its names; only `transfer/list` takes that of an agent.'),
  username,
  share_code: z.string().describe('Invites members below it: `/Signup/` and this code is the address to send them.'),
})
const Person = Write.extend({
  username: Username.optional().describe(
    '4 to 10 letters, digits, or . _ -, unique in the whole installation, whatever their case. Without one, we make one up ' +
      'from `third_party_id`, which is needed then.',
  ),
  /** Unique below the top account. The calls about one account accept it in place of the username. */
  third_party_id: ThirdPartyId.optional().describe('Your own id for the account. Later calls accept it.'),
  nickname: Nickname.optional().describe('How others see the account.'),
  password: NewPassword.optional().describe('Without one, the account signs in only through `sign-in/token`.'),
  parent: Name.optional().describe('The username of the agent above it. Without one, your top account.'),
  parent_third_party_id: ThirdPartyId.optional().describe(
    'The same, by your own id of the agent. Give one of the two.',
  ),
}).meta({
  anyOf: [{ required: ['username'] }, { required: ['third_party_id'] }],
  not: { required: ['parent', 'parent_third_party_id'], properties: { parent: {}, parent_third_party_id: {} } },
})
const Member = z
  .object({
    username,
    third_party_id: thirdPartyId,
    nickname: z.string().describe('How others see the member.'),
    status: Flag.describe('1: active. 0: frozen.'),
    withdraw_confirm: Flag.describe('1: the member has to accept envelopes and requests for points.'),
    event_mode: Flag.describe('1: red envelopes can be neither sent nor received.'),
  })
  .meta({ id: 'Member' })
/** Rows of an answer. */
const MOST = 500
const accountFields = {
  username,
  third_party_id: thirdPartyId,
  nickname: z.string().describe('How others see it.'),
  role_id: RoleCode.describe(roles),
  parent: z.string().describe('The username of the account directly above it.'),
  status: Flag.describe('1: active. 0: frozen.'),
  balance: PointsText.describe('Points in the main wallet, without its credit; `-1` if `unlimited` is true.'),
  game_wallet: PointsText.describe('Points in the game wallet.'),
  unlimited: z.boolean().describe('The balance may go below zero without a limit.'),
  limit_of_credit: PointsText.describe('How far below zero the balance may go; `-1` if `unlimited` is true.'),
  used_credit: PointsText.describe('How far below zero it is; with a minus while it is above.'),
  created_at: z.string().describe('When it was made, in UTC as in ISO 8601.'),
  last_seen_at: z.string().nullable().describe('When it was last seen. Null: never.'),
}
const Account = z.object(accountFields).meta({ id: 'Account' })

const flagTexts: Record<AbilityFlag, string> = {
  is_sub: 'Its username is never masked.',
  is_multiple_wallet: 'A game wallet. It can be removed only when it is empty.',
  transaction_all: "Chooses the member's wallet in a conversation.",
  event_mode: 'Activity mode: red envelopes can be neither sent nor received.',
  red_envelope_button_visible: 'Moves points in a conversation. Without it the next four have no effect.',
  send_red_envelope_button_visible: 'Gives points there.',
  receive_red_envelope_button_visible: 'Collects points there.',
  gift_red_envelope_button_visible: 'Gives gifts there.',
  point_button_visible: 'Gives compensations and points of the game wallet there.',
  deduct_point_button_visible: 'Takes points from the game wallet.',
  cs_flow_limit_button_visible: 'Sees the turnover of members.',
  chat_ai_bot_visible: 'Lets the bot answer.',
  customized_has_qrcode_show: 'Has the QR code of its share link.',
  flow_limit_modify_permission: 'Lowers the turnover that a member must reach.',
  may_approve: 'Decides transfers of others that are above their limits.',
  masks_usernames: 'Sees the usernames of others only in part, and so does its customer service.',
}
const multiple = z.int().min(0).max(1000).describe('How many times given points must be turned over; 0 for none.')
const flagFields = <T extends z.ZodType>(of: (text: string) => T) =>
  Object.fromEntries(abilityFlags.map((name) => [name, of(flagTexts[name])])) as Record<AbilityFlag, T>
const Abilities = z
  .object({
    ...flagFields((text) => Flag.describe(text)),
    transfer_member_flow_limit_multiple: multiple,
  })
  .meta({ id: 'Abilities' })

const limitTexts = {
  transfer: 'For one transfer.',
  hour: 'For an hour.',
  day: 'For a day.',
  member: 'For a day with one receiver.',
}
const most = (text: string) => PointsText.nullable().describe(`${text} Null: none of its own.`)
const Limit = z
  .object({
    type: OfficeKindCode.describe(kinds),
    transfer: most(limitTexts.transfer),
    hour: most(limitTexts.hour),
    day: most(limitTexts.day),
    member: most(limitTexts.member),
  })
  .meta({ id: 'Limit', examples: [{ type: 1, transfer: '500.0000', hour: null, day: null, member: null }] })
const newMost = (text: string) => AmountFromZero.nullable().describe(`${text} Null takes it away.`)
const NewLimit = z.strictObject({
  type: OfficeKindCode.describe(kinds),
  transfer: newMost(limitTexts.transfer),
  hour: newMost(limitTexts.hour),
  day: newMost(limitTexts.day),
  member: newMost(limitTexts.member),
})
const abilitiesAndLimits = {
  abilities: Abilities.describe('What it sees and may do.'),
  limits: z.array(Limit).describe('What it moves above these waits for approval. Limits of accounts above hold, too.'),
}
const atLeastOne = 'Give at least one field'
const someField = (set: object) => Object.keys(set).length > 0
const isFrozenNote = 'A frozen account is signed out, and nothing can be moved.'

const addRefusals = [
  'account.not_found',
  'account.username_taken',
  'account.third_party_id_taken',
  'server.busy',
] as const satisfies readonly ErrorName[]

/** Calls about accounts. */
export const accountCalls = {
  'member/add': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Create a member',
    description:
      'Creates a member and its conversation with the group above it. Usernames are short and unique in the whole ' +
      'installation: leave it out if yours do not fit, and name the account by `third_party_id`.',
    effect: 'write',
    request: Person,
    response: NewAccount,
    refuses: addRefusals,
  },
  'agent/add': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Create an agent',
    description:
      'Creates an agent, who has its own members, customer service and points. If your platform wants a second admin for ' +
      'raised credit limits, the agent has no credit until another admin has approved it; `approval` is 1 then.',
    effect: 'write',
    request: Person.extend({
      limit_of_credit: AmountFromZero.optional().describe('How far below zero the balance may go.'),
    }).meta(Person.meta() ?? {}),
    response: NewAccount.extend({ approval: WaitsForApproval.describe('1: the credit waits for approval.') }),
    refuses: addRefusals,
  },
  'member/set': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Change a member',
    description:
      'Changes what `set` names of a member, and nothing else. A frozen member is signed out, and nothing can be moved. ' +
      'Name a member who signed up by a share link by its username, and give it your own id.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      set: z
        .strictObject({
          nickname: requiredName(MAX_NICKNAME).optional().describe('How others see the member.'),
          status: Flag.optional().describe('1: active. 0: frozen.'),
          withdraw_confirm: Flag.optional().describe('1: the member has to accept envelopes and requests for points.'),
          event_mode: Flag.optional().describe('1: red envelopes can be neither sent nor received.'),
          third_party_id: ThirdPartyId.nullable()
            .optional()
            .describe('Your own id for the member; null takes it away.'),
        })
        .refine((set) => Object.keys(set).length > 0, 'Give at least one field')
        .meta({ minProperties: 1 })
        .describe('The fields to change.'),
    }).meta(oneName),
    response: Member,
    refuses: ['account.not_found', 'account.third_party_id_taken'],
  },
  'sign-in/token': {
    part: 'Accounts',
    right: 'signin',
    summary: 'Create a sign-in link, or a token for the widget',
    description:
      'Returns a token for one sign-in and the address to send the browser to. The first browser that opens it is signed in, so ' +
      'redirect to it at once and keep it out of logs: a proxy logs paths, and with `agent` the token is in the query. With ' +
      '`widget` there is no address: the page around the widget hands the token over.',
    effect: 'read',
    request: z
      .object({
        ...AccountName,
        kind: z
          .enum(['agent', 'landing', 'widget'])
          .describe(
            '`agent`: the back office, without logout. `landing`: an ordinary session, also for members. `widget`: a ' +
              'member, in the widget of your own page (`data-sign-in`).',
          ),
      })
      .meta(oneName),
    response: z.object({
      token: z.string().describe('It is in `url` too, but with `widget`.'),
      url: z
        .string()
        .describe('Send the browser here. Without `PUBLIC_URL` it begins at the path. Empty with `widget`.'),
      expires_in: z.int().describe('Seconds.'),
    }),
    refuses: ['account.not_found'],
  },
  'event-mode/set': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Turn activity mode on or off',
    description:
      'While it is on, red envelopes can be neither sent nor received. For an agent it applies to its whole group.',
    effect: 'write',
    request: Write.extend({ ...AccountName, event_mode: Flag.describe('1: on. 0: off.') }).meta(oneName),
    response: z.object({ username, event_mode: Flag.describe('1: on. 0: off.') }),
    refuses: ['account.not_found'],
  },
  'account/view': {
    part: 'Accounts',
    right: 'accounts:read',
    summary: 'Look up an account',
    description: 'Returns a member, an agent, or a person of customer service, also your top account.',
    effect: 'read',
    request: z.object(AccountName).meta(oneName),
    response: z.object({
      ...accountFields,
      group: z.string().describe('The username of the head of its group; its own for an agent.'),
      withdraw_confirm: Flag.describe('1: a member has to accept envelopes and requests for points.'),
      event_mode: Flag.describe('1: red envelopes can be neither sent nor received.'),
      share_code: z.string().describe('Invites members below it.'),
      abilities: Abilities.nullable().describe('What it sees and may do. Null: of a member or your top account.'),
      limits: z
        .array(Limit)
        .nullable()
        .describe('What it moves above these waits for approval. Null: of a member or your top account.'),
    }),
    refuses: ['account.not_found'],
  },
  'account/list': {
    part: 'Accounts',
    right: 'accounts:read',
    summary: 'List accounts',
    description:
      'Returns the accounts below your top account, or below one of them, in the order in which they were made. `parent` makes ' +
      'the tree of them: an account is made after the one above it, unless that was moved.',
    effect: 'read',
    request: z
      .object({
        username: Name.optional().describe('Only accounts below this one. Without it and `third_party_id`: all.'),
        third_party_id: ThirdPartyId.optional().describe('The same, by your own id of it.'),
        role_id: RoleCode.optional().describe(`Only these. ${roles}`),
        direct: z.boolean().default(false).describe('Only those directly below.'),
        after: cursor('account'),
        per_page: perPage(MOST).describe('Rows in an answer.'),
      })
      .meta(noTwoNames('username')),
    response: z.object({ data: z.array(Account).describe('In the order in which they were made.'), next }),
    refuses: ['account.not_found'],
  },
  'agent/set': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Change an agent',
    description:
      'Changes what `set` names of an agent, and nothing else. What you take from an agent, everybody below it loses. If your ' +
      'platform wants a second admin for raised credit, for rights or for raised limits, these wait for one; `approval` is 1 ' +
      'then, and all else is changed. A limit of credit takes the place of an unlimited balance.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      set: z
        .strictObject({
          nickname: requiredName(MAX_NICKNAME).optional().describe('How others see the agent.'),
          status: Flag.optional().describe(`1: active. 0: frozen. ${isFrozenNote}`),
          limit_of_credit: AmountFromZero.optional().describe('How far below zero the balance may go.'),
          abilities: z
            .strictObject({
              ...flagFields((text) => Flag.optional().describe(text)),
              transfer_member_flow_limit_multiple: multiple.optional(),
            })
            .refine(someField, atLeastOne)
            .meta({ minProperties: 1 })
            .optional()
            .describe('What it sees and may do. 1: yes. 0: no.'),
          limits: z
            .array(NewLimit)
            .min(1)
            .max(6)
            .refine((limits) => new Set(limits.map(({ type }) => type)).size === limits.length, 'Give each kind once')
            .optional()
            .describe('What it moves above these waits for approval. Kinds that you leave out stay as they are.'),
        })
        .refine(someField, atLeastOne)
        .meta({ minProperties: 1 })
        .describe('The fields to change.'),
    }).meta(oneName),
    response: z.object({
      ...accountFields,
      ...abilitiesAndLimits,
      approval: WaitsForApproval.describe('1: a part of it waits for approval, and is not in this answer.'),
    }),
    refuses: [
      'account.not_found',
      'change.waits_already',
      'account.upline_has_not',
      'account.below_credit',
      'account.game_wallet_in_use',
    ],
  },
  'account/move': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Move an account',
    description:
      'Moves a member or an agent, with everybody below it, below another account. Nothing is moved when it is refused. If it leaves a ' +
      'limit or gets a right back by it, and your platform wants a second admin for that, it waits; `approval` is 1 then.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      to: Name.optional().describe('The username of the agent, or your top account, to be above it.'),
      to_third_party_id: ThirdPartyId.optional().describe(
        'The same, by your own id of the agent. Give one of the two.',
      ),
    }).meta({ allOf: [oneName, { oneOf: [{ required: ['to'] }, { required: ['to_third_party_id'] }] }] }),
    response: z.object({
      username,
      parent: z.string().describe('The account that is directly above it now.'),
      approval: WaitsForApproval.describe('1: it waits for approval and has not moved.'),
    }),
    refuses: [
      'account.not_found',
      'change.waits_already',
      ...moveRefusals.filter((name) => name !== 'account.not_yourself'),
    ],
  },
  'session/end': {
    part: 'Accounts',
    right: 'accounts:write',
    summary: 'Sign an account out',
    description: 'Ends all sessions of a member, an agent, or a person of customer service. It may sign in again.',
    effect: 'write',
    request: Write.extend(AccountName).meta(oneName),
    response: z.object({ ended: z.int().describe('How many sessions.') }),
    refuses: ['account.not_found'],
  },
  'balance/list': {
    part: 'Accounts',
    right: 'accounts:read',
    summary: 'List balances',
    description: 'Returns the balances of up to 500 accounts. Unknown names are left out.',
    effect: 'read',
    request: z.object({
      usernames: z.array(Name).max(500).default([]).describe('Their usernames. Give these, your own ids, or both.'),
      third_party_ids: z.array(ThirdPartyId).max(500).default([]).describe('Your own ids of them.'),
    }),
    response: z.object({ data: z.array(Wallets).describe('In the order in which the accounts were made.') }),
    refuses: [],
  },
} as const
