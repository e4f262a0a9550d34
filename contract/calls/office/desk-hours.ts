import { z } from 'zod'
import { calls } from '../../call.ts'
import { MAX_DAY_LABEL, MAX_DIFFERENT_DAYS } from '../../desk/hours-form.ts'
import { Day } from '../../fields.ts'

const Span = z.tuple([z.int().min(0).max(1439), z.int().min(0).max(1440)])
/** What is wrong with several spans is refused by name (`spansProblem`); the bound is only for the size. */
const Spans = z.array(Span).max(48)

/** DESK-05: when the desk of a group is open (contract/desk/hours.ts). */
const Hours = z.object({
  hours_on: z.boolean(),
  /** An IANA name; null: that of the installation. */
  time_zone: z.string().trim().min(1).max(64).nullable(),
  /** Sunday first. */
  week: z.array(Spans).length(7),
  /** The days that differ, such as holidays: without spans they are closed. */
  days: z
    .array(z.object({ day: Day, spans: Spans, label: z.string().trim().max(MAX_DAY_LABEL).default('') }))
    .max(MAX_DIFFERENT_DAYS),
})
export type DeskHours = z.output<typeof Hours>

export const deskHoursCalls = calls({
  'deskHours/view': { effect: 'read', request: z.object({}), response: Hours },
  'deskHours/save': {
    effect: 'write',
    request: Hours,
    response: z.null(),
    /** `field` names the part: `time_zone`, `week` or `days`; `at` is the weekday, or the day's place in the list. */
    refuses: [
      'home.zone_unknown',
      'right.hours_same',
      'desk_hours.overlap',
      'desk_hours.too_many',
      'desk_hours.day_twice',
    ],
  },
})
