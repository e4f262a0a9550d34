import { isOffice } from '@tallyroom/contract/codes'
import type { pushCalls } from '@tallyroom/contract/calls/conversation/push'
import { one, run, sql } from '../../data/sql.ts'
import type { Handlers } from '../handler.ts'
import { refuse } from '../../lib/refusal.ts'
import { isSealable } from '../../chat/push/subscription.ts'
import { sha256 } from '../../lib/secrets.ts'

/** The newest browsers of an account are kept; nobody has more. */
const MAX_BROWSERS = 10

export const pushHandlers = {
  'push/view': async ({ db, services, actor }) => ({
    public_key: services.push.publicKey,
    subscribed:
      (await one(db, sql`select 1 as is from push_subscriptions where session_id = ${actor.session.id}`)) !== undefined,
  }),

  'push/subscribe': async ({ db, services, actor, caller }, subscription) => {
    if (!services.push.accepts(subscription.endpoint) || !isSealable(subscription))
      return refuse('push.not_a_push_service')
    const hash = sha256(subscription.endpoint)
    const sealed = services.key.sealSecret(JSON.stringify(subscription), `push/${hash.toString('hex')}`)
    // The lock makes the account's requests wait for each other: the count below is right, and two tabs do not
    // conflict.
    await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
    await run(
      db,
      sql`delete from push_subscriptions
        where session_id = ${actor.session.id} or endpoint_hash = ${hash} or id in (
          select id from push_subscriptions where account_id = ${actor.id} order by id desc offset ${MAX_BROWSERS - 1})`,
    )
    await run(
      db,
      sql`insert into push_subscriptions (session_id, account_id, group_id, top_id, sealed, endpoint_hash, language)
        values (${actor.session.id}, ${actor.id}, ${isOffice(actor.role) ? actor.groupId : null}, ${actor.topId}, ${sealed},
          ${hash}, ${caller.language})
        on conflict do nothing`,
    )
    return null
  },

  'push/unsubscribe': async ({ db, actor }) => {
    await run(db, sql`delete from push_subscriptions where session_id = ${actor.session.id}`)
    return null
  },
} satisfies Handlers<typeof pushCalls>
