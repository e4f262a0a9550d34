import { z } from 'zod'
import { calls } from '../call.ts'
import { Moment, Page, perPage } from '../fields.ts'

/** What the audit log knows. */
export const auditKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'sign_in_link_made',
  'session_ended',
  'password_changed',
  'payment_password_changed',
  'second_factor_changed',
  'account_added',
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
  'masked_shown',
  'bank_account_changed',
  'bank_account_deleted',
  'note_content_deleted',
  'template_deleted',
] as const
export type AuditKind = (typeof auditKinds)[number]

export const AuditRow = z.object({
  id: z.string(),
  /** YYYY-MM-DD HH:mm:ss in the platform's time zone. */
  at: z.string(),
  kind: z.enum(auditKinds),
  /** Who did it; null for the command line, and empty when it was somebody above the viewer. */
  actor_id: z.int().nullable(),
  actor_username: z.string(),
  /** To whom. */
  target_id: z.int().nullable(),
  target_username: z.string(),
  address: z.string(),
  /** What exactly: a field with its value before and after; without a before, a fact. */
  facts: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})

export const auditCalls = calls({
  /** What was done to and by the accounts of the own downline, newest first. */
  'audit/list': {
    effect: 'read',
    request: z.object({
      /** Usernames, in part as in the lists (exact for those to whom names are masked). */
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
