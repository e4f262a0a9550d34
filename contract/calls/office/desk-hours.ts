import { z } from 'zod'
import { calls } from '../../call.ts'
import { MAX_DAY_LABEL, MAX_DIFFERENT_DAYS } from '../../desk/hours-form.ts'
import { MAX_NOTICE } from '../../desk/texts.ts'
import { Day } from '../../fields.ts'

const Span = z.tuple([z.int().min(0).max(1439), z.int().min(0).max(1440)])
/** What is wrong with several spans is refused by name (`spansProblem`); the bound is only for the size. */
const Spans = z.array(Span).max(48)

/** As the locales name it, such as `zh-TW`. */
const Language = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/)
/** By language; a language without a text has none here. */
const Texts = z
  .record(Language, z.string().max(MAX_NOTICE))
  .refine((texts) => Object.keys(texts).length <= 20)
  .overwrite((texts) => Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')))

/** DESK-05, DESK-06: when the desk of a group is open (contract/desk/hours.ts), and what it then writes to members. */
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
  /** After a member's first message, and its first one after twelve hours; nothing without a text. */
  greeting: Texts,
  /** After a member's message while the desk is closed. */
  away: Texts,
  /** Readers whose language has no text read this one, else the English one. */
  default_language: Language,
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
