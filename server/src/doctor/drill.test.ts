import { execFile } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startPostgres } from '@tallyroom/postgres'
import { backUpCluster } from '@tallyroom/postgres/backup'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFirstAccount } from '../accounts/first-account.ts'
import { settingsFrom } from '../config/settings.ts'
import { lastDrill } from './last-backup.ts'
import { migrate } from '../data/migrate.ts'
import { postgresOptions } from '../data/sealed-wal.ts'
import { connect } from '../data/sql.ts'
import { serverPath } from '../paths.ts'
import { startFakeS3 } from '../testing/fakes/s3.ts'
import { drill } from './drill.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-drill-test-'))
/** Files of this process that are open, also deleted ones. Nothing on systems without /proc. */
const filesOpenIn = (directory: string) =>
  (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [])
    .map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`)
      } catch {
        // The one that listed them is closed again.
        return ''
      }
    })
    .filter((path) => path.startsWith(directory))
// As root, the database is another user.
chmodSync(folder, 0o755)
const dataDir = join(folder, 'data')
const below = join(folder, 'drills')
const keyFile = join(folder, 'backup.key')
const archive = join(folder, 'archive')
const CANARY = 'a picture of somebody '
const said = { backup: '' }
/** Runs `npm run NAME` and returns what it says. */
const command = async (name: string, args: string[], env: Record<string, string>) => {
  const options = { env: { ...process.env, DATABASE_URL: '', BACKUP_KEY: '', ...env } }
  const ended = await promisify(execFile)(process.execPath, [serverPath(`dist/${name}.js`), ...args], options).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return ended.stdout + ended.stderr
}
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(async () => {
  mkdirSync(below)
  writeFileSync(keyFile, `${'0b'.repeat(32)}\n`)
  const postgres = await startPostgres({
    dataDir,
    ...postgresOptions({ walArchive: archive, postgresBin: undefined }, { BACKUP_KEY_FILE: keyFile }),
  })
  await migrate(postgres.superuser)
  const db = connect({ ...postgres.superuser, max: 1 })
  await makeFirstAccount(db, 'drill-Passw0rd')
  const backUp = (name: string) =>
    backUpCluster(join(dataDir, 'postgres'), postgres.superuser, join(folder, name, 'postgres'))
  await backUp('sound')
  await db.query(`insert into media (id, top_id, type, width, height) values ('abcdef', 1, 'image/png', 1, 1)`, [])
  mkdirSync(join(dataDir, 'media/ab'), { recursive: true })
  writeFileSync(join(dataDir, 'media/ab/abcdef'), CANARY.repeat(10_000))
  said.backup = await command('backup', [join(folder, 'sealed')], {
    DATA_DIR: dataDir,
    BACKUP_KEY_FILE: keyFile,
    S3_URL: 'https://s3.example.com',
    S3_BUCKET: 'rooms',
    S3_ACCESS_KEY: 'access',
    S3_SECRET_KEY: 'secret',
  })
  await db.query('update wallets set balance = 1 where id = (select min(id) from wallets)', [])
  await backUp('broken')
  await db.end()
  await postgres.stop()
}, 120_000)

const run = async (name: string, key?: Buffer, from?: string, env: Record<string, string> = {}) => {
  const settings = settingsFrom({ DATA_DIR: dataDir, ...env })
  const found = await drill({ backup: join(folder, name), archive: from, settings, key, below })
  return found.map(({ state, found: words }) => `${state}: ${words}`)
}

test('[RUN-13] a drill restores a sound backup, notes it, and leaves nothing behind', async () => {
  const found = await run('sound')
  expect(found.filter((line) => line.startsWith('wrong'))).toEqual([])
  expect(found.join('\n')).toMatch(/Restored.*\n.*ledger keeps all rules.*\n.*audit log is as it was written/)
  expect(Date.now() - ((await lastDrill(dataDir))?.getTime() ?? 0)).toBeLessThan(60_000)
  expect(readdirSync(below)).toEqual([])
})

test('[RUN-13] an archive that is missing or empty is refused, instead of restoring the backup alone', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  for (const from of [join(folder, 'nowhere'), empty])
    expect(await run('sound', undefined, from)).toEqual([
      expect.stringContaining(`There is no file of the database's log in ${from}.`),
    ])
  expect(readdirSync(below)).toEqual([])
})

