import { z } from 'zod'
import { calls } from '../call.ts'
import { Flag, Id, Nickname, Page, perPage } from '../fields.ts'

/** An account with which the viewer's group has a room, or has one made by entering it. */
export const Contact = z.object({
  member_id: z.int(),
  /** Names the relation within the viewer's group: `room/enter` opens its room. */
  friend_id: z.int(),
  /** Null until somebody entered the room. */
  room_id: z.int().nullable(),
  username: z.string(),
  /** What the group calls it, or else what it calls itself. */
  nickname: z.string(),
  thumbnail: z.string(),
  /** What the platform calls the account; null when it gave no id, or when the viewer sees usernames masked. */
  third_party_id: z.string().nullable(),
  /** 0 an agent below, 1 a member, 2 other: the customer service of the agent's own upline. */
  type: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** 1 among the contacts, 0 put aside. */
  status: Flag,
  /** The account itself is frozen. */
  frozen: z.boolean(),
})
export type Contact = z.output<typeof Contact>

const list = {
  effect: 'read',
  request: z.object({
    status: Flag.default(1),
    username: z.string().trim().max(64).default(''),
    /** 1 finds a part of the username or nickname, 0 the whole of it. Masked usernames are found whole in any case. */
    fuzzy: Flag.default(0),
    /** Contacts of this kind only. */
    type: z.union([z.literal(0), z.literal(1), z.literal(2)]).optional(),
    page: Page,
    per_page: perPage(100).default(10),
  }),
  response: z.object({
    data: z.array(Contact),
    pagination: z.object({
      pages: z.int(),
      current: z.int(),
      previous: z.int().nullable(),
      next: z.int().nullable(),
    }),
  }),
} as const

export const contactCalls = calls({
  'friend/list': list,
  /** The members among them. */
  'customer/list': list,
  'friend/view': {
    effect: 'read',
    request: z.object({ member_id: Id }),
    response: Contact.extend({
      /** What the group calls it; empty when it has given no name of its own. */
      alias: z.string(),
      /** What it calls itself. */
      own_nickname: z.string(),
      created_at: z.string(),
      last_seen_at: z.string().nullable(),
      message_time: z.string().nullable(),
    }),
    refuses: ['account.not_found'],
  },
  /** The group's own name for a contact (empty: none), and whether it is among the contacts. The account stays as it is. */
  'friend/edit': {
    effect: 'write',
    request: z.object({ member_id: Id, nickname: Nickname.optional(), status: Flag.optional() }),
    response: z.null(),
    refuses: ['account.not_found'],
  },
})
