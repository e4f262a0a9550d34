import { z } from 'zod'
import { calls } from '../../call.ts'
import { Moment, Page, perPage } from '../../fields.ts'

/** The kinds of entries in the audit log. */
export const auditKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'sign_in_link_made',
  'session_ended',
  'password_changed',
  'payment_password_changed',
  'second_factor_changed',
  'passkey_added',
  'passkey_removed',
  'password_recovered',
  'recovery_phone_changed',
  'account_added',
  'account_moved',
  'account_edited',
  'account_frozen',
  'account_unfrozen',
  'abilities_changed',
  'withdraw_confirm_changed',
  'settings_changed',
  'api_key_changed',
  'exported',
  'remark_edited',
  'points_corrected',
  'flow_limit_overridden',
  'cash_paid',
  'cash_refused',
  'limits_changed',
  'rights_changed',
  'period_closed',
  'settlement_settled',
  'approval_asked',
  'approval_given',
  'approval_refused',
  'masked_shown',
  'original_read',
  'bank_account_changed',
  'bank_account_deleted',
  'note_content_deleted',
  'template_deleted',
  'view_saved',
  'view_deleted',
  'reads_deleted',
  'account_erased',
] as const
export type AuditKind = (typeof auditKinds)[number]

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

export const auditCalls = calls({
  /** Actions of and on the accounts of the caller's downline, newest first. */
  'audit/list': {
    effect: 'read',
    request: z.object({
      /** Part of a username; the whole one when the caller sees usernames masked. */
      actor: z.string().max(64).default(''),
      target: z.string().max(64).default(''),
      kind: z.enum(auditKinds).optional(),
      start_time: Moment.optional(),
      end_time: Moment.optional(),
      page: Page,
      per_page: perPage(200).default(50),
    }),
    response: z.object({ data: z.array(AuditRow), total: z.int() }),
    refuses: ['report.range_invalid'],
  },
})
