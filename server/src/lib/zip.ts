import { crc32 } from 'node:zlib'

/** A file of an archive; its content is read when its turn comes. */
export type ZipFile = { name: string; content: AsyncIterable<string | Uint8Array> }

/** The first form of the format has offsets and sizes of 32 bits, and numbers of files of 16. */
const LIMITS = { bytes: 0xffff_ffff, files: 0xffff }
/** In a field of the first form: the ZIP64 record has the value. */
const ELSEWHERE = LIMITS
/** The name is UTF-8; hash and sizes follow the content, because they are not known before. */
const FLAGS = 0x0808
const VERSION = 20
const VERSION_64 = 45
/** 1 January 1980: a time of writing would make each archive another one. */
const DATE = 0x21

const header = (size: number, write: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

type Entry = { path: Buffer; hash: number; size: number; start: number }

/**
 * An archive as it is sent: nothing is compressed (images are already), and only one piece is in memory. It may be of any
 * size, by ZIP64, and a file in it of up to 4 GB: the largest that is kept is far smaller. `limits` is for tests.
 */
export async function* zip(files: AsyncIterable<ZipFile>, limits = LIMITS): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let at = 0
  for await (const { name, content } of files) {
    const path = Buffer.from(name)
    const start = at
    const local = header(30, (bytes) => {
      bytes.writeUInt32LE(0x0403_4b50, 0)
      bytes.writeUInt16LE(VERSION, 4)
      bytes.writeUInt16LE(FLAGS, 6)
      bytes.writeUInt16LE(DATE, 12)
      bytes.writeUInt16LE(path.length, 26)
    })
    yield Buffer.concat([local, path])
    let size = 0
    let hash = 0
    for await (const piece of content) {
      const bytes = Buffer.from(piece)
      hash = crc32(bytes, hash)
      size += bytes.length
      if (size > LIMITS.bytes) throw new Error(`${name} has more than 4 GB, which this archive cannot hold`)
      yield bytes
    }
    yield header(16, (bytes) => {
      bytes.writeUInt32LE(0x0807_4b50, 0)
      bytes.writeUInt32LE(hash, 4)
      bytes.writeUInt32LE(size, 8)
      bytes.writeUInt32LE(size, 12)
    })
    at += local.length + path.length + size + 16
    directory.push(entryOf({ path, hash, size, start }, start >= limits.bytes))
  }
  const list = Buffer.concat(directory)
  yield list
  yield endOf({ count: directory.length, size: list.length, start: at }, limits)
}

/** A file in the list at the end. */
const entryOf = ({ path, hash, size, start }: Entry, isFar: boolean) => {
  const fixed = header(46, (bytes) => {
    bytes.writeUInt32LE(0x0201_4b50, 0)
    bytes.writeUInt16LE(isFar ? VERSION_64 : VERSION, 4)
    bytes.writeUInt16LE(isFar ? VERSION_64 : VERSION, 6)
    bytes.writeUInt16LE(FLAGS, 8)
    bytes.writeUInt16LE(DATE, 14)
    bytes.writeUInt32LE(hash, 16)
    bytes.writeUInt32LE(size, 20)
    bytes.writeUInt32LE(size, 24)
    bytes.writeUInt16LE(path.length, 28)
    bytes.writeUInt16LE(isFar ? 12 : 0, 30)
    bytes.writeUInt32LE(isFar ? ELSEWHERE.bytes : start, 42)
  })
  if (!isFar) return Buffer.concat([fixed, path])
  const far = header(12, (bytes) => {
    bytes.writeUInt16LE(1, 0)
    bytes.writeUInt16LE(8, 2)
    bytes.writeBigUInt64LE(BigInt(start), 4)
  })
  return Buffer.concat([fixed, path, far])
}

type List = { count: number; size: number; start: number }

/** The end of the archive, which says where the list is. */
const endOf = ({ count, size, start }: List, limits: typeof LIMITS) => {
  const isFar = count >= limits.files || size >= limits.bytes || start >= limits.bytes
  const end = header(22, (bytes) => {
    bytes.writeUInt32LE(0x0605_4b50, 0)
    bytes.writeUInt16LE(isFar ? ELSEWHERE.files : count, 8)
    bytes.writeUInt16LE(isFar ? ELSEWHERE.files : count, 10)
    bytes.writeUInt32LE(isFar ? ELSEWHERE.bytes : size, 12)
    bytes.writeUInt32LE(isFar ? ELSEWHERE.bytes : start, 16)
  })
  if (!isFar) return end
  const record = header(56, (bytes) => {
    bytes.writeUInt32LE(0x0606_4b50, 0)
    bytes.writeBigUInt64LE(44n, 4)
    bytes.writeUInt16LE(VERSION_64, 12)
    bytes.writeUInt16LE(VERSION_64, 14)
    bytes.writeBigUInt64LE(BigInt(count), 24)
    bytes.writeBigUInt64LE(BigInt(count), 32)
    bytes.writeBigUInt64LE(BigInt(size), 40)
    bytes.writeBigUInt64LE(BigInt(start), 48)
  })
  const locator = header(20, (bytes) => {
    bytes.writeUInt32LE(0x0706_4b50, 0)
    bytes.writeBigUInt64LE(BigInt(start + size), 8)
    bytes.writeUInt32LE(1, 16)
  })
  return Buffer.concat([record, locator, end])
}
