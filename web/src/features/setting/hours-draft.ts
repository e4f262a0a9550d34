import type { Answer } from '@tallyroom/contract'
import { clockOf, type OpeningHours, type Span } from '@tallyroom/contract/desk/hours'
import { spansProblem } from '@tallyroom/contract/desk/hours-form'
import type { NoticeKind } from '@tallyroom/contract/desk/texts'
import type { Translate } from '../../i18n/i18n.ts'
import { isDay } from '../../ui/form/range.ts'

type Hours = Answer<'deskHours/view'>
/** As it is typed: HH:MM, or empty. */
export type DraftSpan = { from: string; until: string }
export type DraftDay = { day: string; label: string; spans: DraftSpan[] }
export type HoursDraft = {
  hours_on: boolean
  /** Empty: the platform's. */
  time_zone: string
  week: DraftSpan[][]
  days: DraftDay[]
} & Pick<Hours, NoticeKind | 'default_language'>

/** No field for a time can show 24:00, so a span of the whole day has no fields. */
export const allDay: DraftSpan = { from: '00:00', until: '24:00' }
export const isAllDay = ({ from, until }: DraftSpan) => from === allDay.from && until === allDay.until

const minuteOf = (text: string) => {
  const [hours = NaN, minutes = NaN] = text.split(':').map(Number)
  return hours * 60 + minutes
}
const asDraft = ([from, until]: Span): DraftSpan => ({ from: clockOf(from), until: clockOf(until) })
const asSpan = ({ from, until }: DraftSpan): [number, number] => [minuteOf(from), minuteOf(until)]

export const draftOf = ({ hours_on, time_zone, week, days, ...texts }: Hours): HoursDraft => ({
  ...texts,
  hours_on,
  time_zone: time_zone ?? '',
  week: week.map((spans) => spans.map(asDraft)),
  days: days.map(({ day, label, spans }) => ({ day, label, spans: spans.map(asDraft) })),
})

export const hoursOf = ({ hours_on, time_zone, week, days, ...texts }: HoursDraft): Hours => ({
  ...texts,
  hours_on,
  time_zone: time_zone || null,
  week: week.map((spans) => spans.map(asSpan)),
  days: days.map(({ day, label, spans }) => ({ day, label, spans: spans.map(asSpan) })),
})

/** Why these spans cannot be saved. */
export const spansError = (t: Translate, spans: DraftSpan[]): string | undefined => {
  if (spans.some(({ from, until }) => !from || !until)) return t('field.needed')
  const problem = spansProblem(spans.map(asSpan))
  return problem && t(problem)
}

/** Why the day of this place in the list cannot be saved, besides its spans. */
export const dayError = (t: Translate, days: DraftDay[], at: number): string | undefined => {
  const day = days[at]?.day ?? ''
  if (!isDay(day)) return t('field.needed')
  return days.findIndex((other) => other.day === day) < at ? t('desk_hours.day_twice') : undefined
}

/** The hours as they would be; undefined while something is wrong with them. */
export const shownHours = (t: Translate, draft: HoursDraft, platformZone: string): OpeningHours | undefined => {
  const isWrong =
    draft.week.some((spans) => spansError(t, spans)) ||
    draft.days.some(({ spans }, at) => spansError(t, spans) ?? dayError(t, draft.days, at))
  const { week, days } = hoursOf(draft)
  return isWrong ? undefined : { zone: draft.time_zone || platformZone, week, days }
}
