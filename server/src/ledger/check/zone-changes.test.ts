import { WalletKind } from '@tallyroom/contract/codes'
import { expect, test } from 'vitest'
import { closePeriod } from '../engine/close-period.ts'
import { sr02 } from '../../calls/points/report/sr02.ts'
import { connect, many, one, run, sql } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { ensure } from '../../lib/refusal.ts'
import { startTestServer } from '../../testing/app.ts'
import { asSuperuser, ownerOf, testDatabase, whenDone } from '../../testing/postgres.ts'
import { markPostings } from '../read/posting-marks.ts'
import { sumAll, sumNext } from '../read/report-sums.ts'
import { statementOf, statementSums } from '../read/statement.ts'
import { checkLedger } from './check.ts'
import { rebuildDays } from './day-totals.ts'

const server = await startTestServer()
const { db } = server.services
const owner = connect({ ...ownerOf(await testDatabase()), max: 1 })
whenDone(() => owner.end())
const { agent, member } = await server.family()
const MINUTES = 15
const HOURS = 4
/** Transfers, alternately to and from the member, so many minutes apart from some hours before a change to as many after. */
const COUNT = (2 * HOURS * 60) / MINUTES
/** Each amount is another sum of parts, so that no two transfers can stand in for each other. */
const amounts = Array.from({ length: COUNT }, (_, at) => (at % 2 === 0 ? 1 : -1) * (100_000 - at * 7))
for (const amount of amounts) await agent.call('user/transaction', { id: member.id, amount: String(amount / 10_000) })

/** Moves the transfers to these hours, past the triggers. Returns the time of each. */
const moveTo = async (name: string): Promise<Date[]> => {
  const from = new Date(name).getTime() - HOURS * 3_600_000
  const times = amounts.map((_, at) => new Date(from + at * MINUTES * 60_000))
  await asSuperuser(async (tx) => {
    const ids = await many<{ id: bigint }>(
      tx,
      sql`select id from transfers where target_id = ${member.id} order by id desc limit ${COUNT}::int`,
    )
    const transfersAt = sql`unnest(${ids.map(({ id }) => id).reverse()}::bigint[], ${times.map((time) => time.toISOString())}::timestamptz[]) v (id, at)`
    // What gave the agent its points is older than all of them.
    for (const table of [sql`transfers`, sql`postings`])
      await run(tx, sql`update ${table} set created_at = ${new Date(from - 3_600_000).toISOString()}::timestamptz`)
    await run(tx, sql`update transfers t set created_at = v.at from ${transfersAt} where t.id = v.id`)
    await run(tx, sql`update postings p set created_at = v.at from ${transfersAt} where p.transfer_id = v.id`)
    for (const table of [
      sql`posting_marks`,
      sql`report_sums`,
      sql`summed_spans`,
      sql`settlements`,
      sql`closed_balances`,
    ])
      await run(tx, sql`delete from ${table}`)
    await run(tx, sql`delete from closed_periods`)
  })
  return times
}

/** The day that a clock of the zone shows, by the zones of this process and not of PostgreSQL. */
const dayIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (time: Date) => format.format(time)
}
/** What was given and taken on each day, counted one by one. */
const recount = (times: Date[], timeZone: string) => {
  const days = new Map<string, { given: bigint; taken: bigint }>()
  for (const [at, time] of times.entries()) {
    const day = dayIn(timeZone)(time)
    const sums = days.get(day) ?? { given: 0n, taken: 0n }
    const amount = BigInt(amounts[at] ?? 0)
    if (amount > 0n) sums.given += amount
    else sums.taken -= amount
    days.set(day, sums)
  }
  return days
}

/** Sums the days around the change, and takes those after it, which have no transfer, as summed. */
const sumAround = async (last: string, timeZone: string) => {
  let pass = await sumNext(db, timeZone)
  while (!pass.isSummed) pass = await sumNext(db, timeZone, pass.look)
  for (const [isMonth, step] of [
    [false, '1 day'],
    [true, '1 month'],
  ] as const)
    await run(
      db,
      sql`insert into summed_spans (is_month, starts, time_zone, kinds)
        select ${isMonth}::boolean, d::date, s.time_zone, s.kinds from (select * from summed_spans limit 1) s,
          generate_series(date_trunc(${isMonth ? 'month' : 'day'}, ${last}::timestamp) + ${step}::interval, now(), ${step}::interval) d
        on conflict do nothing`,
    )
  // Thousands of rows at once: without it each pass would compare all with all.
  await owner.query('analyze summed_spans', [])
  await sumAll(db, timeZone)
}

/** Summer time begins and ends; a zone changes for ever; and a midnight like every other. */
test.each([
  ['Asia/Taipei', '2026-03-28T16:00:00Z'],
  ['Europe/Moscow', '2011-03-26T23:00:00Z'],
  ['Europe/Moscow', '2014-10-25T22:00:00Z'],
  ['Europe/Moscow', '2026-03-28T21:00:00Z'],
  ['Atlantic/Azores', '2026-03-29T01:00:00Z'],
  ['Atlantic/Azores', '2025-10-26T01:00:00Z'],
  ['America/Havana', '2025-11-02T05:00:00Z'],
  ['Europe/Berlin', '2025-10-26T01:00:00Z'],
])(
  '[BOOK-03] around the change of %s at %s sums of days, SR02, statements and periods are those of a recount',
  async (timeZone, moved) => {
    const times = await moveTo(moved)
    const days = recount(times, timeZone)
    expect(days.size).toBeGreaterThanOrEqual(2)
    await rebuildDays(owner, timeZone)
    await markPostings(db)
    await sumAround([...days.keys()].at(-1) ?? '', timeZone)
    const breaches = (await checkLedger(db, timeZone)).flatMap(({ rule, breaches: found }) =>
      found.map(({ what }) => `${rule}: ${what}`),
    )
    expect(breaches).toEqual([])
    const summed = await many<{ day: string }>(
      db,
      sql`select starts::text as day from summed_spans where not is_month and starts = any(${[...days.keys()]}::date[]) order by 1`,
    )
    expect(summed.map(({ day }) => day)).toEqual([...days.keys()])
    const actor = ensure(await actorOfAccount(db, agent.id, timeZone), 'account.not_found')
    const viewer = { actor, timeZone }
    let balance = 0n
    for (const [day, { given, taken }] of days) {
      const asked = { what: 'points', username: '', start_date: day, end_date: day } as const
      for (const by of ['operator', 'person', 'member', 'branch'] as const) {
        const { total } = await sr02(db, viewer, { ...asked, by })
        expect([day, by, total]).toEqual([day, by, { given, taken }])
      }
      const statement = await statementOf(db, viewer, {
        id: member.id,
        username: '',
        scope: 'own',
        wallet: WalletKind.main,
        start_date: day,
        end_date: day,
        by: '',
      })
      const { opening, closing, in: credited, out } = await statementSums(db, statement)
      expect([day, opening, closing, credited, out]).toEqual([day, balance, balance + given - taken, given, taken])
      balance += given - taken
      const { id } = await db.transact((tx) => closePeriod(tx, actor, timeZone, { start_date: day, end_date: day }))
      const closed = await one(
        db,
        sql`select opening, total_in, total_out, closing from closed_balances where period_id = ${id} and account_id = ${member.id}`,
      )
      expect([day, closed]).toEqual([day, { opening, total_in: given, total_out: taken, closing }])
    }
  },
)
