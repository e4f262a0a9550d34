import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { BackupTarget } from '@tallyroom/postgres/backup'
import { StartError } from '../lib/start-error.ts'

/**
 * Files of a backup, encrypted in one file. It has the payload of the age format with AES-256-GCM: the content in chunks of 64 KiB,
 * each encrypted with a key that is made for this file (HKDF of the backup key and a random salt), with the chunk's number
 * and whether it is the last one as its nonce. So a chunk that is changed, moved, left out or added does not open, and
 * neither does a file that ends early.
 *
 * Header: MAGIC, salt (32 bytes), a mark that distinguishes a wrong key from a damaged file (16 bytes).
 * Content: entries, each a letter (d directory, f file, e end), a path (length and text), and for a file its parts (length
 * and bytes) up to one of length 0. Lengths have 4 bytes.
 */
const MAGIC = Buffer.from('tallyroom-backup-1\n')
const SALT_BYTES = 32
const MARK_BYTES = 16
const CHUNK = 64 * 1024
const TAG_BYTES = 16
const PART = 1024 * 1024
const HEADER_BYTES = MAGIC.length + SALT_BYTES + MARK_BYTES

/** The key is missing or wrong; the backup may well be sound. */
export class BackupKeyError extends StartError {}

const derive = (key: Buffer, salt: Buffer, purpose: string, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, `tallyroom/backup/v1/${purpose}`, length))

const nonceOf = (chunk: number, isLast: boolean) => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(chunk, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const lengthOf = (bytes: number) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

/** Encrypts what it is given into a new file. */
const openCipher = async (to: string, key: Buffer) => {
  const handle = await open(to, 'wx', 0o600)
  const salt = randomBytes(SALT_BYTES)
  const ofFile = derive(key, salt, 'content', 32)
  await handle.writeFile(Buffer.concat([MAGIC, salt, derive(key, salt, 'mark', MARK_BYTES)]))
  let waiting: Buffer[] = []
  let size = 0
  let chunk = 0
  const put = async (content: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', ofFile, nonceOf(chunk++, isLast))
    await handle.writeFile(Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]))
  }
  return {
    async write(bytes: Buffer) {
      waiting.push(bytes)
      size += bytes.length
      // The last chunk is marked, so one is kept back.
      if (size <= CHUNK) return
      const all = Buffer.concat(waiting, size)
      let at = 0
      for (; all.length - at > CHUNK; at += CHUNK) await put(all.subarray(at, at + CHUNK), false)
      waiting = [Buffer.from(all.subarray(at))]
      size = all.length - at
    },
    async close() {
      await put(Buffer.concat(waiting, size), true)
      await handle.sync()
      await handle.close()
    },
    abandon: () => handle.close(),
  }
}

/** @returns false when the file has been deleted meanwhile */
const openIfThere = (file: string) =>
  open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })

/** Runs `work` with a target whose files are encrypted into `to`. */
export const sealFiles = async (to: string, key: Buffer, work: (target: BackupTarget) => Promise<void>) => {
  const cipher = await openCipher(to, key)
  const begin = (kind: 'd' | 'f' | 'e', path: string) =>
    cipher.write(Buffer.concat([Buffer.from(kind), lengthOf(Buffer.byteLength(path)), Buffer.from(path)]))
  const part = (bytes: Buffer) => cipher.write(Buffer.concat([lengthOf(bytes.length), bytes]))
  try {
    await work({
      directory: (path) => begin('d', path),
      async file(path, from) {
        const handle = await openIfThere(from)
        if (!handle) return false
        try {
          await begin('f', path)
          const buffer = Buffer.alloc(PART)
          for (;;) {
            const { bytesRead } = await handle.read(buffer)
            await part(Buffer.from(buffer.subarray(0, bytesRead)))
            if (bytesRead === 0) return true
          }
        } finally {
          await handle.close()
        }
      },
      async content(path, content) {
        await begin('f', path)
        await part(Buffer.from(content))
        await part(Buffer.alloc(0))
      },
    })
    await begin('e', '')
    await cipher.close()
  } catch (error) {
    await cipher.abandon().catch(() => undefined)
    throw error
  }
}

