import { isAbilityFlag, type AbilityFlag } from '../ability-flags.ts'
import { accountFacts } from '../account-facts.ts'
import { auditKinds } from '../audit-kinds.ts'
import { allCashReasons, cashDirections, cashStates } from '../cash.ts'
import { roleWords, statusWords } from './code-words.ts'
import { sensitiveChangeKinds, type LimitPart, limitParts } from '../limits.ts'
import { lookup, type Say } from './lookup.ts'
import { parsePoints, type Points } from '../points.ts'
import { type RightWord, rightWord } from './right-words.ts'
import { assignMethods } from '../desk/rules.ts'
import { statementScopes } from '../statement.ts'
import { factsOfKind } from '../transfer-kinds.ts'

/** A detail of an entry (calls/office/audit.ts). No Zod here: the browser imports this file. */
export type Fact = { field: string; before: string | null; after: string | null }
export type FactLine = { label: string; value: string }

const labels = lookup({
  door: 'audit.field_door',
  step: 'audit.field_step',
  sessions: 'audit.field_sessions',
  role_id: 'audit.field_role_id',
  upline_id: 'audit.field_upline_id',
  accounts: 'audit.field_accounts',
  nickname: 'account.nickname',
  thumbnail: 'audit.field_picture',
  what: 'audit.field_what',
  rows: 'audit.field_rows',
  set: 'audit.field_set',
  authenticator: 'audit.field_authenticator',
  phone: 'audit.field_phone',
  passkey: 'audit.value_passkey',
  passkeys: 'passkey.title',
  host: 'audit.field_host',
  more: 'audit.field_more',
  room_id: 'audit.field_room_id',
  message_id: 'audit.field_message_id',
  by: 'audit.actor',
  new_recovery_codes: 'audit.field_new_recovery_codes',
  note: 'audit.field_note',
  note_content: 'audit.field_note_content',
  template: 'audit.field_template',
  view: 'audit.field_view',
  request: 'requests.number',
  bank_reference: 'requests.reference',
  looked_after: 'audit.field_looked_after',
  reason: 'requests.reason',
  reason_code: 'requests.reason',
  cash_requests: 'setting.cash_requests',
  owned_by_answer: 'setting.owned_by_answer',
  assign: 'desk_rule.assign',
  capacity: 'desk_rule.capacity',
  sticky_hours: 'desk_rule.sticky_hours',
  answer_s: 'desk_rule.answer_s',
  gone_s: 'desk_rule.gone_s',
  opening_hours: 'desk_hours.title',
  desk_zone: 'home.zone',
  weekly_hours: 'desk_hours.week',
  different_days: 'desk_hours.days',
  greeting: 'desk_hours.greeting',
  away: 'desk_hours.away',
  default_language: 'desk_hours.default_language',
  factor_roles: 'required.title',
  withdraw_confirm: 'account.withdraw_confirm',
  name: 'setting.room_name',
  background_image: 'setting.background_image',
  background_color: 'setting.background_color',
  header_background_color: 'setting.header_background_color',
  header_font_color: 'setting.header_font_color',
  time_zone: 'home.step_zone',
  late_after: 'setting.late_after',
  overdue_after: 'setting.overdue_after',
  api_url: 'setting.api_url',
  api_key: 'audit.field_api_key',
  key_rights: 'audit.field_key_rights',
  key_addresses: 'audit.field_key_addresses',
  expires_on: 'audit.field_expires_on',
  per_second: 'audit.field_per_second',
  key_version: 'audit.field_key_version',
  endpoint: 'audit.field_endpoint',
  event_kinds: 'endpoint.events',
  endpoint_state: 'audit.field_endpoint_state',
  endpoint_secret: 'endpoint.secret',
  ordered: 'endpoint.ordered',
  with_text: 'endpoint.with_text',
  webhook: 'webhook.title',
  webhooks: 'webhook.title',
  qrcode_picture: 'share.picture',
  share_domain: 'share.domain',
  third_party_id: 'account.third_party_id',
  transaction_id: 'history.transaction_id',
  remark: 'transfer.remark',
  start_date: 'report.start',
  end_date: 'report.end',
  ai_rooms: 'ai.new_rooms',
  bank: 'bank.bank',
  bank_offered: 'bank.offered',
  receiving_account: 'receiving.account',
  receiving_qr: 'receiving.qr',
  times: 'receiving.times',
  day_limit: 'receiving.day_limit',
  position: 'receiving.position',
  odd_cents: 'setting.odd_cents',
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
  change: 'change.title',
  becomes: 'audit.field_becomes',
  four_eyes: 'change.rules',
  maker: 'audit.field_maker',
  over: 'audit.field_over',
  limit: 'audit.field_limit',
  transfer_kind: 'history.type',
  amount: 'transfer.amount',
  username: 'account.username',
  kind: 'audit.kind',
  actor: 'audit.actor',
  target: 'audit.target',
  start_time: 'audit.from',
  end_time: 'audit.to',
  min_amount: 'filter.min',
  max_amount: 'filter.max',
  types: 'history.type',
  statuses: 'account.status',
  states: 'account.status',
  direction: 'requests.points',
  asked_on: 'requests.asked_at',
  ended_on: 'requests.ended_at',
  until: 'audit.to',
  scope: 'statement.scope',
  transfer_member_flow_limit_multiple: 'ability.transfer_member_flow_limit_multiple',
})

