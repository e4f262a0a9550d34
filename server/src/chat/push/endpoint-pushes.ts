import { type Db, one, run, sql, type Tx } from '../../data/sql.ts'
import { DELAY_SECONDS, type DuePush, type PushContent } from './due.ts'

/** Queues a push to the browsers of a top account, in the transaction that turns one of its endpoints off. */
export const queueEndpointPush = (tx: Tx, topId: number): Promise<void> =>
  run(
    tx,
    sql`insert into approval_pushes (subscription_id, about, item_id, top_id, due_at)
      select id, 'endpoint', ${topId}, ${topId}, now() + make_interval(secs => ${DELAY_SECONDS}::int)
      from push_subscriptions where account_id = ${topId} on conflict do nothing`,
  )

/** Checks again at sending time: undefined when all endpoints are on again. */
export const loadEndpointContent = async (db: Db, { itemId: topId }: DuePush): Promise<PushContent | undefined> => {
  const off = await one<{ url: string }>(
    db,
    sql`select url from webhook_endpoints where top_id = ${topId} and state = 'off' order by failing_since desc nulls last, id limit 1`,
  )
  if (!off) return undefined
  const title = URL.canParse(off.url) ? new URL(off.url).host : off.url
  return { title, body: 'push.endpoint_off', url: '/setup/system', tag: 'endpoints', seq: 0 }
}
