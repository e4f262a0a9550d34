import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backUpCluster, copyTree, directoryTarget, writeTree } from '@tallyroom/postgres/backup'
import type { Connection } from '@tallyroom/postgres/postmaster'
import { type BackupSource, directorySource } from '@tallyroom/postgres/restore'
import { StartError } from '../lib/start-error.ts'
import { BackupKeyError, openSealed, sealFiles } from './sealed-files.ts'

const sealed = (backup: string, part: 'postgres' | 'media') => join(backup, `${part}.encrypted`)

/**
 * Makes the directory `to` whole or not at all: it gets its name at the end, and a failure leaves nothing behind, which on
 * a full disk would keep the next backup from its room. @throws StartError when there is a draft already, or no room
 */
export const inDraft = async (to: string, work: (draft: string) => Promise<void>): Promise<void> => {
  const draft = `${to}.part`
  if (existsSync(draft))
    throw new StartError(`${draft} is left from an interrupted backup, or one is being made. Remove it first.`)
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    await work(draft)
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error
    throw new StartError(
      `There is not enough room for the backup at ${to}. What was written of it is removed. Remove old backups there, or name a directory on a larger disk.`,
    )
  }
}

type Origin = { cluster: string; connection: Connection; media: string }

/** Writes a backup into a directory that exists; with a key, encrypted. */
export const writeBackup = async (to: string, { cluster, connection, media }: Origin, key: Buffer | undefined) => {
  const write = async (
    part: 'postgres' | 'media',
    work: (target: ReturnType<typeof directoryTarget>) => Promise<void>,
  ) => (key ? sealFiles(sealed(to, part), key, work) : work(directoryTarget(join(to, part))))
  await write('postgres', (target) => backUpCluster(cluster, connection, target))
  // Images after the database: an image is written before its row, so every image that the backup refers to is copied.
  await write('media', (target) => writeTree(media, target, () => true))
}

export type Backup = {
  isEncrypted: boolean
  postgres: BackupSource
  copyMedia(to: string): Promise<void>
  /** Whether the backup has these files of `media`; of an encrypted one it reads them all. */
  hasMedia(): Promise<(path: string) => boolean>
}

/** @throws BackupKeyError when the backup is encrypted and there is no key */
export const openBackup = (from: string, key: Buffer | undefined): Backup => {
  const isEncrypted = existsSync(sealed(from, 'postgres'))
  if (!isEncrypted)
    return {
      isEncrypted,
      postgres: directorySource(from),
      copyMedia: (to) => copyTree(join(from, 'media'), to, () => true),
      hasMedia: () => Promise.resolve((path: string) => existsSync(join(from, 'media', path))),
    }
  if (!key)
    throw new BackupKeyError(
      `${from} is encrypted: set BACKUP_KEY or BACKUP_KEY_FILE to the key that it was made with.`,
    )
  return {
    isEncrypted,
    postgres: { name: from, isThere: true, copyTo: (to) => unseal(sealed(from, 'postgres'), key, to) },
    copyMedia: (to) => unseal(sealed(from, 'media'), key, to),
    async hasMedia() {
      const paths = new Set<string>()
      await openSealed(sealed(from, 'media'), key, {
        directory: () => Promise.resolve(),
        file: (path) => {
          paths.add(path)
          return () => Promise.resolve()
        },
      })
      return (path) => paths.has(path)
    },
  }
}

/** Writes the files of an encrypted part of a backup below `to`. */
const unseal = async (from: string, key: Buffer, to: string) => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  const pathOf = (path: string) => {
    if (path.split('/').includes('..')) throw new StartError(`${from} holds the path ${path}.`)
    return join(to, path)
  }
  // The last file: without the `finally`, it stays open when a damaged backup ends within it.
  let opened: Promise<FileHandle> | undefined
  try {
    await openSealed(from, key, {
      directory: (path) => mkdir(pathOf(path), { recursive: true, mode: 0o700 }),
      file: (path) => {
        const file = mkdir(dirname(pathOf(path)), { recursive: true, mode: 0o700 }).then(() =>
          open(pathOf(path), 'w', 0o600),
        )
        opened = file
        return async (part) => {
          const handle = await file
          if (part) return handle.writeFile(part)
          await handle.sync()
          await handle.close()
        }
      },
    })
  } finally {
    await opened?.then(
      (handle) => handle.close(),
      () => undefined,
    )
  }
}
