import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Db, many, one, run, sql, type Tx } from '../../data/sql.ts'

/** Files on their way to the server: their parts are written one behind the other, and may come again after a cut. */
export type Uploads = {
  begin(tx: Tx, upload: { accountId: number; roomId: number; name: string; size: number }): Promise<string>
  /** Stores a part. @returns how many bytes are here now, or undefined when the account has no such upload */
  write(db: Db, part: { accountId: number; id: string; offset: number; bytes: Buffer }): Promise<number | undefined>
  /** The whole file; `bytes` is undefined while a part is missing. */
  read(db: Db, of: { accountId: number; roomId: number; id: string }): Promise<Upload | undefined>
  remove(db: Db, id: string): Promise<void>
}
type Upload = { name: string; bytes: Buffer | undefined }

/** An account's oldest uploads beyond these are dropped, and all after a day. */
const MOST_AT_ONCE = 8
const MAX_AGE = '1 day'

export const makeUploads = (dataDir: string): Uploads => {
  const folder = join(dataDir, 'uploads')
  const fileOf = (id: string) => join(folder, id)
  // A file that cannot be deleted is harmless: nothing refers to it any more.
  const discard = (ids: string[]) => Promise.all(ids.map((id) => rm(fileOf(id), { force: true }).catch(() => {})))

  return {
    async begin(tx, { accountId, roomId, name, size }) {
      const id = randomBytes(16).toString('hex')
      await run(
        tx,
        sql`insert into uploads (id, account_id, room_id, name, size)
          values (${id}, ${accountId}, ${roomId}, ${name}, ${size})`,
      )
      const old = await many<{ id: string }>(
        tx,
        sql`delete from uploads where created_at < now() - ${MAX_AGE}::interval or id in (
            select id from uploads where account_id = ${accountId} and id <> ${id}
            order by created_at desc, id offset ${MOST_AT_ONCE - 1})
          returning id`,
      )
      tx.onlyAfterCommit(() => void discard(old.map((upload) => upload.id)))
      return id
    },

    async write(db, { accountId, id, offset, bytes }) {
      const found = await one<{ size: number; received: number }>(
        db,
        sql`select size, received from uploads where id = ${id} and account_id = ${accountId}`,
      )
      if (!found) return undefined
      const isNext = offset === found.received && offset + bytes.length <= found.size
      if (!isNext || bytes.length === 0) return found.received
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(fileOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        const { bytesWritten } = await file.write(bytes, 0, bytes.length, offset)
        if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} bytes of a part were written`)
      } finally {
        await file.close()
      }
      // The same part twice at once counts once.
      const now = await one<{ received: number }>(
        db,
        sql`update uploads set received = greatest(received, ${offset + bytes.length}::int) where id = ${id} returning received`,
      )
      return now?.received
    },

    async read(db, { accountId, roomId, id }) {
      const found = await one<{ name: string; size: number; received: number }>(
        db,
        sql`select name, size, received from uploads
          where id = ${id} and account_id = ${accountId} and room_id = ${roomId}`,
      )
      if (!found) return undefined
      // Read into memory once: parts that come now change nothing in what is checked and stored.
      const bytes = found.received === found.size ? await readFile(fileOf(id)) : undefined
      return { name: found.name, bytes: bytes?.subarray(0, found.size) }
    },

    async remove(db, id) {
      await run(db, sql`delete from uploads where id = ${id}`)
      await discard([id])
    },
  }
}
