import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import type { Connection } from './postmaster.ts'

/** Files of the running server that a server started on the copy makes again. */
const EMPTY = [
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|backup_manifest|pgsql_tmp.*|pg_internal\.init.*)$/
const CONTROL = 'global/pg_control'

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Waits until the file is on disk. */
const settle = async (file: string) => {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}

/** Copies one file; false when it has been deleted meanwhile, which the WAL records. */
const copyOne = async (from: string, to: string): Promise<boolean> => {
  try {
    await copyFile(from, to)
  } catch (error) {
    if (isGone(error)) return false
    throw error
  }
  await settle(to)
  return true
}

/** Where a backup is written. Paths are relative. */
export type BackupTarget = {
  directory(path: string): Promise<unknown>
  /** False when the file has been deleted meanwhile, which the WAL records. */
  file(path: string, from: string): Promise<boolean>
  content(path: string, content: string | Buffer): Promise<unknown>
}

export const directoryTarget = (to: string): BackupTarget => ({
  directory: (path) => mkdir(join(to, path), { recursive: true, mode: 0o700 }),
  file: (path, from) => copyOne(from, join(to, path)),
  content: (path, content) => writeFile(join(to, path), content, { mode: 0o600, flush: true }),
})

/** Writes all files below a directory, also while files come and go. */
export const writeTree = async (
  from: string,
  target: BackupTarget,
  isWanted: (path: string) => boolean,
  below = '',
): Promise<void> => {
  await target.directory(below)
  const entries = await readdir(join(from, below), { withFileTypes: true }).catch((error: unknown) => {
    if (isGone(error)) return []
    throw error
  })
  for (const entry of entries) {
    const path = join(below, entry.name)
    if (!isWanted(path)) continue
    if (entry.isDirectory()) await writeTree(from, target, isWanted, path)
    else if (entry.isFile()) await target.file(path, join(from, path))
  }
}

export const copyTree = (from: string, to: string, isWanted: (path: string) => boolean): Promise<void> =>
  writeTree(from, directoryTarget(to), isWanted)

const isOfCluster = (path: string) => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return !LEFT_OUT.test(name) && path !== CONTROL && !EMPTY.includes(dirname(path))
}

/** PostgreSQL writes this file in place, so it is read until two reads are equal. */
const readControl = async (from: string) => {
  for (let before = await readFile(from); ; ) {
    const now = await readFile(from)
    if (now.equals(before)) return now
    before = now
  }
}

const copyLog = async (cluster: string, target: BackupTarget, first: string, last: string) => {
  const names = await readdir(join(cluster, 'pg_wal'))
  const wanted = names.filter((name) => /^[\dA-F]{24}$/.test(name) && name >= first && name <= last)
  for (const name of [...wanted, ...names.filter((name) => name.endsWith('.history'))])
    await target.file(join('pg_wal', name), join(cluster, 'pg_wal', name))
  if (!wanted.includes(first) || !wanted.includes(last))
    throw new Error(`the WAL from ${first} to ${last} has gaps: run the backup again`)
}

/** Copies the cluster of a running server as of the end of the copy, with all the WAL it needs. Does not block anyone. */
export const backUpCluster = async (
  cluster: string,
  connection: Connection,
  to: string | BackupTarget,
): Promise<void> => {
  const target = typeof to === 'string' ? directoryTarget(to) : to
  const client = new pg.Client(connection)
  await client.connect()
  try {
    // While this connection is open, PostgreSQL keeps the WAL since its start.
    const slot = `backup_${randomBytes(6).toString('hex')}`
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
    await client.query(`select pg_backup_start('tallyroom', true)`)
    await writeTree(cluster, target, isOfCluster)
    await target.content(CONTROL, await readControl(join(cluster, CONTROL)))
    const { rows } = await client.query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
    )
    const { label = '', last = '' } = rows[0] ?? {}
    const first = /\(file ([\dA-F]{24})\)/.exec(label)?.[1] ?? ''
    await copyLog(cluster, target, first, last)
    await target.content('backup_label', label)
  } finally {
    await client.end()
  }
}
