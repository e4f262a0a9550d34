import type { Span } from './hours.ts'

export const MAX_SPANS = 6
export const MAX_DIFFERENT_DAYS = 100
export const MAX_DAY_LABEL = 60

/** Monday to Friday from 9 to 18, which a group without hours begins with. */
export const firstWeek: readonly (readonly Span[])[] = [0, 1, 2, 3, 4, 5, 6].map((weekday) =>
  weekday === 0 || weekday === 6 ? [] : [[540, 1080]],
)

export type SpanProblem = 'desk_hours.too_many' | 'right.hours_same' | 'desk_hours.overlap'

/** Why these are no spans of a day, for the page and the server; undefined if they are. */
export const spansProblem = (spans: readonly Span[]): SpanProblem | undefined => {
  if (spans.length > MAX_SPANS) return 'desk_hours.too_many'
  if (spans.some(([from, until]) => from === until)) return 'right.hours_same'
  const ends = spans
    .map(([from, until]) => [from, until > from ? until : until + 1440] as const)
    .toSorted(([a], [b]) => a - b)
  return ends.some(([, end], at) => end > (ends[at + 1]?.[0] ?? Infinity)) ? 'desk_hours.overlap' : undefined
}
