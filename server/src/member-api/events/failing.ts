import { queueEndpointPush } from '../../chat/push/endpoint-pushes.ts'
import { type Database, one, run, sql } from '../../data/sql.ts'
import type { DueDelivery, Outcome } from './due.ts'

/** An endpoint that has failed for so long is turned off. Its events wait. */
const FAILING_DAYS = 5

/** Notes whether an endpoint works; turns it off when it answers 410 or has failed for days. */
export const noteOutcome = async (db: Database, due: DueDelivery, { answer }: Outcome): Promise<void> => {
  const { endpointId: id } = due
  if (/^2\d\d$/.test(answer)) {
    if (due.isFailing) await run(db, sql`update webhook_endpoints set failing_since = null where id = ${id}`)
    return
  }
  // Nothing was sent: that says nothing of the receiver.
  if (due.once || answer === 'no_key') return
  await run(db, sql`update webhook_endpoints set failing_since = now() where id = ${id} and failing_since is null`)
  await db.transact(async (tx) => {
    const off = await one<{ id: string; url: string; why: string; topId: number }>(
      tx,
      sql`update webhook_endpoints set state = 'off', why_off = case when ${answer === '410'} then 'gone' else 'failing' end
        where id = ${id} and state = 'on'
          and (${answer === '410'} or failing_since < now() - make_interval(days => ${FAILING_DAYS}::int))
        returning id, url, coalesce(why_off, '') as why, top_id as "topId"`,
    )
    if (!off) return
    await queueEndpointPush(tx, off.topId)
    await run(
      tx,
      sql`insert into webhooks (top_id, kind, payload) select ${off.topId}, 'endpoint.off',
          jsonb_build_object('id', ${off.id}::text, 'url', ${off.url}::text, 'why', ${off.why}::text)
        where event_wanted(${off.topId}, 'endpoint.off')`,
    )
  })
}
