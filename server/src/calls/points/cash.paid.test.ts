import { TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { approve, limit, waitingFor } from '../../testing/approvals.ts'
import { cashFamily, walletsOf } from '../../testing/cash.ts'

const server = await startTestServer()
const { db } = server.services
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const row = async (viewer: Person, id: number) => (await viewer.call('cash/list', { id })).data[0]

test('[CASH-12] a payment carries the bank’s reference: in the queue, its file, the transfer and the audit log', async () => {
  const { top, agent, cs, member, taken, out } = await cashFamily(server)
  const id = await taken(cs)
  const { transaction_id } = await cs.call('cash/pay', { id, amount: '30', bank_reference: ' MBB-7741 ' })
  expect(await row(cs, id)).toMatchObject({ state: 'paid', bank_reference: 'MBB-7741' })
  expect(await cs.call('transaction/view', { transaction_id })).toMatchObject({ bank_reference: 'MBB-7741' })
  expect((await agent.call('cash/export', {})).csv).toContain('MBB-7741')
  const paid = (await top.call('audit/list', {})).data.find(({ kind }) => kind === 'cash_paid')
  expect(paid?.facts).toContainEqual({ field: 'bank_reference', before: null, after: 'MBB-7741' })
  // The next payment has none, and says none.
  const { id: second } = await member.call('cash/ask', out('10'))
  await cs.call('cash/take', { id: second })
  const other = await cs.call('cash/pay', { id: second, amount: '10' })
  expect((await row(cs, second))?.bank_reference).toBe('')
  expect(await cs.call('transaction/view', other)).not.toHaveProperty('bank_reference')
  // What the office notes is not for the member.
  expect(JSON.stringify(await member.call('cash/view', {}))).not.toContain('MBB')
})

test('[CASH-12] [CAPS-02] the reference of a payment above a limit is kept until it is approved', async () => {
  const { top, agent, cs, taken } = await cashFamily(server)
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  await limit(agent, cs, 2, { transfer: '10' })
  const id = await taken(cs)
  await cs.call('cash/pay', { id, amount: '30', bank_reference: 'MBB-9' })
  expect(await row(cs, id)).toMatchObject({ state: 'taken', bank_reference: '' })
  expect(await waitingFor(agent)).toMatchObject({ cash_id: id, bank_reference: 'MBB-9' })
  await approve(agent)
  expect(await row(cs, id)).toMatchObject({ state: 'paid', bank_reference: 'MBB-9' })
})

test('[CASH-12] a bank account that was changed since the payer looked at it is refused, and nothing moves', async () => {
  const { top, cs, member, account, taken } = await cashFamily(server)
  const id = await taken(cs)
  const account_version = (await row(cs, id))?.account_version ?? null
  expect(account_version).toBe('0')
  const { id: bank_id } = await top.call('orderType/save', { name: 'South' })
  const changed = { member_id: member.id, exist_data_id: account.id, bank_id, account_no: '87654321' }
  await cs.call('members/bank-account/create', changed)
  const pay = { id, amount: '30' }
  expect((await cs.ask('cash/pay', { ...pay, account_version })).refusal).toBe('cash.account_changed')
  expect(await walletsOf(server, member)).toEqual([70, 30])
  const now = (await row(cs, id))?.account_version ?? null
  expect(now).not.toBe(account_version)
  await cs.call('cash/pay', { ...pay, account_version: now })
  expect(await walletsOf(server, member)).toEqual([70, 0])
  await isSound()
})

test('[CASH-12] [CAPS-02] who sends points sees who may approve what is above its limit', async () => {
  const { top, agent, cs, member } = await cashFamily(server)
  const approver = async () => {
    const { offers } = await cs.call('member/view', { member_id: member.id })
    return offers.find(({ type }) => type === TransferKind.send)?.limit?.approver
  }
  expect(await approver()).toBeUndefined()
  await limit(agent, cs, 1, { transfer: '10' })
  const nameOf = (who: Person) => `Nick ${who.username}`
  expect(await approver(), 'an admin may always approve').toBe(nameOf(top))
  await top.call('user/saveAbilities', { id: agent.id, may_approve: 1 })
  expect(await approver(), 'the nearest who may').toBe(nameOf(agent))
  // Above a limit of the agent itself, the agent decides nothing.
  await limit(top, agent, 1, { transfer: '5' })
  expect(await approver()).toBe(nameOf(top))
})
