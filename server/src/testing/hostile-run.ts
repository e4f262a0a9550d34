import { randomUUID } from 'node:crypto'
import { type CallName, callNames, declared, errors, OK } from '@tallyroom/contract'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { RoomStatus } from '@tallyroom/contract/codes'
import { run, sql } from '../data/sql.ts'
import { makeLog } from '../lib/log.ts'
import { policy, roleMay } from '../identity/policy.ts'
import { type Reply, startTestServer } from './app.ts'
import { type Field, fieldsOf, hostileFor, sampleOf, schemaOf, withValue } from './hostile.ts'
import { makeWorld, type World } from './rights/matrix.ts'
import { platform } from './fakes/platform.ts'
import { inputOf } from './rights/rights.ts'

/** One call with an input that is known to succeed, and its senders. */
type Target = { name: string; base: object; schema: ReturnType<typeof schemaOf>; senders: Send[]; isKnown: boolean }
type Send = (body: unknown) => Promise<{ status: number; reply: Reply }>
export type AttackResult = { cases: number; fields: number; wrong: string[]; logged: string[] }

const AT_ONCE = 8
/** A refusal of the SMS gateway has the same code as a server error. */
const isFault = ({ code, message }: Reply) => code === errors['server.failed'] && !message.includes('not be sent')

/**
 * Calls every call of the contract and of the member API on a real server with hostile values, one field at a time.
 * `values`: how many values each field gets. Every answer that is a server error is reported as wrong.
 */
export const attackFields = async (values: number | 'all'): Promise<AttackResult> => {
  const logged: string[] = []
  const log = makeLog('error', { write: (line: string) => void logged.push(line) })
  const server = await startTestServer({ PUBLIC_URL: 'https://talk.example', LOG_SMS: '0' }, log)
  const world = await makeWorld(server)
  const targets = [...(await officeTargets(server, world)), ...(await memberApiTargets(server, world))]
  const found: AttackResult = { cases: 0, fields: 0, wrong: [], logged }
  let round = 0
  for (const target of targets) {
    const { name, base, schema } = target
    const senders = await allowedSenders(target)
    await world.restore()
    const jobs: (() => Promise<void>)[] = []
    for (const field of fieldsWithId(name, schema)) {
      found.fields++
      for (const value of chosen(hostileFor(field), values, round)) {
        const send = senders[round++ % senders.length]
        const body = withValue(schema, base, field.path, value)
        jobs.push(async () => {
          found.cases++
          const { status, reply } = await (send as Send)(body)
          if (isFault(reply) || status >= 500 || typeof reply.message !== 'string')
            found.wrong.push(`${name} ${field.path.join('.')} = ${shown(value)}: ${status} ${JSON.stringify(reply)}`)
        })
      }
    }
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let job = jobs.shift(); job; job = jobs.shift()) await job()
      }),
    )
    await world.restore()
    // Otherwise the throttle after the first wrong passwords would hide what follows.
    await run(server.services.db, sql`delete from failed_sign_ins`)
  }
  return found
}

/** The senders whose known input succeeds: for others the call is refused before a hostile value has any effect. */
const allowedSenders = async ({ base, senders, isKnown }: Target): Promise<Send[]> => {
  if (!isKnown) return senders
  const codes: number[] = []
  for (const send of senders) codes.push((await send(base)).reply.code)
  const good = senders.filter((_, at) => codes[at] === OK)
  return good.length ? good : senders
}

const shown = (value: unknown) => JSON.stringify(value).slice(0, 60)

/** Adds the `request_id` that a write accepts beside its own fields. */
const fieldsWithId = (name: string, schema: ReturnType<typeof schemaOf>): Field[] => {
  const fields = fieldsOf(schema)
  const isWrite = name in policy && declared(name as CallName).effect === 'write'
  return isWrite ? [...fields, { path: ['request_id'], schema: { type: 'string', format: 'uuid' } }] : fields
}

/** The most dangerous value always, the others in turn. */
const chosen = (all: unknown[], values: number | 'all', round: number): unknown[] => {
  if (values === 'all') return all
  const others = Array.from({ length: values - 1 }, (_, at) => all[1 + ((round + at * 7) % (all.length - 1))])
  return [all[0], ...others]
}

type Server = Awaited<ReturnType<typeof startTestServer>>

const officeTargets = async (server: Server, { people, of, sessions, passkeys }: World): Promise<Target[]> => {
  const { member, top } = people
  const its = of.member
  if (!its) throw new Error('makeWorld() has stored nothing for the member')
  const bank_id = (await top.call('orderType/list', {})).data[0]?.id ?? 0
  const { share_code } = await people.agent.call('user/view', {})
  const account = { bank_id, account_name: 'Ann', account_no: '12345678' }
  const known: Partial<Record<CallName, object>> = {
    'desk/bulk': { deed: 'show', filter: { status: RoomStatus.shown } },
    'members/bank-card/create': { member_id: member.id, accounts: [{ id: its.bank_account_id, ...account }] },
    'members/bank-account/create': { member_id: member.id, exist_data_id: its.bank_account_id, ...account },
    'orderType/save': { id: bank_id, name: 'North' },
    'member/signup': { share_code, username: 'newcomer', password: 'secret1', password_confirmation: 'secret1' },
    'member/invitation': { share_code },
    login: { username: people.cs.username, password: 'wrong' },
    'user/edit': { id: people.cs.id, nickname: 'Nick' },
    'room/enter': { code: its.code },
  }
  return callNames.map((name) => {
    const senders = [people.agent, people.top, people.cs, people.member]
      .filter((_, at) => policy[name] === 'anyone' || roleMay(([2, 1, 3, 4] as const)[at] ?? 4, name))
      .map(({ token }): Send => {
        const headers = { authorization: `Bearer ${token}` }
        return (body) => server.post(name, server.wire.seal(name, body), headers)
      })
    const base =
      known[name] ?? inputOf(name, member.id, { ...its, session: sessions.member, passkey_id: passkeys.member })
    const schema = schemaOf(declared(name).request)
    // Without a known input the call must not succeed: it could end the sender's own session.
    return { name, base: base ?? (sampleOf(schema) as object), schema, senders, isKnown: Boolean(base) }
  })
}

