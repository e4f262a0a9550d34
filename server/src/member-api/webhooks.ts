import type { Logger } from 'pino'
import { type Database, many, run, sql } from '../data/sql.ts'
import type { InstallationKey } from '../identity/installation-key.ts'
import { postTo } from '../lib/outbound/post.ts'
import { outsideUrl } from '../lib/outbound/url.ts'
import type { Settings } from '../config/settings.ts'
import { type ApiKey, newestApiKey } from '../identity/api-keys.ts'
import { signatureOf, webhookBody, webhookSignatureOf } from './signing.ts'

const PAUSE = 1000
const AT_ONCE = 10
/** Longer than a try may take: whoever dies with one in hand, another takes it up. */
const LEASE = 60
const MOST_TRIES = 14

/** 10 s, 20 s, 40 s … and no longer than four hours: more than a day in all. */
const waitAfter = (tries: number) => Math.min(10 * 2 ** (tries - 1), 4 * 3600)

type Event = {
  id: bigint
  eventId: string
  topId: number
  kind: string
  payload: unknown
  at: string
  tries: number
  url: string | null
}
type Parts = { db: Database; key: InstallationKey; settings: Pick<Settings, 'allowPrivateWebhooks'> }

/** Sends what waits, a handful at most; how many were taken in hand. Any number of processes may do this at once. */
export const sendWebhooks = async (parts: Parts): Promise<number> => {
  const events = await many<Event>(
    parts.db,
    sql`with due as (select id from webhooks where due_at <= now() order by due_at limit ${AT_ONCE} for update skip locked),
        taken as (update webhooks w set due_at = now() + make_interval(secs => ${LEASE}::int), tries = w.tries + 1
          from due where w.id = due.id returning w.*)
      select t.id, t.event_id as "eventId", t.top_id as "topId", t.kind, t.payload, t.tries, nullif(s.api_url, '') as url,
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from taken t left join settings s on s.account_id = t.top_id order by t.id`,
  )
  await Promise.all(events.map((event) => sendOne(parts, event)))
  return events.length
}

const sendOne = async (parts: Parts, event: Event) => {
  const { db } = parts
  const answer = await tryOne(parts, event).catch((error: unknown) =>
    error instanceof Error ? error.message : 'error',
  )
  const isHeard = /^2\d\d$/.test(answer)
  const isOver = isHeard || event.tries >= MOST_TRIES || event.url === null
  await run(
    db,
    sql`update webhooks set last_answer = ${answer.slice(0, 200)}, delivered_at = case when ${isHeard} then now() end,
        due_at = case when ${isOver} then null else now() + make_interval(secs => ${waitAfter(event.tries)}::int) end
      where id = ${event.id} and tries = ${event.tries}`,
  )
}

const tryOne = async ({ db, key, settings }: Parts, event: Event): Promise<string> => {
  const allowPrivate = settings.allowPrivateWebhooks
  // Judged anew each time: the rule may have become stricter since the address was saved.
  const url = event.url === null ? undefined : outsideUrl(event.url, allowPrivate)
  if (!url) return 'no_url'
  const signer = await newestApiKey(db, key, event.topId)
  if (!signer) return 'no_key'
  const { eventId: id, kind, payload, at } = event
  return post(new URL(url), webhookBody(id, { event: kind, at, data: payload }), id, signer, allowPrivate)
}

const post = (url: URL, body: string, nonce: string, signer: ApiKey, allowPrivate: boolean): Promise<string> => {
  const path = `${url.pathname}${url.search}`
  const timestamp = String(Math.floor(signer.now))
  const signed = { method: 'POST', path, timestamp, nonce, body }
  const headers = {
    'content-type': 'application/json',
    'x-tallyroom-key': signer.id,
    'x-tallyroom-timestamp': timestamp,
    'x-tallyroom-nonce': nonce,
    'x-tallyroom-webhook-signature': webhookSignatureOf(signer.secret, signed),
    // For receivers from before the line above; `isWebhook` keeps it from being taken for a call.
    'x-tallyroom-signature': signatureOf(signer.secret, signed),
  }
  return postTo(url, { headers, body, allowPrivate })
}

/** Sends until it is stopped. */
export const startWebhooks = (parts: Parts, log: Pick<Logger, 'error'>): (() => Promise<void>) => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const turn = async () => {
    let taken = 0
    try {
      taken = await sendWebhooks(parts)
    } catch (error) {
      if (!stopped) log.error({ err: error }, 'webhooks could not be sent')
    }
    if (!stopped) after(taken === AT_ONCE ? 0 : PAUSE)
  }
  const after = (pause: number) => {
    timer = setTimeout(() => {
      running = turn()
    }, pause).unref()
  }
  after(PAUSE)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
