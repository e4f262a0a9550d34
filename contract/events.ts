import { z } from 'zod'
import { allCashReasons, cashDirections, cashStates } from './cash.ts'
import { EnvelopeTypeCode, MessageTypeCode, RoomStatusCode, RoomTypeCode, TransferStatusCode } from './code-fields.ts'
import { MessageType } from './codes.ts'
import { Flag, PointsText, ShownMentions } from './fields.ts'

/**
 * The events of a conversation, as the content of a message of type 12. The group sees the reason; the partner sees
 * only who answers from now on.
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

/** The message that another one answers, in short, as the viewer may see it. */
export const Quote = z.object({
  message_id: z.string(),
  seq: z.int(),
  type: MessageTypeCode,
  /**
   * Its first letters; the amount of a transfer; the milliseconds of a voice note; the name of a file; empty for a photo
   * and for what was taken back.
   */
  content: z.string(),
  is_self: z.boolean(),
  /** Empty for the bot, and on the member's side for people of the group without a nickname. */
  nickname: z.string(),
  bot: Flag,
  transaction_type: EnvelopeTypeCode.nullable(),
  taken_back: Flag,
})
export type Quote = z.output<typeof Quote>

/** The key of the member API whose lease ended without a word, by its name, and the reference that it gave. */
export const MaybePaid = z.object({ key: z.string(), reference: z.string() })

/** A member's request for points, as the card in its room shows it. The amount is the message's. */
export const CashCard = z.object({
  id: z.int(),
  direction: z.enum(cashDirections),
  state: z.enum(cashStates),
  /** The member's bank account when it asked: the bank's name and the masked number; empty for none. */
  bank: z.string(),
  account_no: z.string(),
  /** The address of the slip's photo, or empty. */
  slip: z.string(),
  /** Why it was refused: one of the usual reasons, a text, or both. */
  reason_code: z.enum(allCashReasons).optional(),
  reason: z.string(),
  /** The colleague who has taken it; the member's side does not learn who. */
  taken_by: z.int().nullable(),
  taken_name: z.string(),
  expires_at: z.string(),
  ended_at: z.string().nullable(),
  /** Its payment waits for approval. */
  approval: Flag.optional(),
  /** A key may have paid it at the bank. The member's side is not told. */
  maybe_paid: MaybePaid.optional(),
})
export type CashCard = z.output<typeof CashCard>
/** A voice note: its length, and its loudness over time as bars. */
export const Voice = z.object({ ms: z.int(), waveform: z.array(z.int()) })
export type Voice = z.output<typeof Voice>

/** A PDF. `size` is in bytes. */
export const FileFacts = z.object({ name: z.string(), size: z.int() })
export type FileFacts = z.output<typeof FileFacts>

/** What every message has, as one side of its room sees it. */
const messageFields = {
  message_id: z.string(),
  /**
   * The room, and its member (`member_id` of the room). Missing in answers stored by versions before these four fields.
   */
  room_id: z.int().default(0),
  member_id: z.int().default(0),
  seq: z.int(),
  /** The room's version when the message last changed: it grows when an envelope settles. */
  version: z.int(),
  /** Written by the viewer's side of the room: the group is one side, the partner the other. */
  is_self: z.boolean(),
  created_at: z.string(),
  nickname: z.string(),
  /** The author. The partner's side gets only its own name; empty for the bot. */
  username: z.string().default(''),
  /** The picture of the author's side, as the room shows it. */
  thumbnail: z.string().default(''),
  /** The author, for the group's side; empty on the member's side. */
  user_username: z.string(),
  /** Written by the group's bot. */
  bot: Flag,
}
/** What it answers, if it answers a message. */
const quote = Quote.optional()
/** On the wire all messages have these fields, with null where they do not apply. */
const noSize = { width: z.null(), height: z.null() }
const noTransfer = {
  transaction_id: z.null(),
  transaction_status: z.null(),
  transaction_corrected: z.literal(false),
  transaction_type: z.null(),
  amount: z.null(),
  remark: z.null(),
  expires_at: z.null(),
}

