import { randomUUID } from 'node:crypto'
import { MessageType, Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test, vi } from 'vitest'
import { noTerms, saveTerms } from '../accounts/api-keys.ts'
import { besideTransaction, many, one, run, sql } from '../data/sql.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { type Person, startTestServer } from '../testing/app.ts'
import { limit, waitingFor } from '../testing/approvals.ts'
import { cashFamily, passTime, walletsOf } from '../testing/cash.ts'
import { platform } from '../testing/fakes/platform.ts'
import { outcomeOf } from '../testing/outcome.ts'

const server = await startTestServer()
const { db, ledger } = server.services
const slip =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const cards = async (viewer: Person, code: string) =>
  (await viewer.call('room/enter', { code })).messages.filter(({ type }) => type === MessageType.cash)

const prepared = async () => {
  const family = await cashFamily(server)
  const api = await platform(server, family.top)
  const key = await one<{ id: number }>(db, sql`select actor_id as id from api_keys where id = ${api.id}`)
  /** The outcome of a call with an id of its own. */
  const tried = async (name: string, body: object) =>
    outcomeOf((await api.post(name, { request_id: randomUUID(), ...body })).reply)
  return { ...family, api, tried, keyActor: { ...family.cs, id: key?.id ?? 0, username: api.id } }
}
const isWhole = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])

test('[API-03] a key takes, keeps and pays a request by the rules of the office, with the wallet of its group', async () => {
  const { top, agent, cs, member, api, out, tried } = await prepared()
  await run(db, sql`update settings set api_url = 'https://platform.example/hook' where account_id = ${top.id}`)
  const { id } = await member.call('cash/ask', out('30'))
  const before = await walletsOf(server, agent)
  const taking = { id, minutes: 15, reference: 'FT-1', request_id: randomUUID() }
  expect(await api.call('cash/take', taking)).toEqual({ id, state: 'taken', lease: 900 })
  expect(await api.call('cash/take', taking)).toEqual({ id, state: 'taken', lease: 900 })
  expect((await cs.ask('cash/take', { id })).refusal).toBe('cash.taken')
  const [card] = (await cs.call('cash/list', { id })).data
  expect(card).toMatchObject({ state: 'taken', taken_name: 'test', bank_reference: 'FT-1' })
  expect(card?.lease).toBeGreaterThan(800)
  expect(await api.call('cash/renew', { id, minutes: 1 })).toEqual({ id, state: 'taken', lease: 60 })
  expect(await tried('cash/pay', { id, amount: '31' })).toBe('transfer.amount_invalid')
  const paying = { id, amount: '30', reference: 'FT-2', remark: 'Paid out', request_id: randomUUID() }
  const paid = (await api.call('cash/pay', paying)) as { transaction_id: string }
  expect(paid).toMatchObject({ id, state: 'paid', status: TransferStatus.success, balance: '70.0000' })
  expect(await api.call('cash/pay', paying)).toEqual(paid)
  // Twice with another id: the state decides.
  expect(await tried('cash/pay', { id, amount: '30' })).toBe('cash.ended')
  expect(await walletsOf(server, member)).toEqual([70, 0])
  expect(await walletsOf(server, agent)).toEqual([(before[0] ?? 0) + 30, before[1]])
  expect((await cs.call('cash/list', { id })).data[0]).toMatchObject({ state: 'paid', bank_reference: 'FT-2' })
  expect(await api.call('points/view', { transaction_id: paid.transaction_id })).toMatchObject({ remark: 'Paid out' })
  const { data } = await top.call('audit/list', { actor: api.id })
  expect(data.map(({ kind }) => kind)).toContain('cash_paid')
  // Nobody owns the conversation: a key answers nobody.
  const room = await one<{ owner: number | null }>(
    db,
    sql`select owner_id as owner from rooms where partner_id = ${member.id}`,
  )
  expect(room?.owner).toBeNull()
  // Points in come from the same wallet.
  const { id: into } = await member.call('cash/ask', { direction: 'in', amount: '5' })
  await api.call('cash/take', { id: into })
  await api.call('cash/giveBack', { id: into })
  await api.call('cash/take', { id: into })
  expect(await api.call('cash/pay', { id: into, amount: '5' })).toMatchObject({ state: 'paid', balance: '75.0000' })
  expect(await walletsOf(server, agent)).toEqual([(before[0] ?? 0) + 25, before[1]])
  const { id: no } = await member.call('cash/ask', { direction: 'in', amount: '6' })
  await api.call('cash/take', { id: no })
  expect(await tried('cash/refuse', { id: no })).toBe('request.invalid')
  await api.call('cash/refuse', { id: no, reason: 'No money came', reason_code: 'no_payment' })
  const told = await many<{ kind: string; operator: string | null }>(
    db,
    sql`select kind, payload->>'operator' as operator from webhooks
      where top_id = ${top.id} and kind like 'request.%' and kind <> 'request.asked' order by id`,
  )
  expect(told).toEqual(
    ['taken', 'paid', 'taken', 'released', 'taken', 'paid', 'taken', 'refused'].map((what) => ({
      kind: `request.${what}`,
      operator: api.id,
    })),
  )
  await isWhole()
})

