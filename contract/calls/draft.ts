import { z } from 'zod'
import { calls } from '../call.ts'
import { Draft } from '../events.ts'
import { Count } from '../fields.ts'

/** Longer ones stay in the browser in which they are typed. */
export const LONGEST_DRAFT = 20_000

/** What an account has typed and not sent, by room: its own, seen by nobody else and on all its devices. */
export const draftCalls = calls({
  'draft/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(Draft) }),
  },
  /**
   * The last writer wins; `version` tells the others' browsers which was the last. Empty: thrown away. What was typed
   * `upon` an older version than the one that a message took along is not `kept`: the message holds it.
   */
  'draft/save': {
    effect: 'write',
    request: z.object({
      code: z.string().max(64),
      inside: z.boolean().default(false),
      content: z.string().max(LONGEST_DRAFT),
      upon: Count.optional(),
    }),
    response: z.object({ version: z.int(), kept: z.boolean() }),
    refuses: ['room.not_found'],
  },
})