const TextMessage = z.object({
  ...messageFields,
  ...noSize,
  ...noTransfer,
  type: z.literal(MessageType.text),
  content: z.string(),
  quote,
  /** Its sender took it back: a text without content, whatever it was before. Absent from all others. */
  taken_back: Flag.optional(),
})
const ImageMessage = z.object({
  ...messageFields,
  ...noTransfer,
  type: z.literal(MessageType.image),
  /** The address of the image, empty after its sender was erased. */
  content: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  quote,
})
const VoiceMessage = z.object({
  ...messageFields,
  ...noSize,
  ...noTransfer,
  type: z.literal(MessageType.voice),
  /** The address of the recording, empty after its sender was erased. */
  content: z.string(),
  /** Absent after its sender was erased. */
  voice: Voice.optional(),
  quote,
})
const FileMessage = z.object({
  ...messageFields,
  ...noSize,
  ...noTransfer,
  type: z.literal(MessageType.file),
  /** The address of the file, empty after its sender was erased. */
  content: z.string(),
  /** Absent after its sender was erased. */
  file: FileFacts.optional(),
  quote,
})
/** Who answers from now on. */
const EventMessage = z.object({
  ...messageFields,
  ...noSize,
  ...noTransfer,
  type: z.literal(MessageType.event),
  content: z.enum(lines),
})
/** A greeting or away text of the group (contract/desk/texts.ts), or a platform's notice, which alone has a `nickname`. */
const NoticeMessage = z.object({
  ...messageFields,
  ...noSize,
  ...noTransfer,
  type: z.literal(MessageType.notice),
  /** In the group's language. */
  content: z.string(),
  /** By language, and that of the group. `{opens}` is for the reader's page to fill. */
  texts: z.record(z.string(), z.string()),
  language: z.string(),
  /** When the desk opens, if that is known. */
  opens: z.string().nullable(),
})
const TransferMessage = z.object({
  ...messageFields,
  ...noSize,
  type: z.literal([
    MessageType.pointsIn,
    MessageType.pointsOut,
    MessageType.envelope,
    MessageType.gift,
    MessageType.makeUp,
    MessageType.gameIn,
    MessageType.gameDeduct,
  ]),
  /** The amount. */
  content: z.string(),
  transaction_id: z.string(),
  transaction_status: TransferStatusCode,
  /** An admin has corrected the transfer. */
  transaction_corrected: z.boolean(),
  transaction_type: EnvelopeTypeCode,
  amount: PointsText,
  remark: z.string(),
  /** Until when the member can answer, of a transfer that asks for consent. */
  expires_at: z.string().nullable(),
  /** The transfer waits for approval; absent from all others. */
  approval: Flag.optional(),
})
/** A member's request for points. The transfer fields are those of the transfer that paid it. */
const CashMessage = z.object({
  ...messageFields,
  ...noSize,
  type: z.literal(MessageType.cash),
  /** The amount. */
  content: z.string(),
  transaction_id: z.string().nullable(),
  transaction_status: TransferStatusCode.nullable(),
  transaction_corrected: z.boolean(),
  transaction_type: EnvelopeTypeCode.nullable(),
  amount: PointsText.nullable(),
  remark: z.string().nullable(),
  expires_at: z.string().nullable(),
  cash: CashCard,
})

/** The fields that only some types have. Absent from the others, so that `if (message.voice)` tells the type. */
type OptionalField = 'quote' | 'taken_back' | 'voice' | 'file' | 'approval' | 'cash'
type Exact<Schema extends z.ZodType> = z.output<Schema> & {
  [Field in Exclude<OptionalField, keyof z.output<Schema>>]?: undefined
}
export interface TextMessage extends Exact<typeof TextMessage> {}
export interface ImageMessage extends Exact<typeof ImageMessage> {}
export interface VoiceMessage extends Exact<typeof VoiceMessage> {}
export interface FileMessage extends Exact<typeof FileMessage> {}
export interface EventMessage extends Exact<typeof EventMessage> {}
export interface NoticeMessage extends Exact<typeof NoticeMessage> {}
export interface TransferMessage extends Exact<typeof TransferMessage> {}
export interface CashMessage extends Exact<typeof CashMessage> {}
/** What people or the bot wrote: shown as a bubble. */
export type WrittenMessage = TextMessage | ImageMessage | VoiceMessage | FileMessage
/** Shown as a card with an amount. */
export type PointsMessage = TransferMessage | CashMessage
/** What the server wrote as a line. */
export type LineMessage = EventMessage | NoticeMessage
export type Message = WrittenMessage | LineMessage | PointsMessage

