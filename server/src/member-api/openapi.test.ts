import { randomUUID } from 'node:crypto'
import { type ApiName, memberApi } from '@tallyroom/contract/member-api'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { DATES } from './dated/form.ts'
import { DatabaseAway, UnsureCommit } from '../data/faults.ts'
import { many, one, run, sql } from '../data/sql.ts'
import { Refused } from '../lib/refusal.ts'
import { type Person, type Reply, type TestServer, startTestServer } from '../testing/app.ts'
import { refusalsWith200 } from './refusals.ts'
import { hashOfAll } from '../testing/rights/matrix.ts'
import { bankRules } from '../testing/bank.ts'
import { documentOf, type FormDocument, problemsIn } from '../testing/fakes/document.ts'
import { type Platform, platform } from '../testing/fakes/platform.ts'

let server: TestServer
const [DATE] = DATES
let documents: Record<'plain' | 'dated', FormDocument>
beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL: 'https://talk.example' })
  documents = { plain: await documentOf(server.address), dated: await documentOf(server.address, DATE) }
})

type Answer = { status: number; reply: Reply; form?: string }
/** Expects an answer's status to be documented and its body to fit. @returns the code of a refusal, or OK */
const fits = (name: string, { status, reply, form }: Answer): number => {
  const wrong = documents[form ? 'dated' : 'plain'].answerFaults(name, { status, reply })
  expect([name, status, reply, wrong]).toEqual([name, status, reply, []])
  return form && status < 300 ? OK : reply.code
}

const day = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)
const range = { start_time: `${day(-1)} 00:00:00`, end_time: `${day(1)} 00:00:00` }
const days = { start_date: day(-2), end_date: day(-1) }
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const fresh = () => `o${randomUUID().slice(0, 8)}`
const id = () => ({ request_id: randomUUID() })