test('[API-03] only of requests below its top account, and only while it has them', async () => {
  const { cs, member, api, out, tried } = await prepared()
  const { id } = await member.call('cash/ask', out('30'))
  const strangers = await prepared()
  const calls = [
    ['cash/take', {}],
    ['cash/renew', {}],
    ['cash/giveBack', {}],
    ['cash/pay', { amount: '30' }],
    ['cash/refuse', { reason: 'a' }],
  ] as const
  for (const [name, more] of calls) expect(await strangers.tried(name, { id, ...more })).toBe('cash.not_found')
  expect(outcomeOf((await strangers.api.post('cash/view', { id })).reply)).toBe('cash.not_found')
  const refusals = async (of: typeof tried) => {
    const found: string[] = []
    for (const [name, more] of calls.slice(1)) found.push(await of(name, { id, ...more }))
    return found
  }
  expect(await refusals(tried)).toEqual(['cash.lease_over', 'cash.not_taken', 'cash.not_taken', 'cash.not_taken'])
  await cs.call('cash/take', { id })
  expect(await refusals(tried)).toEqual(['cash.lease_over', 'cash.taken', 'cash.taken', 'cash.taken'])
  await cs.call('cash/giveBack', { id })
  for (const minutes of [0, 16, 1.5, '5']) expect(await tried('cash/take', { id, minutes })).toBe('request.invalid')
  expect(await tried('cash/take', { id, reference: 'x'.repeat(65) })).toBe('request.invalid')
  await api.call('cash/take', { id })
  for (const amount of ['1.00001', '-1', '0', 30])
    expect(await tried('cash/pay', { id, amount })).toBe('request.invalid')
  expect(await tried('cash/pay', { id, amount: '30', referense: 'a' })).toBe('request.invalid')
  const asking = { id, amount: '30', request_id: randomUUID() }
  await api.call('cash/pay', asking)
  expect(await tried('cash/pay', { ...asking, amount: '29' })).toBe('request.id_reused')
})

test('[API-03] [CAPS-01] above a limit of the key it waits, and is paid or returned when somebody has decided', async () => {
  const { top, agent, member, api, out, keyActor, tried } = await prepared()
  await limit(top, keyActor, TransferKind.receive, { transfer: '10' })
  const { id } = await member.call('cash/ask', out('30'))
  await api.call('cash/take', { id })
  const asking = { id, amount: '30', reference: 'FT-3', reason: 'Draw of May' }
  expect(await api.call('cash/pay', asking)).toMatchObject({ state: 'taken', approval: 1 })
  expect(await tried('cash/giveBack', { id })).toBe('cash.in_approval')
  const first = await waitingFor(top)
  expect(first).toMatchObject({ maker_id: keyActor.id, reason: 'Draw of May' })
  await top.call('approval/refuse', { id: first.id, reason: 'not yet' })
  expect(await api.call('cash/pay', asking)).toMatchObject({ approval: 1 })
  const second = await waitingFor(top)
  await top.call('approval/approve', { id: second.id, seen: second.seen })
  expect((await agent.call('cash/list', { id })).data[0]).toMatchObject({ state: 'paid', bank_reference: 'FT-3' })
  expect(await walletsOf(server, member)).toEqual([70, 0])
  await isWhole()
})

