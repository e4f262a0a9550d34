import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bytesIn, type MediaStore } from './store.ts'

/** Files below DATA_DIR. */
export const directoryStore = (dataDir: string): MediaStore => {
  const fileOf = (key: string) => join(dataDir, key)
  return {
    async put(key, body) {
      const file = fileOf(key)
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      const fresh = `${file}.${randomBytes(4).toString('hex')}`
      try {
        await writeFile(fresh, body, { mode: 0o600, flush: true })
        await rename(fresh, file)
      } catch (error) {
        // On a full disk, half an image would fill what space is left.
        await rm(fresh, { force: true })
        throw error
      }
    },

    read: (key) => readFile(fileOf(key)).catch(ifMissing),

    async open(key, range) {
      // An open file can be read to its end, also when it is deleted meanwhile.
      const file = await open(fileOf(key), constants.O_RDONLY).catch(ifMissing)
      if (!file) return undefined
      const { size } = await file.stat()
      const part = bytesIn(range, size)
      if (!part) {
        await file.close()
        return { kind: 'none', size }
      }
      const { from, to } = part
      return { kind: 'bytes', size, from, to, stream: file.createReadStream({ start: from, end: to }) }
    },

    size: async (key) => (await stat(fileOf(key)).catch(ifMissing))?.size,

    remove: (key) => rm(fileOf(key), { force: true }),

    async *list(prefix) {
      // Folder by folder, so that the names of all files never are in memory as a whole.
      const folders = [prefix]
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        const found = await readdir(fileOf(folder), { withFileTypes: true }).catch(ifMissing)
        for (const entry of found ?? []) {
          const key = `${folder}${entry.name}`
          if (entry.isDirectory()) folders.push(`${key}/`)
          const file = entry.isFile() ? await stat(fileOf(key)).catch(ifMissing) : undefined
          if (file) yield { key, size: file.size, at: file.mtime }
        }
      }
    },
  }
}

const ifMissing = (error: unknown): undefined => {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}