/** The inputs of each call: one that succeeds, and ones that are refused. */
const inputs = (
  agent: Person,
  member: Person,
  frozen: Person,
  cash: Record<'withdrawn' | 'taken' | 'byKey' | 'givenBack' | 'refused', number> & {
    poor: Person
    transfer: string
    given: string
    endpoint: string
    removed: string
  },
  others: Record<'sub' | 'waits' | 'moved' | 'ice', Person> & Record<'settlement' | 'open' | 'accountId', number>,
): Record<ApiName, { good: object[]; bad: object[] }> => {
  const who = { username: member.username }
  const bet = { ...who, bet_id: 'one', amount: '10', valid: '5' }
  const twice = (made: object) => [
    { ...made, nickname: 'a' },
    { ...made, nickname: 'b' },
  ]
  const adding = (third = fresh()) => ({
    good: [
      { ...id(), username: fresh() },
      { ...id(), username: fresh(), parent: agent.username, password: 'secret1' },
    ],
    bad: [
      { ...id(), ...who },
      { ...id(), username: fresh(), parent: 'nobody' },
      ...twice({ ...id(), username: fresh() }),
      ...twice({ username: fresh(), third_party_id: third }).map((body) => ({ ...body, ...id(), username: fresh() })),
    ],
  })
  const mode = { ...id(), ...who, event_mode: 0 }
  const giving = id()
  const missing = [{ ...id(), id: 99_999_999 }]
  const points = [
    { ...id(), username: 'nobody', amount: '1' },
    ...['2', '3'].map((amount) => ({ ...giving, ...who, amount })),
  ]
  const asking = { ...id(), ...who, direction: 'in' }
  const withdrawing = id()
  const setting = id()
  const endpoint = { url: 'https://platform.example/hook', kinds: ['member.added'] }
  const noEndpoint = `whe_${'0'.repeat(24)}`
  const [settling, naming, moving, ending, banking] = [id(), id(), id(), id(), id()]
  const card = { bank: 'North', account_name: 'Ann Lee', account_no: '12345678' }
  const voiding = id()
  const reversed = { start_date: days.end_date, end_date: days.start_date }
  const badStatements = [
    { ...days, username: 'nobody' },
    reversed,
    { ...days, end_date: day(3) },
    { ...days, by: 'nobody' },
  ]
  return {
    'member/add': adding(),
    'agent/add': adding(),
    'member/set': {
      good: [
        { ...id(), ...who, set: { nickname: 'Ann', third_party_id: 'ann-1' } },
        { ...id(), third_party_id: 'ann-1', set: { status: 1, withdraw_confirm: 0, event_mode: 0 } },
      ],
      bad: [
        { ...id(), username: 'nobody', set: { status: 1 } },
        { ...id(), username: frozen.username, set: { third_party_id: 'ann-1' } },
        { ...id(), ...who, set: {} },
        ...['a', 'b'].map((nickname) => ({ ...setting, ...who, set: { nickname } })),
      ],
    },
    'sign-in/token': {
      good: [
        { ...who, kind: 'landing' },
        { username: agent.username, kind: 'agent' },
        { ...who, kind: 'widget' },
      ],
      bad: [
        { ...who, kind: 'agent' },
        { username: agent.username, kind: 'widget' },
      ],
    },
    'event-mode/set': {
      good: [mode],
      bad: [
        { ...mode, event_mode: 1 },
        { ...id(), username: 'nobody', event_mode: 1 },
      ],
    },
    'bet/report': {
      good: [bet, bet, { ...bet, ...id(), bet_id: 'two' }],
      bad: [
        { ...bet, amount: '11' },
        { ...bet, bet_id: 'dear', amount: '1000000' },
        { ...bet, bet_id: 'more', valid: '11' },
        { ...who, bet_id: 'over', amount: '1' },
        { ...bet, username: 'nobody' },
        { ...bet, username: frozen.username, bet_id: 'frozen' },
      ],
    },
    'win/report': {
      good: [{ ...who, bet_id: 'one', amount: '20' }],
      bad: [
        { ...who, bet_id: 'one', amount: '21' },
        { ...who, bet_id: 'none', amount: '1' },
        { ...who, bet_id: 'over', amount: '1' },
      ],
    },
    'bet/reportMany': {
      good: [{ rows: [bet, { ...bet, bet_id: 'listed' }, { ...bet, amount: '11' }] }],
      bad: [{ rows: [] }],
    },
    'win/reportMany': { good: [{ rows: [{ ...who, bet_id: 'listed', amount: '20' }] }], bad: [{ rows: 'x' }] },
    'bet/void': {
      good: [{ bet_id: 'two' }, { bet_id: 'two', ...voiding }],
      bad: [{ bet_id: 'one' }, { bet_id: 'none' }, { bet_id: 'one', ...voiding }],
    },
    'balance/list': { good: [{ usernames: [member.username, agent.username, 'nobody'] }], bad: [] },
    'cash/ask': {
      good: [{ ...id(), ...who, direction: 'in', amount: '5' }],
      bad: [
        ...['6', '7'].map((amount) => ({ ...asking, amount })),
        { ...id(), username: cash.poor.username, direction: 'out', amount: '5' },
        { ...id(), username: 'nobody', direction: 'in', amount: '5' },
      ],
    },
    'cash/withdraw': {
      good: [{ ...id(), id: cash.withdrawn }],
      bad: [
        { ...withdrawing, id: cash.withdrawn },
        { ...withdrawing, id: cash.taken },
        { ...id(), id: cash.taken },
        { ...id(), id: 99_999_999 },
      ],
    },
    'cash/list': {
      good: [
        {},
        who,
        { states: ['asked', 'taken'], per_page: 1 },
        { since: '2026-01-01T00:00:00Z', before: 99_999_999 },
      ],
      bad: [{ username: 'nobody' }],
    },
    'cash/view': { good: [{ id: cash.taken }, { id: cash.byKey }], bad: [{ id: 99_999_999 }] },
    'cash/take': {
      good: [{ ...id(), id: cash.byKey, minutes: 2 }],
      bad: [...missing, ...['a', 'b'].map((reference) => ({ ...giving, id: cash.taken, reference }))],
    },
    'cash/renew': {
      good: [{ ...id(), id: cash.byKey, minutes: 15, reference: 'a' }],
      bad: [...missing, { ...id(), id: cash.taken }, { ...setting, id: cash.taken }],
    },
    'cash/giveBack': {
      good: [{ ...id(), id: cash.givenBack }],
      bad: [...missing, { ...giving, id: cash.taken }],
    },
    'cash/pay': {
      good: [{ ...id(), id: cash.byKey, amount: '1', reference: 'a' }],
      bad: [...missing, { ...giving, id: cash.taken, amount: '1' }].map((body) => ({ amount: '1', ...body })),
    },
    'cash/refuse': {
      good: [{ ...id(), id: cash.refused, reason_code: 'no_payment' }],
      bad: [...missing, { ...giving, id: cash.taken }].map((body) => ({ reason: 'a', ...body })),
    },
    'points/give': { good: [{ ...id(), ...who, amount: '1', remark: 'a' }], bad: points },
    'points/take': { good: [{ ...id(), ...who, amount: '1' }], bad: points },
    'points/offer': { good: [{ ...id(), ...who, amount: '1', kind: 'gift' }], bad: points },
    'points/correct': {
      good: [{ ...id(), transaction_id: cash.given, remark: 'a' }],
      bad: ['a', 'b'].map((remark) => ({ ...giving, transaction_id: cash.given, remark })),
    },
    'points/view': { good: [{ transaction_id: cash.transfer }], bad: [{ transaction_id: randomUUID() }] },
    'event/list': { good: [{}, { ...who, kinds: ['ping'], after_seq: 1 }], bad: [{ username: 'nobody' }] },
    'message/send': {
      good: [
        { ...id(), ...who, as: 'notice', text: 'Your payment has arrived.' },
        { ...id(), ...who, as: 'answer', text: 'Hello', seen: 0 },
        { ...id(), ...who, as: 'answer', image: png },
      ],
      bad: [
        { ...id(), username: 'nobody', as: 'answer', text: 'a' },
        ...['a', 'b'].map((text) => ({ ...giving, ...who, as: 'answer', text })),
      ],
    },
    'message/list': { good: [who, { ...who, after_seq: 1, per_page: 1 }], bad: [{ username: 'nobody' }] },
    'message/read': {
      good: [{ ...id(), ...who, seq: 1 }],
      bad: [
        { ...id(), username: 'nobody', seq: 1 },
        { ...voiding, ...who, seq: 1 },
        { ...voiding, ...who, seq: 2 },
      ],
    },
    'room/list': { good: [{}, { waiting: false, per_page: 1 }], bad: [{ after: 'period-9' }] },
    'room/view': { good: [who], bad: [{ username: 'nobody' }] },
    'endpoint/list': { good: [{}], bad: [] },
    'endpoint/add': {
      good: [{ ...id(), ...endpoint }],
      bad: [
        { ...setting, ...endpoint },
        { ...id(), ...endpoint },
        { ...id(), ...endpoint, url: 'https://localhost/' },
      ],
    },
    'endpoint/set': {
      good: [{ ...id(), id: cash.endpoint, ordered: true, state: 'paused' }],
      bad: [
        { ...id(), id: noEndpoint },
        { ...setting, id: cash.endpoint },
        ...['localhost', 'platform.example'].map((host) => ({ ...id(), id: cash.endpoint, url: `https://${host}/` })),
      ],
    },
    'endpoint/ping': {
      good: [{ ...id(), id: cash.endpoint }],
      bad: [
        { ...id(), id: noEndpoint },
        { ...setting, id: cash.endpoint },
      ],
    },
    'endpoint/resend': {
      good: [{ ...id(), id: cash.endpoint, kinds: ['member.added'], only: 'all' }],
      bad: [
        { ...id(), id: noEndpoint },
        { ...setting, id: cash.endpoint },
        { ...id(), id: cash.endpoint, event: randomUUID() },
      ],
    },
    'endpoint/gaps': {
      good: [{ id: cash.endpoint, from: '2026-01-01T00:00:00Z' }],
      bad: [{ id: noEndpoint, from: '2026-01-01T00:00:00Z' }],
    },
    'endpoint/rotate': {
      good: [{ ...id(), id: cash.endpoint }],
      bad: [
        { ...id(), id: noEndpoint },
        { ...setting, id: cash.endpoint },
      ],
    },
    'endpoint/remove': {
      good: [{ ...id(), id: cash.removed }],
      bad: [
        { ...id(), id: noEndpoint },
        { ...setting, id: cash.endpoint },
      ],
    },
    'platform/view': { good: [{}], bad: [] },
    'webhook/ping': { good: [id()], bad: [setting] },
    'sandbox/act': {
      good: [
        { ...id(), third_party_id: 'ann', says: 'Hello' },
        { ...id(), third_party_id: 'ann', photo: true },
      ],
      bad: ['a', 'b'].map((says) => ({ ...setting, third_party_id: 'ann', says })),
    },
    'sandbox/passTime': { good: [{ ...id(), hours: 25 }], bad: [1, 2].map((hours) => ({ ...setting, hours })) },
    'transfer/list': {
      good: [range, { ...range, per_page: 1 }],
      bad: [
        { start_time: range.end_time, end_time: range.start_time },
        { ...range, member: 'nobody' },
      ],
    },
    'statement/view': {
      good: [
        { ...who, ...days },
        { scope: 'branch', ...days },
      ],
      bad: badStatements,
    },
    'statement/lines': { good: [{ ...days, scope: 'branch', per_page: 1 }], bad: badStatements },
    'sr02/view': {
      good: [days, { ...days, username: agent.username, by: 'member', what: 'bets' }],
      bad: [{ ...days, username: 'nobody' }, reversed],
    },
    'period/list': { good: [{}, { after: 'period-9', per_page: 1 }], bad: [{ after: 'settlement-9' }] },
    'settlement/list': { good: [{}, { after: 'settlement-9' }], bad: [{ after: 'period-9' }] },
    'settlement/settle': {
      good: [{ ...id(), id: others.settlement, remark: 'bank 5512' }],
      bad: [
        { ...id(), id: others.settlement },
        { ...id(), id: 99_999_999 },
        ...['a', 'b'].map((remark) => ({ ...settling, id: others.open, remark })),
      ],
    },
    'account/view': { good: [who, { username: agent.username }], bad: [{ username: 'nobody' }] },
    'account/list': {
      good: [{}, { username: agent.username, role_id: 4, direct: true, per_page: 1 }],
      bad: [{ username: 'nobody' }, { after: 'period-9' }],
    },
    'agent/set': {
      good: [
        { ...id(), username: others.sub.username, set: { nickname: 'Sub', status: 1, limit_of_credit: '200' } },
        { ...id(), username: others.sub.username, set: { abilities: { gift_red_envelope_button_visible: 0 } } },
        {
          ...id(),
          username: others.sub.username,
          set: { limits: [{ type: 1, transfer: '500', hour: null, day: null, member: null }] },
        },
      ],
      bad: [
        ...['a', 'b'].map((nickname) => ({ ...naming, username: others.sub.username, set: { nickname } })),
        { ...id(), ...who, set: { status: 0 } },
        { ...id(), username: others.sub.username, set: { limit_of_credit: '1' } },
        { ...id(), username: others.sub.username, set: { abilities: { deduct_point_button_visible: 1 } } },
        { ...id(), username: others.waits.username, set: { abilities: { may_approve: 1 } } },
      ],
    },
    'account/move': {
      good: [{ ...id(), username: others.moved.username, to: others.sub.username }],
      bad: [
        ...[agent, others.sub].map(({ username: to }) => ({ ...moving, username: others.moved.username, to })),
        { ...id(), username: 'nobody', to: agent.username },
        { ...id(), username: others.moved.username, to: others.ice.username },
      ],
    },
    'session/end': {
      good: [{ ...id(), username: others.moved.username }],
      bad: [
        { ...id(), username: 'nobody' },
        { ...ending, username: others.moved.username },
        { ...ending, username: others.sub.username },
      ],
    },
    'bank/list': { good: [who], bad: [{ username: 'nobody' }] },
    'bank/set': {
      good: [{ ...id(), username: others.moved.username, accounts: [card] }],
      bad: [
        { ...id(), username: 'nobody', accounts: [card] },
        { ...id(), username: others.moved.username, accounts: [card] },
        ...['12345678', '12345679'].map((account_no) => ({
          ...banking,
          ...who,
          accounts: [{ ...card, id: others.accountId, account_no }],
        })),
      ],
    },
  }
}

