import { BYTES, parseKey } from '../config/parse-key.ts'
import type { Settings } from '../config/settings.ts'
import { type Database, one, run, sql } from './sql.ts'
import { StartError } from '../lib/start-error.ts'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The one secret of an installation that is not in its database. With only a copy of the database, nobody can read the
 * secrets sealed with it or test passwords against the quick hashes of requests.
 */
export type InstallationKey = {
  /** A 32-byte key for one purpose. Keys of different purposes are independent. */
  derive(purpose: string): Buffer
  /** When it replaced another key, in milliseconds; undefined for the first key of an installation. */
  since: number | undefined
  /** `row` names the secret's row, such as `second_factors/12`: the sealed text does not open for another row. */
  sealSecret(secret: string, row: string): string
  /** Undefined when it was sealed with another key or for another row. */
  openSecret(sealed: string, row: string): string | undefined
}
const [NONCE, TAG] = [12, 16]
/** The prefix of sealed texts. Plain secrets never begin with it. */
export const SEALED = 's1.'

export const makeKey = (secret: Buffer, since?: number): InstallationKey => {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `tallyroom/${purpose}`, BYTES))
  const sealing = derive('secrets/v1')
  return {
    derive,
    since,
    sealSecret: (text, row) => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(row))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return SEALED + sealed.toString('base64url')
    },
    openSecret: (sealed, row) => {
      const bytes = Buffer.from(sealed.slice(SEALED.length), 'base64url')
      if (!sealed.startsWith(SEALED) || bytes.length < NONCE + TAG) return undefined
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, NONCE))
        .setAAD(Buffer.from(row))
        .setAuthTag(bytes.subarray(-TAG))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

type KeySource = Pick<Settings, 'installationKey' | 'dataDir'>
const fileOf = (dataDir: string) => join(dataDir, 'installation.key')

const readKey = ({ installationKey, dataDir }: KeySource): Buffer | undefined => {
  if (installationKey) return installationKey
  const file = fileOf(dataDir)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const key = parseKey(text)
  if (!key) throw new StartError(`${file} does not hold a key. Restore the file from your backup.`)
  return key
}

/**
 * Writes the file whole or not at all, also on power failure: without the key, nothing sealed with it can be opened.
 */
const makeKeyFile = (dataDir: string): void => {
  const file = fileOf(dataDir)
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  const handle = openSync(fresh, 'wx', 0o600)
  try {
    writeSync(handle, `${randomBytes(BYTES).toString('base64')}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(fresh, file)
    const directory = openSync(dataDir, 'r')
    fsyncSync(directory)
    closeSync(directory)
  } catch (error) {
    // Another process started at the same time and was first: its key counts.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh)
  }
}

/** The fingerprint of the key in the database, which reveals a wrong key before it seals anything. */
const FINGERPRINT = 'key_fingerprint'
const fingerprintOf = (key: InstallationKey) => key.derive('fingerprint/v1').toString('hex')
/** When the key replaced another one. */
const SINCE = 'key_since'
const storedFingerprint = (db: Database) => storedValue(db, FINGERPRINT)
const storedValue = async (db: Database, name: string) =>
  (await one<{ value: string }>(db, sql`select value from installation where name = ${name}`))?.value

const REMEDY =
  'Restore the right one (TALLYROOM_KEY, or installation.key in DATA_DIR; several copies need the same TALLYROOM_KEY). If it is lost for good: npm run key -- accept'

/**
 * The key from the environment or from the file below DATA_DIR. The first start on a new database makes the file.
 * @throws StartError when the database belongs to another key, or to one that is missing here
 */
export const loadKey = async (db: Database, source: KeySource): Promise<InstallationKey> => {
  const noted = await storedFingerprint(db)
  if (!readKey(source)) {
    if (noted) throw new StartError(`The key of this installation is missing. ${REMEDY}`)
    makeKeyFile(source.dataDir)
  }
  const secret = readKey(source) as Buffer
  const fingerprint = fingerprintOf(makeKey(secret))
  await run(
    db,
    sql`insert into installation (name, value) values (${FINGERPRINT}, ${fingerprint}) on conflict do nothing`,
  )
  if ((await storedFingerprint(db)) === fingerprint) {
    const since = await storedValue(db, SINCE)
    return makeKey(secret, since === undefined ? undefined : Number(since))
  }
  throw new StartError(`The given key is not the key of this installation. ${REMEDY}`)
}

/** Whether the present key is that of the database; `new`: neither has one. Changes nothing. */
export const keyState = async (db: Database, source: KeySource): Promise<'right' | 'other' | 'missing' | 'new'> => {
  const noted = await storedFingerprint(db)
  const given = readKey(source)
  if (!given) return noted ? 'missing' : 'new'
  return noted === undefined || noted === fingerprintOf(makeKey(given)) ? 'right' : 'other'
}

/** Accepts the present key, or a new one, for this database. Secrets sealed with another key stay unreadable. */
export const acceptKey = async (db: Database, source: KeySource): Promise<void> => {
  if (!readKey(source)) makeKeyFile(source.dataDir)
  const fingerprint = fingerprintOf(makeKey(readKey(source) as Buffer))
  await run(
    db,
    sql`with replaced as (
        insert into installation (name, value)
        select ${SINCE}::text, (extract(epoch from clock_timestamp()) * 1000)::bigint::text
          where exists (select from installation where name = ${FINGERPRINT} and value <> ${fingerprint}::text)
        on conflict (name) do update set value = excluded.value)
      insert into installation (name, value) values (${FINGERPRINT}, ${fingerprint})
      on conflict (name) do update set value = excluded.value`,
  )
}
