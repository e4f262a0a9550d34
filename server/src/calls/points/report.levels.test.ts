import { randomUUID } from 'node:crypto'
import type { Answer, Input } from '@tallyroom/contract'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { run, sql } from '../../data/sql.ts'
import { type Person, startTestServer } from '../../testing/app.ts'

const server = await startTestServer()
const { db } = server.services
const day = () => new Date().toISOString().slice(0, 10)
const days = () => ({ start_date: day(), end_date: day() })

type Asked = Omit<Input<'report/sr02'>, 'start_date' | 'end_date'>
type Cell = NonNullable<Input<'transaction/list'>['cell']>
const sr02 = (who: Person, asked: Asked = {}) => who.call('report/sr02', { ...asked, ...days() })
const rowsOf = ({ data }: Answer<'report/sr02'>) =>
  Object.fromEntries(
    data.map(({ id, own, total_in, total_out }) => [`${id}${own ? ' own' : ''}`, [total_in, total_out]]),
  )

/** What the transactions behind a cell come to, and how many they are. */
const summed = async (who: Person, cell: Cell) => {
  const sums = { in: 0n, out: 0n, n: 0 }
  const range = { start_time: `${day()} 00:00:00`, end_time: `${day()} 23:59:59`, cell, per_page: 3 }
  for (let before: string | null | undefined; before !== null; ) {
    const page = await who.call('transaction/list', { ...range, ...(before ? { before } : {}) })
    before = page.next
    for (const { amount, type, corrects_type } of page.data) {
      const moved = (parsePoints(amount) ?? 0n) * (type === TransferKind.correction ? -1n : 1n)
      if ([2, 6, 8].includes(corrects_type ?? type)) sums.out += moved
      else sums.in += moved
      sums.n++
    }
  }
  return { ...sums, in: formatPoints(sums.in), out: formatPoints(sums.out) }
}
/** Compares every cell of a report with its transactions; returns how many rows there were. */
const compare = async (who: Person, asked: Asked): Promise<number> => {
  const report = await sr02(who, asked)
  const by = asked.by === 'service' ? 'person' : (asked.by ?? 'operator')
  const under = asked.under === undefined ? {} : { under: Number(asked.under) }
  const what = asked.what ?? 'points'
  for (const row of report.data) {
    const cell = { what, by: row.own ? 'operator' : by, id: row.id, ...under } as const
    const name = JSON.stringify({ who: who.id, ...asked, cell })
    const whole = await summed(who, cell)
    expect([whole.in, whole.out], name).toEqual([row.total_in, row.total_out])
    const [given, taken] = [await summed(who, { ...cell, way: 'in' }), await summed(who, { ...cell, way: 'out' })]
    expect([given.in, given.out, taken.in, taken.out], name).toEqual([row.total_in, '0.0000', '0.0000', row.total_out])
    expect(given.n + taken.n, name).toBe(whole.n)
  }
  const sum = (key: 'total_in' | 'total_out', of: Answer<'report/sr02'>['data'] | Answer<'report/sr02'>['days']) =>
    formatPoints(of.reduce((all, row) => all + (parsePoints(row[key]) ?? 0n), 0n))
  for (const key of ['total_in', 'total_out'] as const) {
    expect(sum(key, report.data)).toBe(report.total[key])
    expect(sum(key, report.days)).toBe(report.total[key])
  }
  return report.data.length
}

const { top, agent: from, cs, member } = await server.family()
const to = await server.person({ role: Role.agent, under: top, points: '1000' })
const toMember = await server.person({ role: Role.member, under: to })
const sub = await server.person({ role: Role.agent, under: from, points: '500' })
const deep = await server.person({ role: Role.member, under: sub })
const subCs = await server.person({ role: Role.customerService, under: sub })
const give = (who: Person, whom: Person, amount: string) =>
  who.call('user/transaction', { id: whom.id, amount, remark: 'x', request_id: randomUUID() })