export const Message: z.ZodType<Message> = z.discriminatedUnion('type', [
  TextMessage,
  ImageMessage,
  VoiceMessage,
  FileMessage,
  EventMessage,
  NoticeMessage,
  TransferMessage,
  CashMessage,
])

export const RoomSummary = z.object({
  id: z.int(),
  room_id: z.int(),
  code: z.string(),
  member_id: z.int(),
  /** The accounts whose room it is: the partner, and unless the viewer is a member also the head of the group. */
  members: z.array(z.int()),
  name: z.string(),
  /** The partner's; empty on the member's side. */
  username: z.string(),
  partner_username: z.string(),
  thumbnail: z.string(),
  status: RoomStatusCode,
  /** The bot answers here. */
  bot: Flag,
  version: z.int(),
  last_seq: z.int(),
  message_type: MessageTypeCode.nullable(),
  /** When the last message is about points. */
  transaction_type: EnvelopeTypeCode.nullable(),
  /** As in a quote. */
  message_content: z.string(),
  /** The last message was taken back. */
  message_taken_back: Flag.default(0),
  message_time: z.string().nullable(),
  /** 1 when nothing is unread for the viewer (`unreadIn`) and the viewer has not marked the room as unread. */
  message_read: Flag,
  /** Last seq read by the viewer, by the other side and, for the group, by anyone of the viewer's side. */
  read_seq: z.int(),
  other_read_seq: z.int(),
  /** Last seq that reached a browser of the other side, and of the viewer's side. */
  other_delivered_seq: z.int(),
  delivered_seq: z.int(),
  /** The partner's messages since anyone of the group answered; for the partner itself `last_seq`: nobody answers for it. */
  unanswered: z.int(),
  isThird: Flag,
  /** The partner, from the viewer's side. */
  type: RoomTypeCode,
  /** The id by which `room/enter` opens this room, besides its code; null on the member's side. */
  friend_id: z.int().nullable(),
  /** Orders summaries: grows with every change that the viewer's side can see. */
  desk_version: z.int(),
  /** The group's side only has these: since when the partner waits for an answer, the room's owner, the last aside. */
  waiting_since: z.string().nullable(),
  owner_id: z.int().nullable(),
  owner_name: z.string(),
  /** When the server assigned it to its owner; absent when a person did. */
  assigned_at: z.string().optional(),
  /** Until when the group has put it away; absent otherwise. The partner's next message ends it. */
  snoozed_until: z.string().optional(),
  aside_seq: z.int(),
  /** The viewer has marked the room as unread. The greater `mark_version` is the newer state. */
  marked_unread: Flag,
  mark_version: z.int(),
})
export type RoomSummary = z.output<typeof RoomSummary>

/** The fields of a summary that are the same for everyone on one side. */
const RoomFields = RoomSummary.omit({ message_read: true, read_seq: true, marked_unread: true, mark_version: true })

/**
 * Seen by the group only. Of what the server does, `assigned`, `returned` and `due`, the sender is the colleague whom it
 * concerns; the content of `returned` says why (`ReturnReason`). The content of `snoozed` is the time until which it is,
 * empty when somebody has ended it. It has its own seq and is shown after the message `after_seq`.
 */
export const Aside = z.object({
  aside_id: z.string(),
  seq: z.int(),
  after_seq: z.int(),
  kind: z.enum([
    'whisper',
    'taken',
    'taken_over',
    'handed',
    'released',
    'settled',
    'assigned',
    'returned',
    'snoozed',
    'due',
  ]),
  content: z.string(),
  mentions: ShownMentions,
  nickname: z.string(),
  user_username: z.string(),
  target_id: z.int().nullable(),
  target_name: z.string(),
  created_at: z.string(),
  /**
   * A transfer that the partner does not see: it waits for approval (`approval`), or did not get it. Its content is the
   * amount. Another one with the same `message_id` comes when it was decided. After approval there is a message with this id.
   */
  card: (TransferMessage as z.ZodType<TransferMessage>).optional(),
})
export type Aside = z.output<typeof Aside>

/** A change of a room that only the group's side sees. It may arrive twice, late or not at all. */
export const DeskChange = z.object({
  code: z.string(),
  room: RoomFields,
  asides: z.array(Aside),
  /** What is sent later in it has changed (`message/scheduled`): fetch it again. */
  later: Flag.optional(),
})
export type DeskChange = z.output<typeof DeskChange>

/**
 * The changes of a room between two versions. It may arrive twice, late or not at all: `applyChange` in the browser
 * drops what it has and asks `room/sync` for what is missing.
 */
