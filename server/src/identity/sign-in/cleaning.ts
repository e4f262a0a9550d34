import type { Logger } from 'pino'
import { deleteInBatches } from '../../data/deletion/in-batches.ts'
import { type Database, type Sql, sql } from '../../data/sql.ts'
import { repeat } from '../../lib/concurrency.ts'
import { auditRest } from './failures.ts'

const HOUR = 3_600_000

/** Rows that nothing needs any more, by table. */
const expiredRows: [table: Sql, isOld: Sql][] = [
  [sql`challenges`, sql`expires_at < now() - interval '1 hour'`],
  [sql`passkey_challenges`, sql`expires_at < now()`],
  [sql`security_notices`, sql`created_at < now() - interval '90 days'`],
  [sql`one_time_tokens`, sql`expires_at < now() - interval '1 hour'`],
  [sql`sms_codes`, sql`sent_at < now() - interval '2 days'`],
  [sql`sign_in_tries`, sql`last_at < now() - interval '2 days'`],
  [sql`sign_up_tries`, sql`ends_at < now()`],
  [sql`storage_budgets`, sql`since < now() - interval '1 day'`],
  [sql`api_nonces`, sql`seen_at < now() - interval '1 hour'`],
  // Reminders and unsent texts that nobody has put away.
  [sql`timed_acts`, sql`state <> 'waits' and due_at < now() - interval '30 days'`],
  // A bell is for what is new.
  [
    sql`bell_items`,
    sql`created_at < now() - case when read_at is null then interval '90 days' else interval '30 days' end`,
  ],
  [sql`api_key_days`, sql`day < current_date - 400`],
  // Also those that wait because a platform has removed its address: a year later nobody expects them.
  // Not before they have a number: it would be missing.
  [sql`webhooks`, sql`created_at < now() - interval '30 days' and seq is not null`],
  [
    sql`push_subscriptions`,
    sql`exists (select from sessions s where s.id = push_subscriptions.session_id
      and (s.expires_at < now() or s.seen_at < now() - make_interval(mins => s.idle_minutes)))`,
  ],
  [sql`pushes`, sql`due_at is null and coalesce(sent_at, '-infinity') < now() - interval '1 day'`],
  [sql`slip_pictures`, sql`asked_at < now() - interval '90 days'`],
  [sql`known_devices`, sql`seen_at < now() - interval '1 year'`],
  // The page shows the newest one, however old.
  [sql`ledger_checks`, sql`at < now() - interval '400 days' and id < (select max(id) from ledger_checks)`],
]

/** Deletes from each table in turn. One that fails keeps no other from it. @throws the first error */
export const deleteExpired = async (db: Database, isStopped: () => boolean = () => false): Promise<void> => {
  const errors: unknown[] = []
  await auditRest(db).catch((error: unknown) => errors.push(error))
  for (const [table, isOld] of expiredRows)
    if (!isStopped()) await deleteInBatches(db, table, isOld, isStopped).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

/** Deletes what sign-ins leave behind, now and once an hour until it is stopped. */
export const startCleaning = (db: Database, log: Pick<Logger, 'error'>): (() => Promise<void>) =>
  repeat({
    everyMs: HOUR,
    // A server that is started again each night, or more often, would else never do it.
    atOnce: true,
    work: (isStopped) => deleteExpired(db, isStopped),
    onError: (error) => log.error({ err: error }, 'Could not delete expired sign-in rows; trying again in an hour'),
  })
