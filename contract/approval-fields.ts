import { z } from 'zod'
import type { ErrorName } from './errors.ts'
import { Count, Flag, Id } from './fields.ts'
import { approvalStates } from './limits.ts'

/** What transfers above a limit and sensitive changes have in common while they wait, and when they were decided. */

const State = z.enum(approvalStates)

export const Decided = z.object({ id: z.int(), state: State })
export const decisionRefusals = ['approval.not_found', 'approval.ended'] as const satisfies readonly ErrorName[]

/** The answer of calls whose changes may wait for a second account. */
export const askRefusals = ['change.waits_already', 'change.signed_in_by_link'] as const satisfies readonly ErrorName[]

/** Waiting ones come oldest first, ended ones newest first. */
export const DecisionList = z.object({
  id: Id.optional(),
  ended: Flag.default(0),
  /** `next` of an earlier answer. */
  after: Count.optional(),
  per_page: z.int().min(1).max(100).default(50),
})

export const Decision = Decided.extend({
  maker_id: z.int(),
  maker_username: z.string(),
  maker_nickname: z.string(),
  /** Of the account that it is about. */
  thumbnail: z.string(),
  made_at: z.string(),
  expires_at: z.string(),
  ended_at: z.string().nullable(),
  ended_name: z.string(),
  /** Why it was refused. */
  answer: z.string(),
  is_own: Flag,
  /** The caller may approve and refuse it. */
  may_decide: Flag,
})
