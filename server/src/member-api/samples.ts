/**
 * The examples of the member API's document. They are made from the schemas that validate the calls: a new field is in
 * them as soon as the contract has it.
 */

export type JsonSchema = {
  $ref?: string
  description?: string
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  examples?: unknown[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean
}
export type CodeSample = { lang: 'cURL' | 'TypeScript'; source: string }

/** Stands for the address of the installation; the page puts its own in its place. */
export const ORIGIN = 'https://tallyroom.example'
export const PREFIX = '/member-api/v1'

const UUID = '8e9c1c4e-6b1f-4a53-9c0e-2f4d1b7a9e05'
const BY_NAME: Record<string, unknown> = {
  username: 'ann88',
  usernames: ['ann88', 'marco88'],
  third_party_id: 'player-8812',
  nickname: 'Ann Lee',
  password: 'spring2026',
  parent: 'dana',
  operator: 'mika',
  request_id: UUID,
  bet_id: 'round-5512-ann',
  amount: '100.00',
  valid: '80.00',
  limit_of_credit: '500.00',
  unlimited: false,
  share_code: 'umhhk5z5',
  role_id: 4,
  status: 1,
  type: 1,
  wallet: 1,
  kind: 'landing',
  token: 'k3v…',
  url: `${ORIGIN}/WebLogin/k3v…/1183/0`,
  expires_in: 60,
  reason: 'See ticket 5512',
  reason_code: null,
  remark: 'Given twice',
  state: 'asked',
  event_mode: 1,
  start_time: '2026-11-22 00:00:00',
  end_time: '2026-11-23 00:00:00',
  start_date: '2026-11-22',
  end_date: '2026-11-22',
  created_at: '2026-11-22 14:03:21',
  settled_at: '2026-11-22 14:03:21',
  asked_at: '2026-11-22T14:03:21.000Z',
  ended_at: null,
  changed_at: '2026-11-22T14:03:21.000Z',
  cursor: '2026-11-22T14:01:21.000Z',
  at: '2026-11-22T14:03:21.000Z',
  member_username: 'ann88',
  member_nickname: 'Ann Lee',
  user_username: 'mika',
  transaction_id: '0d3c1d5e-3b0c-4a8c-9b1a-6c1f0a7d2e11',
  corrects_type: null,
  total: 1,
  next: null,
  time_zone: 'Asia/Kuala_Lumpur',
  now: '2026-11-22T14:03:21.000Z',
  version: '1.0.0',
  from: '2026-11-22T00:00:00Z',
  why_off: null,
  failing_since: null,
  old_until: null,
  waiting: 0,
  given_up: 0,
  ms: 87,
  seq: 4127,
  next_seq: 4127,
  event: 'member.added',
  member_seq: 12,
  after_seq: 4126,
  per_envelope: '5000.0000',
  per_day: null,
  languages: ['en', 'th'],
  minutes: 5,
  lease: 300,
  reference: 'FT26326-8812',
  bank: 'North',
  account_name: 'Ann Lee',
  account_no: '12345678',
  slip: `${ORIGIN}${PREFIX}/media/6f0c…?until=…&seal=…`,
  pay_to: '',
  turnover_due: '0.0000',
  as: 'notice',
  text: 'Your payment has arrived.',
  message_id: '3f0c9a52-7c1e-4b7d-9d43-1f2a6b8c5e70',
  last_seq: 12,
  office_read_seq: 12,
  member_read_seq: 11,
  file_name: null,
  cash_id: null,
  to: 'dana',
  used_credit: '0.0000',
  last_seen_at: '2026-11-22T14:03:21.000Z',
  ended: 1,
  changed_until: null,
  banks: ['North'],
  quote: null,
  group: 'dana',
  owner: 'mika',
  owner_state: 'on',
  why: 'owner',
  waiting_since: '2026-11-22T14:03:21.000Z',
  unanswered: 2,
  snoozed_until: null,
  last_message_at: '2026-11-22T14:03:21.000Z',
  warnings: ['first_out'],
  by: 'mika',
  closed_until: null,
  drawn_up: '2026-11-23 09:00:00',
  closed_at: '2026-11-23 09:00:00',
  closed_by: 'mika',
  day: '2026-11-22',
  opening: '250.5000',
  in: '100.0000',
  out: '0.0000',
  others: '0.0000',
  closing: '350.5000',
  held: '0.0000',
  total_in: '100.0000',
  total_out: '0.0000',
  says: 'Where are my points?',
  hours: 25,
  moved: 1,
}
/** Answers have four decimals. */
const IN_ANSWERS: Record<string, unknown> = {
  ...BY_NAME,
  kind: 'notice',
  amount: '100.0000',
  balance: '350.5000',
  game_wallet: '0.0000',
  audit_amount: '0.0000',
  request: 'paid',
  remark: '',
  reason: '',
  bet_id: null,
  valid: '80.0000',
}
/** Fields of one call whose names mean something else in others. */
const fieldsOf: Record<string, Record<string, unknown>> = {
  'agent/set': {
    set: {
      limit_of_credit: '500.00',
      abilities: { may_approve: 0 },
      limits: [{ type: 1, transfer: '500.00', hour: null, day: null, member: null }],
    },
  },
}
/** Optional fields that most requests do not need. */
// biome-ignore format: one name per line would fill the page.
const RARE = new Set([
  'password', 'id', 'remark', 'before', 'operator_id', 'cell', 'room', 'types', 'statuses', 'min_amount', 'max_amount',
  'page', 'per_page', 'reason_code', 'states', 'member', 'third_party_ids', 'since', 'until', 'changed_since',
  'after', 'kinds', 'by', 'event', 'only', 'with_text', 'what', 'scope', 'wallet', 'image', 'quote', 'seen', 'after_seq', 'waiting',
  'parent_third_party_id', 'to_third_party_id', 'direct', 'photo', 'accepts', 'rejects',
])

const sampleOf = (schema: JsonSchema, name: string, byName = BY_NAME): unknown => {
  if (schema.const !== undefined) return schema.const
  if (schema.examples) return schema.examples[0]
  if (schema.properties) return objectOf(schema, Object.keys(schema.properties), byName)
  if (schema.type === 'array' && !(name in byName)) return schema.items ? [sampleOf(schema.items, '', byName)] : []
  if (schema.enum) return schema.enum.includes(byName[name]) ? byName[name] : schema.enum[0]
  if (name === 'id') return schema.type === 'integer' ? 1183 : schema.format === 'uuid' ? UUID : '1183'
  if (name in byName) return byName[name]
  const [first] = schema.anyOf ?? []
  if (first) return sampleOf(first, name, byName)
  if (schema.type === 'object') return {}
  return schema.type === 'boolean' ? false : schema.type === 'integer' ? 1 : ''
}
const objectOf = ({ properties = {} }: JsonSchema, names: string[], byName = BY_NAME): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, sampleOf(properties[name] ?? {}, name, byName)]))

