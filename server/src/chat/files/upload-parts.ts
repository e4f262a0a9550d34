import { constants } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaStore } from '../../data/media/store.ts'
import { type Sql, sql } from '../../data/sql.ts'
import { inChunks } from '../../lib/concurrency.ts'

/** `lengths`: of each part; null when the parts are in the directory, or when there is none. */
type Received = { size: number; received: number; lengths: number[] | null }

/** Where the parts of uploads are. */
export type UploadParts = {
  /** Whether what was received is stored here. */
  areHere(upload: Received): boolean
  write(id: string, offset: number, bytes: Buffer): Promise<void>
  /** Counts a part that was written, unless another one has been counted at its offset. */
  count(id: string, offset: number, length: number): Sql
  /** Undefined: something of it is lost. */
  read(id: string, upload: Received): Promise<Buffer | undefined>
}

/** One file for each upload. Copies of the server that take its parts share the directory. */
export const partsInDirectory = (dataDir: string): UploadParts => {
  const folder = join(dataDir, 'uploads')
  const fileOf = (id: string) => join(folder, id)
  return {
    areHere: ({ lengths }) => lengths === null,

    async write(id, offset, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const file = await open(fileOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        const { bytesWritten } = await file.write(bytes, 0, bytes.length, offset)
        if (bytesWritten < bytes.length) throw new Error(`only ${bytesWritten} bytes of a part were written`)
      } finally {
        await file.close()
      }
    },

    count: (id, offset, length) =>
      sql`update uploads set received = greatest(received, ${offset + length}::int) where id = ${id}`,

    async read(id, { size }) {
      const bytes = await readFile(fileOf(id)).catch(() => undefined)
      return bytes && bytes.length >= size ? bytes.subarray(0, size) : undefined
    },
  }
}

/** Requests at once. */
const AT_ONCE = 8

/**
 * One object for each part, which may come to any copy of the server. S3's own uploads in parts need parts of 5 MB; ours
 * have 256 KB, so that a cut line loses little.
 */
export const partsInS3 = (s3: MediaStore): UploadParts => {
  // The key has the length, because the same offset may come twice with different lengths, and one of them counts.
  const keyOf = (id: string, offset: number, length: number) => `uploads/${id}/${offset}-${length}`
  return {
    areHere: ({ received, lengths }) => (lengths ?? []).reduce((sum, length) => sum + length, 0) === received,

    write: (id, offset, bytes) => s3.put(keyOf(id, offset, bytes.length), bytes),

    count: (id, offset, length) =>
      sql`update uploads set received = received + ${length}::int, part_lengths = part_lengths || ${length}::int
        where id = ${id} and received = ${offset}`,

    async read(id, { size, lengths }) {
      const whole = Buffer.alloc(size)
      let missing = 0
      let at = 0
      const parts = (lengths ?? []).map((length) => ({ offset: (at += length) - length, length }))
      await inChunks(parts, AT_ONCE, async ({ offset, length }) => {
        const bytes = await s3.read(keyOf(id, offset, length))
        if (bytes?.length === length) bytes.copy(whole, offset)
        else missing++
      })
      return missing === 0 && at === size ? whole : undefined
    },
  }
}
