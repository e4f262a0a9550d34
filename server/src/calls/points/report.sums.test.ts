import { randomUUID } from 'node:crypto'
import type { Input } from '@tallyroom/contract'
import { formatPoints, parsePoints } from '@tallyroom/contract/points'
import { Role, TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { besideTransaction, many, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { sumAll, sumNext } from '../../ledger/read/report-sums.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { makeOlder } from '../../testing/ledger/make-older.ts'
import { asSuperuser } from '../../testing/postgres.ts'

const server = await startTestServer()
const { db, ledger } = server.services
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** What moved, written down by hand: who paid and who was above the payer then. */
type Entry = { ago: number; above: number[]; actor: Person; member: Person; in: bigint; out: bigint }
const book: Entry[] = []
type Bet = { ago: number; member: Person; won: bigint; bet: bigint; valid: bigint }
const bets: Bet[] = []

/** Makes everything so far older by some days, past the triggers. */
const pass = async (days: number) => {
  for (const entry of [...book, ...bets]) entry.ago += days
  await makeOlder(24 * days)
  await asSuperuser(async (tx) => {
    // In two steps, so that no row gets the day of another one meanwhile.
    await run(tx, sql`update day_totals set day = day - 10000`)
    await run(tx, sql`update day_totals set day = day + (10000 - ${days}::int)`)
    await run(tx, sql`update past_places set first_day = first_day - ${days}::int, last_day = last_day - ${days}::int`)
  })
}

const { top, agent: from, cs, member } = await server.family()
const to = await server.person({ role: Role.agent, under: top, points: '1000' })
const sub = await server.person({ role: Role.agent, under: from, points: '500' })
const deep = await server.person({ role: Role.member, under: sub })
const subCs = await server.person({ role: Role.customerService, under: sub })
for (const who of [member, deep]) await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${who.id}`)
const [underFrom, underTo] = [
  [from.id, top.id],
  [to.id, top.id],
]
let aboveSub = [sub.id, ...underFrom]

const write = (above: number[], actor: Person, whom: Person, amount: string) => {
  const moved = parsePoints(amount) ?? 0n
  book.push({ ago: 0, above, actor, member: whom, in: moved > 0n ? moved : 0n, out: moved < 0n ? -moved : 0n })
}
const give = async (above: number[], actor: Person, whom: Person, amount: string) => {
  const made = await actor.call('user/transaction', { id: whom.id, amount, request_id: randomUUID() })
  write(above, actor, whom, amount)
  return made.transaction_id
}
const offer = async (actor: Person, whom: Person) =>
  (await actor.call('transaction/add', { member_id: whom.id, type: TransferKind.send, amount: '7.0007' }))
    .transaction_id
const answer = (whom: Person, transaction_id: string, accept: boolean) =>
  whom.call('envelope/answer', { transaction_id, accept })
const play = async (who: Person, bet: bigint, won: bigint, valid = bet) => {
  const game = { topId: top.id, memberId: who.id, betId: randomUUID() }
  await ledger.bet({ ...game, amount: bet, valid })
  if (won > 0n) await ledger.win({ ...game, amount: won })
  bets.push({ ago: 0, member: who, won, bet, valid })
}
/** A bet without a win; returns what voids it on a later day. */
const stake = async (who: Person, bet: bigint, valid: bigint) => {
  const game = { topId: top.id, memberId: who.id, betId: randomUUID() }
  await ledger.bet({ ...game, amount: bet, valid })
  bets.push({ ago: 0, member: who, won: 0n, bet, valid })
  return async () => {
    await ledger.voidBet(game)
    bets.push({ ago: 0, member: who, won: 0n, bet: -bet, valid: -valid })
  }
}
/** In the room, where nobody has to agree to a gift. */
const gift = async (above: number[], actor: Person, whom: Person) => {
  await actor.call('transaction/add', { member_id: whom.id, type: TransferKind.gift, amount: '2.5' })
  write(above, actor, whom, '2.5')
}
const move = async (who: Person, whom: Person) => top.call('tree/move', { id: who.id, to_id: whom.id })

// Long ago: both branches, an envelope of each outcome, and one that is accepted a month later.
await give(underFrom, from, member, '20.0001')
await give(underFrom, cs, member, '5')
await give(underFrom, cs, member, '-1.5')
await give(aboveSub, sub, deep, '30')
await gift(underFrom, cs, member)
await gift(aboveSub, sub, deep)
const slip = await give(aboveSub, sub, deep, '4')
await answer(member, await offer(cs, member), true)
write(underFrom, cs, member, '7.0007')
await answer(member, await offer(cs, member), false)
const open = await offer(sub, deep)
await play(member, 50_000n, 25_000n, 40_000n)
const voidLater = await stake(member, 33_000n, 25_000n)
await pass(31)
// The day of a move has parts of both places; what was offered before it is accepted after it.
await give(aboveSub, subCs, deep, '-2')
await give(aboveSub, sub, deep, '1.0001')
await answer(deep, open, true)
write(aboveSub, sub, deep, '7.0007')
await move(sub, to)
aboveSub = [sub.id, ...underTo]
await give(aboveSub, sub, deep, '3')
await top.call('transaction/correct', { transaction_id: slip, remark: 'a slip' })
book.push({ ago: 0, above: aboveSub, actor: top, member: deep, in: -40_000n, out: 0n })
await give(underFrom, cs, member, '0.5')
await pass(45)
// The other way round, on another day; the member is somebody else's from now on, and a person has another name.
await give(aboveSub, subCs, deep, '2')
await move(sub, from)
aboveSub = [sub.id, ...underFrom]
await give(aboveSub, subCs, deep, '6')
await move(member, to)
await give(underTo, to, member, '8')
await run(db, sql`update accounts set nickname = 'Somebody new' where id = ${cs.id}`)
await play(member, 10_000n, 0n)
await play(deep, 20_000n, 90_001n)
await voidLater()
await pass(1)
await give(aboveSub, sub, deep, '1')
await gift(aboveSub, subCs, deep)
await give(underTo, to, member, '-2')
await play(deep, 10_000n, 0n)

const people = [top, from, to, sub]
const ranges: [number, number][] = [
  [100, 0],
  [80, 20],
  [77, 46],
  [46, 46],
  [1, 1],
  [0, 0],
]
type Sums = Map<number | string, bigint[]>
const add = (sums: Sums, key: number | string, ...amounts: bigint[]) =>
  sums.set(
    key,
    (sums.get(key) ?? amounts.map(() => 0n)).map((sum, at) => sum + (amounts[at] ?? 0n)),
  )
const texts = (sums: Sums) => Object.fromEntries([...sums].map(([key, amounts]) => [key, amounts.map(formatPoints)]))
type By = Input<'report/sr02'>['by']

const asked = (what: 'points' | 'bets', by: By, [start, end]: [number, number], under?: Person) => ({
  what,
  by,
  start_date: dayOf(start),
  end_date: dayOf(end),
  ...(under ? { under: under.id } : {}),
})

/** Compares every cell, day and total of the reports by person, customer service and member; returns how many cells. */
const compare = async (who: Person, by: 'person' | 'service' | 'member', range: [number, number], under?: Person) => {
  const input = asked('points', by, range, under)
  const report = await who.call('report/sr02', input)
  const [rows, days, total]: Sums[] = [new Map(), new Map(), new Map([[0, [0n, 0n]]])]
  for (const entry of book) {
    if (entry.ago > range[0] || entry.ago < range[1] || !entry.above.includes((under ?? who).id)) continue
    if (by === 'service' && ![cs, subCs].includes(entry.actor)) continue
    add(rows as Sums, by === 'member' ? entry.member.id : entry.actor.id, entry.in, entry.out)
    add(days as Sums, dayOf(entry.ago), entry.in, entry.out)
    add(total as Sums, 0, entry.in, entry.out)
  }
  const name = JSON.stringify({ who: who.id, ...input })
  const cells = (of: { total_in: string; total_out: string }) => [of.total_in, of.total_out]
  expect(Object.fromEntries(report.data.map((row) => [row.id, cells(row)])), name).toEqual(texts(rows as Sums))
  expect(Object.fromEntries(report.days.map((row) => [row.day, cells(row)])), name).toEqual(texts(days as Sums))
  expect({ 0: cells(report.total) }, name).toEqual(texts(total as Sums))
  return report.data.length + report.days.length
}

/** The same of bets: members count where they are now. */
const compareBets = async (who: Person, by: 'operator' | 'member', range: [number, number]) => {
  const report = await who.call('report/sr02', asked('bets', by, range))
  const positions = new Map([
    [member.id, { above: underTo, agent: to }],
    [deep.id, { above: aboveSub, agent: sub }],
  ])
  const [rows, days]: Sums[] = [new Map(), new Map()]
  for (const bet of bets) {
    const position = positions.get(bet.member.id)
    if (bet.ago > range[0] || bet.ago < range[1] || !position?.above.includes(who.id)) continue
    add(rows as Sums, by === 'member' ? bet.member.id : position.agent.id, bet.won, bet.bet, bet.valid)
    add(days as Sums, dayOf(bet.ago), bet.won, bet.bet)
  }
  const name = JSON.stringify({ who: who.id, by, range })
  expect(
    Object.fromEntries(report.data.map((row) => [row.id, [row.total_in, row.total_out, row.valid]])),
    name,
  ).toEqual(texts(rows as Sums))
  expect(Object.fromEntries(report.days.map((row) => [row.day, [row.total_in, row.total_out]])), name).toEqual(
    texts(days as Sums),
  )
  return report.data.length
}

const compareAll = async () => {
  let cells = 0
  for (const who of people)
    for (const range of ranges) {
      for (const by of ['person', 'service', 'member'] as const) cells += await compare(who, by, range)
      for (const by of ['operator', 'member'] as const) cells += await compareBets(who, by, range)
    }
  for (const by of ['person', 'service', 'member'] as const)
    for (const under of [from, to, sub])
      for (const range of ranges.slice(0, 4)) cells += await compare(top, by, range, under)
  return cells
}
const spans = () =>
  many<{ isMonth: boolean; n: number }>(
    db,
    sql`select is_month as "isMonth", count(*)::int as n from summed_spans where time_zone = 'UTC' group by 1 order by 1`,
  )
const isSound = async () => {
  const findings = await checkLedger(db, 'UTC')
  return findings.filter(({ rule, breaches }) => rule === 'sums' && breaches.length > 0).length === 0
}

test('[BOOK-03] [BOOK-04] every cell by person and member is what a sum by hand gives, with and without kept sums', async () => {
  expect(await spans()).toEqual([])
  const cells = await compareAll()
  expect(cells).toBeGreaterThan(250)
  await sumAll(db, 'UTC')
  const [days, months] = await spans()
  // From the month of the first transfer to yesterday, with one or two whole months.
  expect(days?.n).toBeGreaterThan(77)
  expect(months?.n).toBeGreaterThan(1)
  expect(await compareAll()).toBe(cells)
  expect(await isSound()).toBe(true)
  // The day that is not over is added.
  await give(underTo, to, member, '0.25')
  await answer(deep, await offer(sub, deep), true)
  write(aboveSub, sub, deep, '7.0007')
  expect(await compareAll()).toBe(cells)
})

test('[BOOK-03] the reports do read the kept sums, and ledger:check finds a wrong one', async () => {
  const whole = () => top.call('report/sr02', asked('points', 'member', [100, 0]))
  const before = await whole()
  await run(db, sql`update report_sums set total_in = total_in + 1 where kind = 2 and is_month and id = ${deep.id}`)
  const after = await whole()
  expect(after.data).not.toEqual(before.data)
  expect(await isSound()).toBe(false)
  // They may be emptied at any time.
  await run(db, sql`delete from report_sums`)
  await run(db, sql`delete from summed_spans`)
  expect(await whole()).toEqual(before)
  expect(await isSound()).toBe(true)
})

test('a day waits for every transaction that may still write into it', async () => {
  await db.transact(async (tx) => {
    // As a batch that has locked its wallets.
    await run(tx, sql`select id from wallets where account_id = ${to.id} for no key update`)
    await besideTransaction(async () => {
      const { look } = await sumNext(db, 'UTC')
      expect(await sumNext(db, 'UTC', look)).toMatchObject({ isSummed: false, isWaiting: true })
    })
  })
  await sumAll(db, 'UTC')
  expect(await spans()).toHaveLength(2)
})

test('sums of another time zone are not used, and replaced', async () => {
  await sumAll(db, 'Asia/Taipei')
  expect(await spans()).toEqual([])
  for (const by of ['person', 'member'] as const) await compare(top, by, [100, 0])
  await sumAll(db, 'UTC')
  expect(await isSound()).toBe(true)
  for (const by of ['person', 'member'] as const) await compare(top, by, [100, 0])
})