const memberApiTargets = async (server: Server, { people }: World): Promise<Target[]> => {
  const api = await platform(server, people.top)
  const { username } = people.member
  const time = { start_time: '2026-01-01 00:00:00', end_time: '2026-01-02 00:00:00' }
  const days = { start_date: '2026-01-01', end_date: '2026-01-02' }
  const noEndpoint = `whe_${'0'.repeat(24)}`
  const bases: Record<ApiName, () => object> = {
    'member/add': () => ({ username: 'taken-one', parent: people.agent.username }),
    'agent/add': () => ({ username: 'taken-two', parent: people.agent.username }),
    'member/set': () => ({ username, set: { nickname: 'Ann' } }),
    'sign-in/token': () => ({ username, kind: 'landing' }),
    'event-mode/set': () => ({ username, event_mode: 0 }),
    'bet/report': () => ({ username, bet_id: 'b', amount: '0.01' }),
    'win/report': () => ({ username, bet_id: 'b', amount: '0.01' }),
    'bet/void': () => ({ bet_id: 'b' }),
    'bet/reportMany': () => ({ rows: [{ username, bet_id: 'b', amount: '0.01' }] }),
    'win/reportMany': () => ({ rows: [{ username, bet_id: 'b', amount: '0.01' }] }),
    'points/give': () => ({ username, amount: '0.01' }),
    'points/take': () => ({ username, amount: '0.01' }),
    'points/offer': () => ({ username, amount: '0.01', kind: 'gift' }),
    'points/correct': () => ({ transaction_id: randomUUID(), remark: 'a' }),
    'points/view': () => ({ transaction_id: randomUUID() }),
    'cash/ask': () => ({ username, direction: 'in', amount: '0.01' }),
    'cash/withdraw': () => ({ id: 1 }),
    'cash/list': () => ({ username }),
    'cash/view': () => ({ id: 1 }),
    'cash/take': () => ({ id: 1, minutes: 1 }),
    'cash/renew': () => ({ id: 1, minutes: 1 }),
    'cash/giveBack': () => ({ id: 1 }),
    'cash/pay': () => ({ id: 1, amount: '0.01' }),
    'cash/refuse': () => ({ id: 1, reason: 'a' }),
    'message/send': () => ({ username, as: 'answer', text: 'a' }),
    'message/list': () => ({ username }),
    'message/read': () => ({ username, seq: 1 }),
    'room/list': () => ({}),
    'room/view': () => ({ username }),
    'balance/list': () => ({ usernames: [username] }),
    'transfer/list': () => time,
    'statement/view': () => ({ username, ...days }),
    'statement/lines': () => ({ username, ...days }),
    'sr02/view': () => ({ username, ...days }),
    'period/list': () => ({}),
    'settlement/list': () => ({}),
    'settlement/settle': () => ({ id: 1 }),
    'account/view': () => ({ username }),
    'account/list': () => ({}),
    'agent/set': () => ({ username: people.agent.username, set: { nickname: 'Ann' } }),
    'account/move': () => ({ username, to: people.agent.username }),
    'session/end': () => ({ username }),
    'bank/list': () => ({ username }),
    'bank/set': () => ({ username, accounts: [{ bank: 'North', account_name: 'Ann', account_no: '12345678' }] }),
    'event/list': () => ({ after_seq: 0 }),
    'endpoint/list': () => ({}),
    'endpoint/add': () => ({ url: 'https://localhost/hook', kinds: ['member.added'] }),
    'endpoint/set': () => ({ id: noEndpoint, kinds: ['member.added'] }),
    'endpoint/remove': () => ({ id: noEndpoint }),
    'endpoint/rotate': () => ({ id: noEndpoint }),
    'endpoint/ping': () => ({ id: noEndpoint }),
    'endpoint/resend': () => ({ id: noEndpoint }),
    'endpoint/gaps': () => ({ id: noEndpoint, from: '2026-01-01T00:00:00Z' }),
    'platform/view': () => ({}),
    'webhook/ping': () => ({}),
    'sandbox/act': () => ({ username, says: 'a' }),
    'sandbox/passTime': () => ({ hours: 1 }),
  }
  return (Object.keys(memberApi) as ApiName[]).map((name) => {
    const schema = schemaOf(memberApi[name].request)
    const needsId = schema.required?.includes('request_id')
    const fresh = (body: unknown) =>
      needsId && !Object.hasOwn(body as object, 'request_id') ? { request_id: randomUUID(), ...(body as object) } : body
    return {
      name: `member-api/${name}`,
      base: bases[name](),
      schema,
      senders: [(body) => api.post(name, fresh(body))],
      isKnown: true,
    }
  })
}
