import { dayAfter } from '../form/range.ts'

/** The same day some months later, or the last one of a shorter month. */
export const monthAfter = (day: string, months: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0))
  return `${last.toISOString().slice(0, 8)}${String(Math.min(date, last.getUTCDate())).padStart(2, '0')}`
}

/** Six weeks with all days of the month of a day, so that a calendar keeps its height. */
export const weeksOf = (day: string, firstWeekday: number): string[][] => {
  const first = `${day.slice(0, 8)}01`
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() - firstWeekday + 7) % 7
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, at) => dayAfter(first, week * 7 + at - before)),
  )
}