/** Fills the buffer, unless the file ends before. */
const readFrom = async (handle: FileHandle, buffer: Buffer, at: number) => {
  let done = 0
  while (done < buffer.length) {
    const { bytesRead } = await handle.read(buffer, done, buffer.length - done, at + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** The key of the file's content. @throws StartError */
const readHeader = async (handle: FileHandle, from: string, key: Buffer) => {
  const header = Buffer.alloc(HEADER_BYTES)
  if ((await readFrom(handle, header, 0)) < HEADER_BYTES || !header.subarray(0, MAGIC.length).equals(MAGIC))
    throw new StartError(`${from} is not a backup that this version can read.`)
  const salt = header.subarray(MAGIC.length, MAGIC.length + SALT_BYTES)
  if (!timingSafeEqual(header.subarray(-MARK_BYTES), derive(key, salt, 'mark', MARK_BYTES)))
    throw new BackupKeyError(`The key in BACKUP_KEY or BACKUP_KEY_FILE is not the one that ${from} was encrypted with.`)
  return derive(key, salt, 'content', 32)
}

/** @throws BackupKeyError when the file was encrypted with another key */
export const checkKey = async (from: string, key: Buffer): Promise<void> => {
  const handle = await open(from)
  try {
    await readHeader(handle, from, key)
  } finally {
    await handle.close()
  }
}

/** Reads and decrypts chunk after chunk; each is whole and in its place. @throws StartError */
async function* chunksOf(handle: FileHandle, from: string, key: Buffer) {
  const ofFile = await readHeader(handle, from, key)
  const { size } = await handle.stat()
  let at = HEADER_BYTES
  for (let chunk = 0; ; chunk++) {
    const sealed = Buffer.alloc(Math.min(CHUNK + TAG_BYTES, size - at))
    const isLast = at + sealed.length === size
    try {
      await readFrom(handle, sealed, at)
      const decipher = createDecipheriv('aes-256-gcm', ofFile, nonceOf(chunk, isLast))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      yield Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
    } catch {
      throw new StartError(`${from} is damaged or cut off at byte ${at}. Use another backup.`)
    }
    if (isLast) return
    at += sealed.length
  }
}

/** Gives back as many bytes as are asked for. */
const takeFrom = (chunks: AsyncGenerator<Buffer>) => {
  let left: Buffer = Buffer.alloc(0)
  return async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (let missing = length; missing > 0; ) {
      if (left.length === 0) {
        const { value, done } = await chunks.next()
        if (done) throw new Error('the content ends within an entry')
        left = value
      }
      const part = left.subarray(0, missing)
      parts.push(part)
      left = left.subarray(part.length)
      missing -= part.length
    }
    return Buffer.concat(parts, length)
  }
}

type Visit = {
  directory: (path: string) => Promise<unknown>
  /** `null` ends the file. */
  file: (path: string) => (part: Buffer | null) => Promise<unknown>
}

/** Decrypts a file of `sealFiles` and shows what is in it. @throws StartError when the key is wrong or it is not whole */
export const openSealed = async (from: string, key: Buffer, { directory, file }: Visit): Promise<void> => {
  const handle = await open(from)
  try {
    const chunks = chunksOf(handle, from, key)
    const take = takeFrom(chunks)
    const length = async () => (await take(4)).readUInt32BE()
    for (;;) {
      const kind = (await take(1)).toString()
      const path = (await take(await length())).toString()
      if (kind === 'e') break
      if (kind === 'd') await directory(path)
      else {
        const write = file(path)
        for (let bytes = await length(); bytes > 0; bytes = await length()) await write(await take(bytes))
        await write(null)
      }
    }
    if (!(await chunks.next()).done)
      throw new StartError(`${from} has data after its end, so it is damaged. Use another backup.`)
  } finally {
    await handle.close()
  }
}
