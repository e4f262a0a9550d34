import { randomUUID } from 'node:crypto'
import { OK } from '@tallyroom/contract'
import { Role, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { checkLedger } from '../ledger/check/check.ts'
import { one, run, sql } from '../data/sql.ts'
import { startTestServer } from '../testing/app.ts'
import { limit, waitingFor } from '../testing/approvals.ts'
import { platform } from '../testing/fakes/platform.ts'
import { outcomeOf } from '../testing/outcome.ts'

const server = await startTestServer()
const { db } = server.services

const prepared = async () => {
  const family = await server.family()
  const api = await platform(server, family.top)
  const { username } = family.member
  const key = await one<{ id: number }>(db, sql`select actor_id as id from api_keys where id = ${api.id}`)
  return { ...family, api, username, keyActor: { ...family.cs, id: key?.id ?? 0, username: api.id } }
}
type Moved = { transaction_id: string; status: number; balance: string; approval?: number }
const day = (by: number) => new Date(Date.now() + by * 86_400_000).toISOString().slice(0, 10)

test('[API-02] points are given and taken by the key’s own account, once, and the log and SR02 name it', async () => {
  const { top, api, username } = await prepared()
  const body = { username, amount: '30', remark: 'promotion', request_id: randomUUID() }
  const given = (await api.call('points/give', body)) as Moved
  expect(given).toEqual({ transaction_id: given.transaction_id, status: TransferStatus.success, balance: '30.0000' })
  expect(await api.call('points/give', body)).toEqual(given)
  expect(outcomeOf((await api.post('points/give', { ...body, amount: '31' })).reply)).toBe('request.id_reused')
  expect(await api.call('points/take', { username, amount: '10' })).toMatchObject({ balance: '20.0000' })
  expect(outcomeOf((await api.post('points/take', { username, amount: '21', request_id: randomUUID() })).reply)).toBe(
    'transfer.member_not_enough',
  )
  const range = { start_time: `${day(-1)} 00:00:00`, end_time: `${day(1)} 00:00:00` }
  const { data } = await top.call('transaction/list', { ...range, username: api.id })
  expect(data.map(({ user_username, amount, remark }) => [user_username, amount, remark])).toEqual([
    [api.id, '10.0000', ''],
    [api.id, '30.0000', 'promotion'],
  ])
  const sr02 = await top.call('report/sr02', { start_date: day(-1), end_date: day(1), by: 'service' })
  expect(JSON.stringify(sr02)).toContain(api.id)
  expect(await api.call('points/view', { transaction_id: given.transaction_id })).toEqual({
    transaction_id: given.transaction_id,
    username,
    third_party_id: null,
    type: TransferKind.send,
    wallet: 1,
    amount: '30.0000',
    status: TransferStatus.success,
    approval: null,
    remark: 'promotion',
    operator: api.id,
    created_at: expect.stringMatching(/Z$/) as string,
    corrected: false,
  })
  const stranger = await platform(server, (await server.family()).top)
  for (const name of ['points/give', 'points/take', 'points/offer'] as const)
    expect(outcomeOf((await stranger.post(name, { ...body, request_id: randomUUID() })).reply)).toBe(
      'account.not_found',
    )
  const view = await stranger.post('points/view', { transaction_id: given.transaction_id })
  expect(outcomeOf(view.reply)).toBe('transfer.not_found')
  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})

test('[API-02] [CAPS-01] above a limit of the key it waits like a person; its platform sees how it was decided', async () => {
  const { top, api, username, keyActor } = await prepared()
  await limit(top, keyActor, TransferKind.send, { transfer: '100' })
  expect(await api.call('points/give', { username, amount: '100' })).not.toHaveProperty('approval')
  const asked = (await api.call('points/give', { username, amount: '101', reason: 'Draw of May' })) as Moved
  expect(asked).toMatchObject({ approval: 1, status: TransferStatus.pending, balance: '100.0000' })
  const view = () => api.call('points/view', { transaction_id: asked.transaction_id })
  expect(await view()).toMatchObject({ approval: 'waiting', status: TransferStatus.pending })
  const row = await waitingFor(top)
  expect(row).toMatchObject({ maker_id: keyActor.id, reason: 'Draw of May' })
  await top.call('approval/approve', { id: row.id, seen: row.seen })
  expect(await view()).toMatchObject({ approval: 'approved', status: TransferStatus.success })
})

test('[API-02] an offer is in the member’s conversation and waits for its consent if it asks for that', async () => {
  const { member, api, username, agent } = await prepared()
  const offered = (await api.call('points/offer', { username, amount: '5', kind: 'gift', remark: 'thanks' })) as Moved
  expect(offered).toMatchObject({ status: TransferStatus.success, balance: '5.0000' })
  await api.call('points/offer', { username, amount: '1', kind: 'make_up', remark: 'sorry' })
  const noRemark = await api.post('points/offer', { username, amount: '1', kind: 'make_up', request_id: randomUUID() })
  expect(outcomeOf(noRemark.reply)).toBe('transfer.remark_needed')
  await agent.call('user/edit', { id: member.id, withdraw_confirm: 1 })
  const envelope = (await api.call('points/offer', { username, amount: '7' })) as Moved
  expect(envelope).toMatchObject({ status: TransferStatus.pending, balance: '6.0000' })
  await member.call('envelope/answer', { transaction_id: envelope.transaction_id, accept: true })
  expect(await api.call('points/view', { transaction_id: envelope.transaction_id })).toMatchObject({
    status: TransferStatus.success,
  })
  const { data } = await member.call('room/list', {})
  expect(JSON.stringify(data)).toContain('7.0000')
})

test('[API-01] a key that was revoked moves nothing, although its call has passed the first check', async () => {
  const { api, username } = await prepared()
  expect((await api.post('points/give', { username, amount: '1', request_id: randomUUID() })).reply.code).toBe(OK)
  await run(db, sql`update accounts set status = 0 where username = ${api.id}`)
  const late = await api.post('points/give', { username, amount: '1', request_id: randomUUID() })
  expect(outcomeOf(late.reply)).toBe('transfer.frozen')
})

test('[API-02] a key takes back what its platform’s wallet paid, once, and nothing else', async () => {
  const { top, agent, member, api, username } = await prepared()
  const given = (await api.call('points/give', { username, amount: '30' })) as Moved
  const correct = (id: string, request_id = randomUUID()) =>
    api.post('points/correct', { transaction_id: id, remark: 'twice', request_id })
  const request = randomUUID()
  const { reply } = await correct(given.transaction_id, request)
  expect(reply).toMatchObject({ code: OK, data: { status: TransferStatus.success, balance: '0.0000' } })
  expect((await correct(given.transaction_id, request)).reply).toEqual(reply)
  expect(outcomeOf((await correct(given.transaction_id)).reply)).toBe('transfer.already_corrected')
  expect(await api.call('points/view', { transaction_id: given.transaction_id })).toMatchObject({ corrected: true })
  const add = { member_id: member.id, type: TransferKind.send, amount: '4' }
  const byTop = await top.call('transaction/add', add)
  expect((await correct(byTop.transaction_id)).reply.code).toBe(OK)
  const byAgent = await agent.call('transaction/add', add)
  expect(outcomeOf((await correct(byAgent.transaction_id)).reply)).toBe('transfer.not_found')
  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})

test('[API-02] [CAPS-04] a guarded correction waits; the top account, which has the key, does not decide', async () => {
  const { top, api, username } = await prepared()
  const second = await server.person({ role: Role.admin, under: top })
  await top.call('change/saveRules', { kinds: ['correction'] })
  const ask = async () => {
    const { transaction_id } = (await api.call('points/give', { username, amount: '5' })) as Moved
    const asked = await api.call('points/correct', { transaction_id, remark: 'twice' })
    expect(asked).toMatchObject({ transaction_id, status: TransferStatus.pending, approval: 1 })
    expect((await top.call('change/list', {})).data).toEqual([])
    const [shown] = (await second.call('change/list', {})).data
    return { transaction_id, id: shown?.id ?? 0 }
  }
  const first = await ask()
  expect(await top.ask('change/approve', { id: first.id })).toBeRefusal('approval.not_found')
  await second.call('change/approve', { id: first.id })
  expect(await api.call('points/view', { transaction_id: first.transaction_id })).toMatchObject({ corrected: true })
  const later = await ask()
  await top.call('apiKey/set', { id: api.id, rights: ['points:give'] })
  expect(await second.ask('change/approve', { id: later.id })).toBeRefusal('access.denied')
})
