import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { serverPath } from '../paths.ts'
import { whenDone } from '../testing/postgres.ts'
import { inDraft } from './backup-files.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tallyroom-draft-'))
  const made = base
  whenDone(() => rmSync(made, { recursive: true, force: true }))
})

const failing = (code: string) => async (draft: string) => {
  writeFileSync(join(draft, 'half'), 'x')
  await Promise.reject(Object.assign(new Error(`${code}: write`), { code }))
}

test('[R14] a backup that fails leaves nothing behind, and says what to do on a full disk', async () => {
  const to = join(base, 'night')
  await expect(inDraft(to, failing('ENOSPC'))).rejects.toThrow(/^There is not enough room .*night\..*larger disk\.$/)
  await expect(inDraft(to, failing('EIO'))).rejects.toThrow('EIO: write')
  expect(readdirSync(base)).toEqual([])
  await inDraft(to, (draft) => Promise.resolve(writeFileSync(join(draft, 'whole'), 'x')))
  expect(readdirSync(base, { recursive: true }).map(String).toSorted()).toEqual(['night', 'night/whole'])
})

test('[R14] the draft of another backup is not touched', async () => {
  mkdirSync(join(base, 'night.part'))
  await expect(inDraft(join(base, 'night'), failing('ENOSPC'))).rejects.toThrow(/night\.part is left from/)
  expect(readdirSync(base)).toEqual(['night.part'])
})

test('[R14] the unit makes room before each backup, and keeps the newest three whatever their age', () => {
  const unit = readFileSync(serverPath('../deploy/systemd/tallyroom-backup.service'), 'utf8')
  const [, command = ''] = /^ExecStartPre=-\/bin\/sh -c '(.*)'$/m.exec(unit) ?? []
  const makeRoom = () => execFileSync('/bin/sh', ['-c', command.replaceAll('/var/backups/tallyroom', base)])
  const aged = (name: string, days: number) => {
    mkdirSync(join(base, name))
    const time = Date.now() / 1000 - days * 86_400
    utimesSync(join(base, name), time, time)
  }
  makeRoom()
  for (const [at, name] of ['20260901-030000', '20260902-030000', '20260903-030000', '20260904-030000'].entries())
    aged(name, 60 - at)
  aged('20260905-030000.part', 2)
  aged('other', 90)
  makeRoom()
  expect(readdirSync(base).toSorted()).toEqual(['20260902-030000', '20260903-030000', '20260904-030000', 'other'])
  for (const [at, name] of ['20261101-030000', '20261102-030000', '20261103-030000'].entries()) aged(name, 3 - at)
  aged('20261103-040000.part', 0)
  makeRoom()
  expect(readdirSync(base).toSorted()).toEqual([
    '20261101-030000',
    '20261102-030000',
    '20261103-030000',
    '20261103-040000.part',
    'other',
  ])
})
