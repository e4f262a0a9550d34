import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeTree } from '@tallyroom/postgres/backup'
import { afterAll, expect, test } from 'vitest'
import { backupKey } from '../config/backup-key.ts'
import { openSealed, sealFiles } from './sealed-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-sealed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const key = Buffer.alloc(32, 7)
const CHUNK = 64 * 1024
const HEADER = 19 + 32 + 16

/** What is in an encrypted file: the content of each file, and null for a directory. */
const contentOf = async (file: string, with_ = key) => {
  const found: Record<string, string | null> = {}
  await openSealed(file, with_, {
    directory: (path) => Promise.resolve((found[`${path}/`] = null)),
    file: (path) => {
      found[path] = ''
      return (part) => Promise.resolve(part && (found[path] += part.toString('latin1')))
    },
  })
  return found
}

const from = join(folder, 'from')
const files: Record<string, string> = {
  empty: '',
  'below/small': 'some words',
  'below/chunk': 'c'.repeat(CHUNK),
  large: Array.from({ length: 300_000 }, (_, n) => `line ${n}`).join('\n'),
}
mkdirSync(join(from, 'below/nothing'), { recursive: true })
for (const [path, content] of Object.entries(files)) writeFileSync(join(from, path), content)
const sealed = join(folder, 'sealed')
const alter = (name: string, make: (bytes: Buffer) => Buffer) => {
  const file = join(folder, name)
  writeFileSync(file, make(readFileSync(sealed)))
  return file
}

test('[RUN-13] what was encrypted is decrypted as it was, whatever its size', async () => {
  await sealFiles(sealed, key, (target) => writeTree(from, target, () => true))
  expect(await contentOf(sealed)).toEqual({ ...files, '/': null, 'below/': null, 'below/nothing/': null })
  for (let bytes = CHUNK - 20; bytes < CHUNK + 20; bytes++) {
    const one = join(folder, `of-${bytes}`)
    await sealFiles(one, key, async (target) => {
      await target.content('a', Buffer.alloc(bytes, 'x'))
    })
    expect(await contentOf(one)).toEqual({ a: 'x'.repeat(bytes) })
  }
})

test('[RUN-13] a wrong key is named, and no part that was changed, moved, left out or cut off opens', async () => {
  await expect(contentOf(sealed, Buffer.alloc(32, 8))).rejects.toThrow(
    /is not the one that .*sealed was encrypted with/,
  )
  await expect(contentOf(alter('plain', () => Buffer.alloc(9000, 'x')))).rejects.toThrow(/is not a backup/)
  const size = readFileSync(sealed).length
  const step = CHUNK + 16
  const damaged = /is damaged or cut off at byte \d+/
  const cuts = [HEADER, HEADER + 5, HEADER + step, HEADER + 2 * step, HEADER + 2 * step + 20, size - 1]
  for (const at of cuts)
    await expect(contentOf(alter(`cut-${at}`, (bytes) => bytes.subarray(0, at)))).rejects.toThrow(damaged)
  for (const at of [HEADER, HEADER + step + 7, size - 1]) {
    const flip = (bytes: Buffer) => bytes.fill((bytes[at] ?? 0) ^ 1, at, at + 1)
    await expect(contentOf(alter(`flipped-${at}`, flip))).rejects.toThrow(damaged)
  }
  const chunk = (bytes: Buffer, n: number) => bytes.subarray(HEADER + n * step, HEADER + (n + 1) * step)
  const head = (bytes: Buffer) => bytes.subarray(0, HEADER)
  const rest = (bytes: Buffer, n: number) => bytes.subarray(HEADER + n * step)
  const swapped = (bytes: Buffer) => Buffer.concat([head(bytes), chunk(bytes, 1), chunk(bytes, 0), rest(bytes, 2)])
  await expect(contentOf(alter('swapped', swapped))).rejects.toThrow(damaged)
  const left = (bytes: Buffer) => Buffer.concat([head(bytes), chunk(bytes, 0), rest(bytes, 2)])
  await expect(contentOf(alter('left-out', left))).rejects.toThrow(damaged)
  const longer = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(100)])
  await expect(contentOf(alter('longer', longer))).rejects.toThrow(damaged)
})

test('[RUN-13] the key is in a variable or in a file, and a wrong one has its sentence', () => {
  const file = join(folder, 'key')
  writeFileSync(file, `${'07'.repeat(32)}\n`)
  expect(backupKey({})).toBeUndefined()
  expect(backupKey({ BACKUP_KEY_FILE: file })).toEqual(key)
  expect(backupKey({ BACKUP_KEY: key.toString('base64') })).toEqual(key)
  const both = { BACKUP_KEY: '07'.repeat(32), BACKUP_KEY_FILE: file }
  expect(() => backupKey(both)).toThrow('Set BACKUP_KEY or BACKUP_KEY_FILE, not both.')
  expect(() => backupKey({ BACKUP_KEY: 'secret' })).toThrow(/^BACKUP_KEY must hold 32 bytes, as 64 hexadecimal digits/)
  expect(() => backupKey({ BACKUP_KEY_FILE: join(folder, 'none') })).toThrow(/^BACKUP_KEY_FILE: cannot read .*ENOENT/)
  expect(() => backupKey({ BACKUP_KEY_FILE: sealed })).toThrow(/\(BACKUP_KEY_FILE\) must hold 32 bytes/)
})
