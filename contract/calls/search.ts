import { z } from 'zod'
import { calls } from '../call.ts'
import { Flag, Instant } from '../fields.ts'

/** What was searched for, in the text's own letters, and what stands around it. */
const Excerpt = z.object({ before: z.string(), hit: z.string(), after: z.string() })

const text = z.string().trim().min(1).max(64)

export const searchCalls = calls({
  /**
   * Texts of the group's rooms that hold the words, the newest first. One call looks through a bounded number of messages: with
   * `next` there may be more further back, whether it found something or not.
   */
  'search/messages': {
    effect: 'read',
    request: z.object({
      text,
      /** `next` of the answer before. */
      before: z
        .string()
        .regex(/^[^/]+\/\d{1,9}\/\d{1,9}$/)
        .refine((place) => Instant.safeParse(place.split('/')[0]).success)
        .optional(),
    }),
    response: z.object({
      data: z.array(
        Excerpt.extend({
          message_id: z.string(),
          code: z.string(),
          room_id: z.int(),
          member_id: z.int(),
          /** Its place in the room: `room/history` takes it as `around`. */
          seq: z.int(),
          name: z.string(),
          username: z.string(),
          thumbnail: z.string(),
          is_self: z.boolean(),
          created_at: z.string(),
        }),
      ),
      next: z.string().nullable(),
      /** How far back was looked, while there may be more. */
      looked_to: z.string().nullable(),
    }),
  },
  /** Accounts of the list pages that may be seen, by a part of username or nickname; at most eight, those that begin with it first. */
  'search/accounts': {
    effect: 'read',
    request: z.object({ text }),
    response: z.object({
      data: z.array(
        z.object({ id: z.int(), role_id: z.int(), username: z.string(), nickname: z.string(), status: Flag }),
      ),
    }),
  },
  /** Notes of the group's rooms whose title or contents hold the words, the newest first: a note once. */
  'search/notes': {
    effect: 'read',
    request: z.object({ text }),
    response: z.object({
      data: z.array(
        Excerpt.extend({
          note_id: z.int(),
          title: z.string(),
          code: z.string(),
          room_id: z.int(),
          member_id: z.int(),
          name: z.string(),
          username: z.string(),
          created_at: z.string(),
        }),
      ),
    }),
  },
})
