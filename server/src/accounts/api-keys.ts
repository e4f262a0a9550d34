import { randomBytes } from 'node:crypto'
import { Role } from '@tallyroom/contract/codes'
import type { ApiDate } from '@tallyroom/contract/api/dates'
import type { ApiRight } from '@tallyroom/contract/api/rights'
import type { InstallationKey } from '../data/installation-key.ts'
import { type Db, many, one, run, sql, type Tx } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import { isSandbox, ofPlatform } from '../domain/sandboxes.ts'
import { isValidKey, sealedRowOf, signingId } from '../identity/api-keys.ts'
import { NO_PASSWORD } from '../identity/passwords.ts'
import { ensure } from '../lib/refusal.ts'
import { newSecret } from '../lib/secrets.ts'
import { makeAccount } from './accounts.ts'

/** A replaced key still works this long, until all of a platform's servers have the new one. */
const OVERLAP_HOURS = 24
/** The days of which the list says what a key has asked. */
const SHOWN_DAYS = 30

/** The calls that a key may make, from where, until when and how often, and the form of their answers. */
export type KeyTerms = {
  rights: ApiRight[]
  /** Networks or addresses; empty: from everywhere. */
  addresses: string[]
  /** The last day in the platform's time zone. */
  expires_on: string | null
  per_second: number | null
  /** The date of the form of a call that names none. */
  version: ApiDate | null
}
export const noTerms: KeyTerms = { rights: [], addresses: [], expires_on: null, per_second: null, version: null }

export type KeyRow = KeyTerms & {
  id: string
  label: string
  actor_id: number | null
  created_at: string
  revoked_at: string | null
  used_at: string | null
  active: boolean
  signs_webhooks: boolean
  is_sandbox: boolean
  days: { day: string; calls: number; refused: number }[]
}

