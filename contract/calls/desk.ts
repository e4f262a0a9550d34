import { z } from 'zod'
import { calls } from '../call.ts'
import { DraftVersion, Id, Seq } from '../fields.ts'
import { Aside } from '../events.ts'

const Code = z.string().max(64)
/** At most this many rooms are changed by one call. */
export const BULK = 200

/** What the group's side does with its rooms; nothing of it is ever told to a partner. */
export const deskCalls = calls({
  /** Takes a room. `from`: who has it, as far as the caller knows; nobody else loses it unseen. */
  'desk/take': {
    effect: 'write',
    request: z.object({ code: Code, from: Id.nullable().default(null) }),
    response: z.null(),
    refuses: ['room.not_found', 'room.taken'],
  },
  /** Gives a room that one has, or as head of the group any room, to a colleague. */
  'desk/handOver': {
    effect: 'write',
    request: z.object({ code: Code, to: Id }),
    response: z.null(),
    refuses: ['room.not_found', 'room.not_yours', 'room.not_a_colleague'],
  },
  'desk/release': {
    effect: 'write',
    request: z.object({ code: Code }),
    response: z.null(),
    refuses: ['room.not_found', 'room.not_yours'],
  },
  /** Whom a room of the own group can be handed to. */
  'desk/colleagues': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      data: z.array(z.object({ id: z.int(), nickname: z.string(), username: z.string(), role_id: z.int() })),
    }),
  },
  'desk/whisper': {
    effect: 'write',
    request: z.object({ code: Code, content: z.string().min(1), draft: DraftVersion }),
    response: Aside,
    refuses: ['room.not_found', 'message.blank'],
  },
  /** What was said among the group after one that the client has. */
  'desk/asides': {
    effect: 'read',
    request: z.object({ code: Code, after: Seq }),
    response: z.object({ asides: z.array(Aside), has_more: z.boolean() }),
    refuses: ['room.not_found'],
  },
  /** What the partner wrote needs no answer: nobody waits any more. */
  'desk/settle': {
    effect: 'write',
    request: z.object({ code: Code }),
    response: z.null(),
    refuses: ['room.not_found'],
  },
  'desk/markUnread': {
    effect: 'write',
    request: z.object({ code: Code }),
    response: z.null(),
    refuses: ['room.not_found'],
  },
  /**
   * One deed on all rooms that match, a bounded part of them each time: `next` goes on behind the last one, null at the
   * end. Answers the rooms that were changed, with which it can be undone.
   */
  'desk/bulk': {
    effect: 'write',
    request: z.object({
      deed: z.enum(['hide', 'show', 'read', 'unread']),
      filter: z
        .object({
          status: z.union([z.literal(1), z.literal(2)]),
          text: z.string().max(100).default(''),
          unread: z.boolean().default(false),
          waiting: z.boolean().default(false),
          mine: z.boolean().default(false),
        })
        .optional(),
      codes: z.array(Code).max(BULK).optional(),
      after: Seq.default(0),
    }),
    response: z.object({ codes: z.array(z.string()), next: z.int().nullable() }),
  },
})
