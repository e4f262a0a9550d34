import { TransferKind } from '@tallyroom/contract/codes'
import { OK } from '@tallyroom/contract'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer({ ENVELOPE_CAP: '100', DAY_CAP: '250.5' })
const { db, ledger } = server.services

const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const bet = (top: Person, member: Person, betId: string, amount: bigint, valid = amount) =>
  ledger.bet({ topId: top.id, memberId: member.id, betId, amount, valid })

test('[FLOW-01] [TRF-13] member/flowLimit shows each credit’s turnover and how far bets have filled it, oldest first', async () => {
  const { top, agent, cs, member, room } = await server.family()
  await run(db, sql`update accounts set transfer_member_flow_limit_multiple = 3 where id = ${cs.id}`)
  await agent.call('user/transaction', { id: member.id, amount: '10' })
  await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '2',
    code: room,
    audit_amount: '0',
  })
  await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.gift,
    amount: '1.5',
    audit_amount: '0.1',
  })
  const shown = async (who: Person) => {
    const { data, open, total } = await who.call('member/flowLimit', {
      member_id: member.id,
      user_id: who.id,
      page: 1,
      per_page: 50_000,
    })
    expect(total).toBe(data.length)
    return [open, ...data.map((row) => [row.type, row.limit_flowAmount, row.valid_flowAmount, row.status])]
  }
  expect(await shown(agent)).toEqual([
    '17.5000',
    [3, '1.5000', '0.0000', 0],
    [1, '6.0000', '0.0000', 0],
    [1, '10.0000', '0.0000', 0],
  ])
  // 11 of it counts: it fills the first limit, and the rest goes to the next. A bet counts once.
  await bet(top, member, 'a', 120_000n, 110_000n)
  await bet(top, member, 'a', 120_000n, 110_000n)
  const after = ['6.5000', [3, '1.5000', '0.0000', 0], [1, '6.0000', '1.0000', 0], [1, '10.0000', '10.0000', 1]]
  for (const who of [top, agent, cs, member]) expect(await shown(who), who.username).toEqual(after)
  expect((await member.call('member/flowLimit', { member_id: member.id })).data[0]).toMatchObject({
    bonus: '1.5000',
    depositAmount: '0.0000',
  })

  const take = (who: Person, more: object = {}) =>
    who.ask('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '0.5', code: room, ...more })
  expect(await take(cs), 'not turned over').toBeRefusal('transfer.flow_limit_open')
  expect(await take(cs, { override_flow_limit: 1 }), 'may not override').toBeRefusal('transfer.flow_limit_open')
  await run(db, sql`update accounts set flow_limit_modify_permission = 1 where id = ${cs.id}`)
  expect(await take(cs), 'did not ask to override').toBeRefusal('transfer.flow_limit_open')
  const taken = await take(cs, { override_flow_limit: 1 })
  expect(taken.code).toBe(OK)
  const { data } = await top.call('audit/list', { kind: 'flow_limit_overridden' })
  expect(data.map((entry) => [entry.actor_username, entry.target_username])).toEqual([[cs.username, member.username]])
  expect(data[0]?.facts).toContainEqual({ field: 'amount', before: null, after: '0.5000' })
  await isSound()
})

test('[FLOW-01] member/flowLimit: only with its button, only for visible members; a member sees its own', async () => {
  const { agent, cs, member } = await server.family()
  const other = await server.family()
  const ask = async (who: Person, member_id: number) => outcomeOf(await who.ask('member/flowLimit', { member_id }))
  expect([await ask(cs, member.id), await ask(member, member.id)]).toEqual(['done', 'done'])
  expect([await ask(member, other.member.id), await ask(agent, other.member.id)]).toEqual([
    'account.not_found',
    'account.not_found',
  ])
  await run(db, sql`update accounts set cs_flow_limit_button_visible = 0 where id = any(${[cs.id, member.id]}::int[])`)
  expect([await ask(cs, member.id), await ask(member, member.id), await ask(agent, member.id)]).toEqual([
    'access.denied',
    'done',
    'done',
  ])
})

