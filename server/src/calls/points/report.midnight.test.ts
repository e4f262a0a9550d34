import { expect, test } from 'vitest'
import { connect, run, sql } from '../../data/sql.ts'
import { checkLedger } from '../../ledger/check/check.ts'
import { rebuildDays } from '../../ledger/check/day-totals.ts'
import { ALL_KINDS, sumAll } from '../../ledger/read/report-sums.ts'
import { startTestServer } from '../../testing/app.ts'
import { asSuperuser, ownerOf, testDatabase } from '../../testing/postgres.ts'

/** At 01:00 UTC of the second day the clocks are set back from 01:00 to 00:00: this day has two midnights. */
const [TIME_ZONE, BEFORE, DAY] = ['Atlantic/Azores', '2025-10-25', '2025-10-26']
const moves = [
  ['2025-10-25T23:30:00Z', '100'],
  ['2025-10-26T00:30:00Z', '10'],
  ['2025-10-26T01:30:00Z', '4'],
  // The first instant of the next day.
  ['2025-10-27T01:00:00Z', '1'],
] as const

test('[BOOK-03] [SR02-03] where midnight comes twice, all reports count the hour between on the same day', async () => {
  const server = await startTestServer({ TIME_ZONE })
  const { db } = server.services
  const { agent, member } = await server.family()
  const date = (at: string) =>
    asSuperuser(async (tx) => {
      await run(
        tx,
        sql`update transfers set created_at = ${at}::timestamptz where created_at > now() - interval '1 hour'`,
      )
      await run(
        tx,
        sql`update postings set created_at = ${at}::timestamptz where created_at > now() - interval '1 hour'`,
      )
    })
  await date('2025-10-20T12:00:00Z')
  for (const [at, amount] of moves) {
    await agent.call('user/transaction', { id: member.id, amount })
    await date(at)
  }
  const owner = connect({ ...ownerOf(await testDatabase()), max: 1 })
  await rebuildDays(owner, TIME_ZONE)
  await owner.end()

  const figures = async (day: string) => {
    const days = { start_date: day, end_date: day }
    const until = (end_time: string) =>
      agent.call('transaction/totals', { start_time: `${day} 00:00:00`, end_time, operator_id: agent.id })
    const [statement, found, pressed, ...reports] = await Promise.all([
      agent.call('statement/view', { ...days, scope: 'own' }),
      until(`${day} 23:59:59`),
      // A whole day of the filter goes until the midnight after it.
      until(day === BEFORE ? `${DAY} 00:00:00` : '2025-10-27 00:00:00'),
      ...(['operator', 'person', 'member'] as const).map((by) => agent.call('report/sr02', { ...days, by })),
    ])
    const sums = reports.map(({ data }) => data.reduce((sum, row) => sum + Number(row.total_in), 0))
    return [Number(statement.out), Number(found.totals?.given), Number(pressed.totals?.given), ...sums]
  }
  const expectAgreement = async () => {
    expect(await figures(BEFORE)).toEqual([100, 100, 100, 100, 100, 100])
    expect(await figures(DAY)).toEqual([14, 14, 14, 14, 14, 14])
  }
  await expectAgreement()

  // The days since then have no transfers: only those of that month are to be summed.
  await run(
    db,
    sql`insert into summed_spans (is_month, starts, time_zone, kinds)
      select false, day, ${TIME_ZONE}, ${ALL_KINDS}::int from generate_series('2025-11-01'::date, now()::date - 1, interval '1 day') day`,
  )
  await sumAll(db, TIME_ZONE)
  await expectAgreement()
  expect((await checkLedger(db, TIME_ZONE)).flatMap(({ breaches }) => breaches)).toEqual([])

  const { id } = await agent.call('period/close', { start_date: BEFORE, end_date: BEFORE })
  expect(id).toBeGreaterThan(0)
})