/** Accounts that keys change, and what stops a change. */
const preparedAccounts = async ({ top, agent }: { top: Person; agent: Person }) => {
  const person = (role: Role, under: Person, limit?: string) =>
    server.person({ role, under, ...(limit === undefined ? {} : { limit }) })
  const sub = await person(Role.agent, agent, '100')
  const waits = await person(Role.agent, top)
  const ice = await person(Role.agent, agent)
  const moved = await person(Role.member, agent)
  const below = await person(Role.member, sub)
  await sub.call('transaction/add', { member_id: below.id, type: TransferKind.send, amount: '50' })
  const { db } = server.services
  await run(db, sql`update accounts set status = 0 where id = ${ice.id}`)
  await person(Role.admin, top)
  await top.call('change/saveRules', { kinds: ['api_url', 'rights'] })
  await top.call('user/saveAbilities', { id: waits.id, deduct_point_button_visible: 1 })
  await top.call('bank_setting/save', bankRules)
  const { id: bankId } = await top.call('orderType/save', { name: 'North' })
  const { id: periodId } = await top.call('period/close', { start_date: day(-1), end_date: day(-1) })
  const [settlement = 0, open = 0] = (
    await many<{ id: number }>(
      db,
      sql`insert into settlements (top_id, period_id, upline_id, downline_id, amount)
        select ${top.id}, ${periodId}, ${top.id}, d, 10000 from unnest(${[agent.id, waits.id]}::int[]) d returning id`,
    )
  ).map(({ id: made }) => made)
  return { sub, waits, moved, ice, settlement, open, bankId }
}

