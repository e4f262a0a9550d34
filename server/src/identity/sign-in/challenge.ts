import { type Db, one, run, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { SignInContext } from '../context.ts'
import { Role } from '@tallyroom/contract/codes'
import { ensure, refuse } from '../../lib/refusal.ts'
import { cookieHashes, cookieName, newSecret, sha256 } from '../../lib/secrets.ts'

/** How long a sign-in waits for its code, and how long the code's proof waits for the sign-in. */
const MINUTES = 10
const PROOF_MINUTES = 2

export type Factors = { authenticator: boolean; phone: string | null; passkeys: boolean }
export type Challenge = { idHash: Buffer; accountId: number; topId: number; phone: string | null }

/** The number as screens show it: its first 2 and last 3 digits. */
export const masked = (phone: string): string =>
  phone.length <= 5 ? '*'.repeat(phone.length) : phone.slice(0, 2) + '*'.repeat(phone.length - 5) + phone.slice(-3)

/**
 * The second factors of an account; undefined when the password is enough. A member's passkey is another way in, never
 * a second step: nobody could let in a member who has lost the phone.
 */
export const factorsOf = async (db: Db, accountId: number): Promise<Factors | undefined> => {
  const found = await one<Factors>(
    db,
    sql`select coalesce(f.totp_secret is not null, false) as authenticator, f.phone,
        exists (select from passkeys p where p.account_id = a.id) as passkeys
      from accounts a left join second_factors f on f.account_id = a.id
      where a.id = ${accountId} and a.role_id <> ${Role.member}`,
  )
  return found && (found.authenticator || found.phone || found.passkeys) ? found : undefined
}

/**
 * Called after the right password only: stores that this sign-in waits for its second factor, and refuses naming it.
 */
export const challenge = async (
  { services, caller, reply }: SignInContext,
  account: { id: number; topId: number },
  { authenticator, phone, passkeys }: Factors,
): Promise<never> => {
  const id = newSecret()
  const cookie = caller.wantsBound ? newSecret() : undefined
  await run(
    services.db,
    sql`insert into challenges (id_hash, account_id, top_id, cookie_hash, expires_at)
      values (${sha256(id)}, ${account.id}, ${account.topId}, ${cookie ? sha256(cookie) : null},
        now() + make_interval(mins => ${MINUTES}::int))`,
  )
  if (cookie) reply.setCookie(cookieName('challenge', caller.secure), cookie, MINUTES * 60)
  const data = { challenge: id, mobile: phone ? masked(phone) : '', passkey: passkeys }
  if (!phone && !authenticator) return refuse('session.needs_passkey', data)
  if (!phone) return refuse('session.needs_authenticator', data)
  return refuse(authenticator ? 'session.needs_either' : 'session.needs_sms', data)
}

/**
 * The waiting sign-in of this username, found by its id or by the browser's cookie. A sign-in from a browser always
 * needs the cookie. Unknown usernames and accounts without a waiting sign-in get the same refusal.
 * @throws Refused with code.no_sign_in, or code.no_challenge for a client that names no sign-in
 */
export const waitingSignIn = async (
  { db, caller }: SignInContext,
  username: string,
  id: string | undefined,
): Promise<Challenge> => {
  const cookies = cookieHashes(caller.cookies, 'challenge')
  // The cookie of a browser that has waited too long is gone as well.
  if (id === undefined && cookies.length === 0 && !caller.wantsBound) return refuse('code.no_challenge')
  const found = await one<Challenge>(
    db,
    sql`select c.id_hash as "idHash", a.id as "accountId", a.top_id as "topId", f.phone
      from challenges c join accounts a on a.id = c.account_id left join second_factors f on f.account_id = a.id
      where (${id ?? null}::text is null or c.id_hash = ${sha256(id ?? '')})
        and (c.cookie_hash = any(${cookies}) or (c.cookie_hash is null and ${id !== undefined}))
        and c.expires_at > now() and a.status = ${is.active} and lower(a.username) = lower(${username})
      order by c.expires_at desc limit 1`,
  )
  return ensure(found, 'code.no_sign_in')
}

/** Returns the proof of a right code: valid once, for two minutes, for this account and browser. */
export const prove = async (db: Db, { idHash }: Challenge): Promise<{ auth_done: string }> => {
  const proof = newSecret()
  const proved = await one(
    db,
    sql`update challenges set proof_hash = ${sha256(proof)},
        proof_expires_at = now() + make_interval(mins => ${PROOF_MINUTES}::int)
      where id_hash = ${idHash} returning 1 as proved`,
  )
  ensure(proved, 'code.no_sign_in')
  return { auth_done: proof }
}

/** Uses a proof up; false when it is not valid. */
export const takeProof = async (
  { db, caller }: SignInContext,
  accountId: number,
  proof: string | undefined,
): Promise<boolean> => {
  if (proof === undefined) return false
  const taken = await one(
    db,
    sql`delete from challenges where account_id = ${accountId} and proof_hash = ${sha256(proof)}
        and proof_expires_at > now()
        and (cookie_hash is null or cookie_hash = any(${cookieHashes(caller.cookies, 'challenge')}))
      returning 1 as taken`,
  )
  return taken !== undefined
}
