import { randomBytes } from 'node:crypto'
import { type Db, many, one, run, sql, type Tx } from '../data/sql.ts'
import type { InstallationKey } from './installation-key.ts'
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
}

const sealedRowOf = (id: string) => `api_keys/${id}`

/** Makes a key. Its secret is returned here and never again. */
export const makeApiKey = async (db: Db, key: InstallationKey, topId: number, label: string) => {
  const id = `tk_${randomBytes(12).toString('hex')}`
  const secret = newSecret()
  await run(
    db,
    sql`insert into api_keys (id, top_id, label, secret)
      values (${id}, ${topId}, ${label}, ${key.sealSecret(secret, sealedRowOf(id))})`,
  )
  return { id, secret }
}

/** Makes a new key; the old one works for another day. Undefined when there is no such key. */
export const rotateApiKey = async (tx: Tx, key: InstallationKey, topId: number, id: string) => {
  const old = await one<{ label: string }>(
    tx,
    sql`update api_keys set revoked_at = now() + make_interval(hours => ${OVERLAP_HOURS}::int)
      where id = ${id} and top_id = ${topId} and revoked_at is null returning label`,
  )
  return old && makeApiKey(tx, key, topId, old.label)
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
        (revoked_at is null or revoked_at > now()) as active
      from api_keys where top_id = ${topId} order by created_at desc, id`,
  )

export type ApiKey = { id: string; topId: number; secret: string; now: number }

/** A valid key with its secret and the database's time. */
export const findApiKey = async (db: Db, key: InstallationKey, id: string): Promise<ApiKey | undefined> => {
  const found = await one<{ topId: number; sealed: string; now: number }>(
    db,
    sql`select k.top_id as "topId", k.secret as sealed, extract(epoch from now())::float8 as now
      from api_keys k join accounts a on a.id = k.top_id and a.status = 1
      where k.id = ${id} and (k.revoked_at is null or k.revoked_at > now())`,
  )
  const secret = found && key.openSecret(found.sealed, sealedRowOf(id))
  return found && secret !== undefined ? { id, topId: found.topId, secret, now: found.now } : undefined
}

/** The newest key of a top account, which signs its webhooks. */
export const newestApiKey = async (db: Db, key: InstallationKey, topId: number): Promise<ApiKey | undefined> => {
  const newest = await one<{ id: string }>(
    db,
    sql`select id from api_keys where top_id = ${topId} and revoked_at is null order by created_at desc limit 1`,
  )
  return newest && findApiKey(db, key, newest.id)
}

/** Stores a nonce; false when it was used before. */
export const takeNonce = async (db: Db, { id }: ApiKey, nonce: string): Promise<boolean> => {
  const fresh = await one(
    db,
    sql`with used as (update api_keys set used_at = now()
          where id = ${id} and (used_at is null or used_at < now() - interval '1 minute'))
      insert into api_nonces (key_id, nonce) values (${id}, ${nonce}) on conflict do nothing returning 1 as fresh`,
  )
  return fresh !== undefined
}
