import type { Answer } from '@tallyroom/contract'
import { keep } from '../../store.ts'

/** What the browser keeps of a sign-in, under the names of the source (AUTH-04). */
export const keepProfile = (profile: Answer<'login'>) => {
  const kept = {
    user_token: profile.token,
    user_id: profile.id,
    user_nickname: profile.nickname || profile.username,
    user_avatar: profile.thumbnail,
    role_id: profile.role_id,
    user_member_id: profile.member_id,
    share_code: profile.share_code,
    share_domain: profile.domain,
    EventMode: profile.EventMode,
    transaction_all: profile.transaction_all,
    agent_login: profile.agent_login,
    customized_has_qrcode_show: profile.customized_has_qrcode_show,
    deduct_point_button_visible: profile.deduct_point_button_visible,
    red_envelope_button_visible: profile.red_envelope_button_visible,
    send_red_envelope_button_visible: profile.send_red_envelope_button_visible,
    receive_red_envelope_button_visible: profile.receive_red_envelope_button_visible,
    gift_red_envelope_button_visible: profile.gift_red_envelope_button_visible,
    point_button_visible: profile.point_button_visible,
    cs_flow_limit_button_visible: profile.cs_flow_limit_button_visible,
    chat_ai_bot_visible: profile.chat_ai_bot_visible,
  }
  for (const [key, value] of Object.entries(kept)) keep(key, String(value))
}