test('[API-03] a key sees the whole number of an open request only with its right, and the log says who has read it', async () => {
  const { top, member, account, api, out } = await prepared()
  const { id } = await member.call('cash/ask', { ...out('30'), slip })
  const reader = await platform(server, top, ['cash:read'])
  const view = async (by = api) => (await by.call('cash/view', { id })) as Record<string, unknown>
  const shown = await view()
  expect(shown).toMatchObject({
    direction: 'out',
    amount: '30.0000',
    state: 'asked',
    bank: 'North',
    account_no: '12345678',
    account_name: 'Ann Lee',
    maybe_paid: false,
    turnover_due: '0.0000',
    warnings: ['first_out'],
    operator: null,
  })
  expect((await view(reader)).account_no).toBe('****5678')
  const { data } = await top.call('audit/list', { kind: 'masked_shown' })
  expect(data.map(({ actor_username }) => actor_username)).toEqual([api.id])
  const address = String(shown.slip)
  const get = async (url: string) => {
    const answer = await fetch(url.startsWith('http') ? url : `${server.address}${url}`)
    return [answer.status, answer.headers.get('content-type')]
  }
  expect(await get(address)).toEqual([200, 'image/webp'])
  expect((await get(address.replace(/until=\d+/, (part) => `${part}0`)))[0]).toBe(404)
  expect((await get(address.replace('seal=', 'seal=A')))[0]).toBe(404)
  vi.setSystemTime(Date.now() + 301_000)
  expect((await get(address))[0]).toBe(404)
  vi.useRealTimers()
  await api.call('cash/take', { id, minutes: 1 })
  expect(await view()).toMatchObject({ operator: api.id, lease: expect.any(Number) as number })
  await top.call('members/bank-card/delete', { member_id: member.id, id: account.id })
  expect(await view()).toMatchObject({ account_no: '****5678', warnings: ['account_gone', 'first_out'] })
  expect(outcomeOf((await api.post('cash/pay', { id, amount: '30', request_id: randomUUID() })).reply)).toBe(
    'cash.account_gone',
  )
})

test('[API-03] points out whose key went away before it said a word may be paid: a person looks first', async () => {
  const { top, agent, cs, member, room, api, out, tried } = await prepared()
  const { id } = await member.call('cash/ask', out('30'))
  await api.call('cash/take', { id, reference: 'FT-4' })
  await passTime(id, 'lease')
  // Before and after the server's own look.
  for (const look of [false, true]) {
    if (look) expect(await ledger.expireDue()).toBe(1)
    expect(await tried('cash/pay', { id, amount: '30' })).toBe(look ? 'cash.not_taken' : 'cash.lease_over')
    expect(await tried('cash/take', { id })).toBe('cash.maybe_paid')
    expect(await tried('cash/withdraw', { id })).toBe('cash.taken')
    expect((await member.ask('cash/withdraw', { id })).refusal).toBe('cash.taken')
  }
  // Nothing ends it by itself: the points of who may have the money would come back.
  await passTime(id, 'deadline')
  expect(await ledger.expireDue()).toBe(0)
  expect(await api.call('cash/list', { states: ['asked'] })).toMatchObject({ data: [{ id, maybe_paid: true }] })
  const mark = { key: 'test', reference: 'FT-4' }
  expect((await cs.call('cash/list', { id })).data[0]).toMatchObject({ maybe_paid: mark, state: 'asked' })
  const cardOf = async (who: typeof cs) => (await cards(who, room)).at(-1)?.cash
  expect(await cardOf(cs)).toMatchObject({ state: 'asked', maybe_paid: mark })
  const theirs = await cardOf(member)
  expect(theirs).toMatchObject({ state: 'taken', taken_name: '' })
  expect(theirs).not.toHaveProperty('maybe_paid')
  expect((await member.call('cash/view', {})).open).toMatchObject({ state: 'taken' })
  await cs.call('cash/take', { id })
  const pay = { id, amount: '30' }
  expect((await cs.ask('cash/pay', pay)).refusal).toBe('cash.maybe_paid')
  expect((await cs.ask('cash/refuse', { id, reason: 'a' })).refusal).toBe('cash.maybe_paid')
  // It stays marked for the next one.
  await cs.call('cash/giveBack', { id })
  await agent.call('cash/take', { id })
  expect((await agent.ask('cash/pay', pay)).refusal).toBe('cash.maybe_paid')
  await agent.call('cash/pay', { ...pay, bank_reference: 'FT-4', looked: 1 })
  const [entry] = (await top.call('audit/list', { kind: 'cash_paid' })).data
  expect(entry?.facts).toContainEqual({ field: 'looked_after', before: null, after: api.id })
  expect(await walletsOf(server, member)).toEqual([70, 0])
  await isWhole()
})

