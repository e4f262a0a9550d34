import { run, sql } from '../../data/sql.ts'
import { asSuperuser } from '../postgres.ts'

/**
 * Makes all transfers so far, the ends of requests and the moves of accounts older, past the triggers. Sums of days stay as
 * they are.
 */
export const makeOlder = (hours: number): Promise<void> =>
  asSuperuser(async (tx) => {
    const back = sql`${hours}::int * interval '1 hour'`
    await run(tx, sql`update transfers set created_at = created_at - ${back}`)
    await run(tx, sql`update postings set created_at = created_at - ${back}`)
    await run(tx, sql`update envelopes set settled_at = settled_at - ${back}`)
    await run(tx, sql`update cash_requests set ended_at = ended_at - ${back} where ended_at is not null`)
    await run(tx, sql`update past_places set moved_at = moved_at - ${back}`)
  })
