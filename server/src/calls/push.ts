import { isOffice } from '@tallyroom/contract/codes'
import type { pushCalls } from '@tallyroom/contract/calls/push'
import { one, run, sql } from '../data/sql.ts'
import type { Handlers } from './handler.ts'
import { refuse } from '../lib/refusal.ts'
import { isSealable } from '../chat/push/subscription.ts'
import { sha256 } from '../lib/secrets.ts'

/** The newest browsers of an account; more than this one person does not have. */
const MOST = 10

export const pushHandlers = {
  'push/view': async ({ db, services, actor }) => ({
    public_key: services.push.publicKey,
    subscribed:
      (await one(db, sql`select 1 as is from push_subscriptions where session_id = ${actor.session.id}`)) !== undefined,
  }),

  'push/subscribe': async ({ db, services, actor, caller }, place) => {
    if (!services.push.accepts(place.endpoint) || !isSealable(place)) return refuse('push.not_a_push_service')
    const hash = sha256(place.endpoint)
    const sealed = services.key.sealSecret(JSON.stringify(place), `push/${hash.toString('hex')}`)
    // One at a time for an account: the count below is right, and two tabs do not meet each other half-way.
    await run(db, sql`select 1 from accounts where id = ${actor.id} for no key update`)
    await run(
      db,
      sql`delete from push_subscriptions
        where session_id = ${actor.session.id} or endpoint_hash = ${hash} or id in (
          select id from push_subscriptions where account_id = ${actor.id} order by id desc offset ${MOST - 1})`,
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
