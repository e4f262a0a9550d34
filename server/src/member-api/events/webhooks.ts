import { cutText } from '@tallyroom/contract/text/cut-text'
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { type Database, many, run, sql } from '../../data/sql.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import { postTo } from '../../lib/outbound/post.ts'
import { outsideUrl } from '../../lib/outbound/url.ts'
import type { Outgoing } from '../../lib/outgoing.ts'
import type { Settings } from '../../config/settings.ts'
import { type ApiKey, signingApiKey } from '../../identity/api-keys.ts'
import { PING } from '../../domain/ping.ts'
import { eventNumbers, numberEvents } from './numbers.ts'
import { signatureOf, webhookBody, webhookSignatureOf } from '../signing.ts'

const POLL_MS = 1000
/** Attempts at once for one platform. Those of a platform that does not answer hold up its own events only. */
const PER_PLATFORM = 20
/** Longer than an attempt may take. After a crash, another process takes the webhook over. */
const LEASE_SECONDS = 60
const MAX_TRIES = 17

/** Seconds until the next attempt: 10, 20, 40 … up to four hours, as often as MAX_TRIES says. */
const waitAfter = (tries: number) => Math.min(10 * 2 ** (tries - 1), 4 * 3600)
/** From the first attempt to the last; the document says it. */
export const HOURS_OF_TRIES = Math.floor(
  Array.from({ length: MAX_TRIES - 1 }, (_, at) => waitAfter(at + 1)).reduce((sum, wait) => sum + wait, 0) / 3600,
)

type DueWebhook = {
  id: bigint
  eventId: string
  topId: number
  kind: string
  payload: unknown
  at: string
  seq: bigint
  memberSeq: bigint | null
  tries: number
  url: string | null
}
type WebhookDeps = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'allowPrivateWebhooks'>
  outgoing: Outgoing
}

/** Takes due webhooks over, so many for each platform that no more than PER_PLATFORM of its own are `busy`. */
const takeDue = (db: Database, busy: ReadonlyMap<number, number>) =>
  many<DueWebhook>(
    db,
    sql`with platforms as (select distinct top_id from webhooks where due_at <= now()),
        busy as (select * from unnest(${[...busy.keys()]}::int[], ${[...busy.values()]}::int[]) b (top_id, n)),
        due as (select d.id from platforms p left join busy b using (top_id) cross join lateral (select w.id
          from webhooks w where w.top_id = p.top_id and w.due_at <= now() and w.seq is not null order by w.due_at
          limit greatest(${PER_PLATFORM}::int - coalesce(b.n, 0), 0) for update skip locked) d),
        taken as (update webhooks w set due_at = now() + make_interval(secs => ${LEASE_SECONDS}::int), tries = w.tries + 1
          from due where w.id = due.id returning w.*)
      select t.id, t.event_id as "eventId", t.top_id as "topId", t.kind, t.payload, t.seq, t.member_seq as "memberSeq", t.tries,
        nullif(s.api_url, '') as url,
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from taken t left join settings s on s.account_id = t.top_id order by t.seq`,
  )

/** Sends due webhooks, at most PER_PLATFORM for each platform. Any number of processes may call it at once. */
export const sendWebhooks = async (parts: WebhookDeps): Promise<void> => {
  await numberEvents(parts.db)
  const events = await takeDue(parts.db, new Map())
  await Promise.all(events.map((event) => sendOne(parts, event)))
}

const sendOne = async (parts: WebhookDeps, event: DueWebhook, stops?: AbortSignal) => {
  const { db } = parts
  const answer = await tryOne(parts, event, stops).catch((error: unknown) =>
    error instanceof Error ? error.message : 'error',
  )
  const isDelivered = /^2\d\d$/.test(answer)
  // No answer for another reason than the platform's: the next process tries it at once.
  const isCut = !isDelivered && stops?.aborted === true
  const isLast = event.tries >= MAX_TRIES || event.kind === PING
  const isOver = isDelivered || (isLast && !isCut)
  const wait = isCut ? 0 : waitAfter(event.tries)
  await run(
    db,
    sql`update webhooks set last_answer = ${cutText(answer, 200)}, delivered_at = case when ${isDelivered} then now() end,
        tries = tries - ${isCut ? 1 : 0}::int,
        due_at = case when ${isOver} then null else now() + make_interval(secs => ${wait}::int) end
      where id = ${event.id} and tries = ${event.tries}`,
  )
}

