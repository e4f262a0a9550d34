import { AccountStatus, Role } from '@tallyroom/contract/codes'
import type { Assertion, SignOptions } from '@tallyroom/contract/calls/sign-in/passkey'
import type { Face } from '../../config/setting-types.ts'
import { one, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import { cookieHashes, cookieName, newSecret, sha256 } from '../../lib/secrets.ts'
import type { SignInContext } from '../context.ts'
import { newChallenge, timeoutOf } from '../passkeys/challenges.ts'
import { checkAssertion, type PasskeyVerdict } from '../passkeys/check.ts'
import { passkeysHere, signOptions } from '../passkeys/options.ts'
import { needSite } from '../passkeys/site.ts'
import { type Challenge, prove } from './challenge.ts'
import { auditFailure } from './failures.ts'
import type { OpenSession } from './signed-in.ts'

/** Begins a sign-in, or the recovery of a password, in this browser. Nothing is known yet of who it is. */
export const beginByPasskey = async (
  { services, caller, reply }: SignInContext,
  purpose: 'sign-in' | 'recovery',
): Promise<SignOptions> => {
  const site = needSite(services.settings, caller.origin)
  const cookie = caller.wantsBound ? newSecret() : undefined
  const boundTo = cookie ? sha256(cookie) : undefined
  const challenge = await newChallenge(services.db, { purpose, site, boundTo })
  if (cookie) reply.setCookie(cookieName('passkey', caller.secure), cookie, timeoutOf('sign-in') / 1000)
  return signOptions(challenge, site)
}

/** Every wrong passkey gets this answer, and is audited. */
export const refusePasskey = async (
  { services, caller }: SignInContext,
  { account, isCopy }: Extract<PasskeyVerdict, { verdict: 'wrong' }>,
): Promise<never> => {
  await auditFailure(services.db, caller, account, isCopy ? 'passkey_copy' : 'passkey')
  return refuse('passkey.wrong')
}

/** A passkey, unlocked by its user, is both factors. Unknown, frozen and wrong face get the answer of a wrong one. */
export const byPasskey = async <T>(
  ctx: SignInContext,
  assertion: Assertion,
  face: Face,
  openSession: OpenSession<T>,
): Promise<T> => {
  const { services, caller } = ctx
  const boundTo = cookieHashes(caller.cookies, 'passkey')
  const found = await checkAssertion(services.db, { purpose: 'sign-in', boundTo }, assertion)
  if (found.verdict === 'wrong') return refusePasskey(ctx, found)
  const { account, passkeyId } = found
  const opened = await services.db.transact(async (tx) => {
    // Locks both: a freeze or the removal of the passkey at the same time is noticed here or ends the session.
    const active = await one<{ role: Role }>(
      tx,
      sql`select a.role_id as role from accounts a join passkeys p on p.account_id = a.id
        where a.id = ${account.id} and p.id = ${passkeyId} and a.status = ${AccountStatus.active} for share`,
    )
    if (!active || (active.role === Role.member) !== (face === 'member')) return undefined
    return { session: await openSession(tx, { ...account, face, method: 'passkey' }) }
  })
  return opened ? opened.session : refusePasskey(ctx, { verdict: 'wrong', account, isCopy: false })
}

/** Asks for a passkey of the account whose sign-in waits for its second factor. */
export const beginStep = async ({ services, caller }: SignInContext, waiting: Challenge): Promise<SignOptions> => {
  const site = needSite(services.settings, caller.origin)
  const here = await passkeysHere(services.db, waiting.accountId, site)
  if (here.length === 0) return refuse('passkey.none_here')
  const account = { id: waiting.accountId, topId: waiting.topId }
  const challenge = await newChallenge(services.db, { purpose: 'second-step', site, account, boundTo: waiting.idHash })
  return signOptions(challenge, site, here)
}

export const finishStep = async (
  ctx: SignInContext,
  waiting: Challenge,
  assertion: Assertion,
): Promise<{ auth_done: string }> => {
  const boundTo = [waiting.idHash]
  const found = await checkAssertion(ctx.services.db, { purpose: 'second-step', boundTo }, assertion)
  if (found.verdict === 'wrong') return refusePasskey(ctx, found)
  return prove(ctx.services.db, waiting)
}
