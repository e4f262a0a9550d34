import { kindsFromBefore, MAX_ENDPOINTS } from '@tallyroom/contract/api/event-kinds'
import type { Endpoint } from '@tallyroom/contract/member-api/endpoints'
import type { z } from 'zod'
import { ensureAsShown, waitsForApproval } from '../sensitive-changes.ts'
import { type Database, type Db, many, one, run, sql, type Tx } from '../../data/sql.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import type { Actor } from '../../identity/actor.ts'
import { audit, type AuditFacts } from '../../identity/audit.ts'
import { outsideUrl } from '../../lib/outbound/url.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { newEndpointId, newEndpointSecret, sealedEndpoint } from './secrets.ts'

/** Somebody of the office who changes endpoints, or a key in the name of its top account. */
export type EndpointCtx = {
  db: Tx
  actor: Actor
  caller: { address: string }
  services: {
    hub: Pick<Hub, 'notify'>
    settings: { envelopeHours: number; allowPrivateWebhooks: boolean }
    key: InstallationKey
  }
}
type Fields = { url: string; kinds: string[]; ordered: boolean; with_text: boolean; state: 'on' | 'paused' | 'off' }
type Update = { [Field in keyof Fields]?: Fields[Field] | undefined }

/** The secret that endpoints had until now signs this long beside the new one. */
const OVERLAP_HOURS = 24

const utc = (column: string) => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  values: [],
})

export const listEndpoints = (db: Db, topId: number): Promise<z.output<typeof Endpoint>[]> =>
  many<z.output<typeof Endpoint>>(
    db,
    sql`select e.id, e.url, e.kinds, e.form, e.ordered, e.with_text, e.state, case when e.state = 'off' then e.why_off end as why_off,
        ${utc('e.failing_since')} as failing_since, case when e.old_until > now() then ${utc('e.old_until')} end as old_until,
        ${utc('e.created_at')} as created_at,
        (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id and d.due_at is not null) as waiting,
        (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id and d.due_at is null
          and d.delivered_at is null and not d.once) as given_up
      from webhook_endpoints e where e.top_id = ${topId} order by e.created_at, e.id`,
  )

/**
 * The API URL of the settings is the address of the platform's first endpoint: it has the form from before endpoints had
 * secrets. Emptied it stays, and what waits goes to the next address.
 */
export const keepKeyEndpoint = (db: Db, topId: number, url: string): Promise<void> =>
  run(
    db,
    sql`with kept as (update webhook_endpoints set url = ${url}, failing_since = null,
            state = case state when 'off' then 'on' else state end
          where top_id = ${topId} and form = 'key' returning 1)
      insert into webhook_endpoints (id, top_id, url, form, kinds)
        select ${newEndpointId()}, ${topId}, ${url}, 'key', ${[...kindsFromBefore]}::text[] where not exists (select from kept)`,
  )

/** One endpoint, locked until the end of the transaction. */
const lockEndpoint = async (tx: Tx, topId: number, id: string) =>
  ensure(
    await one<Fields & { form: 'standard' | 'key' }>(
      tx,
      sql`select url, kinds, ordered, with_text, state, form from webhook_endpoints
        where id = ${id} and top_id = ${topId} for no key update`,
    ),
    'endpoint.not_found',
  )

export const endpointExists = async (db: Db, topId: number, id: string): Promise<void> => {
  ensure(
    await one(db, sql`select 1 as is from webhook_endpoints where id = ${id} and top_id = ${topId}`),
    'endpoint.not_found',
  )
}

const checkedUrl = ({ services }: EndpointCtx, url: string): string =>
  outsideUrl(url, services.settings.allowPrivateWebhooks) ?? refuse('setting.url_invalid')

const asFacts = ({ kinds, ...fields }: Fields): AuditFacts => ({
  ...Object.fromEntries(Object.entries(fields).map(([field, value]) => [factNames[field] ?? field, value])),
  event_kinds: kinds.join(', '),
})
const factNames: Record<string, string> = { url: 'api_url', state: 'endpoint_state' }

const sensitiveUrl = ({ actor }: EndpointCtx, id: string, before: string, url: string) => ({
  kind: 'api_url' as const,
  call: 'endpoint/set',
  input: { id, url },
  target: { id: actor.topId, topId: actor.topId },
  subject: id,
  facts: { endpoint: id, api_url: [before, url] as const },
})