test('[ENV-02] caps of the installation: for one envelope, and for what a wallet gives in a day', async () => {
  const { top, agent, cs, member } = await server.family()
  const send = (who: Person, amount: string) =>
    who.ask('transaction/add', { member_id: member.id, type: TransferKind.send, amount })
  const refused = await send(agent, '100.0001')
  expect([outcomeOf(refused), refused.message]).toEqual([
    'transfer.over_envelope_cap',
    'This exceeds the limit for one red envelope. Nothing was moved.',
  ])
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const { transaction_id } = await agent.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '100',
  })
  const both = await Promise.all([send(agent, '100'), send(cs, '100'), send(cs, '100')])
  expect(both.map(outcomeOf).toSorted()).toEqual(['done', 'transfer.over_day_cap', 'transfer.over_day_cap'])
  expect(await agent.ask('user/transaction', { id: member.id, amount: '50.5001' })).toBeRefusal('transfer.over_day_cap')
  expect((await agent.ask('user/transaction', { id: member.id, amount: '50.5' })).code).toBe(OK)
  await member.call('envelope/answer', { transaction_id, accept: false })
  expect((await send(agent, '100')).code, 'returned points may be given again').toBe(OK)
  expect((await top.ask('user/transaction', { id: agent.id, amount: '9000' })).code, 'agents are not members').toBe(OK)
  await isSound()
})

test('[TRF-12] bets and wins move points between a member and the hidden game account', async () => {
  const { top, agent, cs, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '10' })
  await bet(top, member, 'x', 40_000n)
  await ledger.win({ topId: top.id, memberId: member.id, betId: 'x', amount: 70_000n })
  const view = await member.call('user/view', {})
  expect(view.balance).toBe('13.0000')
  const answers = JSON.stringify([
    await Promise.all([2, 3, 13].map((menu_id) => top.call('user/list', { menu_id: menu_id as 2 }))),
    await top.call('transaction/list', { start_time: '2026-01-01 00:00:00', end_time: '2026-12-31 00:00:00' }),
    await agent.call('room/list', {}),
  ])
  expect(answers).not.toContain('house')
  const { data } = await top.call('transaction/list', {
    start_time: new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
    end_time: new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
    username: member.username,
  })
  expect(data.map((row) => [row.type, row.amount, row.user_username])).toEqual([
    [9, '7.0000', ''],
    [8, '4.0000', ''],
    [1, '10.0000', agent.username],
  ])
  const rows = await db.query<{ id: number }>(`select id from accounts where role_id = 0 and top_id = $1`, [top.id])
  expect(rows).toHaveLength(1)
  const id = rows[0]?.id ?? 0
  for (const who of [top, agent, cs]) expect(await who.ask('user/view', { id })).toBeRefusal('account.not_found')
  const signIn = await server.post('login', server.wire.seal('login', { username: `house:${top.id}`, password: '' }))
  expect(signIn.reply.code).not.toBe(OK)
  expect(await top.ask('user/transaction', { id, amount: '1' })).toBeRefusal('account.not_found')
  const stranger = (await server.family()).top
  await expect(bet(stranger, member, 'y', 1n)).rejects.toThrow('account.not_found')
  await isSound()
})

test('[FLOW-01] a flow limit has the time of its transfer and of its last change', async () => {
  const { top, agent, member } = await server.family()
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const { transaction_id } = await agent.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '3',
  })
  await member.call('envelope/answer', { transaction_id, accept: true })
  // Transfers and envelopes cannot be changed, so the clock is read from the rows themselves.
  const view = async () => (await member.call('member/flowLimit', { member_id: member.id })).data[0]
  const times = await one<{ made: string; settled: string }>(
    db,
    sql`select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as made,
        to_char(e.settled_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as settled
      from transfers t join envelopes e on e.transfer_id = t.id where t.transaction_id = ${transaction_id}`,
  )
  expect(await view()).toMatchObject({
    created_at: times?.made,
    operation_time: times?.settled,
    updated_at: times?.settled,
  })
  await top.call('transaction/correct', { transaction_id, remark: 'by mistake' })
  const lifted = await view()
  expect(lifted?.status).toBe(2)
  expect((lifted?.updated_at ?? '') >= (times?.settled ?? '')).toBe(true)
})
