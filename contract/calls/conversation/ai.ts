import { z } from 'zod'
import { calls } from '../../call.ts'
import { Flag, Id } from '../../fields.ts'

/** The bot of a group, and where its answers come from. */
export const BotView = z.object({
  /** Allowed by the upline; without it the group has no bot. */
  allowed: Flag,
  /** Rooms of new members start with the bot. */
  ai_rooms: Flag,
  /** An AI endpoint answers what no template answers. */
  endpoint: Flag,
  /** The number of templates the bot can answer with. */
  templates: z.int(),
})

export const aiCalls = calls({
  /**
   * Not in the source: the bot answers from now on, including messages that nobody has answered yet. It does not answer
   * those that it has already handed to people: while the member waits for that answer, the call is refused, or with
   * `settle` marks that no answer is needed, as `desk/settle` does.
   */
  'room/giveToBot': {
    effect: 'write',
    request: z.object({ room_id: Id, settle: Flag.default(0) }),
    response: z.null(),
    refuses: ['room.not_found', 'room.in_ai_hands', 'room.still_waits'],
  },
  /** Takes a room back from the bot. Only the first caller succeeds; an answer that the bot is preparing is dropped. */
  'room/recover': {
    effect: 'write',
    request: z.object({ room_id: Id }),
    response: z.null(),
    refuses: ['room.not_found', 'room.not_in_ai_hands'],
  },
  /** Not in the source: the bot of the caller's group. */
  'ai/view': { effect: 'read', request: z.object({}), response: BotView },
  'ai/save': { effect: 'write', request: z.object({ ai_rooms: Flag }), response: BotView },
})
