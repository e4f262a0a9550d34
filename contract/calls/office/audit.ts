import { z } from 'zod'
import { WaitsForApproval } from '../../fields.ts'
import { auditKinds } from '../../audit-kinds.ts'
import { calls } from '../../call.ts'
import { Id, Moment, Page, perPage } from '../../fields.ts'
import { MAX_TYPED_NAME } from '../../lengths.ts'

/**
 * A changed field with its values before and after; without `before`, a plain fact. An account is its username, empty for
 * one above the viewer.
 */
export const AuditFact = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })

export const AuditRow = z.object({
  id: z.string(),
  /** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  at: z.string(),
  kind: z.enum(auditKinds),
  /** Who did it: null for the command line; the name is empty for an account above the viewer. */
  actor_id: z.int().nullable(),
  actor_username: z.string(),
  /** The account that was acted on. */
  target_id: z.int().nullable(),
  target_username: z.string(),
  address: z.string(),
  facts: z.array(AuditFact),
})

const Filter = z.object({
  /** Part of a username; the whole one when the caller sees usernames masked. */
  actor: z.string().max(MAX_TYPED_NAME).default(''),
  target: z.string().max(MAX_TYPED_NAME).default(''),
  /** Only what was done by or to this account. */
  account_id: Id.optional(),
  kind: z.enum(auditKinds).optional(),
  start_time: Moment.optional(),
  end_time: Moment.optional(),
})

export const auditCalls = calls({
  /** Actions of and on the accounts of the caller's downline, newest first. */
  'audit/list': {
    effect: 'read',
    request: Filter.extend({ page: Page, per_page: perPage(200).default(50) }),
    response: z.object({ data: z.array(AuditRow), total: z.int() }),
    refuses: ['report.range_invalid'],
  },
  /** The entries that match, newest first, as a CSV file. `cut`: there were more than a file holds. Audited. */
  'audit/export': {
    effect: 'read',
    request: Filter,
    response: z.object({ name: z.string(), csv: z.string(), cut: z.boolean(), approval: WaitsForApproval }),
    refuses: ['report.range_invalid', 'change.signed_in_by_link'],
  },
})
