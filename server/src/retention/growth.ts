/**
 * What bounds each table (growth.test.ts compares it with the database, and plants an old row in each that is cleaned).
 * - `forEver`: points and what proves them, and the audit log. They are never deleted.
 * - `people`: rows of accounts, rooms, settings and what people keep there. They grow with those, not with time.
 * - `setting`: kept as long as a setting of docs/operations/run.md says.
 * - `hourly`: rows that nothing needs any more go each hour (identity/sign-in/cleaning.ts, chat/files/uploads.ts).
 * - `queue`: a row goes when its work is done, or with the row that it belongs to.
 */
type Bound = 'forEver' | 'people' | 'setting' | 'hourly' | 'queue'

export const bounds: Record<Bound, string> = {
  forEver: `approvals audit_chain cash_requests closed_balances closed_periods confirmed_transfers day_totals envelopes
    erased_remarks first_places past_places point_confirmations posting_marks postings remark_edits report_sums seal_blocks
    seal_parts seal_state sealed_wallets sensitive_changes settlements summed_spans transfers`,
  people: `account_rights accounts api_keys bank_accounts bank_settings banks desk_heartbeats desk_hours desk_people desk_settings desk_texts desk_waits_mark drafts event_numbers file_quotas installation list_views
    member_limit_sums note_contents notes passkeys payment_offers receiving_accounts recovery_codes recovery_phones room_reads rooms sandboxes schema_migrations
    second_factors settings template_uses templates transfer_limits wallets webhook_endpoints`,
  setting: 'asides audit_log desk_spells desk_waits media messages requests sessions taken_back_messages',
  hourly: `api_key_days api_nonces bell_items challenges database_sizes failed_sign_ins known_devices ledger_checks one_time_tokens
    passkey_challenges push_subscriptions pushes security_notices sign_in_tries sign_up_tries slip_pictures sms_codes storage_budgets timed_acts uploads
    webhooks`,
  queue: 'ai_work approval_pushes audit_pending media_deletions webhook_deliveries',
}
