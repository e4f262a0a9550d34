import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zip, type ZipFile } from './zip.ts'

async function* files(names: string[]): AsyncGenerator<ZipFile> {
  for (const name of names)
    yield {
      name,
      content: (async function* () {
        yield `content of ${name}`
      })(),
    }
}
const archiveOf = async (names: string[], limits?: { bytes: number; files: number }) => {
  const parts: Buffer[] = []
  for await (const part of zip(files(names), limits)) parts.push(part)
  return Buffer.concat(parts)
}

/** Reads an archive as its format says: what does not fit into a field of the first form is in the ZIP64 record. */
const read = (archive: Buffer) => {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const isFar = archive.readUInt32LE(end + 16) === 0xffff_ffff
  const record = isFar ? Number(archive.readBigUInt64LE(end - 20 + 8)) : 0
  if (isFar) {
    expect(archive.readUInt32LE(end - 20)).toBe(0x0706_4b50)
    expect(archive.readUInt32LE(record)).toBe(0x0606_4b50)
  }
  let at = isFar ? Number(archive.readBigUInt64LE(record + 48)) : archive.readUInt32LE(end + 16)
  const count = isFar ? Number(archive.readBigUInt64LE(record + 32)) : archive.readUInt16LE(end + 10)
  const found: [name: string, content: string, isFar: boolean][] = []
  for (let n = 0; n < count; n++) {
    const [path, extra] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const near = archive.readUInt32LE(at + 42)
    const start = near === 0xffff_ffff ? Number(archive.readBigUInt64LE(at + 46 + path + 4)) : near
    const content = archive.subarray(start + 30 + path, start + 30 + path + archive.readUInt32LE(at + 20))
    expect(crc32(content)).toBe(archive.readUInt32LE(at + 16))
    found.push([archive.subarray(at + 46, at + 46 + path).toString(), content.toString(), extra > 0])
    at += 46 + path + extra
  }
  expect(at).toBe(isFar ? record : end)
  return found
}

test('[RUN-06] an archive beyond what the first form of ZIP can say goes on in ZIP64', async () => {
  const names = ['one', 'two', 'drei é', 'four']
  const contents = names.map((name) => [name, `content of ${name}`])
  expect(read(await archiveOf(names))).toEqual(contents.map((one) => [...one, false]))
  // As if 4 GB were 60 bytes: the first file begins below them, the others above.
  expect(read(await archiveOf(names, { bytes: 60, files: 100 }))).toEqual(contents.map((one, at) => [...one, at > 0]))
  expect(read(await archiveOf(names, { bytes: 2 ** 32 - 1, files: 2 }))).toEqual(contents.map((one) => [...one, false]))
  expect(read(await archiveOf([]))).toEqual([])
})
