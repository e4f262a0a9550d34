import { randomBytes } from 'node:crypto'
import type { MediaSettings } from '../../config/media-settings.ts'
import { deleteNoted, noteDeletions, removeUpload } from '../../data/media/deletions.ts'
import type { MediaStores } from '../../data/media/stores.ts'
import { type Database, type Db, many, one, run, sql, type Tx } from '../../data/sql.ts'
import { isOffice } from '@tallyroom/contract/codes'
import { refuse } from '../../lib/refusal.ts'
import { budgetsOf, type FileSender, type FilesPerDay, takeStorage } from './quota.ts'
import { partsInDirectory, partsInS3 } from './upload-parts.ts'

/** Files on their way to the server: their parts come one behind the other, and may come again after a cut. */
export type Uploads = {
  /** Counts its size at once. @throws Refused message.too_many_files */
  begin(tx: Tx, upload: { sender: FileSender; roomId: number; name: string; size: number }): Promise<string>
  /** Stores a part. @returns how many bytes are here now, or undefined when the account has no such upload */
  write(db: Db, part: { accountId: number; id: string; offset: number; bytes: Buffer }): Promise<number | undefined>
  /** The whole file; `bytes` is undefined while a part is missing. */
  read(db: Db, of: { accountId: number; roomId: number; id: string }): Promise<Upload | undefined>
  /** `sent`: its bytes are a message by now, and stay counted. */
  remove(db: Db, id: string, as?: 'sent'): Promise<void>
  /** Deletes those that were not finished within a day, and parts of which nothing is known any more. */
  removeOld(): Promise<void>
}
type Upload = { name: string; bytes: Buffer | undefined }
/** `lengths`: of the parts that are here, in S3; null: in the directory, or none. */
type UploadRow = { name: string; size: number; received: number; lengths: number[] | null }

/** An account's oldest uploads beyond these are dropped, and all after a day. Browsers send one after the other. */
const MAX_OPEN = { office: 8, member: 2 }
const MAX_AGE = '1 day'
const DAY_MS = 86_400_000

type Where = { dataDir: string; media: MediaSettings; filesPerDay: FilesPerDay }
export const makeUploads = (
  database: Database,
  { all, s3 }: MediaStores,
  { dataDir, media, filesPerDay }: Where,
): Uploads => {
  const parts = s3 && media.newGoTo === 's3' ? partsInS3(s3) : partsInDirectory(dataDir)
  const folderOf = (id: string) => `uploads/${id}`
  // A deletion that fails stays noted, and is repeated within an hour.
  const discard = (ids: string[]) => deleteNoted(database, all, ids.map(folderOf)).catch(() => {})
  const find = (db: Db, id: string, accountId: number) =>
    one<UploadRow & { roomId: number }>(
      db,
      sql`select name, size, received, part_lengths as lengths, room_id as "roomId" from uploads
        where id = ${id} and account_id = ${accountId}`,
    )

  return {
    async begin(tx, { sender, roomId, name, size }) {
      const { id: accountId, role } = sender.actor
      const id = randomBytes(16).toString('hex')
      // Uploads that begin at once are counted one after another.
      await run(tx, sql`select 1 from accounts where id = ${accountId} for no key update`)
      const old = await many<{ id: string }>(
        tx,
        sql`delete from uploads where created_at < now() - ${MAX_AGE}::interval or id in (
            select id from uploads where account_id = ${accountId}
            order by created_at desc, id offset ${(isOffice(role) ? MAX_OPEN.office : MAX_OPEN.member) - 1}::int)
          returning id`,
      )
      const ids = old.map((upload) => upload.id)
      if (ids.length > 0) {
        await noteDeletions(tx, ids.map(folderOf))
        tx.onlyAfterCommit(() => void discard(ids))
      }
      // An upload that was dropped has given its bytes back.
      const budgets = budgetsOf(sender, filesPerDay)
      const taken = await one<{ isTaken: boolean }>(tx, sql`select ${takeStorage(budgets, size)} as "isTaken"`)
      if (!taken?.isTaken) return refuse('message.too_many_files')
      await run(
        tx,
        sql`insert into uploads (id, account_id, room_id, name, size, budgets)
          values (${id}, ${accountId}, ${roomId}, ${name}, ${size}, ${budgets.keys}::bytea[])`,
      )
      return id
    },

    async write(db, { accountId, id, offset, bytes }) {
      const found = await find(db, id, accountId)
      if (!found) return undefined
      if (!parts.areHere(found)) {
        // It began before MEDIA_STORE was changed: the answer lets the client begin again.
        await run(db, sql`update uploads set received = 0, part_lengths = null where id = ${id}`)
        return 0
      }
      const isNext = offset === found.received && offset + bytes.length <= found.size
      if (!isNext || bytes.length === 0) return found.received
      await parts.write(id, offset, bytes)
      // The same part twice at once, here or at another copy, counts once.
      await run(db, parts.count(id, offset, bytes.length))
      const now = await find(db, id, accountId)
      // Dropped meanwhile: what was just written would be left.
      if (!now) await removeUpload(all, folderOf(id))
      return now?.received
    },

    async read(db, { accountId, roomId, id }) {
      const found = await find(db, id, accountId)
      if (!found || found.roomId !== roomId) return undefined
      if (found.received < found.size) return { name: found.name, bytes: undefined }
      // Read into memory once: parts that come now change nothing in what is checked and stored.
      const bytes = parts.areHere(found) ? await parts.read(id, found) : undefined
      return bytes && { name: found.name, bytes }
    },

    async remove(db, id, as) {
      if (as === 'sent') await run(db, sql`update uploads set budgets = null where id = ${id}`)
      await run(
        db,
        sql`with gone as (delete from uploads where id = ${id} returning id)
          insert into media_deletions (file) select 'uploads/' || id from gone on conflict do nothing`,
      )
      const gone = discard([id])
      // A message does not wait for the requests that delete its parts.
      if (!s3) await gone
    },

    async removeOld() {
      const old = await database.transact(async (tx) => {
        const gone = await many<{ id: string }>(
          tx,
          sql`delete from uploads where created_at < now() - ${MAX_AGE}::interval returning id`,
        )
        const ids = gone.map((upload) => upload.id)
        await noteDeletions(tx, ids.map(folderOf))
        return ids
      })
      await discard(old)
      if (!s3) return
      for await (const { key, at } of s3.list('uploads/'))
        if (at.getTime() < Date.now() - DAY_MS && !(await isKnown(database, key))) await s3.remove(key)
    },
  }
}

const isKnown = async (db: Db, key: string) =>
  (await one(db, sql`select 1 as known from uploads where id = ${key.split('/')[1] ?? ''}`)) !== undefined