const prepared = async () => {
  const family = await server.family()
  const { agent, member } = family
  const frozen = await server.person({ role: Role.member, under: agent, points: '50' })
  const given = { member_id: member.id, type: TransferKind.send, amount: '100' }
  const { transaction_id: transfer } = await agent.call('transaction/add', given)
  const { transaction_id: byTop } = await family.top.call('transaction/add', { ...given, amount: '3' })
  await run(server.services.db, sql`update accounts set status = 0 where id = ${frozen.id}`)
  await family.top.call('setting/save', { cash_requests: 1 })
  const [poor, ...asking] = await Promise.all(
    Array.from({ length: 6 }, () => server.person({ role: Role.member, under: agent })),
  )
  if (!poor) throw new Error('a member is needed')
  const ask = async (who: Person) => (await who.call('cash/ask', { direction: 'in', amount: '1' })).id
  const [withdrawn = 0, taken = 0, byKey = 0, givenBack = 0, refused = 0] = await Promise.all(asking.map(ask))
  // One fewer than there may be. Their address is refused when something is sent.
  const endpoints = await many<{ id: string }>(
    server.services.db,
    sql`insert into webhook_endpoints (id, top_id, url, kinds, form, secret)
      select 'whe_' || substr(md5(random()::text), 1, 24), ${family.top.id}, 'https://127.0.0.1:1/', '{member.added}', 'standard', 'x'
        from generate_series(1, 9) returning id`,
  )
  const [endpoint = '', removed = ''] = endpoints.map((row) => row.id)
  // A new address waits for approval, and that of one endpoint waits already.
  await run(server.services.db, sql`update accounts set four_eyes = '{api_url}' where id = ${family.top.id}`)
  await run(
    server.services.db,
    sql`insert into sensitive_changes (top_id, kind, call, maker_id, target_id, subject, change, facts, expires_at)
      values (${family.top.id}, 'api_url', 'endpoint/set', ${family.top.id}, ${family.top.id}, ${endpoint}, '{}', '{}', now() + interval '1 hour')`,
  )
  const cash = { poor, withdrawn, taken, byKey, givenBack, refused, transfer, given: byTop, endpoint, removed }
  await agent.call('cash/take', { id: taken })
  await agent.call('desk/release', { code: family.room })
  const api = await platform(server, family.top)
  for (const one of [givenBack, refused]) await api.call('cash/take', { id: one })
  await api.call('bet/report', { username: member.username, bet_id: 'over', amount: '1' })
  await api.call('bet/void', { bet_id: 'over' })
  const others = await preparedAccounts(family)
  const account = { bank_id: others.bankId, account_name: 'Ann Lee', account_no: '12345678' }
  for (const { id: member_id } of [member, poor])
    await family.cs.call('members/bank-account/create', { member_id, ...account })
  const accountId = (await family.cs.call('members/bank-account', { member_id: member.id })).data?.id ?? 0
  const ofSandbox = await platform(server, family.top, undefined, { ofSandbox: true })
  await ofSandbox.call('member/add', { third_party_id: 'ann' })
  return { ...family, api, ofSandbox, all: inputs(agent, member, frozen, cash, { ...others, accountId }) }
}

