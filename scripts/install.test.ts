import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isInstalled } from './install.mjs'

const directory = mkdtempSync(join(tmpdir(), 'tallyroom-install-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const write = (file: string, packages: Record<string, object>) =>
  writeFileSync(join(directory, file), JSON.stringify({ packages }))

test('an installation older than a workspace package lacks its link, and is repaired', () => {
  const noted = { 'node_modules/zod': { version: '4.6.7' }, contract: { version: '0.1.0' } }
  const wanted = {
    '': {},
    ...noted,
    'node_modules/@tallyroom/contract': { link: true },
    'node_modules/other-system': { version: '1.0.0', optional: true },
  }
  write('package-lock.json', wanted)
  expect(isInstalled(directory)).toBe(false)
  mkdirSync(join(directory, 'node_modules/@tallyroom'), { recursive: true })
  mkdirSync(join(directory, 'contract'))
  mkdirSync(join(directory, 'postgres'))
  symlinkSync('../../contract', join(directory, 'node_modules/@tallyroom/contract'))
  write('node_modules/.package-lock.json', noted)
  expect(isInstalled(directory)).toBe(true)

  const added = { ...wanted, 'node_modules/@tallyroom/postgres': { link: true } }
  write('package-lock.json', added)
  expect(isInstalled(directory)).toBe(false)
  symlinkSync('../../postgres', join(directory, 'node_modules/@tallyroom/postgres'))
  expect(isInstalled(directory)).toBe(true)

  write('package-lock.json', { ...added, 'node_modules/zod': { version: '4.6.8' } })
  expect(isInstalled(directory)).toBe(false)
})