const offer = async (who: Person, whom: Person, accept?: boolean) => {
  await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${whom.id}`)
  const { transaction_id } = await who.call('transaction/add', {
    member_id: whom.id,
    type: TransferKind.send,
    amount: '7.0007',
  })
  if (accept !== undefined) await whom.call('envelope/answer', { transaction_id, accept })
  return transaction_id
}
const someOf = async (n: number) => {
  await give(from, member, `${10 + n}.0001`)
  await give(cs, member, `${5 + n}`)
  await give(cs, member, '-1.5')
  await give(sub, deep, `${30 + n}`)
  await give(subCs, deep, '-2')
  await give(to, toMember, '3')
}

await someOf(0)
const slip = await give(sub, deep, '4')
await offer(cs, member, true)
await offer(cs, member, false)
const open = await offer(sub, deep)
const before = { from: await sr02(from), branches: await sr02(from, { by: 'branch' }) }
await deep.call('envelope/answer', { transaction_id: open, accept: false })
await top.call('tree/move', { id: sub.id, to_id: to.id })
await top.call('tree/move', { id: member.id, to_id: to.id })
await top.call('transaction/correct', { transaction_id: slip.transaction_id, remark: 'a slip' })
await give(to, member, '8')
await give(sub, deep, '6')
await give(subCs, deep, '1')
await give(to, toMember, '-1')

test('[BOOK-03] SR02 by level and by the person who acted: the branch opens, the levels have the same sums', async () => {
  expect(rowsOf(before.branches)).toEqual({
    [`${from.id} own`]: ['22.0008', '1.5000'],
    [`${sub.id}`]: ['34.0000', '2.0000'],
  })
  // What the moved branch counted until then stays; later transfers, and the correction, count below the other agent.
  expect(rowsOf(await sr02(from, { by: 'branch' }))).toEqual(rowsOf(before.branches))
  expect(rowsOf(await sr02(to, { by: 'branch' }))).toEqual({
    [`${to.id} own`]: ['11.0000', '1.0000'],
    [`${sub.id}`]: ['3.0000', '0.0000'],
  })
  expect(rowsOf(await sr02(top, { by: 'branch' }))).toEqual({
    [`${from.id}`]: ['56.0008', '3.5000'],
    [`${to.id}`]: ['14.0000', '1.0000'],
  })
  expect(rowsOf(await sr02(from, { by: 'person' }))).toEqual({
    [`${from.id}`]: ['10.0001', '0.0000'],
    [`${cs.id}`]: ['12.0007', '1.5000'],
    [`${sub.id}`]: ['34.0000', '0.0000'],
    [`${subCs.id}`]: ['0.0000', '2.0000'],
  })
  expect(rowsOf(await sr02(from, { by: 'service' }))).toEqual({
    [`${cs.id}`]: ['12.0007', '1.5000'],
    [`${subCs.id}`]: ['0.0000', '2.0000'],
  })
  expect(rowsOf(await sr02(from, { by: 'member' }))).toEqual({
    [`${member.id}`]: ['22.0008', '1.5000'],
    [`${deep.id}`]: ['34.0000', '2.0000'],
  })
  for (const who of [top, from, to, sub]) {
    const { total } = await sr02(who)
    for (const by of ['branch', 'person', 'member'] as const) expect((await sr02(who, { by })).total).toEqual(total)
  }
  expect((await sr02(from)).total).toEqual(before.from.total)
})

test('[BOOK-03] every cell leads to exactly its rows, also those of accounts that were moved away since', async () => {
  let rows = 0
  for (const who of [top, from, to, sub])
    for (const by of ['operator', 'branch', 'service', 'person', 'member'] as const) {
      rows += await compare(who, { by })
      for (const under of [from.id, to.id, sub.id]) rows += await compare(who, { by, under })
    }
  expect(rows).toBeGreaterThan(80)
  // The other way round: nobody gets rows of a branch that it never had.
  const stranger = (await server.family()).agent
  for (const by of ['operator', 'branch', 'person', 'member'] as const)
    for (const { id } of [from, sub, cs, member])
      expect(await summed(stranger, { what: 'points', by, id })).toEqual({ in: '0.0000', out: '0.0000', n: 0 })
  expect((await stranger.call('report/sr02', { by: 'branch', under: from.id, ...days() })).data).toEqual([])
  // Customer service reads the history of its members, and no report.
  expect(await cs.ask('report/sr02', { by: 'person', ...days() })).toBeRefusal('access.denied')
  expect((await summed(cs, { what: 'points', by: 'person', id: cs.id })).n).toBe(0)
})

test('[BOOK-04] win and loss from bets by member, agent, level and day; every cell leads to its bets and wins', async () => {
  const { ledger } = server.services
  const play = async (who: Person, amount: bigint, won: bigint, valid = amount) => {
    const bet = { topId: top.id, memberId: who.id, betId: randomUUID() }
    await ledger.bet({ ...bet, amount, valid })
    if (won > 0n) await ledger.win({ ...bet, amount: won })
  }
  await play(member, 50_000n, 25_000n, 40_000n)
  await play(member, 10_000n, 0n)
  await play(deep, 20_000n, 90_001n)
  const bets = async (who: Person, by: 'operator' | 'branch' | 'member') => {
    const { data } = await sr02(who, { what: 'bets', by })
    return Object.fromEntries(
      data.map(({ id, own, total_in, total_out, valid }) => [
        `${id}${own ? ' own' : ''}`,
        [total_in, total_out, valid],
      ]),
    )
  }
  expect(await bets(to, 'member')).toEqual({
    [`${member.id}`]: ['2.5000', '6.0000', '5.0000'],
    [`${deep.id}`]: ['9.0001', '2.0000', '2.0000'],
  })
  const levels = { own: ['2.5000', '6.0000', '5.0000'], sub: ['9.0001', '2.0000', '2.0000'] }
  expect(await bets(to, 'operator')).toEqual({ [`${to.id}`]: levels.own, [`${sub.id}`]: levels.sub })
  expect(await bets(to, 'branch')).toEqual({ [`${to.id} own`]: levels.own, [`${sub.id}`]: levels.sub })
  expect(await bets(top, 'branch')).toEqual({ [`${to.id}`]: ['11.5001', '8.0000', '7.0000'] })
  expect((await sr02(to, { what: 'bets' })).days).toEqual([{ day: day(), total_in: '11.5001', total_out: '8.0000' }])
  // Members count where they are now.
  expect(await bets(from, 'member')).toEqual({})
  let rows = 0
  for (const who of [top, from, to, sub])
    for (const by of ['operator', 'branch', 'member'] as const)
      for (const under of [undefined, to.id, sub.id])
        rows += await compare(who, { what: 'bets', by, ...(under ? { under } : {}) })
  expect(rows).toBeGreaterThan(20)
})

test('[TREE-03] the old upline opens the details of what a moved branch did before; what came later stays closed', async () => {
  const range = { start_time: `${day()} 00:00:00`, end_time: `${day()} 23:59:59` }
  const rowsBehind = async (who: Person, id: number) =>
    (await who.call('transaction/list', { ...range, cell: { what: 'points', by: 'member', id } })).data
  const view = (who: Person, transaction_id: string) => who.ask('transaction/view', { transaction_id })
  const seen = [...(await rowsBehind(from, member.id)), ...(await rowsBehind(from, deep.id))]
  expect(seen).toHaveLength(7)
  for (const row of seen) {
    const { postings, edits, room, corrects, corrected_by, ...terms } = await from.call('transaction/view', row)
    expect(terms).toEqual({ ...row, past: 1 })
    expect(postings.length).toBeGreaterThan(1)
    // The member's balance is no longer its upline's to see.
    expect(postings.filter(({ role_id, balance_after }) => role_id === Role.member && balance_after !== null)).toEqual(
      [],
    )
    expect({ edits, room, corrects, corrected_by }).toEqual({
      edits: [],
      room: null,
      corrects: null,
      corrected_by: null,
    })
    expect((await to.call('transaction/view', row)).past).toBeUndefined()
  }
  const { transaction_id } = seen.find(({ amount }) => amount === '4.0000') ?? { transaction_id: '' }
  await to.call('transaction/edit', { transaction_id, remark: 'ours now' })
  const [old, whole] = [from, top].map((who) => who.call('transaction/view', { transaction_id }))
  expect(await old).toMatchObject({ corrected: true, corrected_by: null, edits: [] })
  expect(await whole).toMatchObject({ corrected: true, corrected_by: expect.any(String), edits: [{ old_remark: 'x' }] })
  expect(await from.ask('transaction/edit', { transaction_id, remark: 'no' })).toBeRefusal('transfer.not_found')
  const later = await give(to, member, '2')
  const stranger = (await server.family()).agent
  const answers = [
    await view(from, later.transaction_id),
    await view(stranger, transaction_id),
    await view(cs, transaction_id),
    await view(from, randomUUID()),
  ]
  for (const answer of answers) expect(answer).toEqual(answers.at(-1))
})
