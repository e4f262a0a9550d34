import { randomUUID } from 'node:crypto'
import { type CallName, type Input, OK } from '@tallyroom/contract'
import { FlowStatus, TransferKind, TransferStatus, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { many, one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { outcomeOf } from '../../testing/outcome.ts'

const server = await startTestServer()
const { db } = server.services

const set = (who: Person, flags: Record<string, number>) =>
  db.query(
    `update accounts set ${Object.keys(flags)
      .map((flag, at) => `${flag} = $${at + 2}`)
      .join(', ')} where id = $1`,
    [who.id, ...Object.values(flags)],
  )
const code = async <N extends CallName>(who: Person, name: N, input: Input<N>) => outcomeOf(await who.ask(name, input))
const wallets = async (who: Person) =>
  (
    await many<{ balance: bigint }>(db, sql`select balance from wallets where account_id = ${who.id} order by kind`)
  ).map(({ balance }) => balance)
const isSound = async () => expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
const around = () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ')
  return { username: '', start_time: at(-3_600_000), end_time: at(3_600_000) }
}

test('[ENV-01] [ENV-07] transaction/add of every type, each by its button, shown as its message', async () => {
  const { agent, cs, member, room } = await server.family()
  const add = (type: 1 | 2 | 3 | 4 | 5 | 6, more: object = {}) =>
    code(cs, 'transaction/add', { member_id: member.id, type, amount: '2', code: room, ...more })
  expect(await add(TransferKind.gift)).toBe('done')
  expect(await add(TransferKind.makeUp), 'no word why').toBe('transfer.remark_needed')
  expect(await add(TransferKind.makeUp, { remark: ' ' }), 'blanks are no remark').toBe('transfer.remark_needed')
  expect(await add(TransferKind.makeUp, { remark: 'late' })).toBe('done')
  expect(
    await code(agent, 'transaction/add', { member_id: member.id, type: TransferKind.makeUp, amount: '2', remark: 'x' }),
  ).toBe('access.denied')
  expect(await add(TransferKind.gameSend), 'one wallet').toBe('access.denied')
  expect(await add(TransferKind.send, { platform: WalletKind.game }), 'no choice of wallets').toBe('access.denied')
  await set(member, { is_multiple_wallet: 1 })
  expect(await add(TransferKind.gameSend)).toBe('done')
  expect(await add(TransferKind.send, { platform: WalletKind.game })).toBe('access.denied')
  await set(member, { transaction_all: 1 })
  expect(await add(TransferKind.send, { platform: WalletKind.game })).toBe('done')
  expect(await add(TransferKind.gift, { platform: WalletKind.game })).toBe('done')
  expect(await add(TransferKind.receive, { platform: WalletKind.game }), 'taken only from the main wallet').toBe(
    'access.denied',
  )
  expect(await add(TransferKind.makeUp, { platform: WalletKind.game, remark: 'x' })).toBe('access.denied')
  expect(await add(TransferKind.gameDeduct), 'without the right').toBe('access.denied')
  await set(cs, { deduct_point_button_visible: 1 })
  expect(await add(TransferKind.gameDeduct)).toBe('done')
  expect(await wallets(member)).toEqual([40_000n, 40_000n])
  for (const [flag, type] of [
    ['gift_red_envelope_button_visible', 3],
    ['point_button_visible', 4],
    ['point_button_visible', 5],
    ['point_button_visible', 6],
    ['red_envelope_button_visible', 1],
    ['red_envelope_button_visible', 3],
  ] as const) {
    await set(cs, { [flag]: 0 })
    expect(await add(type, { remark: 'x' }), `${flag} ${type}`).toBe('access.denied')
    await set(cs, { [flag]: 1 })
  }
  const { messages } = await member.call('room/enter', { code: room })
  expect(messages.map(({ type, transaction_type }) => [type, transaction_type])).toEqual([
    [8, 1],
    [9, 1],
    [10, 1],
    [3, 1],
    [8, 1],
    [11, 2],
  ])
  await isSound()
})

test('[TRF-12] transaction/correct reverses a transfer, once, by an admin above it', async () => {
  const { top, agent, cs, member } = await server.family()
  const strangers = await server.family()
  const send = async (amount: string) =>
    (await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount, remark: 'typed wrong' }))
      .transaction_id
  const correct = (who: Person, transaction_id: string, more: object = {}) =>
    who.ask('transaction/correct', { transaction_id, remark: 'ten times too much', ...more })
  const wrong = await send('300')
  const right = await send('30')
  for (const who of [agent, cs, member]) expect(await correct(who, wrong)).toBeRefusal('access.denied')
  expect(await correct(strangers.top, wrong)).toBeRefusal('transfer.not_found')
  expect(await correct(top, randomUUID())).toBeRefusal('transfer.not_found')
  expect(await correct(top, wrong, { remark: '' }), 'no word why').toBeRefusal('request.invalid')
  const twice = await Promise.all([correct(top, wrong), correct(top, wrong), correct(top, wrong)])
  expect(twice.map((reply) => outcomeOf(reply)).toSorted()).toEqual([
    'done',
    'transfer.already_corrected',
    'transfer.already_corrected',
  ])
  expect(twice.find((reply) => reply.code === OK)?.data).toMatchObject({
    status: TransferStatus.success,
    balance: '970.0000',
    target_balance: '30.0000',
  })
  const { total } = await agent.call('report/sr02', {
    start_date: around().start_time.slice(0, 10),
    end_date: around().end_time.slice(0, 10),
  })
  expect(total).toEqual({ total_in: '30.0000', total_out: '0.0000' })
  const flow = await agent.call('member/flowLimit', { member_id: member.id })
  expect([flow.open, flow.data.map(({ status }) => status)]).toEqual(['30.0000', [0, 2]])
  await server.meetTurnover(member)
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const open = await send('5')
  expect(await correct(top, open), 'still open').toBeRefusal('transfer.not_correctable')
  await member.call('envelope/answer', { transaction_id: open, accept: false })
  expect(await correct(top, open), 'nothing had moved').toBeRefusal('transfer.not_correctable')
  await run(db, sql`update accounts set withdraw_confirm = 0 where id = ${member.id}`)
  await cs.call('transaction/add', { member_id: member.id, type: TransferKind.receive, amount: '20' })
  expect(await correct(top, right), 'the member no longer has the points').toBeRefusal('transfer.member_not_enough')
  const row = (await agent.call('transaction/list', around())).data.find(({ type }) => type === TransferKind.correction)
  expect(row).toMatchObject({ amount: '300.0000', user_username: top.username, remark: 'ten times too much' })
  const itself = row?.transaction_id ?? ''
  expect(await correct(top, itself), 'a correction cannot be corrected').toBeRefusal('transfer.not_correctable')
  const [before, after] = await Promise.all(
    [wrong, itself].map((transaction_id) => agent.call('transaction/view', { transaction_id })),
  )
  expect([before?.corrected_by, after?.corrects, before?.corrects]).toEqual([itself, wrong, null])
  expect([before?.corrected, after?.corrected, after?.corrects_type]).toEqual([true, false, 1])
  const { data } = await top.call('audit/list', { kind: 'points_corrected' })
  expect(data.map((entry) => [entry.target_username, entry.actor_username])).toEqual([[member.username, top.username]])
  await isSound()
})

