import { z } from 'zod'
import { calls } from '../../call.ts'
import { PeopleStatusCode, RoomStatusCode } from '../../code-fields.ts'
import { RoomStatus } from '../../codes.ts'
import { Cursor, Id, Page, perPage, Seq, Version } from '../../fields.ts'
import { Aside, Message, RoomChange, RoomSummary } from '../../events.ts'

export const roomCalls = calls({
  /**
   * The rooms of one status that the viewer has access to. A partner (a member, or an agent in its own room with its
   * upline's customer service) always gets its room as shown, even when the group has hidden it.
   */
  'room/list': {
    effect: 'read',
    request: z.object({
      status: RoomStatusCode.default(RoomStatus.shown),
      /** The cursor of an earlier answer: returns only rooms that changed since then, of any status. */
      since: Cursor.optional(),
    }),
    response: z.object({ data: z.array(RoomSummary), cursor: z.string() }),
  },
  'room/enter': {
    effect: 'read',
    request: z.object({ code: z.string().max(64).optional(), room_id: Id.optional(), friend_id: Id.optional() }),
    response: z.object({
      room: RoomSummary,
      messages: z.array(Message),
      has_more: z.boolean(),
      /** The asides between these messages; empty for the partner's side. */
      asides: z.array(Aside),
    }),
    refuses: ['room.not_found'],
  },
  'room/history': {
    effect: 'read',
    request: z.object({
      code: z.string().max(64),
      page: Page,
      per_page: perPage(100).default(30),
      /** Messages with a smaller seq. Takes precedence over `page`, which shifts when messages arrive. */
      before: Seq.min(1).optional(),
      /** The next messages, with a larger seq. */
      after: Seq.optional(),
      /** The page with the message of this seq in its middle. */
      around: Seq.min(1).optional(),
    }),
    response: z.object({
      messages: z.array(Message),
      /** Whether there are older messages, and newer ones. */
      has_more: z.boolean(),
      has_newer: z.boolean(),
      asides: z.array(Aside),
    }),
    refuses: ['room.not_found'],
  },
  /** The changes of a room since the version that the client has. */
  'room/sync': {
    effect: 'read',
    request: z.object({ code: z.string().max(64), version: Version }),
    response: RoomChange,
    refuses: ['room.not_found'],
  },
  /** For the member's page: how many minutes members usually wait for a person's answer, and when the desk is open. */
  'room/answerTime': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      /** Null while too few have waited. */
      minutes: z.int().min(1).nullable(),
      /** When it opens or closes next, in turn; null: the group has no opening hours. */
      opening: z.object({ is_open: z.boolean(), changes: z.array(z.string()) }).nullable(),
    }),
  },
  'room/changeStatus': {
    effect: 'write',
    request: z.object({ code: z.string().max(64), status: PeopleStatusCode }),
    response: z.null(),
    refuses: ['room.not_found', 'room.in_ai_hands'],
  },
})
