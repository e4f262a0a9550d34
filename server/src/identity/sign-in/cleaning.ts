import type { Logger } from 'pino'
import { type Database, run, sql } from '../../data/sql.ts'
import { repeat } from '../../lib/repeat.ts'
import { auditRest } from './failures.ts'

const HOUR = 3_600_000

/** Rows that nothing needs any more. */
const expiredRows = [
  sql`delete from challenges where expires_at < now() - interval '1 hour'`,
  sql`delete from passkey_challenges where expires_at < now()`,
  sql`delete from security_notices where created_at < now() - interval '90 days'`,
  sql`delete from one_time_tokens where expires_at < now() - interval '1 hour'`,
  sql`delete from sms_codes where sent_at < now() - interval '2 days'`,
  sql`delete from sign_in_tries where last_at < now() - interval '2 days'`,
  sql`delete from sign_up_tries where ends_at < now()`,
  sql`delete from api_nonces where seen_at < now() - interval '1 hour'`,
  sql`delete from webhooks where due_at is null and created_at < now() - interval '30 days'`,
  sql`delete from push_subscriptions p using sessions s where s.id = p.session_id
    and (s.expires_at < now() or s.seen_at < now() - make_interval(mins => s.idle_minutes))`,
  sql`delete from pushes where due_at is null and coalesce(sent_at, '-infinity') < now() - interval '1 day'`,
  sql`delete from known_devices where seen_at < now() - interval '1 year'`,
]

/** Deletes what sign-ins leave behind, once an hour until it is stopped. */
export const startCleaning = (db: Database, log: Pick<Logger, 'error'>): (() => Promise<void>) =>
  repeat({
    everyMs: HOUR,
    work: async (isStopped) => {
      await auditRest(db)
      for (const query of expiredRows) if (!isStopped()) await run(db, query)
    },
    onError: (error) => log.error({ err: error }, 'Could not delete expired sign-in rows; trying again in an hour'),
  })
