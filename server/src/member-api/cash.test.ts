import { randomUUID } from 'node:crypto'
import { Role, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, run, sql } from '../data/sql.ts'
import { startTestServer } from '../testing/app.ts'
import { cashFamily, walletsOf } from '../testing/cash.ts'
import { asSuperuser } from '../testing/postgres.ts'
import { platform } from '../testing/fakes/platform.ts'

const server = await startTestServer()

test('[CASH-07] the platform asks in a member’s name, reads requests and takes them back; each is repeatable', async () => {
  const { top, cs, member } = await cashFamily(server)
  const api = await platform(server, top)
  const ask = { username: member.username, direction: 'out', amount: '30', request_id: randomUUID() }
  const asked = (await api.call('cash/ask', ask)) as { id: number }
  expect(asked).toMatchObject({ state: 'asked', balance: '70.0000' })
  expect(await api.call('cash/ask', ask)).toEqual(asked)
  expect(await walletsOf(server, member)).toEqual([70, 30])
  expect(await api.call('cash/list', { username: member.username })).toMatchObject({
    data: [{ id: asked.id, direction: 'out', amount: '30.0000', state: 'asked', transaction_id: null }],
  })
  // The group sees the card with the member's first bank account.
  expect((await cs.call('cash/list', { id: asked.id })).data[0]).toMatchObject({
    bank: 'North',
    account_no: '****5678',
  })
  await api.call('cash/withdraw', { id: asked.id })
  expect(await walletsOf(server, member)).toEqual([100, 0])
  await run(server.services.db, sql`update accounts set status = 0 where id = ${member.id}`)
  const frozen = await api.post('cash/ask', { ...ask, request_id: randomUUID() })
  expect(frozen.reply.refusal).toBe('transfer.frozen')
  expect(await walletsOf(server, member)).toEqual([100, 0])
  const strangers = await platform(server, (await server.family()).top)
  const { reply } = await strangers.post('cash/withdraw', { id: asked.id, request_id: randomUUID() })
  expect(reply.refusal).toBe('cash.not_found')
  expect(await strangers.call('cash/list', {})).toEqual({ data: [], next: null, cursor: null })
})

test('[CASH-07] webhooks tell when a request is asked and taken and how it ends, and of its transfer once', async () => {
  const { top, cs, member, out } = await cashFamily(server)
  const { db } = server.services
  await run(db, sql`update settings set api_url = 'https://platform.example/hook' where account_id = ${top.id}`)
  const paid = await member.call('cash/ask', out('30'))
  await cs.call('cash/take', { id: paid.id })
  const { transaction_id } = await cs.call('cash/pay', { id: paid.id, amount: '30' })
  const refused = await member.call('cash/ask', { direction: 'in', amount: '4' })
  await cs.call('cash/take', { id: refused.id })
  await cs.call('cash/giveBack', { id: refused.id })
  await cs.call('cash/take', { id: refused.id })
  await cs.call('cash/refuse', { id: refused.id, reason_code: 'no_payment', reason: 'no money came' })
  const told = await many<{ kind: string; payload: Record<string, unknown> }>(
    db,
    sql`select kind, payload from webhooks where top_id = ${top.id} order by id`,
  )
  // Its transfer is made in the same batch; that of points out was there since the request.
  const paidIn = await member.call('cash/ask', { direction: 'in', amount: '5' })
  await cs.call('cash/take', { id: paidIn.id })
  const given = await cs.call('cash/pay', { id: paidIn.id, amount: '5' })
  const [last] = await many<{ payload: unknown }>(
    db,
    sql`select payload from webhooks where top_id = ${top.id} and kind = 'request.paid' order by id desc limit 1`,
  )
  expect(last?.payload).toMatchObject({ id: paidIn.id, transaction_id: given.transaction_id })
  // The transfer and its request are written at once.
  expect(told.map(({ kind }) => kind).filter((kind) => kind !== 'transfer.settled')).toEqual([
    'request.asked',
    'request.taken',
    'request.paid',
    'request.asked',
    'request.taken',
    'request.released',
    'request.taken',
    'request.refused',
  ])
  expect(told.filter(({ kind }) => kind === 'transfer.settled')).toHaveLength(1)
  const of = (kind: string) => told.find((one) => one.kind === kind)?.payload
  expect(of('request.paid')).toMatchObject({
    id: paid.id,
    username: member.username,
    third_party_id: null,
    amount: '30.0000',
    operator: cs.username,
    transaction_id,
  })
  expect(of('request.refused')).toMatchObject({
    reason_code: 'no_payment',
    reason: 'no money came',
    transaction_id: null,
  })
  expect(of('transfer.settled')).toMatchObject({
    transaction_id,
    operator: cs.username,
    status: TransferStatus.success,
  })
})