/** An answer's data or a webhook, with all fields; `values` in place of those that most have. */
export const answerSample = (schema: JsonSchema, values: Record<string, unknown> = {}): unknown =>
  sampleOf(schema, '', { ...IN_ANSWERS, ...values })

/** A request with its required fields and the useful ones. Where either of two names an account, the username does. */
export const requestSample = (schema: JsonSchema, call?: string): Record<string, unknown> => {
  const required = new Set(schema.required)
  const names = Object.keys(schema.properties ?? {}).filter((name) => {
    if (required.has(name)) return true
    if (name === 'request_id' || RARE.has(name)) return false
    return name !== 'third_party_id' || required.has('username')
  })
  const own = fieldsOf[call ?? ''] ?? {}
  const listed = ({ items }: JsonSchema) => (items?.properties ? [requestSample(items)] : undefined)
  return Object.fromEntries(
    names.map((name) => {
      const field = schema.properties?.[name] ?? {}
      return [name, own[name] ?? listed(field) ?? sampleOf(field, name)]
    }),
  )
}

const NEW_UUID = `$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\\1-\\2-4\\3-a\\4-\\5/')`

const curlOf = (name: string, body: Record<string, unknown>): string => {
  const text = JSON.stringify(body, undefined, 2).replace(`"${UUID}"`, `"'"$REQUEST_ID"'"`)
  const path = `${PREFIX}/${name}`
  return [
    '# TALLYROOM_KEY and TALLYROOM_SECRET: your key and its secret',
    ...('request_id' in body ? [`REQUEST_ID=${NEW_UUID}`] : []),
    `BODY='${text}'`,
    'TIME=$(date +%s)',
    'NONCE=$(openssl rand -hex 16)',
    `SIGNATURE=$(printf 'POST\\n${path}\\n%s\\n%s\\n%s' "$TIME" "$NONCE" "$BODY" |`,
    `  openssl dgst -sha256 -hmac "$TALLYROOM_SECRET" | sed 's/^.*= *//')`,
    `curl ${ORIGIN}${path} \\`,
    `  -H 'Content-Type: application/json' \\`,
    '  -H "X-Tallyroom-Key: $TALLYROOM_KEY" \\',
    '  -H "X-Tallyroom-Timestamp: $TIME" \\',
    '  -H "X-Tallyroom-Nonce: $NONCE" \\',
    '  -H "X-Tallyroom-Signature: $SIGNATURE" \\',
    '  --data-binary "$BODY"',
    '',
  ].join('\n')
}

/** A value as TypeScript, on lines of its own for each field. */
const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (value !== null && typeof value === 'object')
    return `{\n${Object.entries(value)
      .map(([name, one]) => `  ${name}: ${name === 'request_id' ? 'randomUUID()' : literal(one)},\n`)
      .join('')}}`
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value)
}

const typeScriptOf = (name: string, body: Record<string, unknown>, answer: JsonSchema): string => {
  // `in` cannot be the name of a variable.
  const names = Object.keys(answer.properties ?? {}).map((field) => (field === 'in' ? 'in: in_' : field))
  return [
    ...('request_id' in body ? ["import { randomUUID } from 'node:crypto'"] : []),
    "import { call } from './call.ts'",
    '',
    `const { ${names.join(', ')} } = await call('${name}', ${literal(body)})`,
    `console.log({ ${names.join(', ')} })`,
    '',
  ].join('\n')
}

export const samplesOf = (name: string, request: JsonSchema, answer: JsonSchema): CodeSample[] => {
  const body = requestSample(request, name)
  return [
    { lang: 'cURL', source: curlOf(name, body) },
    { lang: 'TypeScript', source: typeScriptOf(name, body, answer) },
  ]
}