test('[ENV-07] a corrected transfer is marked in its room, on both sides, and in the lists', async () => {
  const { top, cs, member, room } = await server.family()
  const send = async () =>
    (await cs.call('transaction/add', { member_id: member.id, type: TransferKind.send, amount: '3', code: room }))
      .transaction_id
  const [wrong, right] = [await send(), await send()]
  const before = await cs.call('room/sync', { code: room, version: 0 })
  await top.call('transaction/correct', { transaction_id: wrong, remark: 'a slip' })
  for (const side of [cs, member]) {
    const { messages } = await side.call('room/sync', { code: room, version: before.version })
    expect(messages.map((message) => [message.transaction_id, message.transaction_corrected])).toEqual([[wrong, true]])
  }
  const { messages } = await member.call('room/history', { code: room, page: 1 })
  expect(messages.map((message) => [message.transaction_id, message.transaction_corrected])).toEqual([
    [wrong, true],
    [right, false],
  ])
  for (const call of ['transaction/list', 'redEnvelope/record'] as const) {
    const { data } = await cs.call(call, around())
    expect(data.filter(({ corrected }) => corrected).map((row) => row.transaction_id)).toEqual([wrong])
  }
})

test('[TRF-04] wallet/toGame: a member moves its own points, which must be turned over once', async () => {
  const { agent, member } = await server.family()
  await agent.call('user/transaction', { id: member.id, amount: '10' })
  expect(await code(member, 'wallet/toGame', { amount: '4' }), 'one wallet').toBe('access.denied')
  await server.meetTurnover(member)
  await set(member, { is_multiple_wallet: 1 })
  const request_id = randomUUID()
  const moved = await member.call('wallet/toGame', { amount: '4', request_id })
  expect(moved).toMatchObject({ status: TransferStatus.success, balance: '6.0000', game_wallet: '4.0000' })
  expect(await member.call('wallet/toGame', { amount: '4', request_id })).toEqual(moved)
  expect(await code(member, 'wallet/toGame', { amount: '6.0001' })).toBe('transfer.not_enough')
  expect(await code(member, 'wallet/toGame', { amount: '-1' })).toBe('transfer.amount_invalid')
  expect(await code(agent, 'wallet/toGame', { amount: '1' })).toBe('access.denied')
  const { data } = await member.call('member/flowLimit', { member_id: member.id })
  expect(data[0]).toMatchObject({
    type: TransferKind.toGame,
    depositAmount: '4.0000',
    limit_flowAmount: '4.0000',
    status: FlowStatus.open,
  })
  expect(await wallets(member)).toEqual([60_000n, 40_000n])
  const totals = await one(
    db,
    sql`select total_in as given, total_out as taken from day_totals where account_id = ${agent.id}`,
  )
  expect(totals, 'moving own points is nobody’s income').toEqual({ given: 100_000n, taken: 0n })
  await isSound()
})