test('[CASH-07] webhooks tell who has taken a request, and when nobody has it any more', async () => {
  const { top, agent, cs, member, out } = await cashFamily(server)
  const { db } = server.services
  const told = async () => {
    const rows = await many<{ kind: string; operator: string | null; state: string; transactionId: string | null }>(
      db,
      sql`select kind, payload->>'operator' as operator, payload->>'state' as state,
          payload->>'transaction_id' as "transactionId" from webhooks where top_id = ${top.id} order by id`,
    )
    return rows.map(({ kind, operator, state, transactionId }) => [kind, operator, state, transactionId])
  }
  const endLease = () => run(db, sql`update cash_requests set lease_until = now() - interval '1 s' where id = ${id}`)
  const { id } = await member.call('cash/ask', out('30'))
  // Without an address nothing is kept.
  await cs.call('cash/take', { id })
  await cs.call('cash/giveBack', { id })
  expect(await told()).toEqual([])
  await run(db, sql`update settings set api_url = 'https://platform.example/hook' where account_id = ${top.id}`)
  await cs.call('cash/take', { id })
  // Neither a renewed lease nor taking one's own again is an event.
  await cs.call('cash/renew', { id })
  await cs.call('cash/take', { id })
  expect(await told()).toEqual([['request.taken', cs.username, 'taken', null]])
  // Taken over after the lease, without a release between.
  await endLease()
  await agent.call('cash/take', { id })
  await endLease()
  await server.services.ledger.expireDue()
  expect((await told()).slice(1)).toEqual([
    ['request.taken', agent.username, 'taken', null],
    ['request.released', agent.username, 'asked', null],
  ])
  // The end of a request that nobody has taken is an event as before.
  await member.call('cash/withdraw', { id })
  expect((await told()).slice(3)).toEqual([['request.withdrawn', member.username, 'withdrawn', null]])
  // What is refused leaves no event: it would be one of nothing.
  await expect(cs.call('cash/take', { id })).rejects.toThrow('has already ended')
  expect(await told()).toHaveLength(4)
})

test('[API-03] requests are read by the time they were asked, in pages, and by cursor what has changed since', async () => {
  const { top, agent, cs, member } = await cashFamily(server)
  const api = await platform(server, top)
  type Page = { data: { id: number; state: string }[]; next: number | null; cursor: string }
  const list = async (search: object) => (await api.call('cash/list', search)) as Page
  const idsOf = ({ data }: Page) => data.map(({ id }) => id)
  const others = await Promise.all(['b', 'c'].map(() => server.person({ role: Role.member, under: agent })))
  const ids: number[] = []
  for (const one of [member, ...others]) ids.unshift((await one.call('cash/ask', { direction: 'in', amount: '5' })).id)
  const [newest, middle, oldest] = ids
  const first = await list({ per_page: 2 })
  expect([idsOf(first), first.next]).toEqual([[newest, middle], middle])
  expect(await list({ per_page: 2, before: middle })).toMatchObject({
    data: [{ id: oldest }],
    next: null,
    cursor: null,
  })
  const at = (id = 0, time = '') =>
    asSuperuser((tx) =>
      run(tx, sql`update cash_requests set asked_at = ${time}, changed_at = ${time} where id = ${id}`),
    )
  await at(oldest, '2026-11-20T10:00:00Z')
  await at(middle, '2026-11-20T11:00:00Z')
  await at(newest, '2026-11-20T12:00:00Z')
  expect(idsOf(await list({ since: '2026-11-20T11:00:00Z', until: '2026-11-20T12:00:00Z' }))).toEqual([middle])
  expect(idsOf(await list({ until: '2026-11-20T11:00:00.000Z' }))).toEqual([oldest])
  const { cursor } = await list({})
  expect(cursor).toBe('2026-11-20T11:58:00.000Z')
  await cs.call('cash/take', { id: oldest ?? 0 })
  const changed = await list({ changed_since: cursor })
  expect(changed.data.map(({ id, state }) => [id, state])).toEqual([
    [newest, 'asked'],
    [oldest, 'taken'],
  ])
  expect(changed.cursor > cursor).toBe(true)
  // Only what a platform can see is a change.
  await at(oldest, '2026-11-20T10:00:00Z')
  await cs.call('cash/renew', { id: oldest ?? 0 })
  expect(idsOf(await list({ changed_since: cursor }))).toEqual([newest])
  await cs.call('cash/giveBack', { id: oldest ?? 0 })
  expect(idsOf(await list({ changed_since: cursor, states: ['asked'] }))).toEqual([newest, oldest])
  const { reply } = await api.post('cash/list', { since: '2026-11-20 10:00:00' })
  expect(reply).toMatchObject({ refusal: 'request.invalid', data: { errors: [{ pointer: '/since' }] } })
})
