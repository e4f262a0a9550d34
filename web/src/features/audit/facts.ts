import type { Answer } from '@tallyroom/contract'
import { parsePoints, showPoints } from '@tallyroom/contract/points'
import type { WordKey } from '@tallyroom/locales'
import { isFlag } from '../../ui/ability-flags.ts'
import { roleWords } from '../../ui/person.tsx'
import type { Translate } from '../../i18n/i18n.ts'

type Fact = Answer<'audit/list'>['data'][number]['facts'][number]
export type FactLine = { label: string; value: string }

const labels: Record<string, WordKey> = {
  door: 'audit.field_door',
  step: 'audit.field_step',
  sessions: 'audit.field_sessions',
  role_id: 'audit.field_role_id',
  nickname: 'account.nickname',
  thumbnail: 'audit.field_picture',
  what: 'audit.field_what',
  rows: 'audit.field_rows',
  set: 'audit.field_set',
  authenticator: 'audit.field_authenticator',
  phone: 'audit.field_phone',
  more: 'audit.field_more',
  room_id: 'audit.field_room_id',
  message_id: 'audit.field_message_id',
  by: 'audit.actor',
  new_recovery_codes: 'audit.field_new_recovery_codes',
  note: 'audit.field_note',
  note_content: 'audit.field_note_content',
  template: 'audit.field_template',
  request: 'requests.number',
  reason: 'requests.reason',
  cash_requests: 'setting.cash_requests',
  withdraw_confirm: 'account.withdraw_confirm',
  name: 'setting.room_name',
  background_image: 'setting.background_image',
  background_color: 'setting.background_color',
  header_background_color: 'setting.header_background_color',
  header_font_color: 'setting.header_font_color',
  late_after: 'setting.late_after',
  overdue_after: 'setting.overdue_after',
  api_url: 'setting.api_url',
  api_key: 'audit.field_api_key',
  qrcode_picture: 'share.picture',
  share_domain: 'share.domain',
  third_party_id: 'account.third_party_id',
  transaction_id: 'history.transaction_id',
  remark: 'transfer.remark',
  ai_rooms: 'ai.new_rooms',
  bank: 'bank.bank',
  bank_offered: 'bank.offered',
  account_name: 'bank.account_name',
  account_no: 'bank.account_no',
  is_third: 'bank.is_third',
  has_bank_card_setting: 'bank.several',
  bank_card_amount: 'bank.amount',
  enable_bsb_code: 'bank.with_code',
  bsb_code_alias: 'bank.code_alias',
  account_name_modify: 'bank.own_names',
  cj7: 'bank.cj7',
  limit_of_credit: 'account.limit_of_credit',
  transfer_member_flow_limit_multiple: 'ability.transfer_member_flow_limit_multiple',
}

const signIns: Record<string, WordKey> = {
  password: 'audit.value_password',
  code: 'audit.value_code',
  agent: 'audit.value_agent',
  landing: 'audit.value_web',
  signup: 'audit.value_signup',
}
const onOff: Record<string, WordKey> = { '1': 'audit.value_on', '0': 'audit.value_off' }
/** Labels of values, by field. */
const values: Record<string, Record<string, WordKey>> = {
  by: { console: 'audit.value_console' },
  door: signIns,
  step: signIns,
  role_id: Object.fromEntries(Object.entries(roleWords)),
  thumbnail: { changed: 'audit.value_changed', removed: 'audit.value_removed' },
  qrcode_picture: { changed: 'audit.value_changed', removed: 'audit.value_removed' },
  background_image: { changed: 'audit.value_changed', removed: 'audit.value_removed' },
  what: {
    agents: 'menu.agent',
    'customer-service': 'menu.customer_service',
    users: 'menu.user',
    transactions: 'history.transactions',
    envelopes: 'history.envelopes',
    sr02: 'menu.sr02',
  },
  ai_rooms: onOff,
  bank_offered: onOff,
  is_third: onOff,
  has_bank_card_setting: onOff,
  enable_bsb_code: onOff,
  account_name_modify: onOff,
  cj7: onOff,
  withdraw_confirm: { '1': 'account.needed', '0': 'account.not_needed' },
}

const labelOf = (t: Translate, field: string) => {
  const word = isFlag(field) ? (`ability.${field}` as const) : labels[field]
  // A field that this version does not know is shown as the server wrote it.
  return word ? t(word) : field.replaceAll('_', ' ')
}

const valueOf = (t: Translate, field: string, value: string | null): string => {
  if (value === null || value === '') return t('audit.value_empty')
  const known = (isFlag(field) ? onOff : values[field])?.[value]
  if (known) return t(known)
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'audit.value_on' : 'audit.value_off')
  if (field !== 'limit_of_credit') return value
  const points = parsePoints(value)
  return points === undefined ? t('points.unlimited') : showPoints(points)
}

/** Describes changes: "Nickname: Ann → Anna". Without a previous value only the new one is shown. */
export const describeFacts = (t: Translate, facts: readonly Fact[]): FactLine[] =>
  facts.map(({ field, before, after }) => ({
    label: labelOf(t, field),
    value:
      before === null
        ? valueOf(t, field, after)
        : t('audit.before_after', { before: valueOf(t, field, before), after: valueOf(t, field, after) }),
  }))
