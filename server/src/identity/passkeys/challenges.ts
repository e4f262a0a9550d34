import { type Db, one, run, sql } from '../../data/sql.ts'
import { newSecret, sha256 } from '../../lib/secrets.ts'
import type { PasskeySite } from './site.ts'

/** `proved` is the code by which a signature proves changes of the second factor. */
export type Purpose = 'sign-in' | 'second-step' | 'add' | 'proof' | 'proved' | 'recovery' | 'points'

/** How long a browser may take, and how long a proof is valid. */
const MINUTES: Record<Purpose, number> = {
  'sign-in': 5,
  'second-step': 5,
  add: 5,
  proof: 5,
  proved: 2,
  recovery: 5,
  points: 5,
}
export const timeoutOf = (purpose: Purpose): number => MINUTES[purpose] * 60_000

type NewChallenge = {
  purpose: Purpose
  site: PasskeySite
  /** Undefined for a sign-in, before which nobody knows the account. */
  account?: { id: number; topId: number }
  /** The hash of what the client must hold; undefined for clients without cookies. */
  boundTo: Buffer | undefined
}

/** Stores a challenge for one signature and returns it. One that was stored before, for the same points, lasts on. */
export const newChallenge = async (
  db: Db,
  { purpose, site, account, boundTo }: NewChallenge,
  challenge = newSecret(),
): Promise<string> => {
  await run(
    db,
    sql`insert into passkey_challenges (challenge_hash, purpose, account_id, top_id, bound_to, origin, host, expires_at)
      values (${sha256(challenge)}, ${purpose}, ${account?.id ?? null}, ${account?.topId ?? 0}, ${boundTo ?? null},
        ${site.origin}, ${site.host}, now() + make_interval(mins => ${MINUTES[purpose]}::int))
      on conflict (challenge_hash) do update set expires_at = excluded.expires_at
        where passkey_challenges.bound_to = excluded.bound_to`,
  )
  return challenge
}

export type TakenChallenge = PasskeySite & { accountId: number | null }

/**
 * Uses a challenge up, whatever is found out about the signature. Undefined when it is over, was used, is for another
 * purpose, or belongs to another browser, sign-in or session.
 */
export const takeChallenge = (db: Db, purpose: Purpose, challenge: string, boundTo: Buffer[]) =>
  one<TakenChallenge>(
    db,
    sql`delete from passkey_challenges where challenge_hash = ${sha256(challenge)} and purpose = ${purpose}
        and expires_at > now() and (bound_to is null or bound_to = any(${boundTo}))
      returning origin, host, account_id as "accountId"`,
  )
