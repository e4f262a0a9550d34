import type { Assertion, Created } from '@tallyroom/contract/calls/sign-in/passkey'
import { type Db, one, run, sql } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import { type Purpose, takeChallenge, type TakenChallenge } from './challenges.ts'

/** Large, and needed by few: loaded with the first passkey, not with the server. */
const library = () => import('@simplewebauthn/server')

/** ES256, RS256 and EdDSA, which all browsers and security keys have. */
export const ALGORITHMS = [-7, -257, -8]

type ClientData = { challenge: string; crossOrigin: boolean }

/** The part of the browser's data that is not covered by the library. Undefined when it is not readable. */
const clientDataOf = (encoded: string): ClientData | undefined => {
  try {
    const { challenge, crossOrigin } = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8')) as ClientData
    return typeof challenge === 'string' ? { challenge, crossOrigin: Boolean(crossOrigin) } : undefined
  } catch {
    return undefined
  }
}

/** The challenge that a browser has signed, without checking the signature. */
export const challengeIn = (clientDataJSON: string): string | undefined => clientDataOf(clientDataJSON)?.challenge

/** Any error of the library means that the answer is not what was asked for. */
const orUndefined = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined)

type Expected = { purpose: Purpose; boundTo: Buffer[] }

/** @throws Refused with passkey.too_late */
const takeFor = async (
  db: Db,
  { purpose, boundTo }: Expected,
  clientDataJSON: string,
): Promise<TakenChallenge & { challenge: string; isFramed: boolean }> => {
  const data = clientDataOf(clientDataJSON)
  const taken = data && (await takeChallenge(db, purpose, data.challenge, boundTo))
  if (!data || !taken) return refuse('passkey.too_late')
  // Another site that shows our page in a frame could make its visitors sign.
  return { ...taken, challenge: data.challenge, isFramed: data.crossOrigin }
}

const verify = async (
  assertion: Assertion,
  { origin, host, challenge }: { origin: string; host: string; challenge: string },
  publicKey: Buffer,
) => {
  const { verifyAuthenticationResponse } = await library()
  return orUndefined(
    verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      // Compared by `countUse`, which tells a copy from other faults.
      credential: { id: assertion.id, publicKey: new Uint8Array(publicKey), counter: -1 },
    }),
  )
}

export type StoredSignature = {
  credentialId: string
  publicKey: Buffer
  origin: string
  host: string
  clientData: string
  authenticatorData: string
  signature: string
}

/** Checks a signature again that was right once. */
export const isSignatureOf = async (
  { credentialId, publicKey, origin, host, clientData, authenticatorData, signature }: StoredSignature,
  challenge: string,
): Promise<boolean> => {
  const response = { clientDataJSON: clientData, authenticatorData, signature }
  const assertion: Assertion = { id: credentialId, rawId: credentialId, type: 'public-key', response }
  return (await verify(assertion, { origin, host, challenge }, publicKey))?.verified === true
}

type StoredKey = { id: number; accountId: number; topId: number; publicKey: Buffer; counter: bigint }
export type PasskeyVerdict =
  | { verdict: 'right'; passkeyId: number; account: { id: number; topId: number } }
  | { verdict: 'wrong'; account: { id: number; topId: number } | undefined; isCopy: boolean }

/**
 * Checks what a passkey has signed, and counts its use. Not inside a transaction of the call: the challenge is used up
 * even when the call is refused. With `accountId` only passkeys of that account are right.
 * @throws Refused with passkey.too_late when there is no such challenge
 */
export const checkAssertion = async (db: Db, expected: Expected, assertion: Assertion): Promise<PasskeyVerdict> => {
  const { origin, host, accountId, challenge, isFramed } = await takeFor(
    db,
    expected,
    assertion.response.clientDataJSON,
  )
  const key = await one<StoredKey>(
    db,
    sql`select id, account_id as "accountId", top_id as "topId", public_key as "publicKey", counter from passkeys
      where credential_id = ${assertion.id} and host = ${host}
        and (${accountId}::int is null or account_id = ${accountId})`,
  )
  const account = key && { id: key.accountId, topId: key.topId }
  if (!key || isFramed) return { verdict: 'wrong', account, isCopy: false }
  const verified = await verify(assertion, { origin, host, challenge }, key.publicKey)
  if (!verified?.verified) return { verdict: 'wrong', account, isCopy: false }
  const isCounted = await countUse(db, key, verified.authenticationInfo.newCounter)
  return isCounted
    ? { verdict: 'right', passkeyId: key.id, account: { id: key.accountId, topId: key.topId } }
    : { verdict: 'wrong', account, isCopy: true }
}

/**
 * Most passkeys count nothing and send 0. Where one counts, a counter that does not grow comes from a copy of it. One
 * statement: of two uses with the same counter at once, one is right.
 */
const countUse = async (db: Db, { id }: StoredKey, counter: number): Promise<boolean> => {
  const counted = await one(
    db,
    sql`update passkeys set counter = ${counter}::bigint, used_at = now()
      where id = ${id} and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
      returning 1 as counted`,
  )
  if (!counted) await run(db, sql`update passkeys set copied_at = coalesce(copied_at, now()) where id = ${id}`)
  return counted !== undefined
}

export type NewKey = { credentialId: string; host: string; publicKey: Buffer; counter: number }

/**
 * Checks a new passkey, which must be one that a user unlocks. Which maker's it is does not matter.
 * @throws Refused with passkey.too_late or passkey.wrong
 */
export const checkCreated = async (db: Db, boundTo: Buffer[], created: Created): Promise<NewKey> => {
  const { origin, host, challenge, isFramed } = await takeFor(
    db,
    { purpose: 'add', boundTo },
    created.response.clientDataJSON,
  )
  if (isFramed) return refuse('passkey.wrong')
  const { verifyRegistrationResponse } = await library()
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response: { ...created, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified?.verified) return refuse('passkey.wrong')
  const { id, publicKey, counter } = verified.registrationInfo.credential
  return { credentialId: id, host, publicKey: Buffer.from(publicKey), counter }
}
