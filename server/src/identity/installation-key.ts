import { BYTES, parseKey } from '../config/parse-key.ts'
import type { Settings } from '../config/settings.ts'
import { type Database, one, run, sql } from '../data/sql.ts'
import { StartError } from '../lib/start-error.ts'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The one secret of an installation that is not in its database: whoever has only a copy of that reads none of the
 * secrets sealed with it, and cannot try passwords at the quick hashes of requests.
 */
export type InstallationKey = {
  /** A key of 32 bytes for one purpose; those of other purposes tell nothing of it. */
  derive(purpose: string): Buffer
  /** `row` says whose secret it is, such as `second_factors/12`: sealed for one row it does not open in another. */
  sealSecret(secret: string, row: string): string
  /** Undefined when it was sealed with another key or for another row. */
  openSecret(sealed: string, row: string): string | undefined
}
const [NONCE, TAG] = [12, 16]
/** No secret of ours begins like this: what is stored without it is not sealed yet. */
export const SEALED = 's1.'

export const makeKey = (secret: Buffer): InstallationKey => {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `tallyroom/${purpose}`, BYTES))
  const sealing = derive('secrets/v1')
  return {
    derive,
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
  if (!key) throw new StartError(`${file} does not hold a key. Put the right one back from your backup.`)
  return key
}

/** Whole or not at all, also when the machine stops: what is sealed with a key that is gone is gone. */
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
    // Another start beside this one was quicker: its key is the key.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(fresh)
  }
}

/** What the database keeps of its key, by which a wrong one is noticed before it seals anything. */
const FINGERPRINT = 'key_fingerprint'
const fingerprintOf = (key: InstallationKey) => key.derive('fingerprint/v1').toString('hex')
const known = (db: Database) =>
  one<{ value: string }>(db, sql`select value from installation where name = ${FINGERPRINT}`)

const WAY_OUT =
  'Put the right one back (TALLYROOM_KEY, or installation.key in DATA_DIR; several copies need the same TALLYROOM_KEY). If it is lost for good: npm run key -- accept'

/**
 * The key from the environment or from the file below DATA_DIR, which is made with the database's first start.
 * @throws StartError when the database belongs to another key, or to one that is not here
 */
export const loadKey = async (db: Database, place: KeySource): Promise<InstallationKey> => {
  const noted = await known(db)
  if (!readKey(place)) {
    if (noted) throw new StartError(`The key of this installation is missing. ${WAY_OUT}`)
    makeKeyFile(place.dataDir)
  }
  const key = makeKey(readKey(place) as Buffer)
  const fingerprint = fingerprintOf(key)
  await run(
    db,
    sql`insert into installation (name, value) values (${FINGERPRINT}, ${fingerprint}) on conflict do nothing`,
  )
  if ((await known(db))?.value === fingerprint) return key
  throw new StartError(`The key that was given is not the one of this installation. ${WAY_OUT}`)
}

/** From now on the key that is here, or a new one, is the right one; what was sealed with another stays closed. */
export const acceptKey = async (db: Database, place: KeySource): Promise<void> => {
  if (!readKey(place)) makeKeyFile(place.dataDir)
  const fingerprint = fingerprintOf(makeKey(readKey(place) as Buffer))
  await run(
    db,
    sql`insert into installation (name, value) values (${FINGERPRINT}, ${fingerprint})
      on conflict (name) do update set value = excluded.value`,
  )
}
