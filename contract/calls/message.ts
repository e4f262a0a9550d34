import { z } from 'zod'
import { calls } from '../call.ts'
import { MessageType } from '../codes.ts'

const one = z.object({ code: z.string().max(64), message_id: z.uuid() })

export const messageCalls = calls({
  /** The sender takes a text or photo back: both sides see that it was there, and nobody its words. */
  'message/takeBack': {
    effect: 'write',
    request: one,
    response: z.null(),
    refuses: [
      'room.not_found',
      'message.not_found',
      'message.not_yours',
      'message.is_points',
      'message.already_taken_back',
      'message.too_late',
    ],
  },
  /** What a message said before it was taken back, for the head of the room's group. Each answer is in the audit log. */
  'message/original': {
    effect: 'read',
    request: one,
    response: z.object({
      type: z.literal([MessageType.text, MessageType.image]),
      /** The text; the photo as a data URL. */
      content: z.string(),
      width: z.int().nullable(),
      height: z.int().nullable(),
      taken_back_at: z.string(),
    }),
    refuses: ['room.not_found', 'message.not_found'],
  },
})
