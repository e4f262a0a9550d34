import { type Db, one, run, sql } from '../../data/sql.ts'
import type { Caller, Reply } from '../caller.ts'
import { cookieHashes, cookieName, newSecret, sha256 } from '../../lib/secrets.ts'

const DAYS = 180

/** The caller's device, if this account has signed in on it before. */
export const knownDevice = async (db: Db, caller: Caller, accountId: number): Promise<Buffer | undefined> => {
  const hashes = cookieHashes(caller.cookies, 'device')
  if (hashes.length === 0) return undefined
  const known = await one<{ device: Buffer }>(
    db,
    sql`select device_hash as device from known_devices where account_id = ${accountId} and device_hash = any(${hashes})
      and seen_at > now() - make_interval(days => ${DAYS}::int) limit 1`,
  )
  return known?.device
}

/**
 * Whether the account has signed in before, but never on this device. A client without cookies is known by its browser
 * and address. Call it before the session is opened.
 */
export const isNewDevice = async (db: Db, caller: Caller, accountId: number): Promise<boolean> => {
  if (await knownDevice(db, caller, accountId)) return false
  const found = await one<{ before: boolean; same: boolean }>(
    db,
    sql`select exists (select from sessions where account_id = ${accountId}) as before,
        exists (select from sessions where account_id = ${accountId} and cookie_hash is null
          and user_agent = ${caller.userAgent.slice(0, 300)} and address = ${caller.address}) as same`,
  )
  return found !== undefined && found.before && (caller.wantsBound || !found.same)
}

/** Called after a sign-in: remembers the browser for the account. Several accounts may share one. */
export const rememberDevice = async (
  db: Db,
  account: { id: number; topId: number },
  caller: Caller,
  reply: Reply,
): Promise<void> => {
  if (!caller.wantsBound) return
  const hashes = cookieHashes(caller.cookies, 'device')
  const ours = await one<{ device: Buffer }>(
    db,
    sql`select device_hash as device from known_devices where device_hash = any(${hashes}) limit 1`,
  )
  const secret = ours ? undefined : newSecret()
  await run(
    db,
    sql`insert into known_devices (device_hash, account_id, top_id)
      values (${secret ? sha256(secret) : ours?.device}, ${account.id}, ${account.topId})
      on conflict (device_hash, account_id) do update set seen_at = now()`,
  )
  if (secret) reply.setCookie(cookieName('device', caller.secure), secret, DAYS * 24 * 3600)
}
