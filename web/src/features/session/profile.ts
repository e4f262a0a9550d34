import type { Answer } from '@tallyroom/contract'
import { setStored, getStored } from '../../lib/storage.ts'

type Own = Omit<Answer<'login'>, 'token'>

/** What the browser stores of a session's own account, under the names of the source (AUTH-04). */
const valuesOf = (own: Own) => ({
  user_id: own.id,
  user_nickname: own.nickname || own.username,
  user_avatar: own.thumbnail,
  role_id: own.role_id,
  user_member_id: own.member_id,
  share_code: own.share_code,
  share_domain: own.domain,
  EventMode: own.EventMode,
  transaction_all: own.transaction_all,
  agent_login: own.agent_login,
  customized_has_qrcode_show: own.customized_has_qrcode_show,
  deduct_point_button_visible: own.deduct_point_button_visible,
  red_envelope_button_visible: own.red_envelope_button_visible,
  send_red_envelope_button_visible: own.send_red_envelope_button_visible,
  receive_red_envelope_button_visible: own.receive_red_envelope_button_visible,
  gift_red_envelope_button_visible: own.gift_red_envelope_button_visible,
  point_button_visible: own.point_button_visible,
  cs_flow_limit_button_visible: own.cs_flow_limit_button_visible,
  chat_ai_bot_visible: own.chat_ai_bot_visible,
})

const store = (own: Own) => {
  for (const [key, value] of Object.entries(valuesOf(own))) setStored(key, String(value))
}

/** Stores token and account after a sign-in. */
export const storeProfile = (profile: Answer<'login'>) => {
  setStored('user_token', profile.token)
  store(profile)
}

/** Updates the stored account after each `user/view`. A late answer about another session's account is dropped. */
export const storeOwnAccount = (own: Own) => {
  if (getStored('user_id') === String(own.id)) store(own)
}
