import { Role, TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { balanceOf, limit, passDeadline, waitingFor } from '../../testing/approvals.ts'

const server = await startTestServer({ ENVELOPE_CAP: '5000' })
const { db, ledger } = server.services
const give = async (by: Person, to: Person, amount: string) =>
  (await by.call('user/transaction', { id: to.id, amount, remark: 'x' })).approval === 1 ? 'waits' : 'moved'
const ofKind = async (by: Person, { id }: Person, type: number) =>
  (await by.call('limit/view', { id })).limits.find((one) => one.type === type)

test('[CAPS-01] unset means the upline’s own, and a higher limit below it does not help', async () => {
  const { top, agent, cs, member } = await server.family()
  expect(await give(cs, member, '300')).toBe('moved')
  await limit(top, agent, 1, { transfer: '100' })
  expect(await give(cs, member, '100.0001')).toBe('waits')
  expect(await give(agent, member, '101')).toBe('waits')
  await limit(agent, cs, 1, { transfer: '200' })
  expect(await give(cs, member, '150')).toBe('waits')
  expect(await give(cs, member, '100')).toBe('moved')
  await limit(agent, cs, 1, { transfer: '50' })
  expect(await give(cs, member, '51')).toBe('waits')
  expect(await ofKind(agent, cs, TransferKind.send)).toMatchObject({
    transfer: '50.0000',
    hour: null,
    effective: { transfer: '50.0000', hour: null },
    above: { transfer: { most: '100.0000', of: `Nick ${agent.username}` }, hour: null },
  })
  const sub = await server.person({ role: Role.agent, under: agent })
  const below = await server.person({ role: Role.agent, under: sub })
  const belowCs = await server.person({ role: Role.customerService, under: below })
  await limit(agent, sub, 1, { day: '70' })
  // It knows its upline, and nobody above that.
  expect((await ofKind(below, belowCs, TransferKind.send))?.above).toMatchObject({
    transfer: { most: '100.0000', of: '' },
    day: { most: '70.0000', of: `Nick ${sub.username}` },
  })
  expect(await ofKind(top, agent, TransferKind.send)).toMatchObject({
    transfer: '100.0000',
    effective: { transfer: '100.0000' },
  })
  // Other kinds, and the top account itself, have no limit.
  expect(
    (await cs.call('transaction/add', { member_id: member.id, type: TransferKind.gift, amount: '60' })).approval,
  ).toBeUndefined()
  expect(await give(top, agent, '4000')).toBe('moved')
  await limit(agent, cs, 1, {})
  expect(await give(cs, member, '60')).toBe('moved')
})

test('[CAPS-01] limits of an hour, a day, and a day with one member count together for all below', async () => {
  const { top, agent, cs, member } = await server.family()
  const other = await server.person({ role: Role.member, under: agent })
  const colleague = await server.person({ role: Role.customerService, under: agent })
  await limit(top, agent, 1, { hour: '100' })
  expect(await give(cs, member, '60')).toBe('moved')
  expect(await give(colleague, other, '41')).toBe('waits')
  expect(await give(agent, other, '40')).toBe('moved')
  expect(await give(cs, other, '0.0001')).toBe('waits')
  expect((await waitingFor(cs)).over).toBe('hour')
  expect((await ofKind(top, agent, TransferKind.send))?.used).toEqual({ hour: '100.0000', day: '100.0000' })
  // The next hour begins at 0, and so does the next day.
  await run(db, sql`update transfer_limits set hour = hour - interval '1 hour' where account_id = ${agent.id}`)
  expect(await give(cs, member, '100')).toBe('moved')
  await limit(top, agent, 1, { day: '200.0001' })
  expect(await give(cs, member, '0.0001')).toBe('moved')
  expect(await give(cs, member, '0.0001')).toBe('waits')
  await run(db, sql`update transfer_limits set day = day - 1 where account_id = ${agent.id}`)
  expect(await give(cs, member, '0.0001')).toBe('moved')
  await limit(top, agent, 1, { member: '10' })
  expect(await give(cs, member, '6')).toBe('moved')
  expect(await give(colleague, member, '5')).toBe('waits')
  expect(await give(colleague, other, '10')).toBe('moved')
  await run(db, sql`update member_limit_sums set day = day - 1 where account_id = ${agent.id}`)
  expect(await give(colleague, member, '10')).toBe('moved')
})

test('[CAPS-01] [CASH-03] a clock that jumps: sums of a later hour still count, and what is open then ends and frees its points', async () => {
  const { top, agent, cs, member } = await server.family()
  await limit(top, agent, 1, { hour: '100', day: '150' })
  expect(await give(cs, member, '90')).toBe('moved')
  // The clock was an hour and a day ahead when the sums were written, and is back: they are not forgotten.
  await run(
    db,
    sql`update transfer_limits set hour = hour + interval '1 hour', day = day + 1 where account_id = ${agent.id}`,
  )
  expect(await give(cs, member, '11')).toBe('waits')
  expect(await give(cs, member, '10')).toBe('moved')
  expect(await balanceOf(server, agent, 3)).toBe(11)
  // Ahead of its deadline the transfer that waits ends by itself.
  await passDeadline((await waitingFor(cs)).id)
  await ledger.expireDue()
  expect(await balanceOf(server, agent, 3)).toBe(0)
})

test('[CAPS-01] what somebody has approved does not count, and the installation’s cap stays the ceiling', async () => {
  const { top, agent, cs, member } = await server.family()
  await run(db, sql`update accounts set may_approve = 1 where id = ${agent.id}`)
  await limit(agent, cs, 1, { day: '100' })
  expect(await give(cs, member, '200')).toBe('waits')
  const { id, seen } = await waitingFor(agent)
  await agent.call('approval/approve', { id, seen })
  expect(await give(cs, member, '100')).toBe('moved')
  await top.call('user/transaction', { id: agent.id, amount: '9000', remark: 'x' })
  const over = await cs.ask('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '5001' })
  expect(over.refusal).toBe('transfer.over_envelope_cap')
  expect((await agent.call('limit/view', { id: cs.id })).ceiling).toEqual({ envelope: '5000.0000', day: null })
})

test('[CAPS-01] 50 at once against one hourly limit move exactly what it allows', async () => {
  const { top, agent, cs, member } = await server.family()
  const staff = [
    cs,
    await server.person({ role: Role.customerService, under: agent }),
    await server.person({ role: Role.customerService, under: agent }),
  ]
  await limit(top, agent, 1, { hour: '100' })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => give(staff[at % 3] as Person, member, '7')))
  expect(answers.filter((answer) => answer === 'moved')).toHaveLength(14)
  expect(await balanceOf(server, member)).toBe(98)
  expect(await balanceOf(server, agent, 3)).toBe(36 * 7)
})

test('[CAPS-01] limits are set by an upline, within a group that it sees, and written into the audit log', async () => {
  const { top, agent, cs, member } = await server.family()
  await limit(agent, cs, 1, { transfer: '5' })
  const saved = { limits: [{ type: TransferKind.send, transfer: '1', hour: null, day: null, member: null }] } as const
  const refusal = async (by: Person, id: number) =>
    (await by.ask('limit/save', { id, limits: [...saved.limits] })).refusal
  expect(await refusal(agent, agent.id)).toBe('account.not_yourself')
  expect(await refusal(agent, member.id)).toBe('access.denied')
  expect(await refusal(agent, top.id)).toBe('account.not_found')
  expect(await refusal(cs, cs.id)).toBe('access.denied')
  const { data } = await top.call('audit/list', { kind: 'limits_changed' })
  expect(data[0]).toMatchObject({
    target_id: cs.id,
    facts: [{ field: 'limit_1_transfer', before: null, after: '5.0000' }],
  })
  expect((await agent.call('userMenu/list', {})).map(({ url }) => url)).toContain('/approvals')
})
