import { inChunks } from '../../lib/concurrency.ts'
import { type Db, many, run, sql, type Tx } from '../sql.ts'
import { mediaKey } from './keys.ts'
import type { MediaStore } from './store.ts'

/** Rows of one look. */
const BATCH = 500
/** Requests at once. */
const AT_ONCE = 8

/**
 * Notes what has to go: ids of media, or 'uploads/…'. It is noted in the transaction that deletes their rows, because
 * the S3 server may be away when it commits; without the note nothing would ever find them again.
 */
export const noteDeletions = (tx: Tx, files: readonly string[]): Promise<void> =>
  run(tx, sql`insert into media_deletions (file) select unnest(${files}::text[]) on conflict do nothing`)

/** Deletes what was noted. Repeatable. @throws what the store throws; what is left stays noted */
export const deleteNoted = async (db: Db, store: MediaStore, files: readonly string[]): Promise<void> => {
  await inChunks(files, AT_ONCE, async (file) => {
    if (file.startsWith('uploads/')) await removeUpload(store, file)
    else await store.remove(mediaKey(file))
  })
  await run(db, sql`delete from media_deletions where file = any(${files}::text[])`)
}

/** Deletes all that is still noted: after a crash, or while the S3 server was away. */
export const deleteAllNoted = async (db: Db, store: MediaStore): Promise<void> => {
  for (;;) {
    const found = await many<{ file: string }>(
      db,
      sql`select file from media_deletions order by at, file limit ${BATCH}::int`,
    )
    if (found.length === 0) return
    await deleteNoted(
      db,
      store,
      found.map(({ file }) => file),
    )
  }
}

/** In a directory an upload is one file, in S3 an object for each part. */
export const removeUpload = async (store: MediaStore, folder: string): Promise<void> => {
  await store.remove(folder)
  const parts: string[] = []
  for await (const { key } of store.list(`${folder}/`)) parts.push(key)
  await inChunks(parts, AT_ONCE, (key) => store.remove(key))
}
