import { Role, TransferKind } from '@tallyroom/contract/codes'
import { beforeAll, expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type TestServer, startTestServer } from '../../testing/app.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

test('[HOME-01] [SR02-04] points by day equal the report’s, for heads and their own downline', async () => {
  const { top, agent, cs, member } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent, points: '500' })
  const theirs = await server.person({ role: Role.member, under: sub })
  const sibling = await server.person({ role: Role.agent, under: top, points: '500' })
  const foreign = await server.person({ role: Role.member, under: sibling })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '12.3456' })
  await agent.call('user/transaction', { id: member.id, amount: '-2.3', remark: 'back' })
  await sub.call('transaction/add', { member_id: theirs.id, type: TransferKind.gift, amount: '7' })
  await sibling.call('transaction/add', { member_id: foreign.id, type: TransferKind.gift, amount: '300' })
  const { days } = await agent.call('home/view', {})
  expect(days).toHaveLength(7)
  const today = days.at(-1)
  expect(today).toMatchObject({ total_in: '19.3456', total_out: '2.3000' })
  expect(days[0]).toMatchObject({ total_in: '0.0000', total_out: '0.0000' })
  const range = { start_date: days[0]?.day ?? '', end_date: today?.day ?? '' }
  expect((await agent.call('report/sr02', range)).total).toEqual({ total_in: '19.3456', total_out: '2.3000' })
  expect((await sub.call('home/view', {})).days.at(-1)).toMatchObject({ total_in: '7.0000', total_out: '0.0000' })
  expect((await top.call('home/view', {})).days.at(-1)).toMatchObject({ total_in: '319.3456' })
  // SR02 is not for customer service, so its days are empty.
  expect((await cs.call('home/view', {})).days).toEqual([])
  expect(await member.ask('home/view', {})).toBeRefusal('access.denied')
})

test('[HOME-01] only open envelopes of visible members count', async () => {
  const { agent, cs, member, top } = await server.family()
  const other = await server.family()
  for (const { id } of [member, other.member])
    await run(server.services.db, sql`update accounts set withdraw_confirm = 1 where id = ${id}`)
  const first = await agent.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5' })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '2.5' })
  await other.agent.call('transaction/add', { member_id: other.member.id, type: TransferKind.send, amount: '50' })
  const open = { offers: 2, held: '7.5000', requests: 0, asked: '0.0000' }
  for (const viewer of [agent, cs, top]) expect((await viewer.call('home/view', {})).open).toEqual(open)
  await member.call('envelope/answer', { transaction_id: first.transaction_id, accept: true })
  for (const viewer of [agent, cs]) expect((await viewer.call('home/view', {})).open).toMatchObject({ held: '2.5000' })
})

test('[HOME-01] who can spend the least and who signed in last, from the own downline, masked if names are masked', async () => {
  const { top, agent, cs } = await server.family()
  const [rich, poor, endless] = [
    await server.person({ role: Role.agent, under: agent, points: '900' }),
    await server.person({ role: Role.agent, under: agent, points: '1', limit: '20' }),
    await server.person({ role: Role.agent, under: agent, unlimited: true }),
  ]
  const { low, sign_ins } = await agent.call('home/view', {})
  expect(low.map(({ id, available }) => [id, available])).toEqual([
    [poor.id, '21.0000'],
    [rich.id, '900.0000'],
  ])
  expect(sign_ins.map(({ id }) => id)).toEqual([endless.id, poor.id, rich.id, cs.id])
  expect(sign_ins[0]?.at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expect(sign_ins[0]?.username).toBe(endless.username)
  await top.call('user/saveAbilities', { id: agent.id, masks_usernames: 1 })
  const masked = JSON.stringify(await agent.call('home/view', {}))
  for (const { username } of [rich, poor, endless, cs]) expect(masked).not.toContain(username)
  const forCs = await cs.call('home/view', {})
  expect([forCs.low, forCs.sign_ins]).toEqual([[], []])
  const seen = await poor.call('home/view', {})
  expect([seen.low, seen.sign_ins]).toEqual([[], []])
})

test('[RIGHT-01] without a page its figures are not on the first page either', async () => {
  const { top, agent, cs, member } = await server.family()
  const sub = await server.person({ role: Role.agent, under: agent, points: '5' })
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '1' })
  const take = (...names: ('sr02' | 'agent' | 'customer_service' | 'transaction_log')[]) =>
    top.call('right/save', { id: agent.id, rights: names.map((name) => ({ name, given: false })) })
  const seen = async () => {
    const { days, open, low, sign_ins } = await agent.call('home/view', {})
    return [days.length, open !== null, low.map(({ id }) => id), sign_ins.map(({ id }) => id)]
  }
  expect(await seen()).toEqual([7, true, [sub.id], [sub.id, cs.id]])
  await take('sr02', 'transaction_log')
  expect(await seen()).toEqual([0, false, [sub.id], [sub.id, cs.id]])
  await take('agent')
  expect(await seen()).toEqual([0, false, [], [cs.id]])
  await take('customer_service')
  expect(await seen()).toEqual([0, false, [], []])
})
