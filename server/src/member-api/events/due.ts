import { type Database, type Db, many, sql } from '../../data/sql.ts'
import { isSandbox } from '../../domain/sandboxes.ts'

/** Attempts at once for one endpoint: at 0.1 s each, 10,000 events are sent in 25 s. Those of one that does not answer hold up its own events only. */
export const PER_ENDPOINT = 40
/** Longer than an attempt may take. After a crash, another process takes the delivery over. */
const LEASE_SECONDS = 60
/** An ordered event waits this long for an earlier one of its account, then goes with `after_gap`. */
export const GAP_MINUTES = 15

const [MINUTE, HOUR] = [60, 3600]
/** Seconds until the next attempt. */
const WAITS = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
const MAX_TRIES = WAITS.length + 1
/** The part by which a wait may differ, so that what failed together does not come again together. */
const SPREAD = 0.2
/** From the first attempt to the last; the document says it. */
export const HOURS_OF_TRIES = Math.floor(WAITS.reduce((sum, wait) => sum + wait, 0) / HOUR)

export type DueDelivery = {
  endpointId: string
  eventRow: bigint
  id: string
  topId: number
  kind: string
  payload: Record<string, unknown>
  at: string
  seq: bigint
  memberSeq: bigint | null
  tries: number
  /** The end of the lease with which it was taken: who has another one is answered for it. */
  lease: string
  once: boolean
  /** An earlier event of its account was not delivered yet. */
  afterGap: boolean
  url: string
  form: 'standard' | 'key'
  secret: string | null
  /** Those from before that still sign. */
  oldSecrets: string[]
  withText: boolean
  ordered: boolean
  /** The endpoint was failing when it was taken. */
  isFailing: boolean
  isSandbox: boolean
}

/** An earlier event of the same account that waits or is on its way. */
const earlier = sql`exists (select from webhook_deliveries o where o.endpoint_id = d.endpoint_id
  and o.account_id = d.account_id and o.seq < d.seq and o.due_at is not null)`

/** Takes due deliveries over, so many for each endpoint that no more than PER_ENDPOINT of its own are `busy`. */
export const takeDue = (db: Database, busy: ReadonlyMap<string, number>): Promise<DueDelivery[]> =>
  many<DueDelivery>(
    db,
    sql`with busy as (select * from unnest(${[...busy.keys()]}::text[], ${[...busy.values()]}::int[]) b (id, n)),
        endpoints as (select e.*, greatest(${PER_ENDPOINT}::int - coalesce(b.n, 0), 0) as free
          from webhook_endpoints e left join busy b on b.id = e.id where e.url <> ''),
        due as (select d.* from endpoints e cross join lateral (select d.event_id, d.endpoint_id,
              e.ordered and ${earlier} as gap
            from webhook_deliveries d where d.endpoint_id = e.id and d.due_at <= now()
              and (d.lease_until is null or d.lease_until < now()) and (e.state = 'on' or d.once)
              and (not e.ordered or d.waits_since < now() - make_interval(mins => ${GAP_MINUTES}::int) or not ${earlier})
            order by d.due_at, d.seq limit e.free for update skip locked) d),
        taken as (update webhook_deliveries d set lease_until = now() + make_interval(secs => ${LEASE_SECONDS}::int), tries = d.tries + 1,
            tried_at = now()
          from due where d.event_id = due.event_id and d.endpoint_id = due.endpoint_id returning d.*, due.gap)
      select t.endpoint_id as "endpointId", t.event_id as "eventRow", w.event_id as id, t.top_id as "topId", w.kind, w.payload,
        to_char(w.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, t.seq,
        w.member_seq as "memberSeq", t.tries, t.lease_until::text as lease, t.once, t.gap as "afterGap", e.url, e.form, e.secret,
        case when e.old_until > now() then array_remove(array[e.old_secret, e.older_secret], null) else '{}' end as "oldSecrets", e.with_text as "withText", e.ordered,
        e.failing_since is not null as "isFailing",
        ${isSandbox(sql`e.top_id`)} as "isSandbox"
      from taken t join webhooks w on w.id = t.event_id join webhook_endpoints e on e.id = t.endpoint_id order by t.seq`,
  )

export type Outcome = { answer: string; body: string; ms: number; retryAfter?: number | undefined }

/** `isCut`: the attempt has ended for another reason than the receiver's; the next process tries it at once. */
export type Finished = { due: DueDelivery; outcome: Outcome; isCut: boolean }

/**
 * Writes what became of attempts: one statement and one commit for many. A row that somebody else has locked is written
 * alone afterwards, so that nothing is waited for while other rows are locked.
 */
export const finish = async (db: Db, attempts: Finished[]): Promise<void> => {
  const of = <T>(value: (attempt: Finished) => T) => attempts.map(value)
  const skipped = attempts.length > 1 ? sql`skip locked` : sql``
  // Sent again meanwhile, a delivery has no tries any more: they are those of the row, not those with which it was taken.
  const done = await many<{ eventRow: bigint; endpointId: string }>(
    db,
    sql`with ended as (select *, answer ~ '^2[0-9][0-9]$' as is_delivered
          from unnest(${of(({ due }) => due.eventRow)}::bigint[], ${of(({ due }) => due.endpointId)}::text[],
            ${of(({ due }) => due.lease)}::timestamptz[], ${of(({ outcome }) => outcome.answer)}::text[],
            ${of(({ outcome }) => outcome.body)}::text[], ${of(({ outcome }) => outcome.ms)}::int[],
            ${of(({ isCut }) => isCut)}::boolean[], ${of(() => 1 - SPREAD + 2 * SPREAD * Math.random())}::float8[],
            ${of(({ outcome }) => Math.min(outcome.retryAfter ?? 0, HOUR))}::float8[])
            e (event_id, endpoint_id, lease, answer, body, ms, is_cut, spread, least)),
        locked as (select d.event_id, d.endpoint_id from webhook_deliveries d join ended e using (event_id, endpoint_id)
          where d.lease_until = e.lease for update of d ${skipped})
      update webhook_deliveries d set lease_until = null, answer = e.answer, answer_body = e.body, ms = e.ms,
          tries = greatest(d.tries - e.is_cut::int, 0), delivered_at = case when e.is_delivered then now() end,
          due_at = case when e.is_delivered or not e.is_cut and (d.once or d.tries >= ${MAX_TRIES}::int) then null
            when e.is_cut then now()
            else now() + make_interval(secs => greatest((${[...WAITS]}::int[])[greatest(d.tries, 1)] * e.spread, e.least)) end
        from locked l join ended e using (event_id, endpoint_id)
        where d.event_id = l.event_id and d.endpoint_id = l.endpoint_id
        returning d.event_id as "eventRow", d.endpoint_id as "endpointId"`,
  )
  if (attempts.length === 1) return
  const written = new Set(done.map(({ eventRow, endpointId }) => `${eventRow} ${endpointId}`))
  for (const attempt of attempts)
    if (!written.has(`${attempt.due.eventRow} ${attempt.due.endpointId}`)) await finish(db, [attempt])
}
