import { randomUUID } from 'node:crypto'
import { type CallName, type Input, OK } from '@tallyroom/contract'
import { Role, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { type Outcome, outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer()
const { db } = server.services

const set = (who: Person, flags: Record<string, number | bigint>) =>
  db.query(
    `update accounts set ${Object.keys(flags)
      .map((flag, at) => `${flag} = $${at + 2}`)
      .join(', ')} where id = $1`,
    [who.id, ...Object.values(flags)],
  )
const code = async <N extends CallName>(who: Person, name: N, input: Input<N>) => outcomeOf(await who.ask(name, input))
const balances = async (...people: Person[]) =>
  Promise.all(
    people.map(
      async ({ id }) =>
        (await one<{ b: bigint }>(db, sql`select balance as b from wallets where account_id = ${id} and kind = 1`))?.b,
    ),
  )
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
/** The platform's time, an hour before and after now. */
const around = () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
  return { username: '', start_time: at(-3_600_000), end_time: at(3_600_000) }
}

test('[TRF-02] [TRF-09] user/transaction gives and, with a minus, takes, exact to four decimals', async () => {
  const { agent, member } = await server.family()
  const given = await agent.call('user/transaction', { id: member.id, amount: '0.3', remark: 'give' })
  expect(given).toMatchObject({ status: TransferStatus.success, balance: '999.7000', target_balance: '0.3000' })
  const taken = await agent.call('user/transaction', { id: member.id, amount: '-0.1001', remark: 'take' })
  expect(taken).toMatchObject({ status: TransferStatus.success, balance: '999.8001', target_balance: '0.1999' })
  for (const amount of [
    '0',
    '-0',
    '1e3',
    '１',
    '0.00001',
    '1.',
    '.5',
    '1,000',
    ' 1',
    'NaN',
    '',
    '0x10',
    '1234567890123',
  ]) {
    expect(await code(agent, 'user/transaction', { id: member.id, amount }), amount).toMatch(
      /^(request\.invalid|transfer\.amount_invalid)$/,
    )
  }
  expect(await balances(agent, member)).toEqual([9_998_001n, 1_999n])
  await isSound()
})

test('[TRF-10] user/transaction: the same submit sent twice moves points once, with and without a request_id', async () => {
  const { agent, member } = await server.family()
  const input = { id: member.id, amount: '5', remark: 'once', request_id: randomUUID() }
  const [first, second] = await Promise.all([
    agent.call('user/transaction', input),
    agent.call('user/transaction', input),
  ])
  expect(second).toEqual(first)
  expect(await agent.call('user/transaction', input)).toEqual(first)
  expect(await code(agent, 'user/transaction', { ...input, amount: '6' })).toBe('request.id_reused')
  const body = server.wire.seal('user/transaction', { id: member.id, amount: '5', remark: 'once' })
  const send = () => server.post('user/transaction', body, { authorization: `Bearer ${agent.token}` })
  const [a, b] = [await send(), await send()]
  expect(b.reply).toEqual(a.reply)
  expect(await balances(member)).toEqual([100_000n])
  await isSound()
})

test('[TRF-11] user/transaction names the reason of a refusal, and nothing moves', async () => {
  const { top, agent, cs, member } = await server.family()
  const other = await server.family()
  const debtor = await server.person({ role: Role.agent, under: top, limit: '10' })
  const theirs = await server.person({ role: Role.member, under: debtor })
  const refusals: [Person, number, string, Outcome][] = [
    [agent, member.id, '1000.0001', 'transfer.not_enough'],
    [agent, member.id, '-0.0001', 'transfer.member_not_enough'],
    [debtor, theirs.id, '10.0001', 'transfer.over_credit'],
    [agent, agent.id, '1', 'transfer.to_yourself'],
    [agent, top.id, '1', 'transfer.to_yourself'],
    [cs, agent.id, '1', 'transfer.to_yourself'],
    [agent, cs.id, '1', 'access.denied'],
    [agent, other.member.id, '1', 'account.not_found'],
    [agent, 2_000_000_000, '1', 'account.not_found'],
    [member, agent.id, '1', 'access.denied'],
  ]
  for (const [who, id, amount, expected] of refusals) {
    expect(await code(who, 'user/transaction', { id, amount }), `${who.username} ${id} ${amount}`).toBe(expected)
  }
  const [foreign, absent] = await Promise.all(
    [other.member.id, 2_000_000_000].map((id) => agent.ask('user/transaction', { id, amount: '1' })),
  )
  expect(foreign).toEqual(absent)
  expect(await balances(agent, member, debtor, theirs)).toEqual([10_000_000n, 0n, 0n, 0n])
  expect(await code(debtor, 'user/transaction', { id: theirs.id, amount: '10' })).toBe('done')
  await isSound()
})

test('[TRF-03] [TRF-04] user/transaction on the game wallet: only with several wallets, deducting only with the right', async () => {
  const { agent, member } = await server.family()
  const game = (amount: string) => code(agent, 'user/transaction', { id: member.id, amount, type: WalletKind.game })
  expect(await game('5')).toBe('access.denied')
  await set(member, { is_multiple_wallet: 1 })
  expect(await game('5')).toBe('done')
  expect(await game('-1')).toBe('access.denied')
  await set(agent, { deduct_point_button_visible: 1 })
  expect(await game('-1')).toBe('done')
  expect(await game('-4.0001')).toBe('transfer.member_not_enough')
  const { data } = await agent.call('transaction/list', { ...around(), username: member.username })
  expect(
    data.map(({ type, wallet, amount, audit_amount, balance }) => [type, wallet, amount, audit_amount, balance]),
  ).toEqual([
    [6, 2, '1.0000', '0.0000', '4.0000'],
    [5, 2, '5.0000', '5.0000', '5.0000'],
  ])
})

test('[TRF-06] a payment password is required with 7001, refused with 7004, and locked after five wrong ones', async () => {
  const { agent, member } = await server.family()
  await agent.call('user/paymentPassword', {
    password: 'secret123',
    payment_password: 'pay1234',
    payment_password_confirmation: 'pay1234',
  })
  const request_id = randomUUID()
  const input = { id: member.id, amount: '1', request_id }
  expect(await code(agent, 'user/transaction', input)).toBe('transfer.needs_payment_password')
  expect(await code(agent, 'transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })).toBe(
    'transfer.needs_payment_password',
  )
  expect(await code(agent, 'user/transaction', { ...input, payment_password: 'wrong' })).toBe(
    'transfer.wrong_payment_password',
  )
  expect(await code(agent, 'user/transaction', { ...input, payment_password: 'pay1234' }), 'the same request').toBe(
    'done',
  )
  expect(await balances(member)).toEqual([10_000n])

  const guesses = Array.from({ length: 12 }, (_, at) =>
    code(agent, 'user/transaction', { id: member.id, amount: '1', payment_password: `guess${at}` }),
  )
  const codes = (await Promise.all(guesses)).toSorted()
  expect(codes).toEqual([
    ...Array<Outcome>(8).fill('transfer.payment_locked'),
    ...Array<Outcome>(4).fill('transfer.wrong_payment_password'),
  ])
  const locked = await agent.ask('user/transaction', { id: member.id, amount: '1', payment_password: 'pay1234' })
  expect(locked).toMatchObject({ refusal: 'transfer.payment_locked', data: { minutes: 30 } })
  await run(db, sql`update accounts set payment_locked_until = now() where id = ${agent.id}`)
  expect(await code(agent, 'user/transaction', { id: member.id, amount: '1', payment_password: 'pay1234' })).toBe(
    'done',
  )
  await set(agent, { payment_failures: 4 })
  expect(await code(agent, 'user/transaction', { id: member.id, amount: '1', payment_password: 'pay1234' })).toBe(
    'done',
  )
  expect(
    await code(agent, 'user/transaction', { id: member.id, amount: '1', payment_password: 'x' }),
    'counted again from zero',
  ).toBe('transfer.wrong_payment_password')
})

test('[ENV-01] transaction/add follows the flags, takes only positive amounts and only members', async () => {
  const { agent, cs, member, room } = await server.family()
  const add = (who: Person, type: 1 | 2, more: object = {}) =>
    code(who, 'transaction/add', { member_id: member.id, type, amount: '2', code: room, ...more })
  expect(await add(cs, TransferKind.send)).toBe('done')
  expect(await add(cs, TransferKind.receive), 'not yet turned over').toBe('transfer.flow_limit_open')
  await server.meetTurnover(member)
  expect(await add(cs, TransferKind.receive)).toBe('done')
  expect(await add(cs, TransferKind.receive)).toBe('transfer.member_not_enough')
  expect(await add(cs, TransferKind.send, { amount: '-1' })).toBe('transfer.amount_invalid')
  expect(await add(cs, TransferKind.send, { amount: '0' })).toBe('transfer.amount_invalid')
  expect(await add(cs, TransferKind.send, { code: 'nowhere' })).toBe('room.not_found')
  expect(await add(cs, TransferKind.send, { member_id: agent.id })).toBe('transfer.to_yourself')
  expect(await add(agent, TransferKind.send, { member_id: cs.id })).toBe('account.not_found')
  expect(await add(member, TransferKind.send)).toBe('access.denied')
  await set(cs, { send_red_envelope_button_visible: 0 })
  expect(await add(cs, TransferKind.send)).toBe('access.denied')
  await set(cs, { receive_red_envelope_button_visible: 0, send_red_envelope_button_visible: 1 })
  expect(await add(cs, TransferKind.receive)).toBe('access.denied')
  expect(await add(cs, TransferKind.send)).toBe('done')
})

test('[ENV-03] [S20] the server calculates the turnover of a send', async () => {
  const { agent, member } = await server.family()
  await set(agent, { transfer_member_flow_limit_multiple: 3 })
  const audit = async () => {
    await agent.call('transaction/add', {
      member_id: member.id,
      type: TransferKind.send,
      amount: '1.5',
      audit_amount: '0',
    })
    return (await agent.call('transaction/list', around())).data[0]?.audit_amount
  }
  expect(await audit()).toBe('4.5000')
  await set(agent, { flow_limit_modify_permission: 1 })
  expect(await audit()).toBe('0.0000')
})

test('[ENV-05] event mode refuses envelopes with 1414', async () => {
  const { agent, cs, member } = await server.family()
  await set(agent, { event_mode: 1 })
  expect(await code(cs, 'transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })).toBe(
    'transfer.event_mode',
  )
  await set(agent, { event_mode: 0 })
  expect(await code(cs, 'transaction/add', { member_id: member.id, type: TransferKind.send, amount: '1' })).toBe('done')
})

test('[ENV-05] event mode closes the points dialog, and leaves the lists open', async () => {
  const { top, agent, cs, member } = await server.family()
  await top.call('user/saveAbilities', { id: member.id, is_multiple_wallet: 1 })
  await set(cs, { deduct_point_button_visible: 1 })
  await set(member, { event_mode: 1 })
  const room = (type: 1 | 2 | 3 | 4 | 5 | 6) =>
    code(cs, 'transaction/add', { member_id: member.id, type, amount: '1', remark: 'x' })
  for (const type of [
    TransferKind.send,
    TransferKind.receive,
    TransferKind.gift,
    TransferKind.makeUp,
    TransferKind.gameSend,
    TransferKind.gameDeduct,
  ] as const)
    expect([type, await room(type)]).toEqual([type, 'transfer.event_mode'])
  expect(await code(agent, 'user/transaction', { id: member.id, amount: '1' })).toBe('done')
  await set(member, { event_mode: 0 })
  for (const type of [
    TransferKind.send,
    TransferKind.gift,
    TransferKind.makeUp,
    TransferKind.gameSend,
    TransferKind.gameDeduct,
  ] as const)
    expect([type, await room(type)]).toEqual([type, 'done'])
})

test('[ENV-06] envelope/answer: held until the member accepts or rejects, once, and only by that member', async () => {
  const { agent, cs, member } = await server.family()
  const stranger = (await server.family()).member
  await set(member, { withdraw_confirm: 1 })
  const offer = () => cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '10' })
  const first = await offer()
  expect(first).toMatchObject({ status: TransferStatus.pending, balance: '990.0000', target_balance: '0.0000' })
  const answer = (who: Person, transaction_id: string, accept: boolean) =>
    who.ask('envelope/answer', { transaction_id, accept })
  expect(await answer(stranger, first.transaction_id, true)).toBeRefusal('envelope.not_found')
  expect(await answer(agent, first.transaction_id, true)).toBeRefusal('access.denied')
  expect(await answer(member, first.transaction_id, true)).toMatchObject({
    code: OK,
    data: { status: TransferStatus.success, balance: '10.0000' },
  })
  expect(await answer(member, first.transaction_id, false)).toBeRefusal('envelope.already_settled')
  const second = await offer()
  expect(await answer(member, second.transaction_id, false)).toMatchObject({
    code: OK,
    data: { status: TransferStatus.rejected, balance: '10.0000' },
  })
  const third = await offer()
  // The database's clock is changed by editing the row.
  await asSuperuser((tx) =>
    run(tx, sql`update envelopes set expires_at = now() where status = 4 and target_id = ${member.id}`),
  )
  expect(await answer(member, third.transaction_id, true)).toBeRefusal('envelope.expired')
  expect(await balances(agent, member)).toEqual([9_900_000n, 100_000n])
  await isSound()
})

test('[ENV-08] transaction/edit changes only the remark, keeps the old one, and works only within the actor’s scope', async () => {
  const { top, agent, cs, member } = await server.family()
  const other = await server.family()
  const { transaction_id } = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '1',
    remark: 'first',
  })
  const before = await one(db, sql`select * from transfers where transaction_id = ${transaction_id}`)
  await agent.call('transaction/edit', { transaction_id, remark: 'second' })
  await Promise.all(['third', 'fourth'].map((remark) => cs.call('transaction/edit', { transaction_id, remark })))
  expect(await one(db, sql`select * from transfers where transaction_id = ${transaction_id}`)).toEqual(before)
  const kept = await many<{ old_remark: string; remark: string }>(
    db,
    sql`select old_remark, x.remark from remark_edits x join transfers t on t.id = x.transfer_id
      where t.transaction_id = ${transaction_id} order by x.seq`,
  )
  expect(kept).toHaveLength(3)
  kept.forEach(({ old_remark }, at) => expect(old_remark).toBe(['first', 'second', kept[1]?.remark][at]))
  const row = (await top.call('transaction/list', { ...around(), username: member.username })).data[0]
  expect(row).toMatchObject({ remark: kept[2]?.remark, remark_edited: true, user_username: cs.username })
  expect(await code(other.agent, 'transaction/edit', { transaction_id, remark: 'x' })).toBe('transfer.not_found')
  expect(await code(agent, 'transaction/edit', { transaction_id: randomUUID(), remark: 'x' })).toBe(
    'transfer.not_found',
  )
  expect(await code(member, 'transaction/edit', { transaction_id, remark: 'x' })).toBe('access.denied')
  expect(await code(agent, 'transaction/edit', { transaction_id, remark: 'x'.repeat(51) })).toBe('request.invalid')
})
