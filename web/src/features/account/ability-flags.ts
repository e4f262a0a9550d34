import { isOffice } from '@tallyroom/contract/codes'
import { type AbilityFlag, isAbilityFlag } from '@tallyroom/contract/ability-flags'
import type { WordKey } from '@tallyroom/locales'

type Flag = {
  /** A longer description, if the label is not clear enough. */
  what?: WordKey
  /** Also applies to members, who have no back office. */
  members?: true
}

/** The abilities of an account by topic, for the upline who sets them. */
const flagGroups = {
  points: {
    red_envelope_button_visible: { what: 'ability.red_envelope_button_visible_what' },
    send_red_envelope_button_visible: {},
    receive_red_envelope_button_visible: {},
    gift_red_envelope_button_visible: {},
    point_button_visible: {},
    deduct_point_button_visible: {},
    transaction_all: { what: 'ability.transaction_all_what', members: true },
    event_mode: { what: 'ability.event_mode_what', members: true },
  },
  limits: {
    cs_flow_limit_button_visible: {},
    flow_limit_modify_permission: { what: 'ability.flow_limit_modify_permission_what' },
    may_approve: { what: 'ability.may_approve_what' },
  },
  views: {
    chat_ai_bot_visible: {},
    customized_has_qrcode_show: {},
    masks_usernames: { what: 'ability.masks_usernames_what' },
  },
  account: {
    is_multiple_wallet: { what: 'ability.is_multiple_wallet_what', members: true },
    is_sub: { what: 'ability.is_sub_what', members: true },
  },
} as const satisfies Record<string, Partial<Record<AbilityFlag, Flag>>>
export type FlagGroup = keyof typeof flagGroups

/** The flags of a group that apply to accounts of a role. */
export const flagsOf = (group: FlagGroup, role: number): { name: AbilityFlag; what: WordKey | undefined }[] =>
  Object.entries<Flag>(flagGroups[group]).flatMap(([name, { what, members }]) =>
    isAbilityFlag(name) && (isOffice(role) || members) ? [{ name, what }] : [],
  )