/** The codes that the document lists for a refusal with status 200. */
const listed = (name: ApiName): number[] => {
  const schema = documents.plain.calls[`/${name}`]?.post.responses[200]?.content?.['application/json']?.schema
  const [, refused] = (schema as { oneOf: { properties: { code: { enum: number[] } } }[] }).oneOf
  return refused?.properties.code.enum ?? []
}

/** A call in the form of a date: with its own times and cursors. */
const asDated = (name: ApiName, body: unknown): unknown => {
  if (typeof body !== 'object' || body === null) return body
  const { before, ...rest } = body as Record<string, unknown>
  const times = Object.entries(rest).map(([field, value]) =>
    typeof value === 'string' ? [field, value.replace(/^(\d{4}-\d\d-\d\d) ([\d:]{8})$/, '$1T$2Z')] : [field, value],
  )
  return {
    ...Object.fromEntries(times),
    ...(before === undefined ? {} : { after: typeof before === 'number' ? String(before) : before }),
  }
}
/** The codes of the refusals that the document of a date lists for a call, but for those of every call. */
const listedByDate = (name: ApiName): Set<number> => {
  const responses = Object.values(documents.dated.calls[`/${name}`]?.post.responses ?? {})
  const own = responses
    .flatMap(problemsIn)
    .filter(({ properties }) => refusalsWith200(name).includes(properties.refusal.const))
  return new Set(own.map(({ properties }) => properties.code.const))
}

