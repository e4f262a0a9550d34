import { randomBytes } from 'node:crypto'
import type { Settings } from '../config/settings.ts'
import { openMediaStores } from '../data/media/stores.ts'
import type { MediaStore } from '../data/media/store.ts'
import { type Database, many, type Row, sql } from '../data/sql.ts'
import type { Logger } from 'pino'
import { type Diagnosis, fine, warning, wrong } from './diagnosis.ts'

/** The page "Installation" waits for it. */
const MAX_SECONDS = 3
/** Files that are looked up: enough to know whether any have to be moved. */
const SAMPLE = 200

/** Stores, reads and deletes a small object, and says whether images and files are left in the other place. */
export const media = async (of: { db: Database; settings: Settings }): Promise<Diagnosis[]> => {
  const { s3, newGoTo } = of.settings.media
  if (!s3) return []
  const stores = await openMediaStores({
    ...of.settings,
    media: { newGoTo, s3: { ...s3, seconds: Math.min(s3.seconds, MAX_SECONDS) } },
  })
  const bucket = `the bucket ${s3.bucket} at ${s3.url}`
  const trouble = stores.s3 && (await tryOut(stores.s3))
  if (trouble)
    return [
      wrong(
        `Images and files cannot be stored in ${bucket}: ${trouble}.`,
        'See that the S3 server runs, that this machine reaches it, and that the S3_… settings are right: docs/operations/run.md.',
      ),
    ]
  const left = newGoTo === 's3' ? stores.directory : stores.s3
  if (left && (await hasMedia(of.db, left)))
    return [
      warning(
        newGoTo === 's3'
          ? 'Some images and files are still in DATA_DIR/media, and new ones go to S3.'
          : `Some images and files are still in ${bucket}, and new ones go to DATA_DIR/media.`,
        'Move them: npm run media -- move.',
      ),
    ]
  return [fine(`Images and files can be stored in ${bucket}, read and deleted.`)]
}

/** At the start: nothing waits for it, because all else goes on without images. */
export const checkMediaStore = (of: { db: Database; settings: Settings }, log: Pick<Logger, 'error'>): void => {
  const told = (error: unknown) => log.error({ err: error }, 'The S3 server could not be tried')
  media(of).then((found) => {
    for (const { state, found: words, advice } of found) if (state === 'wrong') log.error({ advice }, words)
  }, told)
}

/** Stores, reads and deletes an object. @returns what went wrong */
const tryOut = async (store: MediaStore): Promise<string | undefined> => {
  const [key, body] = [`doctor/${randomBytes(8).toString('hex')}`, randomBytes(64)]
  try {
    await store.put(key, body)
    const found = await store.read(key)
    if (!found?.equals(body)) return 'what was stored is read as something else'
    await store.remove(key)
    return (await store.read(key)) ? 'what was deleted is still there' : undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether one of its first files belongs to the installation. What belongs to nothing is not moved. */
const hasMedia = async (db: Database, store: MediaStore): Promise<boolean> => {
  const ids: string[] = []
  for await (const { key } of store.list('media/')) if (ids.push(key.slice(-32)) >= SAMPLE) break
  if (ids.length === 0) return false
  const found = await many<Row & { id: string }>(db, sql`select id from media where id = any(${ids}::text[]) limit 1`)
  return found.length > 0
}
