import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { OK } from '@tallyroom/contract'
import { MessageType, Role } from '@tallyroom/contract/codes'
import { apiRights } from '@tallyroom/contract/api/rights'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { makePeople, topAccount } from '../../bench/lib/people.ts'
import { connectionOf, SERVER_ENV } from '../../bench/lib/server.ts'
import { makeClient, signIn } from '../../e2e/support/client.ts'
import { ledgerCheck } from '../../e2e/support/faults/kills.ts'
import { startServer } from '../../e2e/support/server.ts'
import { buildServer } from '../../scripts/build.mjs'
import { connect } from '../../server/src/data/sql.ts'
import { DATES } from '../../server/src/member-api/dated/form.ts'
import { documentOf, type FormDocument } from '../../server/src/testing/fakes/document.ts'
import { fieldsOf, hostileFor, type Schema, withValue } from '../../server/src/testing/hostile.ts'
import { dice } from '../../server/src/testing/ledger/dice.ts'
import { verdictTo } from '../lib/verdict.ts'
import { addKey, platformAt } from '../../e2e/support/platform.ts'

// API-12. `npx tsx proofs/api/generated.ts [--calls 20000] [--seed 1] [--keep FILE]`: calls that are made from the schemas of
// the document alone, in each of its forms, with the names and ids of a small platform; of four in ten one field is spoilt.
const SPOILT = 0.4
const AT_ONCE = 8
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
})
const say = verdictTo(values.keep)
const random = dice(Number(values.seed))
const below = (n: number) => Math.floor(random() * n)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

await buildServer()
const server = await startServer({ env: { ...SERVER_ENV, PUBLIC_URL: 'https://talk.example' } })
const db = connect({ ...connectionOf(server.dataDir).connection, max: 2 })
const top = await topAccount(db)
const agents = await makePeople(db, { role: Role.agent, under: [top], each: 3, prefix: 'ag', credit: 10_000_000n })
const members = await makePeople(db, { role: Role.member, under: agents, each: 4, prefix: 'me' })
const admin = await signIn(server.url, 'admin', server.password)
await admin.call('setting/save', { name: 'Proof', cash_requests: 1, request_id: randomUUID() })
const { post, call } = platformAt(server.url, await addKey(admin, server.password, [...apiRights]))

/** What a platform knows of its members, and what it got: fields of these names are filled from it. */
const known: Record<string, unknown[]> = {
  username: [...members, ...agents].map(({ username }) => username),
  usernames: members.map(({ username }) => username),
  parent: agents.map(({ username }) => username),
  to: agents.map(({ username }) => username),
  amount: ['1', '2.5', '0.0001', '100'],
  transaction_id: [],
  id: [],
  bet_id: ['a', 'b', 'c'],
}
for (const [at, { username, token, room }] of members.entries()) {
  const given = (await call('points/give', { username, amount: '100', request_id: randomUUID() })) as {
    transaction_id: string
  }
  known['transaction_id']?.push(given.transaction_id)
  const client = makeClient(server.url, token)
  if (at % 2 === 0) {
    const { id } = await client.call('cash/ask', { direction: 'in', amount: '1', request_id: randomUUID() })
    known['id']?.push(id)
  }
  await client.call('sendMessage', { code: room, type: MessageType.text, content: 'hello', request_id: randomUUID() })
}

