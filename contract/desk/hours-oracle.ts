import { type OpeningHours, nextClosing, nextOpening, openAt, openSeconds, type Span } from './hours.ts'

/** DESK-05: the opening hours against a recount, minute by minute (hours.test.ts, proofs/desk.ts). */

const MINUTE = 60_000
const DAYS = 4

/** Zones with the ways in which clocks change, around a change: half an hour, at midnight, a whole day left out, none. */
const zonesAndStarts = [
  ['UTC', '2026-03-27'],
  ['Asia/Taipei', '2026-03-27'],
  ['Europe/Berlin', '2026-03-27'],
  ['America/New_York', '2026-10-30'],
  ['America/St_Johns', '2026-03-06'],
  ['Australia/Lord_Howe', '2026-04-03'],
  ['Pacific/Chatham', '2026-09-25'],
  ['Asia/Kathmandu', '1985-12-30'],
  ['America/Havana', '2026-10-30'],
  ['Pacific/Apia', '2011-12-28'],
  ['Africa/Casablanca', '2026-02-13'],
  ['Asia/Beirut', '2026-03-27'],
] as const

type Clock = { day: string; weekday: number; minute: number; before: string }

/** What the zone's clock shows in each minute of some days. It is asked every quarter of an hour: clocks change on those. */
const clocksOf = (zone: string, start: string): { start: number; clocks: Clock[] } => {
  const format = new Intl.DateTimeFormat('sv-SE-u-nu-latn-ca-gregory', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const first = Date.parse(start)
  let shown = ''
  const clocks = Array.from({ length: DAYS * 1440 }, (_, at) => {
    const rest = at % 15
    if (rest === 0) shown = format.format(first + at * MINUTE)
    const [day = '', time = ''] = shown.split(' ')
    const [hour = 0, quarter = 0] = time.split(':').map(Number)
    const date = new Date(`${day}T00:00:00Z`)
    const weekday = date.getUTCDay()
    date.setUTCDate(date.getUTCDate() - 1)
    return { day, weekday, minute: hour * 60 + quarter + rest, before: date.toISOString().slice(0, 10) }
  })
  return { start: first, clocks }
}

const isOpen = ({ week, days }: OpeningHours, { day, weekday, minute, before }: Clock): boolean => {
  const today = days.find((one) => one.day === day)?.spans ?? week[weekday] ?? []
  const yesterday = days.find((one) => one.day === before)?.spans ?? week[(weekday + 6) % 7] ?? []
  return (
    today.some(([from, until]) => (from < until ? minute >= from && minute < until : minute >= from)) ||
    yesterday.some(([from, until]) => until < from && minute < until)
  )
}

type Random = (below: number) => number

/** The same numbers for the same seed. */
const randomOf = (seed: number): Random => {
  let state = seed
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const randomSpans = (random: Random): Span[] =>
  Array.from({ length: random(3) * random(3) }, () => {
    const from = random(8) === 0 ? 0 : random(1440)
    const until = random(8) === 0 ? 1440 : random(1440)
    return [from, until === from ? until + 1 : until] as const
  })

const randomHours = (random: Random, zone: string, start: number): OpeningHours => ({
  zone,
  week: Array.from({ length: 7 }, () => randomSpans(random)),
  days: Array.from({ length: DAYS + 2 }, (_, at) => ({
    day: new Date(start + (at - 1) * 1440 * MINUTE).toISOString().slice(0, 10),
    spans: randomSpans(random),
  })).filter(() => random(4) === 0),
})

/**
 * Compares so many random hours in every zone with the recount.
 * @returns the differences, none if all is well
 */
export const differencesIn = (count: number, seed: number): string[] => {
  const random = randomOf(seed)
  const differences: string[] = []
  for (const [zone, day] of zonesAndStarts) {
    const { start, clocks } = clocksOf(zone, day)
    for (let at = 0; at < count; at++) {
      const hours = randomHours(random, zone, start)
      const open = clocks.map((clock) => isOpen(hours, clock))
      const note = (what: string, minute: number) =>
        differences.push(`${what} in ${zone} at minute ${minute}: ${JSON.stringify(hours)}`)
      const [from, until] = [random(clocks.length / 2), clocks.length / 2 + random(clocks.length / 2)]
      const recounted = open.slice(from, until).filter(Boolean).length * 60
      const moment = (minute: number) => start + minute * MINUTE
      if (openSeconds(hours, moment(from), moment(until)) !== recounted) note('openSeconds', from)
      if (openAt(hours, moment(from)) !== open[from]) note('openAt', from)
      const opens = open.indexOf(true, from)
      const foundOpening = nextOpening(hours, moment(from))
      const isLater = foundOpening === undefined || foundOpening >= moment(clocks.length)
      if (opens < 0 ? !isLater : foundOpening !== moment(opens)) note('nextOpening', from)
      const closes = open.indexOf(false, from)
      const foundClosing = nextClosing(hours, moment(from))
      const isOpenOn = foundClosing === undefined || foundClosing >= moment(clocks.length)
      if (closes < 0 ? !isOpenOn : foundClosing !== moment(closes)) note('nextClosing', from)
    }
  }
  return differences
}
