import { audit } from '../audit.ts'
import { type Database, many, one, sql } from '../../data/sql.ts'
import type { Caller } from '../caller.ts'

/** Of an account in an hour; those of all names that nobody has count together, as account 0. */
const WRITTEN = 5
const WRITTEN_OF_UNKNOWN = 50
const writtenOf = (accountId: number) => (accountId === 0 ? WRITTEN_OF_UNKNOWN : WRITTEN)

type Account = { id: number; topId: number }
const NOBODY: Account = { id: 0, topId: 0 }

/**
 * Writes down a sign-in that failed. The first of an hour as they come; of the others how many there were (`auditRest`), so
 * that a flood of them grows neither the log nor its chain.
 */
export const auditFailure = async (
  db: Database,
  caller: Caller,
  account: Account | undefined,
  step: 'password' | 'code',
): Promise<void> => {
  const { id, topId } = account ?? NOBODY
  await db.transact(async (tx) => {
    const counted = await one<{ tries: number }>(
      tx,
      sql`insert into failed_sign_ins as f (account_id, top_id, hour) values (${id}, ${topId}, date_trunc('hour', now()))
        on conflict (account_id, hour) do update set tries = f.tries + 1 returning tries`,
    )
    if ((counted?.tries ?? 0) > writtenOf(id)) return
    // Whoever gave a right password is the account; before that it is nobody.
    const actor = step === 'code' ? account : undefined
    await audit(tx, { actor, caller }, 'sign_in_failed', account && { id, topId }, { step })
  })
}

type Counted = { id: number; topId: number; tries: number }

/** Writes one row for what was only counted in each hour that is over. Two instances at once share the rows. */
export const auditRest = (db: Database): Promise<void> =>
  db.transact(async (tx) => {
    const over = await many<Counted>(
      tx,
      sql`delete from failed_sign_ins where hour < date_trunc('hour', now())
        returning account_id as id, top_id as "topId", tries`,
    )
    for (const { id, topId, tries } of over) {
      const more = tries - writtenOf(id)
      if (more > 0) await audit(tx, {}, 'sign_in_failed', id === 0 ? undefined : { id, topId }, { more })
    }
  })
