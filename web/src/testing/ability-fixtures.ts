import type { Answer } from '@tallyroom/contract'
import { Role } from '@tallyroom/contract/codes'

export const accountAbilities = (fields: Partial<Answer<'user/abilities'>> = {}): Answer<'user/abilities'> => ({
  id: 20,
  role_id: Role.agent,
  username: 'mia01',
  is_sub: 0,
  is_multiple_wallet: 0,
  transaction_all: 0,
  event_mode: 0,
  red_envelope_button_visible: 1,
  send_red_envelope_button_visible: 1,
  receive_red_envelope_button_visible: 1,
  gift_red_envelope_button_visible: 0,
  point_button_visible: 1,
  deduct_point_button_visible: 0,
  cs_flow_limit_button_visible: 0,
  chat_ai_bot_visible: 0,
  customized_has_qrcode_show: 0,
  flow_limit_modify_permission: 0,
  may_approve: 0,
  masks_usernames: 0,
  transfer_member_flow_limit_multiple: 1,
  limit_of_credit: '0.0000',
  unlimited: false,
  changeable: ['event_mode'],
  ...fields,
})
