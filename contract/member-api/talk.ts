import { z } from 'zod'
import { colleagueStates } from '../desk/states.ts'
import { perPage, SeenSeq, Seq } from '../fields.ts'
import { MAX_TEXT } from '../lengths.ts'
import { AccountName, oneName, thirdPartyId } from './account-name.ts'
import { cursor, next } from './paging.ts'
import { Write } from './write.ts'

/** The most bytes of a body hold an image of so many characters beside the other fields. */
const MAX_IMAGE = 250_000
const MOST = 200
const messageId = z.string().describe('The id of the message, a UUID.')

/** Why nobody has answered yet. */
export const waitingReasons = ['queue', 'owner', 'bot', 'snoozed', 'hidden'] as const
const messageKinds = ['text', 'image', 'voice', 'file', 'points', 'request', 'notice', 'line'] as const
const writers = ['member', 'office', 'platform', 'bot', 'server'] as const

const Conversation = z
  .object({
    username: z.string().describe("The member's username."),
    third_party_id: thirdPartyId,
    nickname: z.string().describe('How others see the member.'),
    group: z.string().describe('The username of the head of the group that answers it.'),
    waiting_since: z.string().nullable().describe('Since when the member waits for an answer. Null: it does not wait.'),
    unanswered: z.int().describe("The member's messages since the last answer."),
    why: z
      .enum(waitingReasons)
      .nullable()
      .describe(
        'Why it waits. `queue`: nobody has it. `owner`: `owner` has it. `bot`: the bot answers. `snoozed`: put away until ' +
          '`snoozed_until`. `hidden`: taken off the list. Null: it does not wait.',
      ),
    owner: z.string().nullable().describe('The colleague who has it. Null: nobody.'),
    owner_state: z.enum(colleagueStates).nullable().describe('What the owner is now. Null: there is no owner.'),
    snoozed_until: z.string().nullable().describe('Until when it is put away.'),
    bot: z.boolean().describe('The bot answers: an answer of yours is refused, a notice is not.'),
    hidden: z.boolean().describe('The office has taken it off its list.'),
    last_seq: z.int().describe('The number of its newest message; 0: there is none.'),
    last_message_at: z.string().nullable().describe('When somebody last wrote. Notices do not count.'),
    member_read_seq: z.int().describe('Up to here the member has read.'),
    office_read_seq: z.int().describe('Up to here the office has read, as the member sees it.'),
  })
  .meta({ id: 'Conversation' })

const ConversationMessage = z
  .object({
    seq: z.int().describe('Its number in the conversation, from 1 on without gaps.'),
    message_id: messageId,
    at: z.string().describe('When, in UTC as in ISO 8601.'),
    kind: z
      .enum(messageKinds)
      .describe(
        '`points`: a card of a transfer. `request`: a card of a request for points. `notice`: of a platform, or the ' +
          'greeting or away text of the desk. `line`: who answers from here on, such as `took_over`; it is in `text`.',
      ),
    by: z.enum(writers).describe('Who wrote it. `platform`: a key. `server`: lines, greetings and away texts.'),
    operator: z
      .string()
      .nullable()
      .describe('The colleague or key that wrote it. Null: the member, the bot or the server.'),
    text: z.string().nullable().describe('What was written; of cards the amount.'),
    url: z
      .string()
      .nullable()
      .describe(
        'The image, voice note or file: an address that anybody may open for 5 minutes. Without `PUBLIC_URL` a path.',
      ),
    file_name: z.string().nullable().describe('The name of the file.'),
    quote: z.string().nullable().describe('The id of the message that it answers.'),
    taken_back: z.boolean().describe('Its sender took it back: it is a `text` without words then.'),
    transaction_id: z.string().nullable().describe('The transfer of the card.'),
    cash_id: z.int().nullable().describe('The `id` of the request for points of the card.'),
  })
  .meta({ id: 'Message' })

const roomRefusals = ['account.not_found', 'room.not_found'] as const