export const RoomChange = z.object({
  code: z.string(),
  /** The version this change builds on; a client with a lower version must ask `room/sync`. */
  since: z.int(),
  version: z.int(),
  /** Too much has changed: load the room again. */
  reset: z.boolean(),
  /** New and changed messages, by seq. */
  messages: z.array(Message),
  room: RoomFields,
})
export type RoomChange = z.output<typeof RoomChange>

/** The viewer's unsent text in a room, or (`inside`) its unsent internal note. A greater `version` is newer. */
export const Draft = z.object({ code: z.string(), inside: z.boolean(), content: z.string(), version: z.int() })
export type Draft = z.output<typeof Draft>

export const securityKinds = [
  'new_device',
  'passkey_added',
  'passkey_removed',
  'password_recovered',
  'recovery_phone_changed',
] as const

/** Something that the owner of an account should know, and from which browser and address it came. */
export const SecurityNotice = z.object({
  kind: z.enum(securityKinds),
  user_agent: z.string(),
  address: z.string(),
})

/** Socket events, server to client. */
export const events = {
  /** In a room of the viewer. Sent on `user:{id}` and `room:{code}`; a socket in both gets it once. */
  room: RoomChange,
  /** The group's side of one of the viewer's rooms has changed; never sent to a partner. */
  desk: DeskChange,
  /** The viewer has read a room or marked it as unread, in this browser or another. */
  read: z.object({
    code: z.string(),
    read_seq: z.int(),
    marked_unread: Flag.optional(),
    mark_version: z.int().optional(),
  }),
  /** One of the viewer's reminders is due, a text of it could not be sent, or its reminders of a room have changed. */
  later: z.object({ code: z.string(), why: z.enum(['reminder', 'unsent', 'changed']) }),
  /** One of the viewer's drafts changed on another device. */
  draft: Draft,
  /** Last seq of a room that reached a browser of the other side. */
  delivered: z.object({ code: z.string(), seq: z.int() }),
  /**
   * Somebody is typing or looking; valid for a few seconds and never stored. Account 0 is the other side. Partners
   * never learn which colleague it is, nor that anyone is looking.
   */
  presence: z.object({
    code: z.string(),
    what: z.enum(['typing', 'looking', 'gone']),
    account_id: z.int(),
    name: z.string(),
  }),
  /** These rooms are no longer the viewer's: their partner was moved to another group. */
  gone: z.object({ codes: z.array(z.string()) }),
  /** The viewer's balance or own view changed: fetch it again. With `rights` also what it may do. */
  account: z.object({ account_id: z.int(), rights: Flag.optional() }),
  /** The same for the partner of a room that the viewer has open on the group's side. */
  member: z.object({ account_id: z.int() }),
  /** What waits for approval has changed: fetch it again. `calls`: something new waits for the viewer's decision. */
  approval: z.object({ calls: Flag.optional() }),
  /** The viewer's bell has changed: fetch it again. `rings`: with something new. */
  bell: z.object({ rings: Flag.optional() }),
  /** Who of the viewer's group is there has changed (`desk/colleagues`): fetch it again. Never sent to a partner. */
  colleagues: z.object({}),
  /** The look of the viewer's rooms has changed: fetch it again. */
  settings: z.object({}),
  /** Goes to the account's other sessions. `security/list` has those that were missed. */
  security: SecurityNotice,
  /** Events may have been lost: fetch what a page fetches after a reconnection. */
  missed: z.object({}),
  /** The session has ended; `reason` is the `data.reason` of refusal 9998. */
  ended: z.object({ reason: z.string() }),
} as const
export type EventName = keyof typeof events
export type ServerEvents = { [N in EventName]: (payload: z.output<(typeof events)[N]>) => void }
/** Socket events, client to server. */
export type ClientEvents = {
  join: (code: string, answer: (result: { ok: boolean }) => void) => void
  leave: (code: string, answer: (result: { ok: boolean }) => void) => void
  /** In a joined room. `inside`: typing an internal note, which the partner must not see. */
  typing: (code: string, inside: boolean) => void
  looking: (code: string, here: boolean) => void
  /** Is the line alive? A page of the office asks while it is visible. */
  alive: (answer: () => void) => void
  /** The last seq that reached this browser, by room. */
  received: (marks: [code: string, seq: number][]) => void
}
