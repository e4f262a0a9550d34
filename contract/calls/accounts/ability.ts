import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { Amount, Flag, Id, PointsText } from '../../fields.ts'

/** The flags of an account that its upline sets. */
export const abilityFlags = {
  is_sub: Flag,
  is_multiple_wallet: Flag,
  transaction_all: Flag,
  event_mode: Flag,
  /** The whole points dialog; without it the next three have no effect. */
  red_envelope_button_visible: Flag,
  send_red_envelope_button_visible: Flag,
  receive_red_envelope_button_visible: Flag,
  gift_red_envelope_button_visible: Flag,
  point_button_visible: Flag,
  deduct_point_button_visible: Flag,
  cs_flow_limit_button_visible: Flag,
  chat_ai_bot_visible: Flag,
  customized_has_qrcode_show: Flag,
  flow_limit_modify_permission: Flag,
  /** Approves transfers of others that are above their limits. */
  may_approve: Flag,
  /** Sees others' usernames masked; for an agent this also applies to its customer service. */
  masks_usernames: Flag,
} as const
export type AbilityFlag = keyof typeof abilityFlags

const multiple = z.int().min(0).max(1000)

export const Abilities = z.object({
  id: z.int(),
  role_id: RoleCode,
  username: z.string(),
  ...abilityFlags,
  transfer_member_flow_limit_multiple: multiple,
  /** "-1" when `unlimited` is true. */
  limit_of_credit: PointsText,
  unlimited: z.boolean(),
  /** The abilities that the viewer may change; the others are read-only. */
  changeable: z.array(z.string()),
})

const AbilityChanges = z.object({
  ...abilityFlags,
  transfer_member_flow_limit_multiple: multiple,
  limit_of_credit: Amount.refine((points) => points >= 0n),
  unlimited: z.boolean(),
})

export const abilityCalls = calls({
  /** The abilities of an account in the caller's downline. */
  'user/abilities': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: Abilities,
    refuses: ['account.not_found', 'account.not_yourself'],
  },
  /** Changes the given abilities and answers with all of them. */
  'user/saveAbilities': {
    effect: 'write',
    request: AbilityChanges.partial().extend({ id: Id }),
    /** `approval`: rights that are given, or credit that is raised, wait for approval; the rest is saved. */
    response: Abilities.extend({ approval: Flag.optional() }),
    refuses: [
      ...askRefusals,
      'account.not_found',
      'account.not_yourself',
      'account.not_yours_to_give',
      'account.upline_has_not',
      'account.has_no_credit',
      'account.below_credit',
      'account.game_wallet_in_use',
    ],
  },
})
