import { randomUUID } from 'node:crypto'
import { type CallName, type ErrorName, type Input } from '@tallyroom/contract'
import { Role, TransferKind, WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { wordsFor } from '../../lib/words.ts'
import { asSuperuser } from '../../testing/postgres.ts'
import { outcomeOf } from '../../testing/outcome.ts'

// Bad input, case by case: refused by name, and no points move.
const server = await startTestServer()
const { db } = server.services
const { top, agent, cs, member, room } = await server.family()
const foreign = await server.family()
const frozen = await server.person({ role: Role.member, under: agent })
await agent.call('user/transaction', { id: member.id, amount: '10', remark: 'to begin with' })
await server.meetTurnover(member)
await run(db, sql`update accounts set status = 0 where id = ${frozen.id}`)

/** Everything that a transfer could change. */
const standing = () =>
  one(
    db,
    sql`select (select json_agg(w order by id) from wallets w) as wallets, (select count(*) from transfers) as transfers,
      (select count(*) from postings) as postings, (select count(*) from messages) as messages,
      (select json_agg(e order by transfer_id) from envelopes e) as envelopes, (select json_agg(d) from day_totals d) as totals`,
  )
const refused = async <N extends CallName>(
  who: Person,
  call: N,
  input: Input<N>,
  name: ErrorName,
  field = 'amount',
) => {
  const before = await standing()
  const reply = await who.ask(call, input)
  expect(reply).toBeRefusal(name)
  if (name === 'request.invalid') expect(reply.data).toMatchObject({ field })
  else expect(reply.message).toBe(wordsFor('en', name))
  expect(await standing()).toEqual(before)
}

test.each<[what: string, amount: string, name: ErrorName]>([
  ['nothing', '0', 'transfer.amount_invalid'],
  ['less than nothing by name only', '-0', 'request.invalid'],
  ['an exponent', '1e3', 'request.invalid'],
  ['a point without decimals', '12.', 'request.invalid'],
  ['a point without a whole part', '.5', 'request.invalid'],
  ['a comma between thousands', '1,000', 'request.invalid'],
  ['full-width digits', '１２', 'request.invalid'],
  ['five decimals', '1.00001', 'request.invalid'],
  ['more than the giver has', '990.0001', 'transfer.not_enough'],
  ['more than anybody could have', '999999999999', 'transfer.not_enough'],
])('[TRF-01] [ENV-02] an amount that is %s (%s) is refused from a list and in a room', async (_what, amount, name) => {
  await refused(agent, 'user/transaction', { id: member.id, amount }, name)
  await refused(agent, 'user/transaction', { id: member.id, amount, type: WalletKind.main, remark: 'x' }, name)
  for (const type of [TransferKind.send, TransferKind.gift, TransferKind.makeUp] as const)
    await refused(cs, 'transaction/add', { member_id: member.id, type, amount, remark: 'x', code: room }, name)
})

test('[TRF-05] a remark of 10,000 letters moves nothing', async () => {
  const remark = 'x'.repeat(10_000)
  await refused(agent, 'user/transaction', { id: member.id, amount: '1', remark }, 'request.invalid', 'remark')
  const inRoom = { member_id: member.id, type: TransferKind.send, amount: '1', remark, code: room } as const
  await refused(cs, 'transaction/add', inRoom, 'request.invalid', 'remark')
})

test('[TRF-02] [ENV-02] more than the member has is not taken, and negative amounts are refused in a room', async () => {
  await refused(agent, 'user/transaction', { id: member.id, amount: '-10.0001' }, 'transfer.member_not_enough')
  const taken = { member_id: member.id, type: TransferKind.receive, amount: '10.0001', code: room } as const
  await refused(cs, 'transaction/add', taken, 'transfer.member_not_enough')
  await refused(cs, 'transaction/add', { ...taken, amount: '-1' }, 'transfer.amount_invalid')
})

test.each<[what: string, whom: () => number, inList: ErrorName, inRoom: ErrorName]>([
  ['one’s own account', () => agent.id, 'transfer.to_yourself', 'transfer.to_yourself'],
  ['an upline', () => top.id, 'transfer.to_yourself', 'transfer.to_yourself'],
  ['a frozen account', () => frozen.id, 'transfer.frozen', 'transfer.frozen'],
  ['a foreign account', () => foreign.member.id, 'account.not_found', 'account.not_found'],
  ['an account that is not there', () => 2_000_000_000, 'account.not_found', 'account.not_found'],
])('[TRF-11] nothing moves to %s', async (_what, whom, inList, inRoom) => {
  await refused(agent, 'user/transaction', { id: whom(), amount: '1' }, inList)
  await refused(agent, 'transaction/add', { member_id: whom(), type: TransferKind.send, amount: '1' }, inRoom)
})

test('[TRF-10] the same request_id with another amount is refused, and the first transfer does not change', async () => {
  for (const [who, call, input] of [
    [agent, 'user/transaction', { id: member.id, remark: 'x' }],
    [cs, 'transaction/add', { member_id: member.id, type: TransferKind.gift, remark: 'x', code: room }],
  ] as const) {
    const body = { ...input, amount: '1', request_id: randomUUID() } as Input<typeof call>
    const first = await who.call(call, body)
    await refused(who, call, { ...body, amount: '2' } as Input<typeof call>, 'request.id_reused')
    expect(await who.call(call, body)).toEqual(first)
  }
})

const offer = async () => {
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${member.id}`)
  const { transaction_id } = await cs.call('transaction/add', {
    member_id: member.id,
    type: TransferKind.send,
    amount: '5',
    code: room,
  })
  return transaction_id
}

test('[ENV-06] an acceptance after the time limit is refused, and the points return to the giver', async () => {
  const wallets = async () => (await standing())?.wallets as { account_id: number; kind: number; balance: number }[]
  const balancesOf = (rows: Awaited<ReturnType<typeof wallets>>) =>
    rows.map(({ account_id, kind, balance }) => [account_id, kind, balance])
  const before = balancesOf(await wallets())
  const transaction_id = await offer()
  await asSuperuser(async (tx) => {
    await run(tx, sql`update envelopes set expires_at = now() where status = 4`)
  })
  const reply = await member.ask('envelope/answer', { transaction_id, accept: true })
  expect([outcomeOf(reply), reply.message]).toEqual(['envelope.expired', wordsFor('en', 'envelope.expired')])
  expect(balancesOf(await wallets())).toEqual(before)
  await refused(member, 'envelope/answer', { transaction_id, accept: true }, 'envelope.expired')
})

test('[ENV-06] of two acceptances at once one is refused, and the points arrive once', async () => {
  const transaction_id = await offer()
  const before = (await member.call('user/view', {})).balance
  const replies = await Promise.all(
    [1, 2].map(() => member.ask('envelope/answer', { transaction_id, accept: true, request_id: randomUUID() })),
  )
  expect(replies.map(outcomeOf).toSorted()).toEqual(['done', 'envelope.already_settled'])
  const late = replies.find(({ refusal }) => refusal)
  expect(late?.message).toBe(wordsFor('en', 'envelope.already_settled'))
  expect(Number((await member.call('user/view', {})).balance) - Number(before)).toBe(5)
  await refused(member, 'envelope/answer', { transaction_id, accept: false }, 'envelope.already_settled')
})

test('[TRF-06] five wrong payment passwords lock payments, also for the right one', async () => {
  const payment_password = 'pay1234'
  await agent.call('user/paymentPassword', {
    password: 'secret123',
    payment_password,
    payment_password_confirmation: payment_password,
  })
  const give = { id: member.id, amount: '1', request_id: randomUUID() }
  await refused(agent, 'user/transaction', give, 'transfer.needs_payment_password')
  const wrong = { ...give, payment_password: 'wrong12' }
  for (const _guess of [1, 2, 3, 4]) await refused(agent, 'user/transaction', wrong, 'transfer.wrong_payment_password')
  const before = await standing()
  for (const payment_password of ['wrong12', 'pay1234']) {
    const reply = await agent.ask('user/transaction', { ...give, payment_password })
    expect(reply).toMatchObject({ refusal: 'transfer.payment_locked', data: { minutes: 30 } })
  }
  expect(await standing()).toEqual(before)
  expect((await checkLedger(db, 'UTC')).filter(({ breaches }) => breaches.length)).toEqual([])
})
