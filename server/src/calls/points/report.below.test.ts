import { randomUUID } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { one, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { ALL_KINDS, sumAll } from '../../ledger/read/report-sums.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { makeOlder } from '../../testing/ledger/make-older.ts'

const server = await startTestServer()
const { db, ledger } = server.services
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const { top, agent: from, cs, member } = await server.family()
const to = await server.person({ role: Role.agent, under: top, points: '1000' })
const sub = await server.person({ role: Role.agent, under: from, points: '500' })
const subCs = await server.person({ role: Role.customerService, under: sub })
const deep = await server.person({ role: Role.member, under: sub })
const stranger = (await server.family()).agent

const give = (who: Person, whom: Person, amount: string) => who.call('user/transaction', { id: whom.id, amount })
const play = async (who: Person, bet: bigint, won: bigint) => {
  const game = { topId: top.id, memberId: who.id, betId: randomUUID() }
  await ledger.bet({ ...game, amount: bet })
  if (won > 0n) await ledger.win({ ...game, amount: won })
}
const move = async (who: Person, whom: Person) => top.call('tree/move', { id: who.id, to_id: whom.id })
/** What both kinds of reports count. */
const oneDay = async () => {
  await give(cs, member, '20.0001')
  await give(subCs, deep, '30')
  await give(sub, deep, '5')
  await give(subCs, deep, '-2')
  await play(member, 50_000n, 25_000n)
  await play(deep, 20_000n, 0n)
}
// In `from`, then below `to`, then in `from` again: on three days, two of them in months that are over.
await oneDay()
await makeOlder(24 * 40)
await move(sub, to)
await oneDay()
await makeOlder(24 * 30)
await move(sub, from)
await oneDay()
await makeOlder(24 * 2)
await oneDay()

const pairs = [
  ...[top, from, to, sub].map((who) => [who, who]),
  ...[top, from, to].map((who) => [who, sub]),
  ...[sub, deep].map((under) => [stranger, under]),
  [stranger, from],
  [from, to],
  [top, deep],
] as [Person, Person][]
const nameOf = (what: string, who: Person, under = who) => `${what} of ${who.username} below ${under.username}`
/** The reports that read sums below accounts, for each viewer and account; a member has none below itself. */
const reports = async () => {
  const found: Record<string, unknown> = {}
  for (const [who, under] of pairs)
    for (const [what, by] of [
      ['points', 'service'],
      ['bets', 'member'],
    ] as const) {
      const range = { start_date: dayOf(100), end_date: dayOf(0), under: under.id }
      const { data, days, total } = await who.call('report/sr02', { what, by, ...range })
      const rows = data.map(({ id, total_in, total_out, valid }) => [id, total_in, total_out, valid])
      found[nameOf(what, who, under)] = { rows, days, total }
    }
  return found
}
const empty = async () => {
  await run(db, sql`delete from report_sums`)
  await run(db, sql`delete from summed_spans`)
}
const isSound = async () =>
  (await checkLedger(db, 'UTC')).every(({ rule, breaches }) => rule !== 'sums' || breaches.length === 0)

/** Kept sums say what the transfers say. */
const compare = async () => {
  const kept = await reports()
  expect(await isSound()).toBe(true)
  await empty()
  const plain = await reports()
  expect(kept).toEqual(plain)
  await sumAll(db, 'UTC')
  expect(await reports()).toEqual(plain)
  return plain
}

test('[BOOK-03] [BOOK-04] days by customer service and of bets are what the transfers say, also after moves', async () => {
  const first = await compare()
  expect(first[nameOf('points', from)]).toMatchObject({ total: { total_in: '170.0004' } })
  // Members and branches that are moved when the sums are there; bets go along, and all else stays.
  await move(member, sub)
  await compare()
  await move(sub, to)
  const moved = await compare()
  expect(moved[nameOf('points', from)]).toEqual(first[nameOf('points', from)])
  expect(moved[nameOf('bets', from)]).toMatchObject({ days: [], rows: [] })
  expect(await one(db, sql`select count(*)::int as n from first_places`)).toEqual({ n: 2 })
})

test('days that a copy of the version before has summed are read one by one, and summed once more', async () => {
  const before = await reports()
  await run(db, sql`delete from report_sums where kind > 4 and starts < current_date - 20`)
  await run(db, sql`update summed_spans set kinds = 4 where starts < current_date - 20`)
  expect(await reports()).toEqual(before)
  expect(await isSound()).toBe(true)
  await sumAll(db, 'UTC')
  expect(
    await one(db, sql`select count(*)::int as n from summed_spans where kinds <> ${ALL_KINDS}::int and not is_month`),
  ).toEqual({
    n: 0,
  })
  expect(await reports()).toEqual(before)
})

test('[BOOK-03] the days of a branch do come from the sums below it, and a stranger reads none', async () => {
  const before = await reports()
  // The bets of `from` are those of its members then, less those of the same members, who were moved since.
  for (const [kind, what] of [
    [5, 'points'],
    [6, 'bets'],
  ] as const) {
    const add = (more: number) =>
      run(
        db,
        sql`update report_sums set total_out = total_out + ${more}::int where kind = ${kind} and of_id = ${from.id}`,
      )
    await add(1)
    const name = nameOf(what, from)
    expect((await reports())[name]).not.toEqual(before[name])
    expect(await isSound()).toBe(false)
    await add(-1)
    expect(await isSound()).toBe(true)
  }
  for (const under of [from, sub, deep])
    for (const what of ['points', 'bets'])
      expect(before[nameOf(what, stranger, under)]).toMatchObject({ days: [], rows: [] })
})
