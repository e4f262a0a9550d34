import { z } from 'zod'
import { calls } from '../call.ts'
import { Cursor, DraftVersion, Id, Int4, Page, perPage, Seq, Version } from '../fields.ts'
import { Aside, Message, RoomChange, RoomSummary } from '../events.ts'

export const roomCalls = calls({
  /**
   * The rooms of a status as the viewer sees them, and no others. A partner (a member, or an agent in its own room with its
   * upline's customer service) sees its room as shown, whatever the group does with it.
   */
  'room/list': {
    effect: 'read',
    request: z.object({
      status: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
      /** The cursor of an earlier answer: then only what changed since, whatever its status. */
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
      /** Those among these messages; for the group's side only. */
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
      /** Messages with a smaller seq; wins over `page`, which shifts when messages arrive. */
      before: Seq.min(1).optional(),
      /** Messages with a larger seq, the next ones. */
      after: Seq.optional(),
      /** The message with this seq in the middle of the page. */
      around: Seq.min(1).optional(),
    }),
    response: z.object({
      messages: z.array(Message),
      /** Older ones than these, newer ones. */
      has_more: z.boolean(),
      has_newer: z.boolean(),
      asides: z.array(Aside),
    }),
    refuses: ['room.not_found'],
  },
  /** What changed in a room since the version that the client has. */
  'room/sync': {
    effect: 'read',
    request: z.object({ code: z.string().max(64), version: Version }),
    response: RoomChange,
    refuses: ['room.not_found'],
  },
  'room/changeStatus': {
    effect: 'write',
    request: z.object({ code: z.string().max(64), status: z.union([z.literal(1), z.literal(2)]) }),
    response: z.null(),
    refuses: ['room.not_found', 'room.in_ai_hands'],
  },
  sendMessage: {
    effect: 'write',
    size: 'image',
    request: z.object({
      code: z.string().max(64),
      /** 1 text, 2 image (content: a data URL). Every other type is written by the ledger alone. */
      type: Int4,
      content: z.string().min(1),
      /** The version of the sender's draft that this is: it is emptied together with the sending, if nothing newer is there. */
      draft: DraftVersion,
    }),
    response: Message,
    refuses: [
      'room.not_found',
      'room.in_ai_hands',
      'room.held',
      'message.type_not_allowed',
      'message.blank',
      'message.not_an_image',
    ],
  },
  readMessage: {
    effect: 'write',
    request: z.object({ message_id: z.uuid(), code: z.string().max(64) }),
    response: z.null(),
    refuses: ['room.not_found', 'message.not_found'],
  },
})