const tryOne = async (
  { db, key, settings, outgoing }: WebhookDeps,
  event: DueWebhook,
  stops?: AbortSignal,
): Promise<string> => {
  const allowPrivate = settings.allowPrivateWebhooks
  // Checked again each time: the rules may be stricter than when the address was saved.
  const url = event.url === null ? undefined : outsideUrl(event.url, allowPrivate)
  if (!url) return 'no_url'
  const signer = await signingApiKey(db, key, event.topId)
  if (!signer) return 'no_key'
  const { eventId: id, kind, payload, at, seq, memberSeq } = event
  const body = webhookBody(id, { event: kind, at, data: payload, ...eventNumbers(seq, memberSeq) })
  const send = () => post({ url: new URL(url), body, nonce: id, signer, allowPrivate, stops })
  // A platform's address is typed in the office, so it learns nothing of our traces.
  return outgoing('webhook', send, (answer) => answer)
}

type SignedPost = {
  url: URL
  body: string
  nonce: string
  signer: ApiKey
  allowPrivate: boolean
  stops: AbortSignal | undefined
}
const post = ({ url, body, nonce, signer, allowPrivate, stops }: SignedPost): Promise<string> => {
  const path = `${url.pathname}${url.search}`
  const timestamp = String(Math.floor(signer.now))
  const signed = { method: 'POST', path, timestamp, nonce, body }
  const headers = {
    'content-type': 'application/json',
    'x-tallyroom-key': signer.id,
    'x-tallyroom-timestamp': timestamp,
    'x-tallyroom-nonce': nonce,
    'x-tallyroom-webhook-signature': webhookSignatureOf(signer.secret, signed),
    // Old receivers check this signature; `isWebhook` keeps it from being accepted as a call.
    'x-tallyroom-signature': signatureOf(signer.secret, signed),
  }
  return postTo(url, { headers, body, allowPrivate, stops })
}

/** Sends webhooks until it is stopped. What has no answer by then is left to the next process. */
export const startWebhooks = (parts: WebhookDeps, log: Pick<Logger, 'error'>): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal: stops } = stopping
  // One for each attempt; more than ten would be warned of.
  setMaxListeners(0, stops)
  const busy = new Map<number, number>()
  /** Platforms of which more may be due than was taken. */
  const full = new Set<number>()
  const sending = new Set<Promise<void>>()
  let polling: Promise<void> | undefined

  const count = (topId: number, difference: number) => {
    const now = (busy.get(topId) ?? 0) + difference
    busy.set(topId, now)
    return now
  }
  const fail = (error: unknown) => {
    if (!stops.aborted) log.error({ err: error }, 'Could not send webhooks; trying again')
  }
  const send = async (event: DueWebhook) => {
    const { topId } = event
    if (count(topId, 1) === PER_PLATFORM) full.add(topId)
    await sendOne(parts, event, stops).catch(fail)
    // The queue is filled again when half of it is sent: a query for each event would cost more than the sending.
    if (count(topId, -1) === PER_PLATFORM / 2 && full.delete(topId)) begin()
  }
  const poll = async () => {
    await numberEvents(parts.db)
    for (const event of await takeDue(parts.db, busy)) {
      const sent = send(event).finally(() => sending.delete(sent))
      sending.add(sent)
    }
  }
  const begin = () => {
    if (stops.aborted) return
    polling ??= poll()
      .catch(fail)
      .finally(() => {
        polling = undefined
      })
  }
  const timer = setInterval(begin, POLL_MS).unref()
  return async () => {
    stopping.abort()
    clearInterval(timer)
    await polling
    await Promise.all(sending)
  }
}
