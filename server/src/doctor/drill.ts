import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Archiver, startPostgres } from '@tallyroom/postgres'
import { afterRestore, putBack } from '@tallyroom/postgres/restore'
import type { Settings } from '../config/settings.ts'
import { adoptZone } from '../ledger/check/time-zone.ts'
import { type Backup, openBackup } from '../data/backup-files.ts'
import { mediaKey, mediaPath } from '../data/media/keys.ts'
import { openMediaStores } from '../data/media/stores.ts'
import { readerOf } from '../data/sealed-wal.ts'
import { BackupKeyError } from '../data/sealed-files.ts'
import { noteDrill } from './last-backup.ts'
import { type Database, many, one, type Row, run, sql, withConnection } from '../data/sql.ts'
import { verifyAudit } from '../identity/audit-chain.ts'
import { keyState } from '../data/installation-key.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { type Diagnosis, fine, warning, wrong } from './diagnosis.ts'

type Drill = {
  /** The directory of `npm run backup`. */
  backup: string
  /** The directory of archived WAL files: everything since the backup is restored too. */
  archive: string | undefined
  settings: Settings
  /** The key of an encrypted backup. */
  key: Buffer | undefined
  /** The backup is restored into a new directory below this one, which is removed afterwards. */
  below?: string
}

/**
 * Restores a backup beside a running installation and checks what came out of it: ledger, audit log, key and images. A
 * drill in which nothing is wrong is noted in DATA_DIR. @throws BackupKeyError when it cannot decrypt the backup
 */
export const drill = async ({
  backup: from,
  archive,
  settings,
  key,
  below = tmpdir(),
}: Drill): Promise<Diagnosis[]> => {
  const dataDir = await mkdtemp(join(resolve(below), 'tallyroom-drill-'))
  try {
    const backup = openBackup(resolve(from), key)
    const archiver = await readerOf(archive && resolve(archive), key)
    const found = await restoreAndCheck({ backup, archive, archiver, settings, dataDir })
    if (found.every(({ state }) => state !== 'wrong')) await noteDrill(settings.dataDir)
    return found
  } catch (error) {
    if (error instanceof BackupKeyError) throw error
    const words = error instanceof Error ? error.message : String(error)
    return [
      wrong(`The backup cannot be restored: ${words}`, 'Make a new backup now, and find out why this one is broken.'),
    ]
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

type Trial = Pick<Drill, 'archive' | 'settings'> & { backup: Backup; archiver: Archiver | undefined; dataDir: string }
const restoreAndCheck = async ({ backup, archive, archiver, settings, dataDir }: Trial) => {
  await putBack(
    { from: backup.postgres, dataDir, archive: archive && resolve(archive), archiver, until: undefined },
    () => undefined,
  )
  const postgres = await startPostgres({ dataDir, programs: settings.postgresBin, archiver })
  try {
    const config = { ...postgres.superuser, max: 2 }
    for (const text of afterRestore) await withConnection(config, (db) => run(db, { text, values: [] }))
    return await withConnection(config, (db) => check(db, backup, settings))
  } finally {
    await postgres.stop()
  }
}

const check = async (db: Database, backup: Backup, settings: Settings): Promise<Diagnosis[]> => {
  const newest = await one<Row & { transfer: Date | null; message: Date | null }>(
    db,
    sql`select (select max(created_at) from postings) as transfer, (select max(last_message_at) from rooms) as message`,
  )
  const at = (time: Date | null | undefined) => time?.toISOString().replace(/\.\d+Z$/, 'Z') ?? 'none'
  const found = [
    fine(
      `Restored${backup.isEncrypted ? ', decrypted' : ''}. Newest movement of points: ${at(newest?.transfer)}; newest message: ${at(newest?.message)}.`,
    ),
  ]
  await adoptZone(db, settings)
  const broken = (await checkLedger(db, settings.timeZone)).filter(({ breaches }) => breaches.length > 0)
  found.push(
    ...broken.map(({ rule, breaches }) =>
      wrong(
        `Its ledger breaks "${rule}" ${breaches.length} times.`,
        'Compare with npm run ledger:check of the installation.',
      ),
    ),
  )
  if (broken.length === 0) found.push(fine('Its ledger keeps all rules.'))
  const { rows, breaches } = await verifyAudit(db)
  found.push(
    breaches.length
      ? wrong(`Its audit log is broken: ${breaches[0]}`, 'Compare with npm run audit:verify of the installation.')
      : fine(`Its audit log is as it was written (${rows} rows).`),
  )
  found.push(
    (await keyState(db, settings)) === 'right'
      ? fine('The key of this installation opens it.')
      : warning('The key of this installation does not open it.', 'Keep the key elsewhere too: docs/key.md.'),
  )
  found.push(await checkMedia(db, backup, settings))
  return found
}

/** Those in S3 are not in the backup: that they are there is asked of the S3 server. */
const checkMedia = async (db: Database, backup: Backup, settings: Settings): Promise<Diagnosis> => {
  const media = await many<Row & { id: string }>(db, sql`select id from media`)
  const has = await backup.hasMedia()
  const { s3 } = await openMediaStores(settings)
  const inS3 = new Set<string>()
  if (s3) for await (const { key } of s3.list('media/')) inS3.add(key)
  const elsewhere = media.filter(({ id }) => !has(mediaPath(id)))
  const missing = elsewhere.filter(({ id }) => !inS3.has(mediaKey(id)))
  if (missing.length)
    return wrong(
      `${missing.length} of ${media.length} images and files are missing.`,
      s3
        ? 'Bring their objects back by the versions that the bucket keeps: docs/operations/run.md.'
        : 'Copy DATA_DIR/media again.',
    )
  return fine(
    `All ${media.length} images and files are there${elsewhere.length ? `, ${elsewhere.length} of them in S3` : ''}.`,
  )
}
