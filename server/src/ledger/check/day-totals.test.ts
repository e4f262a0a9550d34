import { Role, TransferKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { sr02 } from '../../calls/points/report/sr02.ts'
import { connect, many, one, run, sql } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { ensure } from '../../lib/refusal.ts'
import { type Person, startTestServer } from '../../testing/app.ts'
import { makeOlder } from '../../testing/ledger/make-older.ts'
import { ownerOf, testDatabase } from '../../testing/postgres.ts'
import { checkLedger } from './check.ts'
import { rebuildDays } from './day-totals.ts'
import { checkZone, noteZone } from './time-zone.ts'
import { outcomeOf } from '../../testing/outcome.ts'

// Without TIME_ZONE a server follows what is chosen for it, and would take the zone of a count in between.
const server = await startTestServer({ TIME_ZONE: 'UTC' })
const { db, settings } = server.services
const { top, agent: from, cs, member } = await server.family()
const to = await server.person({ role: Role.agent, under: top, points: '1000' })
const sub = await server.person({ role: Role.agent, under: from, points: '500' })
const deep = await server.person({ role: Role.member, under: sub })
await run(db, sql`update accounts set withdraw_confirm = 1 where id = ${deep.id}`)

const give = (who: Person, whom: Person, amount: string) => who.call('user/transaction', { id: whom.id, amount })

await give(from, member, '20.0001')
const slip = await give(sub, deep, '4')
const { transaction_id } = await sub.call('transaction/add', {
  member_id: deep.id,
  type: TransferKind.send,
  amount: '7',
})
for (let hour = 0; hour < 30; hour += 5) {
  await makeOlder(5)
  await give(sub, deep, `${hour + 1}`)
  await give(cs, member, '-0.5')
  if (hour === 10) await top.call('tree/move', { id: sub.id, to_id: to.id })
  if (hour === 15) await deep.call('envelope/answer', { transaction_id, accept: true })
  if (hour === 20) await top.call('transaction/correct', { transaction_id: slip.transaction_id, remark: 'a slip' })
}
await top.call('tree/move', { id: sub.id, to_id: from.id })
await give(sub, deep, '0.25')

const owner = connect({ ...ownerOf(await testDatabase()), max: 1 })
const breaches = async (timeZone: string) =>
  (await checkLedger(db, timeZone)).flatMap(({ rule, breaches: found }) => found.map(({ what }) => `${rule}: ${what}`))
const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** SR02 from the day totals, and the same from the transfers themselves, of single days and all together. */
const compare = async (timeZone: string) => {
  let cells = 0
  for (const who of [top, from, to, sub]) {
    const actor = ensure(await actorOfAccount(db, who.id, timeZone), 'account.not_found')
    for (const [start, end] of [[4, -1], ...[3, 2, 1, 0, -1].map((ago) => [ago, ago])] as [number, number][]) {
      const asked = { what: 'points', username: '', start_date: dayOf(start), end_date: dayOf(end) } as const
      const [totals, transfers] = await Promise.all(
        (['operator', 'person'] as const).map((by) => sr02(db, { actor, timeZone }, { ...asked, by })),
      )
      const sum = (transfers?.rows ?? []).reduce(
        (all, row) => ({ given: all.given + row.given, taken: all.taken + row.taken }),
        {
          given: 0n,
          taken: 0n,
        },
      )
      expect(totals?.total, `${timeZone} ${who.username} ${asked.start_date}`).toEqual(sum)
      if (sum.given > 0n) cells++
    }
  }
  return cells
}

test('[BOOK-03] after a change of TIME_ZONE one command counts all days in it, with moves, envelopes and corrections', async () => {
  for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles', 'Pacific/Chatham', 'UTC']) {
    await rebuildDays(owner, timeZone)
    expect(await breaches(timeZone)).toEqual([])
    expect(await compare(timeZone)).toBeGreaterThan(8)
  }
  await rebuildDays(owner, 'Pacific/Kiritimati')
  expect((await breaches('UTC')).join()).toContain('days:')
  // Past places are append-only again.
  await expect(owner.query('update past_places set first_in = 1', [])).rejects.toThrow(/append-only|cannot|not/i)
})

test('[BOOK-03] a server with another time zone than the day totals does not start, and writes no transfer', async () => {
  await rebuildDays(owner, 'Asia/Taipei')
  const sentence = /TIME_ZONE is "UTC", but the day totals .* "Asia\/Taipei".* npm run ledger:days/
  await expect(noteZone(db, { timeZone: 'UTC', isTimeZoneGiven: true })).rejects.toThrow(sentence)
  await expect(checkZone(db, 'UTC')).rejects.toThrow(sentence)
  await noteZone(db, { timeZone: 'Asia/Taipei', isTimeZoneGiven: true })
  // One that was left running, first with TIME_ZONE, then with the zone that was chosen in the product.
  const transfers = () =>
    one(db, sql`select count(*) as n, (select sum(total_in) from day_totals) as counted from transfers`)
  const before = await transfers()
  for (const left of [{ isTimeZoneGiven: true }, { isTimeZoneGiven: false, isTimeZoneFixed: true }]) {
    Object.assign(settings, left)
    expect(outcomeOf(await from.ask('user/transaction', { id: member.id, amount: '1' }))).not.toBe(0)
    expect(await transfers()).toEqual(before)
  }
  await rebuildDays(owner, 'UTC')
  await give(from, member, '1')
  expect(await breaches('UTC')).toEqual([])
})

test('the first start of an installation notes its time zone', async () => {
  await run(db, sql`delete from installation where name = 'time_zone'`)
  await checkZone(db, 'Asia/Taipei')
  await noteZone(db, { timeZone: 'UTC', isTimeZoneGiven: true })
  await expect(noteZone(db, { timeZone: 'Asia/Taipei', isTimeZoneGiven: true })).rejects.toThrow('TIME_ZONE')
  expect(await many(db, sql`select value from installation where name = 'time_zone'`)).toEqual([{ value: 'UTC' }])
  await owner.end()
})