const texts = [
  'x',
  '1',
  '1.5',
  'abcd1',
  'secret1',
  '2026-11-01',
  '2026-11-02',
  '2026-11-01 00:00:00',
  '2026-12-02 00:00:00',
  '2026-11-01T00:00:00Z',
  '#ffffff',
  'North',
  '12345678',
  'https://platform.example/hook',
  'data:image/png;base64,AAAA',
  `whe_${'0'.repeat(24)}`,
]
const textOf = ({ pattern, format, minLength = 0, maxLength = Infinity }: Schema): string => {
  if (format === 'uuid') return randomUUID()
  if (format === 'date-time') return pick(['2026-11-01T00:00:00Z', new Date().toISOString()])
  const shape = new RegExp(pattern ?? '', 'u')
  const fitting = texts.filter((text) => shape.test(text) && text.length >= minLength && text.length <= maxLength)
  return fitting.length > 0 ? pick(fitting) : 'x'.repeat(minLength || 1)
}
type Rules = Schema & { oneOf?: Schema[]; not?: object; format?: string; maxItems?: number }
/** A value that the schema allows, as far as its rules reach. */
const valueOf = (schema: Rules, name = ''): unknown => {
  const pool = known[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return pick(schema.enum)
  if (schema.anyOf && !schema.properties) return valueOf(pick(schema.anyOf), name)
  const [type] = [schema.type].flat()
  if (type === 'array') {
    const count = Math.max(schema.minItems ?? 0, below(3))
    return Array.from({ length: count }, () => valueOf(schema.items ?? {}, name))
  }
  if (type === 'object') {
    // “Exactly one of these names”: the names of the others are left out.
    const branches = (schema.oneOf ?? schema.anyOf ?? []).map(({ required = [] }) => required)
    const chosen = branches.length > 0 ? pick(branches) : []
    const others = new Set(branches.flat().filter((field) => !chosen.includes(field)))
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([field]) =>
        chosen.includes(field) || (!others.has(field) && (schema.required?.includes(field) || random() < 0.4)),
    )
    return Object.fromEntries(fields.map(([field, inner]) => [field, valueOf(inner, field)]))
  }
  if (type === 'integer' || type === 'number')
    return pool && pool.length > 0 && typeof pool[0] === 'number' && random() < 0.9
      ? pick(pool)
      : Math.max(schema.minimum ?? 0, Math.min(below(50), schema.maximum ?? 50))
  if (type === 'boolean') return random() < 0.5
  if (type === 'null') return null
  return pool && pool.length > 0 && random() < 0.9 ? pick(pool) : textOf(schema)
}
const spoil = (schema: Schema, body: unknown): unknown => {
  const kind = random()
  if (kind < 0.05) return `${JSON.stringify(body).slice(0, -1)}`
  if (kind < 0.1) return `{"username":"a",${JSON.stringify({ username: 'b', ...(body as object) }).slice(1)}`
  if (kind < 0.2) return { ...(body as object), nothing: 1 }
  const field = pick(fieldsOf(schema))
  if (!field) return { nothing: 1 }
  if (kind < 0.3 && field.path.length === 1) {
    const { [String(field.path[0])]: _, ...rest } = body as Record<string, unknown>
    return rest
  }
  return withValue(schema, body, field.path, pick(hostileFor(field)))
}

const forms = [undefined, ...DATES]
const documents = new Map<string | undefined, FormDocument>()
for (const form of forms) documents.set(form, await documentOf(server.url, form))
const names = Object.keys(memberApi) as ApiName[]
const counts = { made: 0, good: 0, refusedThough: 0, spoilt: 0 }
const faults: string[] = []
const outside: string[] = []
const refusedThough = new Map<string, string>()
const wanted = Number(values.calls)
const seen = new Map<string, number>()

const hasId = (body: unknown) => typeof body === 'object' && body !== null && 'request_id' in body
const one = async () => {
  const [name, form] = [names[counts.made % names.length] as ApiName, pick(forms)]
  counts.made++
  const document = documents.get(form)
  const schema = Object.values(document?.calls[`/${name}`]?.post.requestBody.content ?? {})[0]?.schema as Schema
  const whole = valueOf(schema)
  const isSpoilt = random() < SPOILT
  const body = isSpoilt ? spoil(schema, whole) : whole
  const isWrite = memberApi[name].effect === 'write' && random() < 0.9
  const answer = await post(name, body, {
    version: form,
    // An id in the body is the other way to say it; both at once are refused when they differ.
    idempotencyKey: form && isWrite && !hasId(body) ? randomUUID() : undefined,
  })
  const { status, reply } = answer
  const sent = () =>
    `${name} ${form ?? ''} ${JSON.stringify(body).slice(0, 300)}: ${status} ${JSON.stringify(reply).slice(0, 300)}`
  if (status >= 500) faults.push(sent())
  const wrong = document?.answerFaults(name, answer)
  if (JSON.stringify(wrong) !== '[]') outside.push(`${sent()} ${JSON.stringify(wrong).slice(0, 300)}`)
  if (isSpoilt) counts.spoilt++
  else if (status < 300 && (form || reply.code === OK)) {
    counts.good++
    seen.set(name, (seen.get(name) ?? 0) + 1)
  } else if (reply.refusal === 'request.invalid' && JSON.stringify(document?.requestFaults(name, body)) === '[]') {
    counts.refusedThough++
    refusedThough.set(name, refusedThough.get(name) ?? sent())
  }
}
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (counts.made < wanted) await one()
  }),
)
say(
  faults.length === 0,
  `${counts.made} calls, ${counts.spoilt} of them spoilt: ${faults.length} server errors (0 allowed)`,
)
say(outside.length === 0, `${outside.length} answers that the document does not have (0 allowed)`)
for (const line of [...faults, ...outside].slice(0, 20)) process.stdout.write(`  ${line}\n`)
process.stdout.write(
  `  ${counts.good} succeeded, of ${seen.size} of ${names.length} calls; ${counts.refusedThough} were invalid for the server and not for the document\n`,
)
for (const line of refusedThough.values()) process.stdout.write(`  ${line}\n`)
const broken = (await ledgerCheck(server)).split('\n').filter((line) => line.includes('✗'))
say(broken.length === 0, `${broken.length} breaches of the ledger ${broken.join(' ')}`)
await db.end()
await server.remove()