/** Calls about the conversations of members. */
export const talkCalls = {
  'message/send': {
    part: 'Conversations',
    right: 'talk:write',
    summary: 'Send a message',
    description:
      'Writes into the conversation of a member. A notice, such as "your payment has arrived", answers nobody: a member who waits ' +
      'still waits, it is not the last message, and nobody gets a notification. An answer is like one of a colleague, without making ' +
      'the key its owner: it is refused while a colleague has the conversation or the bot answers. The member reads it under the name ' +
      'of the group, the office under that of the key.',
    effect: 'write',
    request: Write.extend({
      ...AccountName,
      as: z.enum(['notice', 'answer']).describe('`notice`: says something. `answer`: answers the member.'),
      text: z.string().min(1).max(MAX_TEXT).optional().describe('The words. Give this or `image`.'),
      image: z
        .string()
        .min(1)
        .max(MAX_IMAGE)
        .optional()
        .describe('Of an answer: a picture as `data:image/…;base64,…`, about 180 kB.'),
      quote: z.uuid().optional().describe('Of an answer: the `message_id` that it answers.'),
      seen: SeenSeq.describe(
        'Of an answer: the newest `seq` that you know. What the member has written after it still waits. Without it, all is answered.',
      ),
    }).meta({ allOf: [oneName, { oneOf: [{ required: ['text'] }, { required: ['image'] }] }] }),
    response: z.object({
      message_id: messageId,
      seq: z.int().describe('Its number in the conversation.'),
      at: z.string().describe('When, in UTC as in ISO 8601.'),
    }),
    refuses: [
      ...roomRefusals,
      'room.in_ai_hands',
      'room.held',
      'message.blank',
      'message.not_an_image',
      'message.image_too_large',
      'message.too_many_files',
      'message.quote_not_found',
      'message.quote_taken_back',
      'server.busy',
    ],
  },
  'message/list': {
    part: 'Conversations',
    right: 'talk:read',
    summary: 'List messages',
    description:
      'Returns the messages of a conversation after one, oldest first. Internal notes are not among them. For the newest ' +
      'ones send `last_seq` of `room/view` less as many as you want. A message that is taken back later keeps its place: read it again.',
    effect: 'read',
    request: z
      .object({
        ...AccountName,
        after_seq: Seq.default(0).describe('Only messages after this one. 0: from the beginning.'),
        per_page: perPage(MOST).describe('Messages in an answer.'),
      })
      .meta(oneName),
    response: z.object({
      data: z.array(ConversationMessage).describe('Oldest first. Old ones may have been deleted.'),
      last_seq: z.int().describe('The number of the newest message of the conversation.'),
      next: z.int().nullable().describe('Send it as `after_seq` to get those that follow. Null: there are none yet.'),
    }),
    refuses: roomRefusals,
  },
  'message/read': {
    part: 'Conversations',
    right: 'talk:write',
    summary: 'Mark messages as read',
    description:
      'Shows the member that the office has read up to a message. It answers nobody: what waits for an answer still waits. What is read ' +
      'stays read.',
    effect: 'write',
    request: Write.extend({ ...AccountName, seq: Seq.min(1).describe('Up to this message.') }).meta(oneName),
    response: z.object({ office_read_seq: z.int().describe('Up to here the office has read.') }),
    refuses: [...roomRefusals, 'message.not_found'],
  },
  'room/list': {
    part: 'Conversations',
    right: 'talk:read',
    summary: 'List conversations',
    description:
      'Returns the conversations of members: those that wait, longest first, or all in the order in which they were made.',
    effect: 'read',
    request: z.object({
      waiting: z.boolean().default(true).describe('Only those in which the member waits for an answer.'),
      after: cursor('rooms', String.raw`\d{1,16}-\d{1,10}`),
      per_page: perPage(MOST).describe('Rows in an answer.'),
    }),
    response: z.object({ data: z.array(Conversation).describe('Longest waiting first.'), next }),
    refuses: [],
  },
  'room/view': {
    part: 'Conversations',
    right: 'talk:read',
    summary: 'Look up a conversation',
    description: 'Returns the conversation of a member as the office sees it.',
    effect: 'read',
    request: z.object(AccountName).meta(oneName),
    response: Conversation,
    refuses: roomRefusals,
  },
} as const
