/** The flags of an account that its upline sets. No Zod here: the browser imports this file. */
export const abilityFlags = [
  'is_sub',
  'is_multiple_wallet',
  'transaction_all',
  'event_mode',
  /** The whole points dialog; without it the next three have no effect. */
  'red_envelope_button_visible',
  'send_red_envelope_button_visible',
  'receive_red_envelope_button_visible',
  'gift_red_envelope_button_visible',
  'point_button_visible',
  'deduct_point_button_visible',
  'cs_flow_limit_button_visible',
  'chat_ai_bot_visible',
  'customized_has_qrcode_show',
  'flow_limit_modify_permission',
  /** Approves transfers of others that are above their limits. */
  'may_approve',
  /** Sees others' usernames masked; for an agent this also applies to its customer service. */
  'masks_usernames',
] as const
export type AbilityFlag = (typeof abilityFlags)[number]

export const isAbilityFlag = (text: string): text is AbilityFlag => abilityFlags.some((flag) => flag === text)