const signIns = lookup({
  password: 'audit.value_password',
  code: 'audit.value_code',
  agent: 'audit.value_agent',
  landing: 'audit.value_web',
  widget: 'audit.value_web',
  signup: 'audit.value_signup',
  passkey: 'audit.value_passkey',
  passkey_copy: 'audit.value_passkey_copy',
  recovery: 'recover.title',
  sms: 'second.by_sms',
})
const rightStates = lookup({
  role: 'audit.value_role',
  given: 'audit.value_given',
  taken: 'audit.value_taken',
})
const sensitiveChanges = Object.fromEntries(sensitiveChangeKinds.map((kind) => [kind, `change.${kind}` as const]))
const onOff = lookup({ '1': 'audit.value_on', '0': 'audit.value_off' })
const pictures = lookup({ changed: 'audit.value_changed', removed: 'audit.value_removed' })
/** Labels of values, by field. */
const values = lookup({
  by: lookup({ console: 'audit.value_console' }),
  door: signIns,
  step: signIns,
  role_id: roleWords,
  thumbnail: pictures,
  qrcode_picture: pictures,
  background_image: pictures,
  receiving_qr: pictures,
  what: lookup({
    agents: 'menu.agent',
    'customer-service': 'menu.customer_service',
    users: 'menu.user',
    transactions: 'history.transactions',
    envelopes: 'history.envelopes',
    sr02: 'menu.sr02',
    statement: 'menu.statement',
    seal: 'seal.file',
    requests: 'menu.requests',
    person: 'menu.personal_data',
    'audit-log': 'menu.audit',
  }),
  kind: Object.fromEntries(auditKinds.map((kind) => [kind, `audit.kind_${kind}` as const])),
  change: sensitiveChanges,
  over: Object.fromEntries(limitParts.map((part) => [part, `limit.${part}` as const])),
  four_eyes: sensitiveChanges,
  statuses: lookup(statusWords),
  states: Object.fromEntries(cashStates.map((state) => [state, `cash.state_${state}` as const])),
  reason_code: Object.fromEntries(allCashReasons.map((code) => [code, `cash.reason_${code}` as const])),
  direction: Object.fromEntries(cashDirections.map((way) => [way, `cash.${way}` as const])),
  scope: Object.fromEntries(statementScopes.map((scope) => [scope, `statement.scope_${scope}` as const])),
  ai_rooms: onOff,
  bank_offered: onOff,
  is_third: onOff,
  has_bank_card_setting: onOff,
  enable_bsb_code: onOff,
  account_name_modify: onOff,
  cj7: onOff,
  cash_requests: onOff,
  odd_cents: onOff,
  owned_by_answer: onOff,
  opening_hours: onOff,
  assign: Object.fromEntries(assignMethods.map((method) => [method, `desk_rule.assign_${method}` as const])),
  withdraw_confirm: lookup({ '1': 'account.needed', '0': 'account.not_needed' }),
})

