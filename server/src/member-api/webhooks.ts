import type { Logger } from 'pino'
import { type Database, many, run, sql } from '../data/sql.ts'
import type { InstallationKey } from '../identity/installation-key.ts'
import { postTo } from '../lib/outbound/post.ts'
import { outsideUrl } from '../lib/outbound/url.ts'
import type { Traces } from '../lib/traces.ts'
import type { Settings } from '../config/settings.ts'
import { type ApiKey, newestApiKey } from '../identity/api-keys.ts'
import { signatureOf, webhookBody, webhookSignatureOf } from './signing.ts'

const POLL_MS = 1000
const BATCH_SIZE = 10
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
  tries: number
  url: string | null
}
type WebhookDeps = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'allowPrivateWebhooks'>
  traces?: Traces | undefined
}

/**
 * Sends due webhooks, at most one batch, and returns how many were claimed. Any number of processes may call it at
 * once.
 */
export const sendWebhooks = async (parts: WebhookDeps): Promise<number> => {
  const events = await many<DueWebhook>(
    parts.db,
    sql`with due as (select id from webhooks where due_at <= now() order by due_at limit ${BATCH_SIZE} for update skip locked),
        taken as (update webhooks w set due_at = now() + make_interval(secs => ${LEASE_SECONDS}::int), tries = w.tries + 1
          from due where w.id = due.id returning w.*)
      select t.id, t.event_id as "eventId", t.top_id as "topId", t.kind, t.payload, t.tries, nullif(s.api_url, '') as url,
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from taken t left join settings s on s.account_id = t.top_id order by t.id`,
  )
  await Promise.all(events.map((event) => sendOne(parts, event)))
  return events.length
}

const sendOne = async (parts: WebhookDeps, event: DueWebhook) => {
  const { db } = parts
  const answer = await tryOne(parts, event).catch((error: unknown) =>
    error instanceof Error ? error.message : 'error',
  )
  const isDelivered = /^2\d\d$/.test(answer)
  const isOver = isDelivered || event.tries >= MAX_TRIES || event.url === null
  await run(
    db,
    sql`update webhooks set last_answer = ${answer.slice(0, 200)}, delivered_at = case when ${isDelivered} then now() end,
        due_at = case when ${isOver} then null else now() + make_interval(secs => ${waitAfter(event.tries)}::int) end
      where id = ${event.id} and tries = ${event.tries}`,
  )
}

const tryOne = async ({ db, key, settings, traces }: WebhookDeps, event: DueWebhook): Promise<string> => {
  const allowPrivate = settings.allowPrivateWebhooks
  // Checked again each time: the rules may be stricter than when the address was saved.
  const url = event.url === null ? undefined : outsideUrl(event.url, allowPrivate)
  if (!url) return 'no_url'
  const signer = await newestApiKey(db, key, event.topId)
  if (!signer) return 'no_key'
  const { eventId: id, kind, payload, at } = event
  const body = webhookBody(id, { event: kind, at, data: payload })
  const send = () => post(new URL(url), body, id, signer, allowPrivate)
  // A platform's address is typed in the office, so it learns nothing of our traces.
  return traces ? traces.outgoing('send webhook', send, (answer) => answer) : send()
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
    // For old receivers; `isWebhook` keeps it from being accepted as a call.
    'x-tallyroom-signature': signatureOf(signer.secret, signed),
  }
  return postTo(url, { headers, body, allowPrivate })
}

/** Sends webhooks until it is stopped. */
export const startWebhooks = (parts: WebhookDeps, log: Pick<Logger, 'error'>): (() => Promise<void>) => {
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  const poll = async () => {
    let taken = 0
    try {
      taken = await sendWebhooks(parts)
    } catch (error) {
      if (!stopped) log.error({ err: error }, 'Could not send webhooks; trying again')
    }
    if (!stopped) schedulePoll(taken === BATCH_SIZE ? 0 : POLL_MS)
  }
  const schedulePoll = (pause: number) => {
    timer = setTimeout(() => {
      running = poll()
    }, pause).unref()
  }
  schedulePoll(POLL_MS)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
