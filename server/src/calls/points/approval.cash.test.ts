import { MessageType, TransferKind, TransferStatus } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { approve, balanceOf, limit, limitedFamily, passDeadline, waitingFor } from '../../testing/approvals.ts'
import { cashFamily, passTime, walletsOf } from '../../testing/cash.ts'

const server = await startTestServer()
const { db, ledger } = server.services
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const refusal = async (answer: Promise<{ refusal?: string | undefined }>) => (await answer).refusal

test('[CAPS-02] paying a request above the limit waits: the request stays taken, and approval ends it', async () => {
  const { top, agent, cs, member, taken, room } = await cashFamily(server)
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  await limit(agent, cs, 2, { transfer: '10' })
  const id = await taken(cs)
  const paid = await cs.call('cash/pay', { id, amount: '30' })
  expect(paid).toMatchObject({ state: 'taken', status: TransferStatus.pending, approval: 1 })
  expect(await walletsOf(server, member)).toEqual([70, 30])
  await isSound()
  const card = async () =>
    (await member.call('room/enter', { code: room })).messages.find(({ type }) => type === MessageType.cash)?.cash
  // The group sees that the payment waits; its member sees a request that is being handled.
  expect((await cs.call('room/enter', { code: room })).messages.at(-1)?.cash).toMatchObject({ approval: 1 })
  expect(await card()).toMatchObject({ state: 'taken', taken_name: '' })
  expect(await card()).not.toHaveProperty('approval')
  expect((await member.call('cash/view', {})).open).toMatchObject({ state: 'taken' })
  for (const act of ['cash/giveBack', 'cash/take'] as const)
    expect(await refusal(cs.ask(act, { id }))).toBe('cash.in_approval')
  expect(await refusal(cs.ask('cash/pay', { id, amount: '30' }))).toBe('cash.in_approval')
  await cs.call('cash/renew', { id })
  const first = await waitingFor(agent)
  expect(first).toMatchObject({ cash_id: id, target: { before: '100.0000', after: '70.0000' } })
  await agent.call('approval/refuse', { id: first.id, reason: 'no' })
  expect(await card()).not.toHaveProperty('approval')
  await cs.call('cash/pay', { id, amount: '30', remark: 'bank' })
  await approve(agent)
  expect(await card()).toMatchObject({ state: 'paid' })
  expect(await walletsOf(server, member)).toEqual([70, 0])
  expect((await cs.call('cash/list', { id })).data[0]).toMatchObject({
    state: 'paid',
    ended_name: `Nick ${cs.username}`,
  })
  await isSound()

  await limit(agent, cs, 1, { transfer: '10' })
  const { id: second } = await member.call('cash/ask', { direction: 'in', amount: '50' })
  await cs.call('cash/take', { id: second })
  expect(await cs.call('cash/pay', { id: second, amount: '50' })).toMatchObject({ state: 'taken', approval: 1 })
  expect(await balanceOf(server, agent, 3)).toBe(50)
  await isSound()
  await passDeadline((await waitingFor(cs)).id)
  await ledger.expireDue()
  expect(await balanceOf(server, agent, 3)).toBe(0)
  await cs.call('cash/pay', { id: second, amount: '50' })
  await approve(agent)
  expect(await walletsOf(server, member)).toEqual([120, 0])
  await isSound()
})

test('[CAPS-02] [CASH-04] a bank account removed while the payment waits: a clear answer, and nothing stays held', async () => {
  const { top, agent, cs, member, account, taken } = await cashFamily(server)
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  await limit(agent, cs, 2, { transfer: '10' })
  const id = await taken(cs)
  await cs.call('cash/pay', { id, amount: '30' })
  await top.call('members/bank-card/delete', { member_id: member.id, id: account.id })
  const shown = await waitingFor(agent)
  expect(await refusal(agent.ask('approval/approve', { id: shown.id, seen: shown.seen }))).toBe('cash.account_gone')
  expect(await walletsOf(server, member)).toEqual([70, 30])
  await agent.call('approval/refuse', { id: shown.id, reason: 'The account is gone' })
  await cs.call('cash/refuse', { id, reason: 'Which account?' })
  expect(await walletsOf(server, member)).toEqual([100, 0])
  await isSound()
})

test('[CAPS-02] [CASH-04] turnover, event mode and a freeze while the payment waits refuse it, and its end frees the points', async () => {
  const { top, agent, cs, member, taken } = await cashFamily(server)
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  await limit(agent, cs, 2, { transfer: '10' })
  const id = await taken(cs)
  await cs.call('cash/pay', { id, amount: '30' })
  const approving = async (meanwhile?: () => Promise<void>) => {
    const { id: approval, seen } = await waitingFor(agent)
    await meanwhile?.()
    return refusal(agent.ask('approval/approve', { id: approval, seen }))
  }
  await agent.call('user/transaction', { id: member.id, amount: '1', remark: 'x' })
  expect(await approving()).toBe('transfer.flow_limit_open')
  await server.meetTurnover(member)
  await run(db, sql`update accounts set event_mode = 1 where id = ${member.id}`)
  expect(await approving()).toBe('transfer.event_mode')
  const freeze = () => run(db, sql`update accounts set event_mode = 0, status = 0 where id = ${member.id}`)
  // The server's own sweep may have ended it by now.
  expect(await approving(freeze)).toMatch(/^(transfer\.frozen|approval\.ended)$/)
  // The job ends the approval of a frozen side; its taker has the request again.
  await ledger.expireDue()
  expect((await cs.call('cash/list', { id })).data[0]).toMatchObject({ state: 'taken', taken_by: cs.id })
  await passTime(id, 'lease')
  await passTime(id, 'deadline')
  await ledger.expireDue()
  expect(await walletsOf(server, member)).toEqual([101, 0])
  await isSound()
})

test('[HIST-03] the record of envelopes says what was an envelope, a request, approved or moved at once', async () => {
  const { agent, cs, member, room } = await limitedFamily(server)
  await agent.call('setting/save', { cash_requests: 1 })
  const send = { member_id: member.id, type: TransferKind.send, code: room, reason: 'x' } as const
  await cs.call('transaction/add', { ...send, amount: '100' })
  await server.meetTurnover(member)
  await member.call('cash/ask', { direction: 'out', amount: '5' })
  await cs.call('transaction/add', { ...send, amount: '300' })
  await approve(agent)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  await cs.call('transaction/add', { ...send, amount: '7' })
  const made = async (who: Person) => {
    const [start, end] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    const { data } = await who.call('redEnvelope/record', {
      start_time: `${start} 00:00:00`,
      end_time: `${end} 23:59:59`,
    })
    return data.map((row) => [row.amount, row.made_as])
  }
  const [last, third, second, first] = ['7.0000', '300.0000', '5.0000', '100.0000']
  expect(await made(cs)).toEqual([
    [last, 'envelope'],
    [third, 'approval'],
    [second, 'request'],
    [first, 'direct'],
  ])
  expect((await made(member))[1], 'a member does not learn what needed approval').toEqual([third, 'direct'])
})
