import { z } from 'zod'
import { Flag, PointsText } from './fields.ts'

/**
 * What happened in a room beside the talk, as the content of a message of type 12. The group reads how it came about;
 * the partner only who answers from now on.
 */
export const lines = [
  'took_over',
  'asked_for_people',
  'bot_did_not_know',
  'bot_failed',
  'bot_is_off',
  'given_to_bot',
  'people_answer',
  'bot_answers',
] as const
export type Line = (typeof lines)[number]

/** A message as one side of its room sees it. */
export const Message = z.object({
  message_id: z.string(),
  /** The room, and its member (as `member_id` of the room). An answer that was stored before these four has none. */
  room_id: z.int().default(0),
  member_id: z.int().default(0),
  seq: z.int(),
  /** The room's version at the message's last change: it grows when an envelope settles. */
  version: z.int(),
  /** 1 text, 2 image, 3 transfer in, 6 transfer out, 7 envelope that asks, 8 gift, 9 make-up, 10 and 11 game wallet, 12 a line. */
  type: z.int(),
  /** The text; the image's address; the amount of a transfer; the name of what happened (`Line`). */
  content: z.string(),
  /** Written by the viewer's side of the room: the whole group is one side, the partner the other. */
  is_self: z.boolean(),
  created_at: z.string(),
  nickname: z.string(),
  /** Who wrote it: on the partner's side only the partner's own name; empty for the bot. */
  username: z.string().default(''),
  /** The picture of the side that wrote it, as the room shows it. */
  thumbnail: z.string().default(''),
  /** Who wrote it, for the group's side; empty on the member's side. */
  user_username: z.string(),
  /** Written by the bot of the group's side. */
  bot: Flag,
  width: z.int().nullable(),
  height: z.int().nullable(),
  transaction_id: z.string().nullable(),
  /** 0 failed, 1 success, 2 rejected, 3 expired, 4 pending. */
  transaction_status: z.int().nullable(),
  /** An admin has taken the transfer back. */
  transaction_corrected: z.boolean(),
  /** 1 the member is given points, 2 the member is asked for points. */
  transaction_type: z.int().nullable(),
  amount: PointsText.nullable(),
  remark: z.string().nullable(),
  expires_at: z.string().nullable(),
})
export type Message = z.output<typeof Message>

export const RoomSummary = z.object({
  id: z.int(),
  room_id: z.int(),
  code: z.string(),
  member_id: z.int(),
  /** The ids of the accounts whose room it is: the partner, and for all but members the head of the group. */
  members: z.array(z.int()),
  name: z.string(),
  /** The partner's; empty on the member's side. */
  username: z.string(),
  partner_username: z.string(),
  thumbnail: z.string(),
  /** 1 shown, 2 hidden, 3 AI. */
  status: z.int(),
  /** The bot answers here. */
  bot: Flag,
  version: z.int(),
  last_seq: z.int(),
  message_type: z.int().nullable(),
  /** Of points as the last message: 1 the member is given points, 2 the member is asked for points. */
  transaction_type: z.int().nullable(),
  message_content: z.string(),
  message_time: z.string().nullable(),
  /** 1 when the viewer has read everything. */
  message_read: z.int(),
  /** How far the viewer, the other side and (of the group) anyone of the viewer's side has read. */
  read_seq: z.int(),
  other_read_seq: z.int(),
  /** How far the other side's browsers have it, and those of the viewer's side. */
  other_delivered_seq: z.int(),
  delivered_seq: z.int(),
  isThird: z.int(),
  /** Of the partner as the viewer sees it: 0 an agent below, 1 a member, 2 the viewer's own upline. */
  type: z.int(),
  /** Whom `room/enter` opens this room by, besides its code; null on the member's side. */
  friend_id: z.int().nullable(),
  /** Orders summaries: grows with everything that changes for the viewer's side. */
  desk_version: z.int(),
  /** Of the group's side alone: since when the partner waits for an answer, who has the room, the last aside. */
  waiting_since: z.string().nullable(),
  owner_id: z.int().nullable(),
  owner_name: z.string(),
  aside_seq: z.int(),
  /** The viewer wants it to look unread; the greater `mark_version` is the newer word on that. */
  marked_unread: Flag,
  mark_version: z.int(),
})
export type RoomSummary = z.output<typeof RoomSummary>

