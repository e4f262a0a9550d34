import { EVENT_DAYS } from '@tallyroom/contract/api/event-kinds'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, type Db, many, one, sql } from '../../data/sql.ts'
import { PING } from '../../domain/ping.ts'
import { ensure, refuse } from '../../lib/refusal.ts'

const A_MINUTE = 1000
/** A ping is tried at once, and its attempt has an end. */
const PING_MS = 20_000
const LOOK_MS = 100

type Which = {
  event?: string | undefined
  from?: string | undefined
  until?: string | undefined
  kinds: string[]
  only: 'failed' | 'all'
}

/**
 * Sends events to an endpoint again, so many a minute; also those from before it was made. They keep their ids and numbers.
 * What waits already is not put off.
 */
export const resend = async (db: Db, topId: number, id: string, which: Which): Promise<number> => {
  const { event, from, until, kinds, only } = which
  const span = sql`w.created_at >= greatest(coalesce(${from ?? null}::timestamptz, '-infinity'), now() - make_interval(days => ${EVENT_DAYS}::int))
    and w.created_at < coalesce(${until ?? null}::timestamptz, 'infinity')
    and w.kind = any(${kinds.length > 0 ? sql`${kinds}::text[]` : sql`e.kinds`})`
  const sent = await many<{ id: bigint }>(
    db,
    sql`insert into webhook_deliveries as d (event_id, endpoint_id, top_id, account_id, seq, due_at)
      select w.id, e.id, w.top_id, w.account_id, w.seq,
          now() + make_interval(mins => ((row_number() over (order by w.seq) - 1) / ${A_MINUTE}::int)::int)
        from webhooks w join webhook_endpoints e on e.id = ${id} and e.top_id = w.top_id
          left join webhook_deliveries o on o.event_id = w.id and o.endpoint_id = e.id
        where w.top_id = ${topId} and w.seq is not null and w.kind <> ${PING}
          and ${event === undefined ? span : sql`w.event_id = ${event}::uuid`}
          and (${only === 'all' || event !== undefined} or o.delivered_at is null)
      on conflict (event_id, endpoint_id) do update set tries = 0, delivered_at = null, waits_since = now(),
        due_at = least(d.due_at, excluded.due_at)
      returning event_id as id`,
  )
  if (event !== undefined && sent.length === 0) return refuse('webhook.not_found')
  return sent.length
}

/** Adds an event about which there is nothing to know. It goes to one endpoint, or to all. */
export const addPing = async (db: Db, topId: number, endpointId: string | null = null): Promise<{ id: string }> =>
  ensure(
    await one<{ id: string }>(
      db,
      sql`insert into webhooks (top_id, kind, payload, endpoint_id) values (${topId}, ${PING}, '{}', ${endpointId}::text)
        returning event_id as id`,
    ),
    'server.failed',
  )

/** Waits for the answer to a ping. The sender takes it within a second. */
export const pinged = async (db: Database, topId: number, event: string): Promise<{ status: string; ms: number }> => {
  const until = Date.now() + PING_MS
  while (Date.now() < until) {
    const found = await one<{ status: string; ms: number }>(
      db,
      sql`select d.answer as status, coalesce(d.ms, 0) as ms from webhooks w join webhook_deliveries d on d.event_id = w.id
        where w.top_id = ${topId} and w.event_id = ${event}::uuid and d.due_at is null`,
    )
    if (found) return found
    await sleep(LOOK_MS)
  }
  return { status: '', ms: PING_MS }
}

type Gaps = {
  sent: number
  accepted: number
  waiting: number
  given_up: number
  first_missing: bigint | null
  last_missing: bigint | null
}

/** Counts what an endpoint has missed of a span of time. */
export const gapsOf = async (db: Db, id: string, { from, until }: { from: string; until?: string | undefined }) => {
  const found = await one<Gaps>(
    db,
    sql`select count(*)::int as sent, count(d.delivered_at)::int as accepted, count(d.due_at)::int as waiting,
        (count(*) - count(d.delivered_at) - count(d.due_at))::int as given_up,
        min(d.seq) filter (where d.delivered_at is null) as first_missing,
        max(d.seq) filter (where d.delivered_at is null) as last_missing
      from webhook_deliveries d join webhooks w on w.id = d.event_id
      where d.endpoint_id = ${id} and not d.once and w.created_at >= ${from}::timestamptz
        and w.created_at < coalesce(${until ?? null}::timestamptz, 'infinity')`,
  )
  const { first_missing: first, last_missing: last, ...counts } = ensure(found, 'server.failed')
  return {
    ...counts,
    first_missing: first === null ? null : Number(first),
    last_missing: last === null ? null : Number(last),
  }
}

type Delivery = {
  event: string
  seq: number
  kind: string
  at: string
  tries: number
  tried_at: string | null
  delivered_at: string | null
  due_at: string | null
  answer: string
  answer_body: string
  ms: number | null
  data: string
}
const utc = (column: string) => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  values: [],
})

/** The last hundred deliveries of an endpoint; `undelivered`: of those that wait or were given up. */
export const deliveriesOf = (db: Db, id: string, undelivered: boolean): Promise<Delivery[]> =>
  many<Delivery>(
    db,
    sql`select w.event_id as event, d.seq::int, w.kind, ${utc('w.created_at')} as at, d.tries, ${utc('d.tried_at')} as tried_at,
        ${utc('d.delivered_at')} as delivered_at, ${utc('d.due_at')} as due_at, d.answer, d.answer_body, d.ms,
        w.payload::text as data
      from webhook_deliveries d join webhooks w on w.id = d.event_id
      where d.endpoint_id = ${id} and (${!undelivered} or d.delivered_at is null) order by d.seq desc limit 100`,
  )