/** Makes an endpoint with a secret. True in `waits`: its address waits for approval, and nothing is sent until then. */
export const addEndpoint = async (
  ctx: EndpointCtx,
  fields: Omit<Fields, 'state'>,
): Promise<{ id: string; waits: boolean }> => {
  const { db, actor, services } = ctx
  const url = checkedUrl(ctx, fields.url)
  // Two at once would both find nine.
  await run(db, sql`select 1 from accounts where id = ${actor.topId} for no key update`)
  const have = await one<{ n: number }>(
    db,
    sql`select count(*)::int as n from webhook_endpoints where top_id = ${actor.topId}`,
  )
  if ((have?.n ?? 0) >= MAX_ENDPOINTS) return refuse('endpoint.too_many')
  const id = newEndpointId()
  const secret = services.key.sealSecret(newEndpointSecret(), sealedEndpoint(id))
  const { kinds, ordered, with_text } = fields
  await run(
    db,
    sql`insert into webhook_endpoints (id, top_id, kinds, form, secret, ordered, with_text)
      values (${id}, ${actor.topId}, ${[...new Set(kinds)]}::text[], 'standard', ${secret}, ${ordered}, ${with_text})`,
  )
  const waits = await waitsForApproval(ctx, sensitiveUrl(ctx, id, '', url))
  if (!waits) await run(db, sql`update webhook_endpoints set url = ${url} where id = ${id}`)
  const facts = asFacts({ ...fields, url: waits ? '' : url, state: 'on' })
  await audit(db, ctx, 'endpoint_changed', actor, { endpoint: id, ...facts })
  return { id, waits }
}

/** Changes an endpoint. True: its new address waits for approval; the rest is saved. */
export const changeEndpoint = async (ctx: EndpointCtx, id: string, { url, ...others }: Update): Promise<boolean> => {
  const { db, actor } = ctx
  const before = await lockEndpoint(db, actor.topId, id)
  const wanted = url === undefined ? before.url : checkedUrl(ctx, url)
  const waits = wanted !== before.url && (await waitsForApproval(ctx, sensitiveUrl(ctx, id, before.url, wanted)))
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  await store(ctx, id, { ...before, ...given, url: waits ? before.url : wanted })
  return waits
}

/** Gives an endpoint an address that was approved, as `shown`. */
export const makeEndpointUrl = async (
  ctx: EndpointCtx,
  { id, url }: { id: string; url: string },
  shown: AuditFacts,
): Promise<void> => {
  const before = await lockEndpoint(ctx.db, ctx.actor.topId, id)
  ensureAsShown(shown, sensitiveUrl(ctx, id, before.url, url).facts)
  await store(ctx, id, { ...before, url: checkedUrl(ctx, url) })
}

const store = async (ctx: EndpointCtx, id: string, after: Fields): Promise<void> => {
  const { db, actor } = ctx
  const before = await lockEndpoint(db, actor.topId, id)
  const { url, kinds, ordered, with_text, state } = after
  await run(
    db,
    sql`update webhook_endpoints set url = ${url}, kinds = ${[...new Set(kinds)]}::text[], ordered = ${ordered},
        with_text = ${with_text}, state = ${state},
        -- Turned on again it has its days once more.
        failing_since = case when state = ${state} and url = ${url} then failing_since end
      where id = ${id}`,
  )
  const [was, now] = [asFacts(before), asFacts({ url, kinds, ordered, with_text, state })]
  const facts = Object.entries(now).flatMap(([field, value]) =>
    was[field] === value ? [] : [[field, [was[field] ?? null, value]] as const],
  )
  if (facts.length > 0)
    await audit(db, ctx, 'endpoint_changed', actor, { endpoint: id, ...(Object.fromEntries(facts) as AuditFacts) })
}

export const removeEndpoint = async (ctx: EndpointCtx, id: string): Promise<void> => {
  const { db, actor } = ctx
  const { url } = await lockEndpoint(db, actor.topId, id)
  // Its deliveries go with their events.
  await run(db, sql`delete from webhook_endpoints where id = ${id}`)
  await audit(db, ctx, 'endpoint_changed', actor, { endpoint: id, api_url: [url, null] })
}

/** Gives an endpoint a new secret. The old one signs beside it for a day. */
export const rotateEndpoint = async (ctx: EndpointCtx, id: string): Promise<void> => {
  const { db, actor, services } = ctx
  const { form } = await lockEndpoint(db, actor.topId, id)
  if (form === 'key') return refuse('endpoint.key_form')
  const sealed = services.key.sealSecret(newEndpointSecret(), sealedEndpoint(id))
  await run(
    db,
    sql`update webhook_endpoints set older_secret = case when old_until > now() then old_secret end, old_secret = secret, secret = ${sealed},
        old_until = now() + make_interval(hours => ${OVERLAP_HOURS}::int) where id = ${id}`,
  )
  await audit(db, ctx, 'endpoint_changed', actor, { endpoint: id, endpoint_secret: 'changed' })
}

/**
 * The present secret. It is read after the commit: the stored outcome of a repeatable call must not hold it.
 */
export const secretOf = async (db: Database, key: InstallationKey, id: string): Promise<string> => {
  const row = await one<{ secret: string | null }>(db, sql`select secret from webhook_endpoints where id = ${id}`)
  const secret = row?.secret ? key.openSecret(row.secret, sealedEndpoint(id)) : undefined
  return ensure(secret, 'endpoint.not_found')
}
