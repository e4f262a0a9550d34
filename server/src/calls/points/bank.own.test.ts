import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { startTestServer } from '../../testing/app.ts'
import { bankRules } from '../../testing/bank.ts'

const server = await startTestServer()

test('[CASH-11] the member enters its first bank account; the next, and every change, are the office’s', async () => {
  const { top, agent, cs, member } = await server.family()
  await agent.call('setting/save', { name: 'Room', cash_requests: 1 })
  const account = { bank_id: 1, account_name: 'Ann Lee', account_no: '12345678' }
  // Without bank accounts of members there is none to enter.
  expect(await member.ask('bank/addOwn', account)).toBeRefusal('account.not_found')
  await top.call('bank_setting/save', bankRules)
  expect((await member.call('cash/view', {})).first_account).toBeNull()
  const bank_id = (await top.call('orderType/save', { name: 'North' })).id
  const { first_account } = await member.call('cash/view', {})
  expect(first_account?.banks).toEqual([{ id: bank_id, name: 'North' }])
  const own = { ...account, bank_id, account_no: first_account?.code ? '123456__12345678' : '12345678' }
  expect(await member.ask('bank/addOwn', { ...own, account_no: '12 + 34' })).toBeRefusal('bank.number_invalid')
  const answers = await Promise.all(Array.from({ length: 5 }, () => member.ask('bank/addOwn', own)))
  expect(answers.filter(({ code }) => code === OK)).toHaveLength(1)
  const view = await member.call('cash/view', {})
  expect([view.first_account, view.accounts.length]).toEqual([null, 1])
  expect((await cs.call('members/bank-card', { member_id: member.id })).data).toMatchObject([
    { account_name: 'Ann Lee' },
  ])
  expect(await member.ask('bank/addOwn', own)).toBeRefusal('bank.too_many')
})
