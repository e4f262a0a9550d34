import { randomInt } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import { type Database, type Db, many, one, run, sql, type Tx } from '../../data/sql.ts'
import { refuse } from '../../lib/refusal.ts'
import type { InstallationKey } from '../../data/installation-key.ts'
import type { Verdict } from '../passwords.ts'
import { sha256 } from '../../lib/secrets.ts'
import { rowOf } from './sealing.ts'

/** RFC 6238 as authenticator apps use it: SHA-1, six digits, 30 seconds. One step early or late is accepted. */
const STEP_SECONDS = 30
const RECOVERY_CODES = 10
/** Letters that are not easily confused; ten of them are 49 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

export const newAuthenticator = (username: string): { secret: string; url: string } => {
  const secret = generateSecret()
  return { secret, url: generateURI({ issuer: 'Tallyroom', label: username, secret }) }
}

/** The time step of a code, by the database's clock; undefined when the code fits none of the three steps. */
const stepOf = async (secret: string, code: string, epoch: number): Promise<number | undefined> => {
  if (!/^\d{6}$/.test(code)) return undefined
  const found = await verify({ secret, token: code, epoch, epochTolerance: STEP_SECONDS })
  return found.valid && 'timeStep' in found ? found.timeStep : undefined
}

/** The sealed secrets, as stored. */
type SealedSecrets = { secret: string | null; pending: string | null; epoch: number }
type SecretStore = { db: Database; key: InstallationKey }

/** @throws Refused with factor.unreadable when it was sealed with another installation key */
const opened = ({ key }: SecretStore, accountId: number, sealed: string): string =>
  key.openSecret(sealed, rowOf(accountId)) ?? refuse('factor.unreadable')
const secretsOf = (db: Db, accountId: number) =>
  one<SealedSecrets>(
    db,
    sql`select totp_secret as secret, totp_pending as pending, floor(extract(epoch from clock_timestamp()))::int as epoch
      from second_factors where account_id = ${accountId}`,
  )

/** A code of the authenticator, or a recovery code. Each works once, also when sent twice at the same time. */
export const checkAuthenticator = async (services: SecretStore, accountId: number, code: string): Promise<Verdict> => {
  const { db } = services
  if (!/^\d{6}$/.test(code)) return useRecoveryCode(db, accountId, code)
  const known = await secretsOf(db, accountId)
  const step = known?.secret ? await stepOf(opened(services, accountId, known.secret), code, known.epoch) : undefined
  if (step === undefined) return 'wrong'
  const used = await one(
    db,
    sql`update second_factors set totp_step = ${step}
      where account_id = ${accountId} and totp_secret = ${known?.secret} and totp_step < ${step} returning 1 as used`,
  )
  return used ? 'right' : 'wrong'
}

/** The first code of a new authenticator puts it into use. */
export const confirmAuthenticator = async (
  services: SecretStore,
  accountId: number,
  code: string,
): Promise<Verdict> => {
  const { db } = services
  const known = await secretsOf(db, accountId)
  const step = known?.pending ? await stepOf(opened(services, accountId, known.pending), code, known.epoch) : undefined
  if (step === undefined) return 'wrong'
  const confirmed = await one(
    db,
    sql`update second_factors set totp_secret = totp_pending, totp_pending = null, totp_step = ${step}
      where account_id = ${accountId} and totp_pending = ${known?.pending} and totp_secret is null returning 1 as confirmed`,
  )
  return confirmed ? 'right' : 'wrong'
}

const plain = (code: string) => code.toLowerCase().replace(/[\s-]/g, '')
const hashOf = (accountId: number, code: string) => sha256(`${accountId}:${plain(code)}`)

const useRecoveryCode = async (db: Db, accountId: number, code: string): Promise<Verdict> => {
  const used = await one(
    db,
    sql`delete from recovery_codes where account_id = ${accountId} and code_hash = ${hashOf(accountId, code)}
      returning 1 as used`,
  )
  return used ? 'right' : 'wrong'
}

/** Replaces all recovery codes. */
export const makeRecoveryCodes = async (tx: Tx, account: { id: number; topId: number }): Promise<string[]> => {
  const letters = (n: number) => Array.from({ length: n }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const codes = Array.from({ length: RECOVERY_CODES }, () => `${letters(5)}-${letters(5)}`)
  await run(tx, sql`delete from recovery_codes where account_id = ${account.id}`)
  await many(
    tx,
    sql`insert into recovery_codes (account_id, top_id, code_hash)
      select ${account.id}, ${account.topId}, unnest(${codes.map((code) => hashOf(account.id, code))}::bytea[])`,
  )
  return codes
}
