import { z } from 'zod'
import { askRefusals } from '../../approval-fields.ts'
import { calls } from '../../call.ts'
import type { ErrorName } from '../../errors.ts'
import { Flag, Id } from '../../fields.ts'
import { MAX_PASSWORD } from '../../lengths.ts'

/** What keeps a member from being erased: it has to end first. */
export const erasureRefusals = [
  'person.has_points',
  'person.has_offers',
  'person.has_requests',
  'person.has_changes',
] as const satisfies readonly ErrorName[]

export const personCalls = calls({
  /** What is kept of a member, in numbers, and what of it is still open. */
  'person/view': {
    effect: 'read',
    request: z.object({ id: Id }),
    response: z.object({
      id: z.int(),
      username: z.string(),
      nickname: z.string(),
      thumbnail: z.string(),
      is_erased: z.boolean(),
      messages: z.int(),
      /** Internal notes, and the notebook. */
      notes: z.int(),
      files: z.int(),
      sign_ins: z.int(),
      bank_accounts: z.int(),
      /** They stay when the member is erased, without its name. */
      transfers: z.int(),
      /** What has to end before the member can be erased. */
      open: z.array(z.object({ why: z.enum(erasureRefusals), count: z.int() })),
      /** A second admin has been asked to approve that it is erased. */
      waits: z.boolean(),
      /** Nobody else could approve it. */
      is_alone: z.boolean(),
    }),
    refuses: ['account.not_found'],
  },
  /**
   * The address of a file with everything that is kept of a member, valid for a few minutes in this browser; empty with
   * `approval`: a second account has to approve it first.
   */
  'person/export': {
    effect: 'write',
    request: z.object({ id: Id }),
    response: z.object({ approval: Flag, file: z.string() }),
    refuses: ['account.not_found', ...askRefusals],
  },
  /** Asks a second admin to approve that a member is erased, which cannot be undone. */
  'person/erase': {
    effect: 'write',
    request: z.object({ id: Id, current_password: z.string().max(MAX_PASSWORD).optional() }),
    response: z.object({ approval: z.literal(1) }),
    refuses: [
      ...erasureRefusals,
      'account.not_found',
      'change.needs_two',
      ...askRefusals,
      'session.needs_password',
      'session.wrong_password',
    ],
  },
})