describe.each(['without a date', DATE])('[SET-06] [API-07] in the form %s', (form) => {
  test('successes and refusals of every call fit the document, and every documented one occurs', async () => {
    const prepares = await prepared()
    const { all } = prepares
    const isDated = form === DATE
    const api = {
      post: async (name: ApiName, body: unknown) => {
        const { api: live, ofSandbox } = prepares
        const answer = await (name.startsWith('sandbox/') ? ofSandbox : live).post(
          name,
          isDated ? asDated(name, body) : body,
          isDated ? { version: form } : {},
        )
        return isDated ? { ...answer, form } : answer
      },
    }
    const document = documents[isDated ? 'dated' : 'plain']
    for (const name of Object.keys(memberApi) as ApiName[]) {
      const codes = new Set<number>()
      const { good, bad } = all[name]
      for (const body of good) {
        const sent = isDated ? asDated(name, body) : body
        expect([name, body, document.requestFaults(name, sent)]).toEqual([name, body, []])
        expect([name, body, fits(name, await api.post(name, body))]).toEqual([name, body, OK])
      }
      for (const body of [...bad, {}, '[', { nothing: '\0' }]) codes.add(fits(name, await api.post(name, body)))
      // Of 2024, by the time in its id.
      const old = { ...good[0], request_id: '018f0000-0000-7000-8000-000000000000' }
      if ('request_id' in memberApi[name].request.shape) codes.add(fits(name, await api.post(name, old)))
      const full = vi.spyOn(server.services.disk, 'isFull').mockReturnValue(true)
      if (memberApi[name].effect === 'write') codes.add(fits(name, await api.post(name, good[0])))
      full.mockRestore()
      const busy = new Refused('server.busy')
      vi.spyOn(server.services.ledger, 'bet').mockRejectedValueOnce(busy)
      vi.spyOn(server.services.ledger, 'win').mockRejectedValueOnce(busy)
      vi.spyOn(server.services.ledger, 'voidBet').mockRejectedValueOnce(busy)
      if (name === 'bet/report' || name === 'win/report' || name === 'bet/void')
        codes.add(fits(name, await api.post(name, good[0])))
      // Why the ledger refuses to move points is tried in points.test.ts.
      for (const reason of name.startsWith('points/') ? memberApi[name].refuses : []) {
        vi.spyOn(server.services.ledger, 'move').mockRejectedValueOnce(new Refused(reason))
        vi.spyOn(server.services.ledger, 'correct').mockRejectedValueOnce(new Refused(reason))
        codes.add(fits(name, await api.post(name, { ...good[0], ...id() })))
      }
      // Why the ledger refuses to go on with a request is tried in fulfil.test.ts.
      for (const reason of memberApi[name].right === 'cash:fulfil' ? memberApi[name].refuses : []) {
        vi.spyOn(server.services.ledger, 'actOnCashRequest').mockRejectedValueOnce(new Refused(reason))
        vi.spyOn(server.services.ledger, 'payCashRequest').mockRejectedValueOnce(new Refused(reason))
        codes.add(fits(name, await api.post(name, { ...good[0], ...id() })))
      }
      // Why a member cannot act is tried in sandbox.test.ts.
      for (const reason of name === 'sandbox/act' ? memberApi[name].refuses : []) {
        vi.spyOn(server.services.messages, 'send').mockRejectedValueOnce(new Refused(reason))
        codes.add(fits(name, await api.post(name, { ...good[0], ...id() })))
      }
      if (name === 'sandbox/passTime') {
        const { status, reply } = await prepares.api.post(
          name,
          isDated ? asDated(name, good[0]) : good[0],
          isDated ? { version: form } : {},
        )
        codes.add(fits(name, { status, reply, ...(isDated ? { form } : {}) }))
      }
      // Why a message is refused is tried in talk/talk.test.ts.
      for (const reason of name === 'message/send' ? memberApi[name].refuses : []) {
        vi.spyOn(server.services.messages, 'send').mockRejectedValueOnce(new Refused(reason))
        codes.add(fits(name, await api.post(name, { ...good[0], ...id() })))
      }
      vi.spyOn(server.services.ledger, 'askForPoints').mockRejectedValueOnce(new Refused('transfer.over_envelope_cap'))
      if (name === 'cash/ask') codes.add(fits(name, await api.post(name, { ...good[0], ...id() })))
      const slow = Object.assign(new Error('canceling statement'), { severity: 'ERROR', code: '57014' })
      vi.spyOn(server.services.reads, 'transact').mockRejectedValueOnce(slow)
      if (memberApi[name].effect === 'read') codes.add(fits(name, await api.post(name, good[0])))
      vi.restoreAllMocks()
      codes.delete(OK)
      expect([name, codes]).toEqual([name, isDated ? listedByDate(name) : new Set(listed(name))])
    }
  })
})

