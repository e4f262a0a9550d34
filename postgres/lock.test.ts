import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresError } from './error.ts'
import { takeLock } from './lock.ts'

test('[R5] a start on a full disk is refused in one line, and leaves nothing that the next one finds', () => {
  const dataDir = fs.mkdtempSync(join(tmpdir(), 'tallyroom-lock-'))
  const write = fs.writeFileSync
  onTestFinished(() => {
    fs.writeFileSync = write
    syncBuiltinESMExports()
    fs.rmSync(dataDir, { recursive: true })
  })
  // Like Linux: the file is made, and takes no bytes.
  fs.writeFileSync = (file) => {
    write(file, '')
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
  expect(() => takeLock(dataDir)).toThrow(
    new PostgresError(`The disk of ${dataDir} is full. Free some space, then start Tallyroom again.`),
  )
  expect(fs.readdirSync(dataDir)).toEqual([])
})
