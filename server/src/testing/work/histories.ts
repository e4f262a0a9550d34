import type { OpeningHours } from '@tallyroom/contract/desk/hours'
import { workCounts } from '@tallyroom/contract/desk/waits'
import type { RoomHistory } from '@tallyroom/contract/desk/waits-oracle'
import { locks } from '../../data/locks.ts'
import { run, sql } from '../../data/sql.ts'
import type { TestServer } from '../app.ts'
import { dice } from '../ledger/dice.ts'
import { compareReport } from './compare.ts'
import { playHistory, type Random, workGroups } from './play.ts'

const DAY = 86_400_000
const ACTS = 60
/** Rooms of one pair of groups: their report is compared as a whole. */
const TOGETHER = 5

/** Nights, a break, a short day, and a group that is closed on two days. */
const week: OpeningHours['week'] = [
  [],
  [
    [540, 720],
    [780, 1080],
  ],
  [
    [540, 720],
    [780, 1080],
  ],
  [[0, 1440]],
  [[1320, 360]],
  [
    [540, 545],
    [600, 1200],
  ],
  [],
]

/** The same numbers for the same seed. */
const randomOf = (seed: number): Random => {
  const next = dice(seed)
  return (below) => Math.floor(next() * below)
}

/** Nobody counts waits beside `work`: what was just written has not yet the time of its history. */
export const withoutCounting = async <T>(server: TestServer, work: () => Promise<T>): Promise<T> => {
  const signal = () => {
    let give = () => {}
    const given = new Promise<void>((resolve) => {
      give = resolve
    })
    return { given, give }
  }
  const [taken, released] = [signal(), signal()]
  const holding = server.services.db.transact(async (tx) => {
    await run(tx, sql`select pg_advisory_xact_lock(${locks.deskWaits}::bigint)`)
    taken.give()
    await released.given
  })
  await taken.given
  try {
    return await work()
  } finally {
    released.give()
    await holding
  }
}

/** Plays so many random histories and compares the reports with a recount. */
export const compareHistories = async (server: TestServer, count: number, seed: number) => {
  const random = randomOf(seed)
  const zone = server.services.settings.timeZone
  const differences: string[] = []
  const counted = new Map<string, number>()
  const note = (name: string, n = 1) => counted.set(name, (counted.get(name) ?? 0) + n)
  await withoutCounting(server, async () => {
    for (let played = 0; played < count; played += TOGETHER) {
      const groups = await workGroups(server)
      await groups.head.call('deskHours/save', {
        hours_on: true,
        time_zone: 'America/New_York',
        week: week.map((spans) => spans.map(([from, until]) => [from, until] as [number, number])),
        days: [],
        greeting: { en: 'Welcome' },
        away: { en: 'We are closed' },
        default_language: 'en',
      })
      const histories: RoomHistory[] = []
      for (let at = 0; at < Math.min(TOGETHER, count - played); at++)
        histories.push(await playHistory(server, groups, random, ACTS))
      const hours: OpeningHours = { zone: 'America/New_York', week, days: [] }
      const day = (ago: number) => new Date(Date.now() - ago * DAY).toISOString().slice(0, 10)
      const found = await compareReport({
        viewer: groups.upper,
        histories,
        days: { start_date: day(20), end_date: day(-1) },
        hoursOf: (group) => (group === groups.head.id ? hours : undefined),
        zone,
      })
      differences.push(...found.map((line) => `histories from ${played}: ${line}`))
      for (const { steps } of histories) for (const { kind } of steps) note(kind)
      const report = await groups.upper.call('report/work', { start_date: day(20), end_date: day(-1) })
      for (const count of workCounts) note(count, report.total[count])
    }
  })
  return { differences, counted }
}
