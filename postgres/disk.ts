import { statfs } from 'node:fs/promises'

/** Kept free for PostgreSQL: it stops when it cannot write its WAL, and reads fail too. */
export const RESERVED_BYTES = 64 * 1024 * 1024

export const freeBytes = async (path: string): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
