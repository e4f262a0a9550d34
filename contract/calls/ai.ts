import { z } from 'zod'
import { calls } from '../call.ts'
import { Flag, Id } from '../fields.ts'

/** Whether a group has a bot, and where it gets its answers from. */
export const BotView = z.object({
  /** What the upline gives: without it the group has no bot. */
  allowed: Flag,
  /** The rooms of new members begin with the bot. */
  ai_rooms: Flag,
  /** The bot can ask an endpoint for what no template answers. */
  endpoint: Flag,
  /** How many templates it can answer with. */
  templates: z.int(),
})

export const aiCalls = calls({
  /** Ours: the bot answers from now on, also what nobody has answered yet. */
  'room/giveToBot': {
    effect: 'write',
    request: z.object({ room_id: Id }),
    response: z.null(),
    refuses: ['room.not_found', 'room.in_ai_hands'],
  },
  /** Takes a room back from the bot. Only the first of two does it; whatever the bot was about to say is dropped. */
  'room/recover': {
    effect: 'write',
    request: z.object({ room_id: Id }),
    response: z.null(),
    refuses: ['room.not_found', 'room.not_in_ai_hands'],
  },
  /** Ours: the bot of the own group. */
  'ai/view': { effect: 'read', request: z.object({}), response: BotView },
  'ai/save': { effect: 'write', request: z.object({ ai_rooms: Flag }), response: BotView },
})