test('[SET-06] a field that a call does not have is refused by its name, a request_id never; so is what is too deep', async () => {
  const { api, all, member } = await prepared()
  for (const name of Object.keys(memberApi) as ApiName[]) {
    const { reply } = await api.post(name, { ...all[name].good[0], ...id(), passwort: 'x' })
    const errors = [{ pointer: '/passwort', reason: 'Unknown field' }]
    expect([name, reply.refusal, reply.data]).toEqual([name, 'request.invalid', { field: 'passwort', errors }])
  }
  expect((await api.post('balance/list', { usernames: [member.username], ...id() })).reply.code).toBe(OK)
  const deep = await api.post('balance/list', `{"usernames":${'['.repeat(60_000)}${']'.repeat(60_000)}}`)
  expect([deep.status, deep.reply.refusal]).toEqual([200, 'request.invalid'])
})

test('[SET-06] HTTP statuses are those of the document: 401, 413, 429, 500, 503 and 504', async () => {
  const { api, all, top } = await prepared()
  const strict = await startTestServer({ CALL_LIMITS: 'on', CALLS_PER_SECOND_OF_KEY: '1' })
  const slow = await platform(strict, top)
  for (const name of Object.keys(memberApi) as ApiName[]) {
    const [body] = all[name].good
    const expectStatus = async (status: number, asked: Promise<Answer>) => {
      const answer = await asked
      fits(name, answer)
      expect([name, answer.status]).toEqual([name, status])
    }
    await expectStatus(401, api.post(name, body, { signature: 'f'.repeat(64) }))
    await expectStatus(401, api.post(name, body, { timestamp: '1' }))
    const nonce = randomUUID()
    await api.post(name, {}, { nonce })
    await expectStatus(401, api.post(name, {}, { nonce }))
    await expectStatus(413, api.post(name, { x: 'x'.repeat(300_000) }))
    // At once: one after the other, a slow machine gives each call its second.
    const flood = await Promise.all(Array.from({ length: 20 }, () => slow.post(name, {})))
    const limited = flood.find(({ status }) => status === 429)
    expect([name, limited]).toEqual([name, expect.anything()])
    fits(name, limited as Answer)
  }
  for (const [status, error] of [
    [500, new Error('planted')],
    [503, new DatabaseAway(new Error('planted'))],
    [504, new UnsureCommit(new Error('planted'))],
  ] as const) {
    vi.spyOn(server.services.ledger, 'bet').mockRejectedValueOnce(error)
    const answer = await api.post('bet/report', { ...all['bet/report'].good[0], bet_id: String(status) })
    fits('bet/report', answer)
    expect(answer.status).toBe(status)
  }
})

