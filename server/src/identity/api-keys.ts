import { randomBytes } from 'node:crypto'
import { keyList } from '../data/key-list.ts'
import { type Db, many, one, run, sql, type Tx } from '../data/sql.ts'
import { factorExists } from './factor-exists.ts'
import { batcher } from '../lib/batcher.ts'
import type { InstallationKey } from '../data/installation-key.ts'
import { is } from '../domain/is.ts'
import { newSecret } from '../lib/secrets.ts'

/** A replaced key still works this long, until all of a platform's servers have the new one. */
const OVERLAP_HOURS = 24

export type KeyRow = {
  id: string
  label: string
  created_at: string
  revoked_at: string | null
  used_at: string | null
  active: boolean
  signs_webhooks: boolean
  only_webhooks: boolean
}

/**
 * The id of the key that signs a top account's webhooks (migration 0064); null without a valid one. One that does nothing
 * else comes first.
 */
const signingId = (topId: number) =>
  sql`(select id from api_keys where top_id = ${topId} and (revoked_at is null or revoked_at > now())
    order by only_webhooks desc, signs_webhooks desc, created_at, id limit 1)`

const sealedRowOf = (id: string) => `api_keys/${id}`

type KeyUse = { signs?: boolean; onlyWebhooks?: boolean }
/** Makes a key. Its secret is returned here and never again. `onlyWebhooks`: it makes no calls. */
export const makeApiKey = async (
  db: Db,
  key: InstallationKey,
  topId: number,
  label: string,
  { signs = false, onlyWebhooks = false }: KeyUse = {},
) => {
  const id = `tk_${randomBytes(12).toString('hex')}`
  const secret = newSecret()
  await run(
    db,
    sql`insert into api_keys (id, top_id, label, secret, signs_webhooks, only_webhooks)
      values (${id}, ${topId}, ${label}, ${key.sealSecret(secret, sealedRowOf(id))}, ${signs}, ${onlyWebhooks})`,
  )
  return { id, secret }
}

/**
 * Makes a new key; the old one works for another day, and if it signs webhooks, the new one signs them after it.
 * Undefined when there is no such key.
 */
export const rotateApiKey = async (tx: Tx, key: InstallationKey, topId: number, id: string) => {
  const old = await one<{ label: string } & Required<KeyUse>>(
    tx,
    sql`update api_keys set revoked_at = now() + make_interval(hours => ${OVERLAP_HOURS}::int),
        signs_webhooks = signs_webhooks or id = ${signingId(topId)}
      where id = ${id} and top_id = ${topId} and revoked_at is null returning label, signs_webhooks as signs,
        only_webhooks as "onlyWebhooks"`,
  )
  return old && makeApiKey(tx, key, topId, old.label, old)
}

/** Revokes at once; false when the key does not exist or is revoked already. */
export const revokeApiKey = async (db: Db, topId: number, id: string): Promise<boolean> =>
  (await one(
    db,
    sql`update api_keys set revoked_at = now()
      where id = ${id} and top_id = ${topId} and (revoked_at is null or revoked_at > now()) returning 1 as done`,
  )) !== undefined

export const listApiKeys = (db: Db, topId: number) =>
  many<KeyRow>(
    db,
    sql`select id, label, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at,
        to_char(revoked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as revoked_at,
        to_char(used_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as used_at,
        (revoked_at is null or revoked_at > now()) as active, id is not distinct from ${signingId(topId)} as signs_webhooks,
        only_webhooks
      from api_keys where top_id = ${topId} order by created_at desc, id`,
  )

export type ApiKey = { id: string; topId: number; secret: string; now: number; onlyWebhooks: boolean }

/**
 * Valid keys by their ids, with their secrets and the database's time. None is valid while the top account lacks a second
 * factor that its role needs (PASS-03): the key acts in its name.
 */
const findApiKeys = async (db: Db, key: InstallationKey, ids: string[]): Promise<Map<string, ApiKey>> => {
  const found = await many<Omit<ApiKey, 'secret'> & { sealed: string }>(
    db,
    sql`select k.id, k.top_id as "topId", k.secret as sealed, extract(epoch from now())::float8 as now,
        k.only_webhooks as "onlyWebhooks"
      from api_keys k join accounts a on a.id = k.top_id and a.status = ${is.active}
      where k.id = any(${keyList('text', ids)}) and (k.revoked_at is null or k.revoked_at > now())
        and (a.role_id <> all(a.factor_roles) or ${factorExists(sql`a.id`)})`,
  )
  const keys = found.flatMap(({ sealed, ...row }) => {
    const secret = key.openSecret(sealed, sealedRowOf(row.id))
    return secret === undefined ? [] : [[row.id, { ...row, secret }] as const]
  })
  return new Map(keys)
}

/** Finds keys that make calls, many in one query. Like sessions they are never cached. */
export const apiKeyFinder = (db: Db, key: InstallationKey) =>
  batcher<string, ApiKey | undefined>(async (ids) => {
    const found = await findApiKeys(db, key, [...new Set(ids)])
    return ids.map((id) => {
      const one = found.get(id)
      return one?.onlyWebhooks ? undefined : one
    })
  })

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
