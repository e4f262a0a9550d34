import { z } from 'zod'
import { calls } from '../../call.ts'
import { PeopleStatusCode, RoleCode } from '../../code-fields.ts'
import { DraftVersion, Flag, Id, Mentions, SeenSeq, Seq } from '../../fields.ts'
import { MAX_REASON } from '../../lengths.ts'
import { colleagueStates } from '../../desk/states.ts'
import { Aside } from '../../events.ts'

const Code = z.string().max(64)
/** The most rooms that one call changes. */
export const BULK = 200

/** What the group does with its rooms. Partners never see any of it. */
export const deskCalls = calls({
  /** Takes a room. `from`: the owner that the caller sees; refused when the owner has changed meanwhile. */
  'desk/take': {
    effect: 'write',
    request: z.object({ code: Code, from: Id.nullable().default(null) }),
    response: z.null(),
    refuses: ['room.not_found', 'room.taken'],
  },
  /** Gives a room to a colleague. The head of the group may give any room, others only their own. */
  'desk/handOver': {
    effect: 'write',
    /** `why`: a line for the colleagues, which the partner never sees. */
    request: z.object({ code: Code, to: Id, why: z.string().trim().max(MAX_REASON).default(''), mentions: Mentions }),
    response: z.null(),
    refuses: ['room.not_found', 'room.not_yours', 'room.not_a_colleague'],
  },
  'desk/release': {
    effect: 'write',
    request: z.object({ code: Code }),
    response: z.null(),
    refuses: ['room.not_found', 'room.not_yours'],
  },
  /** DESK-01: what the caller is for its colleagues, for some minutes or until it is changed. */
  'desk/state': {
    effect: 'write',
    /** `minutes`: after these busy and away end. */
    request: z.object({ state: z.enum(colleagueStates), minutes: z.int().min(1).max(1440).nullable().default(null) }),
    response: z.null(),
  },
  /**
   * DESK-08: gives the caller's rooms to a colleague, or to nobody, up to `BULK` a call; `next` as of `desk/bulk`. With the
   * last ones the caller is away.
   */
  'desk/endShift': {
    effect: 'write',
    /** `note`: a line for the colleagues in each room. */
    request: z.object({
      to: Id.nullable().default(null),
      note: z.string().trim().max(MAX_REASON).default(''),
      after: Seq.default(0),
    }),
    response: z.object({ n: z.int(), next: z.int().nullable() }),
    refuses: ['room.not_a_colleague'],
  },
  /** The caller and its colleagues, to whom it can hand over a room. */
  'desk/colleagues': {
    effect: 'read',
    request: z.object({}),
    response: z.object({
      data: z.array(
        z.object({
          id: z.int(),
          nickname: z.string(),
          username: z.string(),
          role_id: RoleCode,
          /** Seen in the last five minutes. */
          active: Flag,
          /** How many of their conversations wait for an answer. */
          waiting: z.int(),
          /** Away without an open page, whatever they have chosen: then `here` is 0. */
          state: z.enum(colleagueStates),
          here: Flag,
          since: z.string().nullable(),
          until: z.string().nullable(),
          /** How many conversations are work for them now (`isLoad` in contract/desk/load.ts). */
          load: z.int(),
          /** It was set to away, because it has not answered twice what was assigned to it. */
          passed: Flag,
        }),
      ),
      /** How many conversations make nobody get more; null where the group assigns none. */
      capacity: z.int().nullable(),
      /** After so many seconds without an answer an assigned one goes back; 0: never. */
      answer_s: z.int(),
    }),
  },
  'desk/whisper': {
    effect: 'write',
    request: z.object({ code: Code, content: z.string().min(1), mentions: Mentions, draft: DraftVersion }),
    response: Aside,
    refuses: ['room.not_found', 'room.not_a_colleague', 'message.blank'],
  },
  /** The asides after the one that the client has. */
  'desk/asides': {
    effect: 'read',
    request: z.object({ code: Code, after: Seq }),
    response: z.object({ asides: z.array(Aside), has_more: z.boolean() }),
    refuses: ['room.not_found'],
  },
  /** Marks the partner's last message as needing no answer. */
  'desk/settle': {
    effect: 'write',
    request: z.object({ code: Code }),
    response: z.null(),
    refuses: ['room.not_found'],
  },
  /**
   * DESK-07: puts a room away until a time, a minute to 30 days from now, or until the partner writes. Null ends it. The
   * head of the group may put away any room, others their own and those of nobody.
   */
  'desk/snooze': {
    effect: 'write',
    /** `seen`: as of an answer. Refused when the partner has written since. */
    request: z.object({ code: Code, until: z.iso.datetime().nullable(), seen: SeenSeq }),
    response: z.null(),
    refuses: ['room.not_found', 'room.in_ai_hands', 'later.not_yours', 'later.wrong_time', 'later.wrote_meanwhile'],
  },
  'desk/markUnread': {
    effect: 'write',
    request: z.object({ code: Code }),
    response: z.null(),
    refuses: ['room.not_found'],
  },
  /**
   * One action on all rooms that match, up to `BULK` rooms a call. `next` is the `after` of the following call, null at
   * the end. Answers the codes of the rooms that changed, which the opposite action takes to undo it. `settle` and
   * `assign` have none; `assign` leaves out the rooms of colleagues that the caller may not give away.
   */
  'desk/bulk': {
    effect: 'write',
    request: z.object({
      deed: z.enum(['hide', 'show', 'read', 'unread', 'settle', 'assign']),
      /** The colleague who gets the rooms of an `assign`. */
      to: Id.optional(),
      filter: z
        .object({
          status: PeopleStatusCode,
          text: z.string().max(100).default(''),
          unread: z.boolean().default(false),
          waiting: z.boolean().default(false),
          mine: z.boolean().default(false),
          snoozed: z.boolean().default(false),
          /** Those that wait and are nobody's. */
          queue: z.boolean().default(false),
        })
        .optional(),
      codes: z.array(Code).max(BULK).optional(),
      after: Seq.default(0),
    }),
    response: z.object({ codes: z.array(z.string()), next: z.int().nullable() }),
    refuses: ['room.not_a_colleague'],
  },
})