test('[SET-06] the game account looks like a missing one, and is in no list', async () => {
  const { api, all, top, agent } = await prepared()
  await api.call('bet/report', all['bet/report'].good[0] ?? {})
  const inner = `house:${top.id}`
  const account = await one<{ id: number }>(server.services.db, sql`select id from accounts where username = ${inner}`)
  const before = await hashOfAll(server)
  const ask = async (platform: Platform, username: string) => {
    const noEndpoint = `whe_${'0'.repeat(24)}`
    const bodies: Record<ApiName, object> = {
      'member/add': { ...id(), username: 'never', parent: username },
      'agent/add': { ...id(), username: 'never', parent: username },
      'sign-in/token': { username, kind: 'landing' },
      'member/set': { ...id(), username, set: { status: 0 } },
      'event-mode/set': { ...id(), username, event_mode: 1 },
      'bet/report': { username, bet_id: 'x', amount: '1' },
      'win/report': { username, bet_id: 'x', amount: '1' },
      'bet/reportMany': { rows: [{ username, bet_id: 'x', amount: '1' }] },
      'win/reportMany': { rows: [{ username, bet_id: 'x', amount: '1' }] },
      'bet/void': { bet_id: 'x' },
      'balance/list': { usernames: [username] },
      'points/give': { ...id(), username, amount: '1' },
      'points/take': { ...id(), username, amount: '1' },
      'points/offer': { ...id(), username, amount: '1' },
      'points/correct': { ...id(), transaction_id: randomUUID(), remark: 'a' },
      'points/view': { transaction_id: randomUUID() },
      'cash/ask': { ...id(), username, direction: 'in', amount: '1' },
      'cash/withdraw': { ...id(), id: 99_999_999 },
      'cash/list': { username },
      'cash/view': { id: 99_999_999 },
      'cash/take': { ...id(), id: 99_999_999 },
      'cash/renew': { ...id(), id: 99_999_999 },
      'cash/giveBack': { ...id(), id: 99_999_999 },
      'cash/pay': { ...id(), id: 99_999_999, amount: '1' },
      'cash/refuse': { ...id(), id: 99_999_999, reason: 'a' },
      'message/send': { ...id(), username, as: 'answer', text: 'a' },
      'message/list': { username },
      'message/read': { ...id(), username, seq: 1 },
      'room/list': { username },
      'room/view': { username },
      'transfer/list': { ...range, username },
      'statement/view': { username, ...days },
      'statement/lines': { username, ...days },
      'sr02/view': { username, ...days },
      'period/list': { username },
      'settlement/list': { username },
      'settlement/settle': { ...id(), id: 99_999_999 },
      'account/view': { username },
      'account/list': { username },
      'agent/set': { ...id(), username, set: { status: 0 } },
      'account/move': { ...id(), username: agent.username, to: username },
      'session/end': { ...id(), username },
      'bank/list': { username },
      'bank/set': { ...id(), username, accounts: [{ bank: 'North' }] },
      'event/list': { username },
      'endpoint/list': { username },
      'endpoint/add': { ...id(), url: 'https://localhost/', kinds: ['ping'], username },
      'endpoint/set': { ...id(), id: noEndpoint, username },
      'endpoint/remove': { ...id(), id: noEndpoint, username },
      'endpoint/rotate': { ...id(), id: noEndpoint, username },
      'endpoint/ping': { ...id(), id: noEndpoint, username },
      'endpoint/resend': { ...id(), id: noEndpoint, username },
      'endpoint/gaps': { id: noEndpoint, username },
      'platform/view': { username },
      'webhook/ping': { ...id(), username },
      'sandbox/act': { ...id(), username, says: 'a' },
      'sandbox/passTime': { ...id(), username, hours: 1 },
    }
    const replies: unknown[] = []
    for (const [name, body] of Object.entries(bodies)) replies.push((await platform.post(name, body)).reply)
    return replies
  }
  expect(await ask(api, inner)).toEqual(await ask(api, 'house:0'))
  expect(await ask(api, inner.toUpperCase())).toEqual(await ask(api, 'house:0'))
  const changed = await hashOfAll(server)
  expect(changed.accounts).toBe(before.accounts)
  for (const person of [top, agent]) {
    expect(await person.ask('user/view', { id: account?.id ?? 0 })).toBeRefusal('account.not_found')
    const lists = [
      await person.call('user/list', { menu_id: 2 }),
      await person.call('user/list', { menu_id: 3 }),
      await person.call('user/list', { menu_id: 13 }),
      await person.call('user/export', { menu_id: 2 }),
      await person.call('search/accounts', { text: 'house' }),
      await person.call('friend/list', {}),
      await person.call('transaction/list', range),
      await person.call('transaction/export', range),
      await person.call('report/sr02', { start_date: day(-1), end_date: day(1) }),
    ]
    for (const list of lists) expect(JSON.stringify(list)).not.toContain('house:')
  }
  for (const list of [await top.call('report/reconciliation', {}), await top.call('audit/list', {})])
    expect(JSON.stringify(list)).not.toContain('house:')
})
