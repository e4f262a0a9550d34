import { z } from 'zod'
import { calls } from '../../call.ts'
import { Draft } from '../../events.ts'
import { Count } from '../../fields.ts'
import { MAX_DRAFT } from '../../lengths.ts'

/** The caller's unsent texts, by room. Only the caller gets them, on all devices. */
export const draftCalls = calls({
  'draft/list': {
    effect: 'read',
    request: z.object({}),
    response: z.object({ data: z.array(Draft) }),
  },
  /**
   * The last writer wins; `version` tells other browsers which save was last. Empty content deletes the draft.
   * `upon`: the version that this text continues. When a message has been sent from a later version, the text is not
   * `kept`, because the message already holds it.
   */
  'draft/save': {
    effect: 'write',
    request: z.object({
      code: z.string().max(64),
      inside: z.boolean().default(false),
      content: z.string().max(MAX_DRAFT),
      upon: Count.optional(),
    }),
    response: z.object({ version: z.int(), kept: z.boolean() }),
    refuses: ['room.not_found'],
  },
})