test('[API-03] a colleague who takes over at the end of the lease is warned, a lease that was given back warns nobody', async () => {
  const { cs, member, api, out } = await prepared()
  const markOf = async (id: number) => (await cs.call('cash/list', { id })).data[0]?.maybe_paid
  const { id } = await member.call('cash/ask', out('30'))
  await api.call('cash/take', { id, reference: 'FT-5' })
  await api.call('cash/giveBack', { id })
  await passTime(id, 'lease').catch(() => {})
  expect(await markOf(id)).toBeUndefined()
  expect((await cs.call('cash/list', { id })).data[0]?.bank_reference).toBe('')
  await api.call('cash/take', { id, reference: 'FT-6' })
  await passTime(id, 'lease')
  await cs.call('cash/take', { id })
  expect(await markOf(id)).toEqual({ key: 'test', reference: 'FT-6' })
  await cs.call('cash/refuse', { id, reason: 'not paid', looked: 1 })
  expect(await walletsOf(server, member)).toEqual([100, 0])
  // Points in are given by the call alone, so nothing can have been paid; nor by a person, who is asked.
  const { id: into } = await member.call('cash/ask', { direction: 'in', amount: '5' })
  await api.call('cash/take', { id: into })
  await passTime(into, 'lease')
  await ledger.expireDue()
  expect(await markOf(into)).toBeUndefined()
  await cs.call('cash/take', { id: into })
  await passTime(into, 'lease')
  await ledger.expireDue()
  expect(await markOf(into)).toBeUndefined()
})

test('[API-03] a key and a person go for one request 200 times: each time exactly one pays it', async () => {
  const { agent, cs, api, tried } = await prepared()
  const members = await Promise.all(
    Array.from({ length: 20 }, () => server.person({ role: Role.member, under: agent })),
  )
  const counts = { key: 0, person: 0 }
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      members.map(async (member) => {
        const { id } = await member.call('cash/ask', { direction: 'in', amount: '1' })
        const byPerson = async () => {
          const taken = await cs.ask('cash/take', { id })
          return taken.refusal ?? (await cs.ask('cash/pay', { id, amount: '1' })).refusal ?? 'paid'
        }
        const taking = tried('cash/take', { id })
        const byKey = async () => {
          const taken = await taking
          if (taken !== 'done') return taken
          return (await tried('cash/pay', { id, amount: '1' })) === 'done' ? 'paid' : 'lost'
        }
        // A call of a key has more to look up: together the person is first. So the person also comes a call later, and
        // while the key pays.
        const starts = [undefined, () => api.call('platform/view', {}), () => taking]
        const personLater = async () => {
          await starts[round % 3]?.()
          return byPerson()
        }
        const [person, key] = await Promise.all([personLater(), byKey()])
        expect([person, key].filter((found) => found === 'paid')).toHaveLength(1)
        expect(['cash.taken', 'cash.ended', 'paid']).toContain(person)
        expect(['cash.taken', 'cash.ended', 'paid']).toContain(key)
        counts[key === 'paid' ? 'key' : 'person']++
      }),
    )
  }
  expect(counts.key + counts.person).toBe(200)
  // A person who comes while the key pays is too late.
  expect(counts.key).toBeGreaterThanOrEqual(60)
  const sums = await many<{ balance: bigint }>(
    db,
    sql`select balance from wallets where kind = 1 and account_id = any(${members.map(({ id }) => id)}::int[])`,
  )
  expect(new Set(sums.map(({ balance }) => balance))).toEqual(new Set([100_000n]))
  await isWhole()
}, 120_000)

test('[API-01] a right that is withdrawn while a payment runs takes effect before or after it, never within', async () => {
  const { member, api, out, tried } = await prepared()
  const { id } = await member.call('cash/ask', out('30'))
  await api.call('cash/take', { id })
  const paying = { id, amount: '30', request_id: randomUUID() }
  const { answer } = await db.transact(async (tx) => {
    await run(tx, sql`update api_keys set rights = '{}' where id = ${api.id}`)
    // It has passed the first check, and its batch waits for the key.
    const late = api.post('cash/pay', paying)
    await vi.waitFor(async () => {
      const waiting = sql`select 1 as is from pg_stat_activity where wait_event_type = 'Lock' and query like '%k.rights from api_keys%'`
      expect(await besideTransaction(() => one(db, waiting))).toBeDefined()
    })
    return { answer: late }
  })
  const { status, reply } = await answer
  expect([status, outcomeOf(reply), reply.data]).toEqual([403, 'api.not_allowed', { right: 'cash:fulfil' }])
  expect(await walletsOf(server, member)).toEqual([70, 30])
  await db.transact((tx) => saveTerms(tx, api.id, { ...noTerms, rights: ['cash:fulfil'] }, 'UTC'))
  // The refusal was not stored: the same request is made now.
  expect(await tried('cash/pay', paying)).toBe('done')
  await isWhole()
})
