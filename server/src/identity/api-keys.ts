import type { ApiRight } from '@tallyroom/contract/api/rights'
import { keyList } from '../data/key-list.ts'
import { type Db, many, one, type Sql, sql, type Tx } from '../data/sql.ts'
import { factorExists } from './factor-exists.ts'
import { batcher } from '../lib/batcher.ts'
import type { InstallationKey } from '../data/installation-key.ts'
import { is } from '../domain/is.ts'
import { Refused } from '../lib/refusal.ts'

/** Whether a key `k` is neither revoked nor expired. */
export const isValidKey = sql`((k.revoked_at is null or k.revoked_at > now()) and (k.expires_at is null or k.expires_at > now()))`

/**
 * The id of the key that signs a top account's webhooks (migration 0064); null without a valid one. One that does nothing
 * else comes first.
 */
export const signingId = (topId: number): Sql =>
  sql`(select k.id from api_keys k where k.top_id = ${topId} and 'webhooks' = any(k.rights) and ${isValidKey}
    order by k.rights = '{webhooks}' desc, k.signs_webhooks desc, k.created_at, k.id limit 1)`

export const sealedRowOf = (id: string): string => `api_keys/${id}`

export type ApiKey = {
  id: string
  topId: number
  secret: string
  now: number
  /** The account that it acts as; null before its first call of a key that is older than these accounts. */
  actorId: number | null
  rights: ApiRight[]
  /** The networks that it may call from, in CIDR form; empty: all. */
  addresses: string[]
  perSecond: number | null
  /** The date of the form in which its calls are answered. */
  version: string | null
  isExpired: boolean
  /** Its top account is that of a sandbox. */
  isSandbox: boolean
}

/**
 * Keys that are not revoked by their ids, with their secrets and the database's time. None is valid while the platform's top account
 * is frozen or lacks a second factor that its role needs (PASS-03): it can give keys any right.
 */
const findApiKeys = async (db: Db, key: InstallationKey, ids: string[]): Promise<Map<string, ApiKey>> => {
  const found = await many<Omit<ApiKey, 'secret'> & { sealed: string }>(
    db,
    sql`select k.id, k.top_id as "topId", k.secret as sealed, extract(epoch from now())::float8 as now,
        k.actor_id as "actorId", k.rights, k.addresses::text[] as addresses,
        k.per_second as "perSecond", k.version, coalesce(k.expires_at <= now(), false) as "isExpired", s.top_id is not null as "isSandbox"
      from api_keys k left join sandboxes s on s.top_id = k.top_id
        join accounts a on a.id = coalesce(s.owner_id, k.top_id) and a.status = ${is.active}
      where k.id = any(${keyList('text', ids)}) and (k.revoked_at is null or k.revoked_at > now())
        and (a.role_id <> all(a.factor_roles) or ${factorExists(sql`a.id`)})`,
  )
  const keys = found.flatMap(({ sealed, ...row }) => {
    const secret = key.openSecret(sealed, sealedRowOf(row.id))
    return secret === undefined ? [] : [[row.id, { ...row, secret }] as const]
  })
  return new Map(keys)
}

/** Finds keys, many calls in one query. Like sessions they are never cached. */
export const apiKeyFinder = (db: Db, key: InstallationKey) =>
  batcher<string, ApiKey | undefined>(async (ids) => {
    const found = await findApiKeys(db, key, [...new Set(ids)])
    return ids.map((id) => found.get(id))
  })

/** The rights of keys that are valid, locked until the end of the transaction. */
export const lockKeys = async (tx: Tx, ids: string[]): Promise<Map<string, string[]>> => {
  if (ids.length === 0) return new Map()
  const found = await many<{ id: string; rights: string[] }>(
    tx,
    sql`select k.id, k.rights from api_keys k where k.id = any(${ids}::text[]) and ${isValidKey} order by k.id for share`,
  )
  return new Map(found.map(({ id, rights }) => [id, rights]))
}

/** Why a key may not do what needs a right, by the rights that `lockKeys` has found; undefined when it may. */
export const keyRefusal = (rights: string[] | undefined, right: ApiRight): Refused | undefined => {
  if (!rights) return new Refused('api.not_signed')
  return rights.includes(right) ? undefined : new Refused('api.not_allowed', { right })
}

/**
 * The right that a call needs, locked until the end of the transaction: who withdraws it waits for the call, or the call for
 * that.
 * @throws Refused with api.not_allowed or api.not_signed
 */
export const lockRight = async (tx: Tx, keyId: string, right: ApiRight): Promise<void> => {
  const refusal = keyRefusal((await lockKeys(tx, [keyId])).get(keyId), right)
  if (refusal) throw refusal
}

/** Whether an account has a valid key with a right: it asks in the key's name. */
export const keyHas = async (db: Db, actorId: number, right: ApiRight): Promise<boolean> =>
  (await one(
    db,
    sql`select 1 as has from api_keys k where k.actor_id = ${actorId} and ${right} = any(k.rights) and ${isValidKey} limit 1`,
  )) !== undefined

/** The key that signs a top account's webhooks. */
export const signingApiKey = async (db: Db, key: InstallationKey, topId: number): Promise<ApiKey | undefined> => {
  const signer = await one<{ id: string | null }>(db, sql`select ${signingId(topId)} as id`)
  return signer?.id ? (await findApiKeys(db, key, [signer.id])).get(signer.id) : undefined
}

type Nonce = { keyId: string; nonce: string }
const textOf = ({ keyId, nonce }: Nonce) => `${keyId} ${nonce}`

/**
 * Stores nonces, many calls in one commit; false for one that was used before. In the order of their texts: two copies
 * that are sent the same ones could otherwise wait for each other.
 */
export const nonceTaker = (db: Db) =>
  batcher<Nonce, boolean>(async (taken) => {
    const nonces = [...new Map(taken.map((one) => [textOf(one), one])).values()]
    const keyIds = nonces.map(({ keyId }) => keyId)
    const texts = nonces.map(({ nonce }) => nonce)
    const fresh = await many<Nonce>(
      db,
      sql`with keys as (select id from api_keys where id = any(${keyList('text', keyIds)})
            and (used_at is null or used_at < now() - interval '1 minute') for no key update skip locked),
          used as (update api_keys k set used_at = now() from keys where k.id = keys.id)
        insert into api_nonces (key_id, nonce) select * from unnest(${keyList('text', keyIds)},
            ${keyList('text', texts)}) order by 1, 2
          on conflict do nothing returning key_id as "keyId", nonce`,
    )
    const unused = new Set(fresh.map(textOf))
    // Sent twice at once, the first one has it.
    return taken.map((one) => unused.delete(textOf(one)))
  })
