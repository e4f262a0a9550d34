import type { Answer } from '@tallyroom/contract'
import type { SignOptions } from '@tallyroom/contract/calls/sign-in/passkey'
import { type Db, many, one, sql } from '../../data/sql.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import { createHmac } from 'node:crypto'
import { timeoutOf } from './challenges.ts'
import { ALGORITHMS } from './check.ts'
import type { PasskeySite } from './site.ts'

type Descriptor = SignOptions['allowCredentials'][number]

/** The passkeys of an account that work at this host. */
export const passkeysHere = (db: Db, accountId: number, { host }: PasskeySite): Promise<Descriptor[]> =>
  many<Descriptor>(
    db,
    sql`select credential_id as id, 'public-key' as type, transports from passkeys
      where account_id = ${accountId} and host = ${host} order by id`,
  )

export const somebodyHasPasskey = async (db: Db): Promise<boolean> =>
  (await one<{ exists: boolean }>(db, sql`select exists (select from passkeys)`))?.exists === true

export const signOptions = (
  challenge: string,
  { host }: PasskeySite,
  allowCredentials: Descriptor[] = [],
): SignOptions => ({
  challenge,
  rpId: host,
  timeout: timeoutOf('sign-in'),
  userVerification: 'required',
  allowCredentials,
})

type Owner = { id: number; username: string; nickname: string }
type NewPasskey = { challenge: string; site: PasskeySite; owner: Owner; existing: Descriptor[] }

/** A new passkey replaces the one that the same device has for this account: its handle does not change. */
const handleOf = (key: InstallationKey, { id }: Owner): string =>
  createHmac('sha256', key.derive('passkey-handles/v1')).update(String(id)).digest('base64url')

export const createOptions = (
  key: InstallationKey,
  { challenge, site, owner, existing }: NewPasskey,
): Answer<'passkey/beginAdd'> => ({
  rp: { id: site.host, name: 'Tallyroom' },
  user: { id: handleOf(key, owner), name: owner.username, displayName: owner.nickname || owner.username },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: timeoutOf('add'),
  attestation: 'none',
  excludeCredentials: existing,
  // It signs in without a username, and only unlocked by its user.
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
})