type Word<Table> = NonNullable<Table[keyof Table]>
/** The keys that details are said with. */
export type FactWord =
  | Word<typeof labels>
  | Word<typeof rightStates>
  | Word<Word<typeof values>>
  | RightWord
  | `ability.${AbilityFlag}`
  | `limit.${LimitPart}`
  | NonNullable<ReturnType<typeof factsOfKind>>['word']
  | 'audit.value_empty'
  | 'audit.before_after'
  | 'points.unlimited'

export type InWords = {
  t: Say<FactWord>
  /** How points are written: grouped and with a real minus on the screen, plain in a file. */
  amount: (points: Points) => string
}

/** A limit of one kind of transfer, such as `limit_1_day`. */
const limitLabel = (t: Say<FactWord>, field: string): string | undefined => {
  const [, kind, name] = /^limit_(\d+)_(\w+)$/.exec(field) ?? []
  const part = limitParts.find((one) => one === name)
  const facts = factsOfKind(Number(kind))
  return part && facts ? `${t(facts.word)}: ${t(`limit.${part}`)}` : undefined
}

const labelOf = (t: Say<FactWord>, field: string) => {
  if (field.startsWith('right_')) return rightWord(t, field.slice('right_'.length))
  const limit = limitLabel(t, field)
  if (limit) return limit
  const word = isAbilityFlag(field) ? (`ability.${field}` as const) : labels[field]
  // A field that this version does not know is shown as the server wrote it.
  return word ? t(word) : field.replaceAll('_', ' ')
}

/** As the role, taken, or given, with its hours. */
const rightValue = (t: Say<FactWord>, value: string) => {
  const [state = '', ...hours] = value.split(' ')
  const word = rightStates[state]
  return [word ? t(word) : state, ...hours].join(' ')
}

const valueOf = ({ t, amount }: InWords, field: string, value: string | null): string => {
  // The names of accounts above stay hidden.
  if (value === '' && accountFacts.has(field)) return '–'
  if (value === null || value === '') return t('audit.value_empty')
  if (field.startsWith('right_')) return rightValue(t, value)
  if (value === 'true' || value === 'false') return t(value === 'true' ? 'audit.value_on' : 'audit.value_off')
  if (field === 'transfer_kind' || field === 'types') return eachOf(value, (kind) => wordOfKind(t, kind))
  const words = isAbilityFlag(field) ? onOff : values[field]
  if (words) return eachOf(value, (one) => (words[one] ? t(words[one]) : one))
  if (!pointFields.has(field) && !field.startsWith('limit_')) return value
  const points = parsePoints(value)
  return points === undefined ? t('points.unlimited') : amount(points)
}

const pointFields = new Set(['limit', 'limit_of_credit', 'amount', 'min_amount', 'max_amount'])

/** A value, or several with commas between them. */
const eachOf = (value: string, word: (one: string) => string) => value.split(', ').map(word).join(', ')

const wordOfKind = (t: Say<FactWord>, value: string) => {
  const facts = factsOfKind(Number(value))
  return facts ? t(facts.word) : value
}

/** Describes changes: "Nickname: Ann → Anna". Without a previous value only the new one is shown. */
export const describeFacts = (says: InWords, facts: readonly Fact[]): FactLine[] =>
  facts.map(({ field, before, after }) => ({
    label: labelOf(says.t, field),
    value:
      before === null
        ? valueOf(says, field, after)
        : says.t('audit.before_after', { before: valueOf(says, field, before), after: valueOf(says, field, after) }),
  }))