/** The fields of a summary that are the same for everyone of that side. */
const RoomFields = RoomSummary.omit({ message_read: true, read_seq: true, marked_unread: true, mark_version: true })

/** Said among the group, beside the messages: it has a seq of its own and stands behind the message `after_seq`. */
export const Aside = z.object({
  aside_id: z.string(),
  seq: z.int(),
  after_seq: z.int(),
  kind: z.enum(['whisper', 'taken', 'taken_over', 'handed', 'released', 'settled']),
  content: z.string(),
  nickname: z.string(),
  user_username: z.string(),
  target_id: z.int().nullable(),
  target_name: z.string(),
  created_at: z.string(),
})
export type Aside = z.output<typeof Aside>

/** What changed of a room for the group's side alone. It may arrive twice, late or not at all. */
export const DeskChange = z.object({ code: z.string(), room: RoomFields, asides: z.array(Aside) })
export type DeskChange = z.output<typeof DeskChange>

/**
 * What happened in a room between two of its versions. It may arrive twice, late or not at all:
 * `applyChange` in the browser drops what it knows and asks `room/sync` for what is missing.
 */
export const RoomChange = z.object({
  code: z.string(),
  /** The version this change builds on; a client that has less must ask for the difference. */
  since: z.int(),
  version: z.int(),
  /** Too much has changed: load the room afresh. */
  reset: z.boolean(),
  /** New and changed messages, by seq. */
  messages: z.array(Message),
  room: RoomFields,
})
export type RoomChange = z.output<typeof RoomChange>

/** What the viewer has typed into a room and not sent, `inside`: for colleagues; a greater `version` is newer. */
export const Draft = z.object({ code: z.string(), inside: z.boolean(), content: z.string(), version: z.int() })
export type Draft = z.output<typeof Draft>

/** Socket events, server to client. */
export const events = {
  /** In a room of the viewer. On `user:{id}` and on `room:{code}`; a socket on both gets it once. */
  room: RoomChange,
  /** The group's side of a room of the viewer has changed; never to a partner. */
  desk: DeskChange,
  /** The viewer has read a room, or marked it as unread, perhaps in another tab. */
  read: z.object({
    code: z.string(),
    read_seq: z.int(),
    marked_unread: Flag.optional(),
    mark_version: z.int().optional(),
  }),
  /** One of the viewer's own drafts, from another of his devices. */
  draft: Draft,
  /** How far the other side's browsers have a room. */
  delivered: z.object({ code: z.string(), seq: z.int() }),
  /**
   * Somebody types or looks, for a few seconds after it was said; nothing of it is kept. Account 0 is the other side.
   * A partner is never told who of the group, nor that anyone looks.
   */
  presence: z.object({
    code: z.string(),
    what: z.enum(['typing', 'looking', 'gone']),
    account_id: z.int(),
    name: z.string(),
  }),
  /** The own balance or the own view changed: ask again. */
  account: z.object({ account_id: z.int() }),
  /** The same of the partner of a room that the viewer has open on the group's side. */
  member: z.object({ account_id: z.int() }),
  /** How the viewer's rooms look has changed: ask again. */
  settings: z.object({}),
  /** The session has ended: what `data.reason` of 9998 says. */
  ended: z.object({ reason: z.string() }),
} as const
export type EventName = keyof typeof events
export type ServerEvents = { [N in EventName]: (payload: z.output<(typeof events)[N]>) => void }
/** Socket events, client to server. */
export type ClientEvents = {
  join: (code: string, answer: (result: { ok: boolean }) => void) => void
  leave: (code: string, answer: (result: { ok: boolean }) => void) => void
  /** In a room that was joined. `inside`: among the group, which its partner must not see. */
  typing: (code: string, inside: boolean) => void
  looking: (code: string, here: boolean) => void
  /** Up to which seq this browser has rooms. */
  received: (marks: [code: string, seq: number][]) => void
}
