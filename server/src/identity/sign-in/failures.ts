import { audit } from '../audit.ts'
import { type Database, many, one, sql } from '../../data/sql.ts'
import type { Caller } from '../caller.ts'

/** Rows written for one account in an hour. Failures of all unknown usernames count together, as account 0. */
const ROWS_PER_ACCOUNT = 5
const ROWS_FOR_UNKNOWN = 50
const rowsFor = (accountId: number) => (accountId === 0 ? ROWS_FOR_UNKNOWN : ROWS_PER_ACCOUNT)

type Account = { id: number; topId: number }
const UNKNOWN: Account = { id: 0, topId: 0 }

/**
 * Writes a failed sign-in into the audit log. After the first few of an hour only the number is kept (`auditRest`), so
 * a flood of failures does not grow the log and its chain.
 */
export const auditFailure = async (
  db: Database,
  caller: Caller,
  account: Account | undefined,
  step: 'password' | 'code' | 'passkey' | 'passkey_copy' | 'recovery',
): Promise<void> => {
  const { id, topId } = account ?? UNKNOWN
  await db.transact(async (tx) => {
    const counted = await one<{ tries: number }>(
      tx,
      sql`insert into failed_sign_ins as f (account_id, top_id, hour) values (${id}, ${topId}, date_trunc('hour', now()))
        on conflict (account_id, hour) do update set tries = f.tries + 1 returning tries`,
    )
    if ((counted?.tries ?? 0) > rowsFor(id)) return
    // After a right password the actor is the account; before, it is unknown.
    const actor = step === 'code' ? account : undefined
    await audit(tx, { actor, caller }, 'sign_in_failed', account && { id, topId }, { step })
  })
}

type Counted = { id: number; topId: number; tries: number }

/** Writes one row with the number of failures that were only counted, for each past hour. Copies share the rows. */
export const auditRest = (db: Database): Promise<void> =>
  db.transact(async (tx) => {
    const over = await many<Counted>(
      tx,
      sql`delete from failed_sign_ins where hour < date_trunc('hour', now())
        returning account_id as id, top_id as "topId", tries`,
    )
    for (const { id, topId, tries } of over) {
      const more = tries - rowsFor(id)
      if (more > 0) await audit(tx, {}, 'sign_in_failed', id === 0 ? undefined : { id, topId }, { more })
    }
  })
