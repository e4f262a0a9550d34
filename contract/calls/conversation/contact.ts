import { z } from 'zod'
import { calls } from '../../call.ts'
import { RoomTypeCode } from '../../code-fields.ts'
import { Flag, Id, Nickname, Page, perPage } from '../../fields.ts'
import { MAX_TYPED_NAME } from '../../lengths.ts'

/** An account that has a room with the viewer's group, or gets one when somebody enters it. */
export const Contact = z.object({
  member_id: z.int(),
  /** Id of the contact within the viewer's group; `room/enter` takes it. */
  friend_id: z.int(),
  /** Null until somebody has entered the room. */
  room_id: z.int().nullable(),
  username: z.string(),
  /** The group's own name for the account, else the account's nickname. */
  nickname: z.string(),
  thumbnail: z.string(),
  /** The platform's id of the account; null without one, or when the viewer sees usernames masked. */
  third_party_id: z.string().nullable(),
  /** The contact, from the viewer's side. */
  type: RoomTypeCode,
  /** 1 listed among the contacts, 0 set aside. */
  status: Flag,
  /** The account itself is frozen. */
  frozen: z.boolean(),
})
export type Contact = z.output<typeof Contact>

const list = {
  effect: 'read',
  request: z.object({
    status: Flag.default(1),
    username: z.string().trim().max(MAX_TYPED_NAME).default(''),
    /** 1 matches a part of the username or nickname, 0 the whole. Masked usernames always need the whole. */
    fuzzy: Flag.default(0),
    /** Only contacts of this type. */
    type: RoomTypeCode.optional(),
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
  /** Contacts that are members. */
  'customer/list': list,
  'friend/view': {
    effect: 'read',
    request: z.object({ member_id: Id }),
    response: Contact.extend({
      /** The group's own name for it; empty without one. */
      alias: z.string(),
      /** The account's own nickname. */
      own_nickname: z.string(),
      created_at: z.string(),
      last_seen_at: z.string().nullable(),
      message_time: z.string().nullable(),
    }),
    refuses: ['account.not_found'],
  },
  /** Sets the group's own name for a contact (empty: none) and whether it is listed. The account does not change. */
  'friend/edit': {
    effect: 'write',
    request: z.object({ member_id: Id, nickname: Nickname.optional(), status: Flag.optional() }),
    response: z.null(),
    refuses: ['account.not_found'],
  },
})
