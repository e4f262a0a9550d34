import { z } from 'zod'
import { calls } from '../../call.ts'
import { RoleCode } from '../../code-fields.ts'
import { Flag, Instant } from '../../fields.ts'
import { MAX_TYPED_NAME } from '../../lengths.ts'

/** The hit as it is written in the text, with the text before and after it. */
const Excerpt = z.object({ before: z.string(), hit: z.string(), after: z.string() })

const text = z.string().trim().min(1).max(MAX_TYPED_NAME)

export const searchCalls = calls({
  /**
   * Messages of the group's rooms that contain the text, newest first. One call scans a bounded number of messages:
   * when
   * `next` is set, there may be more hits further back, even if this answer is empty.
   */
  'search/messages': {
    effect: 'read',
    request: z.object({
      text,
      /** `next` of the previous answer. */
      before: z
        .string()
        .regex(/^[^/]+\/\d{1,9}\/\d{1,9}$/)
        .refine((cursor) => Instant.safeParse(cursor.split('/')[0]).success)
        .optional(),
    }),
    response: z.object({
      data: z.array(
        Excerpt.extend({
          message_id: z.string(),
          code: z.string(),
          room_id: z.int(),
          member_id: z.int(),
          /** Its `seq` in the room: pass it to `room/history` as `around`. */
          seq: z.int(),
          name: z.string(),
          username: z.string(),
          thumbnail: z.string(),
          is_self: z.boolean(),
          created_at: z.string(),
        }),
      ),
      next: z.string().nullable(),
      /** The time of the oldest message scanned; null when everything was scanned. */
      looked_to: z.string().nullable(),
    }),
  },
  /**
   * Accounts that the caller may see whose username or nickname contains the text; at most eight, prefix matches first.
   */
  'search/accounts': {
    effect: 'read',
    request: z.object({ text }),
    response: z.object({
      data: z.array(
        z.object({ id: z.int(), role_id: RoleCode, username: z.string(), nickname: z.string(), status: Flag }),
      ),
    }),
  },
  /** Notes of the group's rooms whose title or content contains the text, newest first; each note once. */
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
