import { z } from 'zod'
import { calls } from '../../call.ts'
import { unsentReasons } from '../../desk/later.ts'
import { DraftVersion, Flag, Id, SeenSeq } from '../../fields.ts'
import { MAX_REASON } from '../../lengths.ts'

const Code = z.string().max(64)
const At = z.iso.datetime()

/** DESK-07: what a person does later in a room. Partners never see any of it. */
export const laterCalls = calls({
  /**
   * Keeps a text that is sent at a time, a minute to 30 days from now, as the caller and with all rules of `sendMessage`
   * at that moment. A text of at most `MAX_TEXT` letters.
   */
  'message/schedule': {
    effect: 'write',
    request: z.object({
      code: Code,
      content: z.string().min(1),
      at: At,
      /** Sent also if the partner writes before. */
      anyway: z.boolean().default(false),
      /** The id of the message of this room that it answers. */
      quote: z.uuid().optional(),
      /** The text of the caller that it takes the place of. */
      replaces: z.uuid().optional(),
      /** As in `sendMessage`. */
      draft: DraftVersion,
      seen: SeenSeq,
    }),
    response: z.null(),
    refuses: [
      'room.not_found',
      'room.in_ai_hands',
      'room.held',
      'message.blank',
      'message.quote_not_found',
      'message.quote_taken_back',
      'later.wrong_time',
      'later.wrote_meanwhile',
      'later.too_many',
      'later.not_found',
    ],
  },
  /** Reminds the caller alone of a room, a minute to 30 days from now. */
  'desk/remind': {
    effect: 'write',
    request: z.object({ code: Code, at: At, note: z.string().trim().max(MAX_REASON).default('') }),
    response: z.null(),
    refuses: ['room.not_found', 'later.wrong_time', 'later.too_many'],
  },
  /** The texts that are sent later in a room or could not be sent, of all colleagues, and the caller's own reminders. */
  'message/scheduled': {
    effect: 'read',
    request: z.object({ code: Code }),
    response: z.object({
      data: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['send', 'remind']),
          at: z.string(),
          content: z.string(),
          anyway: Flag,
          /** The message that it answers. */
          quote: z.string().nullable(),
          account_id: Id,
          name: z.string(),
          /** `due`: a reminder whose time has come, until it is removed. */
          state: z.enum(['waits', 'due', 'refused']),
          /** Why a text was not sent. */
          reason: z.enum(unsentReasons).nullable(),
        }),
      ),
    }),
    refuses: ['room.not_found'],
  },
  /** Removes a text that is sent later, or an own reminder. Of others only who may write in the room removes a text. */
  'message/unschedule': {
    effect: 'write',
    request: z.object({ code: Code, id: z.uuid() }),
    response: z.null(),
    refuses: ['room.not_found', 'later.not_found'],
  },
})
