import { createHmac } from 'node:crypto'
import { MessageType } from '@tallyroom/contract/codes'
import { cutText } from '@tallyroom/contract/text/cut-text'
import { type Database, one, sql } from '../../data/sql.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import { type ApiKey, signingApiKey } from '../../identity/api-keys.ts'
import { type Answered, post } from '../../lib/outbound/post.ts'
import { outsideUrl } from '../../lib/outbound/url.ts'
import { type Outgoing, uncounted } from '../../lib/outgoing.ts'
import type { Settings } from '../../config/settings.ts'
import { signatureOf, webhookBody, webhookSignatureOf } from '../signing.ts'
import type { DueDelivery, Outcome } from './due.ts'
import { bytesOf, sealedEndpoint } from '../../accounts/endpoints/secrets.ts'
import { eventNumbers } from './numbers.ts'

export type AttemptDeps = {
  db: Database
  key: InstallationKey
  settings: Pick<Settings, 'allowPrivateWebhooks'>
  outgoing: Outgoing
}
type Signed = { headers: Record<string, string>; body: string }

/** Sends one delivery once. */
export const attempt = async (deps: AttemptDeps, due: DueDelivery, stops?: AbortSignal): Promise<Outcome> => {
  const began = performance.now()
  const sent = await send(deps, due, stops).catch(
    (error: unknown): Answered => without(error instanceof Error ? error.message : 'error'),
  )
  const { answer, body, retryAfter } = sent
  return {
    answer: cutText(answer, 200),
    body: cutText(body, 1000),
    retryAfter,
    ms: Math.round(performance.now() - began),
  }
}

const without = (reason: string): Answered => ({ answer: reason, body: '', retryAfter: undefined })

const send = async (deps: AttemptDeps, due: DueDelivery, stops?: AbortSignal): Promise<Answered> => {
  const { db, key } = deps
  const outgoing = due.isSandbox ? uncounted : deps.outgoing
  const allowPrivate = deps.settings.allowPrivateWebhooks
  // Checked again each time: the rules may be stricter than when the address was saved.
  const found = outsideUrl(due.url, allowPrivate)
  if (!found) return without('no_url')
  const url = new URL(found)
  const data = due.withText ? await withText(db, due) : due.payload
  const standard = due.form === 'standard'
  const signed = standard ? signStandard(key, due, data) : await signWithKey(deps, due, data, url)
  if (!signed) return without('no_key')
  const { headers, body } = signed
  const options = { headers: { 'content-type': 'application/json', ...headers }, body, allowPrivate, stops }
  // An address is typed in the office, so it learns nothing of our traces.
  return outgoing(
    'webhook',
    () => post(url, options),
    ({ answer }) => answer,
  )
}

const gapOf = ({ afterGap }: DueDelivery) => (afterGap ? { after_gap: true } : {})

/** Standard Webhooks 1.0. Beside the present secret those before sign for a day. */
const signStandard = (key: InstallationKey, due: DueDelivery, data: unknown): Signed | undefined => {
  const { id, kind, at, seq, memberSeq } = due
  const timestamp = String(Math.floor(Date.now() / 1000))
  const body = JSON.stringify({ type: kind, timestamp: at, data, id, ...eventNumbers(seq, memberSeq), ...gapOf(due) })
  const signatures = [due.secret, ...due.oldSecrets].flatMap((sealed) => {
    const secret = sealed === null ? undefined : key.openSecret(sealed, sealedEndpoint(due.endpointId))
    if (secret === undefined) return []
    const hash = createHmac('sha256', bytesOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
    return [`v1,${hash}`]
  })
  if (signatures.length === 0) return undefined
  return {
    headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') },
    body,
  }
}

/** The form from before: signed with a key of the platform that has the right `webhooks`. */
const signWithKey = async (
  { db, key }: AttemptDeps,
  due: DueDelivery,
  data: unknown,
  url: URL,
): Promise<Signed | undefined> => {
  const signer: ApiKey | undefined = await signingApiKey(db, key, due.topId)
  if (!signer) return undefined
  const { id, kind, at, seq, memberSeq } = due
  const body = webhookBody(id, { event: kind, at, data, ...eventNumbers(seq, memberSeq), ...gapOf(due) })
  const timestamp = String(Math.floor(signer.now))
  const signed = { method: 'POST', path: `${url.pathname}${url.search}`, timestamp, nonce: id, body }
  const headers = {
    'x-tallyroom-key': signer.id,
    'x-tallyroom-timestamp': timestamp,
    'x-tallyroom-nonce': id,
    'x-tallyroom-webhook-signature': webhookSignatureOf(signer.secret, signed),
    // Old receivers check this signature; `isWebhook` keeps it from being accepted as a call.
    'x-tallyroom-signature': signatureOf(signer.secret, signed),
  }
  return { headers, body }
}

/** The text of a message is looked up when it is sent: an event holds no words that are erased or taken back elsewhere. */
const withText = async (db: Database, { kind, payload }: DueDelivery): Promise<Record<string, unknown>> => {
  if (kind !== 'message.added') return payload
  const found = await one<{ text: string }>(
    db,
    sql`select m.content as text from rooms r join messages m on m.room_id = r.id
      where r.code = ${String(payload['room'])} and m.message_id = ${String(payload['id'])}::uuid and m.type = ${MessageType.text}
        and m.taken_back_at is null`,
  )
  return { ...payload, text: found?.text ?? null }
}
