import { z } from 'zod'
import { calls } from '../../call.ts'
import { waitOutcomes, workCounts, workLevels } from '../../desk/waits.ts'
import { Day, Id, perPage, WaitsForApproval } from '../../fields.ts'

/** DESK-09. Waits are of the day on which they began to wait for people. */
const Filter = z.object({
  by: z.enum(workLevels).default('person'),
  /** Both days are included; at most a year. In the platform's time zone. */
  start_date: Day,
  end_date: Day,
  /** Only this group: the caller's own, or one below it. */
  group: Id.optional(),
})

/** Whole seconds of clock time, or of time in which the desk was open. */
const Lengths = z.object({ median: z.int(), p90: z.int(), longest: z.int() })

const Figures = z.object({
  waits: z.int(),
  first: z.int(),
  answers: z.int(),
  settled: z.int(),
  waiting: z.int(),
  missed: z.int(),
  passed: z.int(),
  /** Of first answers, in open time. The three are null without an answer. */
  first_open: Lengths.nullable(),
  /** Of all answers. By person they begin when that person got the conversation. */
  clock: Lengths.nullable(),
  open: Lengths.nullable(),
  on_s: z.int(),
})

/** `id`: where the viewer may open the account. */
const Named = z.object({ id: z.int().optional(), username: z.string(), nickname: z.string() })

export const workCalls = calls({
  'report/work': {
    effect: 'read',
    request: Filter,
    response: z.object({
      data: z.array(
        Figures.extend({
          /** The account of a person or group, or the hour (0 to 23). Null: what waits and nobody has. */
          row: z.int().nullable(),
          username: z.string(),
          nickname: z.string(),
        }),
      ),
      total: Figures,
      /** There are more rows; the totals have all. */
      cut: z.boolean(),
      /** The caller sees the own work only. */
      only_own: z.boolean(),
      time_zone: z.string(),
      /** Waits that began before are not counted. */
      since: z.string(),
    }),
    refuses: ['report.range_invalid', 'account.not_found'],
  },
  /** The waits behind a figure, the newest first. */
  'report/workWaits': {
    effect: 'read',
    request: Filter.extend({
      count: z.enum(workCounts),
      /** As in `report/work`; without it the waits of all rows. */
      row: z.int().min(0).max(2_147_483_647).nullable().optional(),
      /** `next` of the page before. */
      after: z
        .string()
        .regex(/^\d{1,15}-\d{1,10}-\d{1,10}$/)
        .optional(),
      per_page: perPage(200),
    }),
    response: z.object({
      total: z.int(),
      data: z.array(
        z.object({
          /** Names the wait. */
          wait: z.string(),
          /** The conversation, if the viewer may open it. */
          room: z.object({ room_id: z.int(), member_id: z.int(), code: z.string() }).nullable(),
          /** The message with which it begins. */
          seq: z.int(),
          member: Named,
          /** Who ended it, or who has the conversation while it waits. */
          person: Named.nullable(),
          asked_at: z.string(),
          from_at: z.string(),
          ended_at: z.string().nullable(),
          outcome: z.enum(waitOutcomes).nullable(),
          clock_s: z.int().nullable(),
          open_s: z.int().nullable(),
          is_first: z.boolean(),
          is_missed: z.boolean(),
          /** How many colleagues had it and did not answer in time. */
          passed: z.int(),
          /** The answer was taken back later. */
          is_taken_back: z.boolean(),
        }),
      ),
      next: z.string().nullable(),
    }),
    refuses: ['report.range_invalid', 'account.not_found'],
  },
  /** The rows of the page as CSV. */
  'report/workExport': {
    effect: 'read',
    request: Filter,
    response: z.object({ name: z.string(), csv: z.string(), cut: z.boolean(), approval: WaitsForApproval }),
    refuses: ['report.range_invalid', 'account.not_found', 'change.signed_in_by_link'],
  },
})
