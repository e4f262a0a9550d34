import { z } from 'zod'
import { type AbilityFlag, abilityFlags } from '../../ability-flags.ts'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { Amount, Flag, Id, PointsText } from '../../fields.ts'

const flags = Object.fromEntries(abilityFlags.map((name) => [name, Flag])) as Record<AbilityFlag, typeof Flag>

const multiple = z.int().min(0).max(1000)

export const Abilities = z.object({
  id: z.int(),
  role_id: RoleCode,
  username: z.string(),
  ...flags,
  transfer_member_flow_limit_multiple: multiple,
  /** "-1" when `unlimited` is true. */
  limit_of_credit: PointsText,
  unlimited: z.boolean(),
  /** The abilities that the viewer may change; the others are read-only. */
  changeable: z.array(z.string()),
})

const EditedAbilities = z.object({
  ...flags,
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
    request: EditedAbilities.partial().extend({ id: Id }),
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