test('[RUN-13] a drill names what is wrong with a backup, and does not count as one', async () => {
  rmSync(join(dataDir, 'last-drill'))
  const found = await run('broken')
  expect(found).toContain('wrong: 1 of 1 images and files are missing.')
  expect(found).toContainEqual(expect.stringMatching(/^wrong: Its ledger breaks "/))
  // Not in the backup, and not in the bucket; then in the bucket.
  const s3 = await startFakeS3()
  expect(await run('broken', undefined, undefined, s3.env)).toContain('wrong: 1 of 1 images and files are missing.')
  s3.objects.set('media/ab/abcdef', { body: Buffer.from('x'), at: new Date() })
  expect(await run('broken', undefined, undefined, s3.env)).toContain(
    'fine: All 1 images and files are there, 1 of them in S3.',
  )
  writeFileSync(join(folder, 'broken/postgres/backup_label'), 'nonsense\n')
  expect(await run('broken')).toEqual([expect.stringMatching(/^wrong: The backup cannot be restored: /)])
  expect(await run('none')).toEqual([
    expect.stringMatching(/^wrong: The backup cannot be restored: There is no backup in /),
  ])
  expect(await lastDrill(dataDir)).toBeUndefined()
  expect(readdirSync(below)).toEqual([])
}, 120_000)

test('[RUN-13] an encrypted backup says nothing without its key, and a drill restores it with the key', async () => {
  const sealed = join(folder, 'sealed')
  expect(said.backup).toContain(`✓ ${sealed}, encrypted.`)
  expect(said.backup).toContain('Images and files in S3 (bucket rooms) are not in the backup')
  expect(readdirSync(sealed).toSorted()).toEqual(['media.encrypted', 'postgres.encrypted'])
  for (const file of readdirSync(sealed)) {
    const bytes = readFileSync(join(sealed, file), 'latin1')
    for (const canary of [CANARY, 'abcdef', 'pg_control', 'argon2id']) expect(bytes.includes(canary)).toBe(false)
  }
  const key = Buffer.alloc(32, 0x0b)
  const found = await run('sealed', key)
  expect(found.filter((line) => line.startsWith('wrong'))).toEqual([])
  expect(found.join('\n')).toMatch(
    /Restored, decrypted.*\n.*ledger keeps all rules[^]*All 1 images and files are there/,
  )

  const restored = { DATA_DIR: join(folder, 'restored') }
  expect(await command('restore', [sealed], restored)).toBe(
    `${sealed} is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to the key that it was made with.\n`,
  )
  expect(await command('restore', [sealed], { ...restored, BACKUP_KEY: 'ab'.repeat(32) })).toBe(
    `The key in BACKUP_KEY or BACKUP_KEY_FILE is not the one that ${join(sealed, 'media.encrypted')} was encrypted with.\n`,
  )
  await expect(run('sealed')).rejects.toThrow(/is encrypted: set BACKUP_KEY/)
  const cut = join(folder, 'cut')
  cpSync(sealed, cut, { recursive: true })
  truncateSync(join(cut, 'postgres.encrypted'), 1_000_000)
  expect(await run('cut', key)).toEqual([
    expect.stringMatching(
      /^wrong: The backup cannot be restored: .*postgres.encrypted is damaged or cut off at byte \d+/,
    ),
  ])
  expect(readdirSync(below)).toEqual([])
  expect(filesOpenIn(below)).toEqual([])

  expect(await command('restore', [sealed], { ...restored, BACKUP_KEY_FILE: keyFile })).toContain('✓')
  expect(readFileSync(join(restored.DATA_DIR, 'media/ab/abcdef'), 'utf8')).toBe(CANARY.repeat(10_000))
}, 120_000)

test('[RUN-13] an encrypted archive says nothing without its key, and a drill replays it with the key', async () => {
  const key = Buffer.alloc(32, 0x0b)
  const files = readdirSync(archive).toSorted()
  expect(files.filter((name) => !name.endsWith('.gz.encrypted'))).toEqual([])
  for (const file of files) {
    const bytes = readFileSync(join(archive, file))
    expect(bytes.subarray(0, 18).toString()).toBe('tallyroom-backup-1')
    expect(bytes.includes('argon2id')).toBe(false)
  }
  // The wallet was changed after this backup, which the test above has found sound: only the archive has that.
  expect(await run('sealed', key, archive)).toContainEqual(expect.stringMatching(/^wrong: Its ledger breaks "/))

  await expect(run('sound', undefined, archive)).rejects.toThrow(`${archive} is encrypted: set BACKUP_KEY`)
  await expect(run('sound', Buffer.alloc(32, 1), archive)).rejects.toThrow('is not the one that')
  // A file that cannot be read is not the end of the archive.
  const last = files.findLast((name) => /^[\dA-F]{24}\.gz/.test(name)) ?? ''
  truncateSync(join(archive, last), 1000)
  expect(await run('sealed', key, archive)).toEqual([
    expect.stringMatching(/^wrong: The backup cannot be restored: .*could not restore file/),
  ])
  expect(readdirSync(below)).toEqual([])
}, 120_000)
