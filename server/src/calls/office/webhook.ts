import type { Answer } from '@tallyroom/contract'
import type { webhookCalls } from '@tallyroom/contract/calls/office/webhook'
import { type Db, many, one, sql } from '../../data/sql.ts'
import { audit } from '../../identity/audit.ts'
import { requireTop } from '../../identity/actor.ts'
import { PING } from '../../domain/ping.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Handlers } from '../handler.ts'

type Delivery = Answer<'webhook/list'>['data'][number]

/** Waiting or given up, each found by an index of its own: the delivered ones of a month may be millions. */
const undelivered = (topId: number) =>
  sql`(select id from webhooks where top_id = ${topId} and due_at is not null
    union all select id from webhooks where top_id = ${topId} and due_at is null and delivered_at is null)`

export const webhookHandlers = {
  'webhook/list': async ({ db, actor }, { undelivered: isCut }) => {
    requireTop(actor)
    const which = isCut ? sql`webhooks.id in ${undelivered(actor.topId)}` : sql`true`
    const rows = await many<Delivery>(
      db,
      sql`select webhooks.id::text as delivery_id, event_id as id, kind, tries, last_answer, ${iso('created_at')},
          ${iso('delivered_at')}, ${iso('due_at')}
        from webhooks where top_id = ${actor.topId} and seq is not null and ${which} order by seq desc limit 100`,
    )
    return { data: rows }
  },

  'webhook/resend': async (ctx, { delivery_id: id }) => {
    const { db, actor } = ctx
    requireTop(actor)
    // A delivery that was never tried is on its way.
    const which =
      id === undefined
        ? sql`id in ${undelivered(actor.topId)} and last_answer <> ''`
        : sql`id = ${id}::bigint and top_id = ${actor.topId}`
    const sent = await many<{ event_id: string }>(
      db,
      sql`update webhooks set due_at = now(), tries = 0, delivered_at = null where ${which} returning event_id`,
    )
    const [first] = sent
    if (id !== undefined && !first) return refuse('webhook.not_found')
    if (first)
      await audit(db, ctx, 'webhooks_resent', actor, id ? { webhook: first.event_id } : { webhooks: sent.length })
    return { count: sent.length }
  },

  'webhook/ping': async ({ db, actor }) => {
    requireTop(actor)
    return addPing(db, actor.topId)
  },
} satisfies Handlers<typeof webhookCalls>

/** Adds an event about which there is nothing to know. The sender takes it like all others, within a second. */
export const addPing = async (db: Db, topId: number): Promise<{ id: string }> =>
  ensure(
    await one<{ id: string }>(
      db,
      sql`insert into webhooks (top_id, kind, payload) values (${topId}, ${PING}, '{}') returning event_id as id`,
    ),
    'server.failed',
  )

const iso = (column: 'created_at' | 'delivered_at' | 'due_at') => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as ${column}`,
  values: [],
})