const utc = (column: string) => ({
  text: `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  values: [],
})
const termColumns = (timeZone: string) =>
  sql`k.rights, array(select case when masklen(n) = case family(n) when 4 then 32 else 128 end then host(n) else n::text end
      from unnest(k.addresses) n) as addresses,
    ((k.expires_at at time zone ${timeZone}::text)::date - 1)::text as expires_on, k.per_second, k.version`

/** The keys of a platform and of its sandbox. */
export const listApiKeys = (db: Db, topId: number, timeZone: string): Promise<KeyRow[]> =>
  many<KeyRow>(
    db,
    sql`select k.id, k.label, k.actor_id, ${utc('k.created_at')} as created_at, ${utc('k.revoked_at')} as revoked_at,
        ${utc('k.used_at')} as used_at, ${isValidKey} as active, k.id is not distinct from ${signingId(topId)} as signs_webhooks,
        ${isSandbox(sql`k.top_id`)} as is_sandbox,
        ${termColumns(timeZone)},
        (select coalesce(json_agg(json_build_object('day', d.day, 'calls', d.calls, 'refused', d.refused) order by d.day desc), '[]')
          from api_key_days d where d.key_id = k.id and d.day > current_date - ${SHOWN_DAYS}::int) as days
      from api_keys k where ${ofPlatform(sql`k.top_id`, topId)} order by k.created_at desc, k.id`,
  )

/** The account that a key acts as, made if it has none. */
export const actorOfKey = async (tx: Tx, keyId: string): Promise<number> => {
  const key = ensure(
    await one<{ actorId: number | null; topId: number; label: string; path: string; groupId: number }>(
      tx,
      sql`select k.actor_id as "actorId", k.top_id as "topId", k.label, t.path, t.group_id as "groupId"
        from api_keys k join accounts t on t.id = k.top_id where k.id = ${keyId} for no key update of k`,
    ),
    'api.key_not_found',
  )
  if (key.actorId !== null) return key.actorId
  const { topId, path, groupId } = key
  const parent = { id: topId, topId, path, groupId }
  const account = { username: keyId, nickname: key.label || keyId, passwordHash: NO_PASSWORD }
  const { id } = await makeAccount(tx, { parent, role: Role.customerService, ...account })
  // The top account holds its secret, so for two admins both have one origin.
  await run(tx, sql`update accounts set is_key = true, is_funded = false, made_by = ${topId} where id = ${id}`)
  await run(tx, sql`update api_keys set actor_id = ${id} where id = ${keyId}`)
  return id
}

const newKey = (prefix: string) => ({ id: `${prefix}_${randomBytes(12).toString('hex')}`, secret: newSecret() })

/** Makes a key with an account of its own. Its secret is returned here and never again. `prefix`: `tks` for a key of a sandbox. */
export const makeApiKey = async (
  tx: Tx,
  key: InstallationKey,
  topId: number,
  label: string,
  prefix: 'tk' | 'tks' = 'tk',
) => {
  const { id, secret } = newKey(prefix)
  await run(
    tx,
    sql`insert into api_keys (id, top_id, label, secret)
      values (${id}, ${topId}, ${label}, ${key.sealSecret(secret, sealedRowOf(id))})`,
  )
  await actorOfKey(tx, id)
  return { id, secret }
}

const aKey = (topId: number, id: string) =>
  sql`k.id = ${id} and ${ofPlatform(sql`k.top_id`, topId)} and k.revoked_at is null`

/** The terms of a key that was not replaced, locked until the end of the transaction; undefined without one. */
export const lockTerms = (tx: Tx, topId: number, id: string, timeZone: string): Promise<KeyTerms | undefined> =>
  one<KeyTerms>(tx, sql`select ${termColumns(timeZone)} from api_keys k where ${aKey(topId, id)} for no key update`)

/** Saves the terms of a key, and of those with the same account: the one that it has replaced works for another day. */
export const saveTerms = (tx: Tx, id: string, terms: KeyTerms, timeZone: string): Promise<void> =>
  run(
    tx,
    sql`update api_keys set rights = ${terms.rights}::text[], addresses = array(select network(n::inet) from unnest(${terms.addresses}::text[]) n),
        expires_at = (${terms.expires_on}::date + 1)::timestamp at time zone ${timeZone}::text,
        per_second = ${terms.per_second}::int, version = ${terms.version} where id = ${id} or actor_id = (select o.actor_id from api_keys o where o.id = ${id})`,
  )

/** Whether a key may do more by these terms than by those before. */
export const widens = (before: KeyTerms, after: KeyTerms): boolean =>
  after.rights.some((right) => !before.rights.includes(right)) ||
  (before.addresses.length > 0 &&
    (after.addresses.length === 0 || after.addresses.some((one) => !before.addresses.includes(one)))) ||
  (before.expires_on !== null && (after.expires_on === null || after.expires_on > before.expires_on)) ||
  (before.per_second !== null && (after.per_second === null || after.per_second > before.per_second))

/** As the audit log and approvers read them. */
export const termFacts = ({ rights, addresses, expires_on, per_second, version }: KeyTerms) => ({
  key_rights: rights.join(', '),
  key_addresses: addresses.join(', '),
  expires_on,
  per_second,
  key_version: version,
})

/**
 * Makes a new key with the same account; the old one works for another day, and if it signs webhooks, the new one signs
 * them after it. Undefined when there is no such key.
 */
export const rotateApiKey = async (tx: Tx, key: InstallationKey, topId: number, id: string) => {
  const old = await one<{ label: string }>(
    tx,
    sql`update api_keys k set revoked_at = now() + make_interval(hours => ${OVERLAP_HOURS}::int),
        signs_webhooks = k.signs_webhooks or coalesce(k.id = ${signingId(topId)}, false)
      where ${aKey(topId, id)} returning k.label`,
  )
  if (!old) return undefined
  await actorOfKey(tx, id)
  const made = newKey(id.startsWith('tks_') ? 'tks' : 'tk')
  await run(
    tx,
    sql`insert into api_keys (id, top_id, label, secret, signs_webhooks, actor_id, rights, addresses, expires_at, per_second, version)
      select ${made.id}, top_id, label, ${key.sealSecret(made.secret, sealedRowOf(made.id))}, signs_webhooks, actor_id, rights,
        addresses, expires_at, per_second, version from api_keys where id = ${id}`,
  )
  return made
}

/**
 * Revokes at once; false when the key does not exist or is revoked already. Its account is frozen, unless the key was
 * replaced: what waits for approval is not made any more.
 */
export const revokeApiKey = async (tx: Tx, topId: number, id: string): Promise<boolean> => {
  const revoked = await one<{ actorId: number | null }>(
    tx,
    sql`update api_keys set revoked_at = now()
      where id = ${id} and ${ofPlatform(sql`top_id`, topId)} and (revoked_at is null or revoked_at > now()) returning actor_id as "actorId"`,
  )
  if (!revoked) return false
  await run(
    tx,
    sql`update accounts a set status = ${is.frozen} where a.id = ${revoked.actorId}
      and not exists (select from api_keys k where k.actor_id = a.id and ${isValidKey})`,
  )
  return true
}
