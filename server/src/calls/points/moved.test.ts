import { Role } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { checkLedger } from '../../ledger/check/check.ts'
import { startTestServer } from '../../testing/app.ts'
import { limit } from '../../testing/approvals.ts'
import { cashFamily, walletsOf } from '../../testing/cash.ts'

const server = await startTestServer({ DAY_CAP: '150' })
const { db, ledger } = server.services
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])

test('[CASH-04] [CAPS-01] paying a request counts for the cap of the day, as every other transfer does', async () => {
  // It gives the member 100 of 150.
  const { cs, member } = await cashFamily(server)
  const pay = async (amount: string) => {
    const { id } = await member.call('cash/ask', { direction: 'in', amount })
    await cs.call('cash/take', { id })
    const { refusal } = await cs.ask('cash/pay', { id, amount })
    if (refusal) await cs.call('cash/refuse', { id, reason: 'the cap' })
    return refusal
  }
  expect(await pay('50.0001')).toBe('transfer.over_day_cap')
  expect(await pay('30')).toBeUndefined()
  expect(await pay('20.0001')).toBe('transfer.over_day_cap')
  expect(await pay('20')).toBeUndefined()
  expect(await walletsOf(server, member)).toEqual([150, 0])
  await isSound()
})

test('[CAPS-01] [CONV-14] the cap of a day is for members, and said before an amount is typed', async () => {
  const { top, agent, member } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent })
  await top.call('user/transaction', { id: agent.id, amount: '1000', remark: 'x' })
  const most = async (id: number) =>
    (await agent.call('member/view', { member_id: id, from: 'list' })).offers.find(({ type }) => type === 1)?.most
  expect(await most(member.id)).toBe('150.0000')
  expect(Number(await most(sub.id))).toBeGreaterThanOrEqual(1000)
})

test.for(['in', 'out'] as const)(
  '[CASH-03] [TREE-03] a member who is moved while it asks for points %s is refused, and can ask the new group',
  async (direction) => {
    const { top, agent, account, member } = await cashFamily(server)
    const to = await server.person({ role: Role.agent, under: top, points: '10' })
    const plain = { ...ledger }
    const ask = () => member.ask('cash/ask', { direction, amount: '5', account_id: account.id })
    ledger.askForPoints = async (order) => {
      await top.call('tree/move', { id: member.id, to_id: to.id })
      return plain.askForPoints(order)
    }
    try {
      expect((await ask()).refusal).toBe('room.not_found')
    } finally {
      Object.assign(ledger, plain)
    }
    expect(await walletsOf(server, member)).toEqual([100, 0])
    expect((await ask()).code).toBe(OK)
    const seen = async (who: typeof to) => (await who.call('cash/list', { states: ['asked'] })).data.length
    expect([await seen(to), await seen(agent)]).toEqual([1, 0])
    await isSound()
  },
)

test('[CAPS-01] [TREE-03] a transfer on its way while its maker is moved is above a limit of the new upline', async () => {
  const { top, agent } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent, points: '900' })
  const member = await server.person({ role: Role.member, under: sub })
  const to = await server.person({ role: Role.agent, under: top, points: '10' })
  await limit(top, to, 1, { transfer: '100' })
  const plain = { ...ledger }
  ledger.move = async (order) => {
    await top.call('tree/move', { id: sub.id, to_id: to.id })
    return plain.move(order)
  }
  try {
    expect(await sub.call('user/transaction', { id: member.id, amount: '100.0001' })).toMatchObject({ approval: 1 })
  } finally {
    Object.assign(ledger, plain)
  }
  expect(await sub.call('user/transaction', { id: member.id, amount: '20' })).not.toHaveProperty('approval')
  await isSound()
})
