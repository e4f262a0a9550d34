import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { PostgresError } from './error.ts'
import { type Archiver, keepCommand } from './archive.ts'
import { NAME } from './cluster.ts'
import { APP, OWNER, SUPERUSER } from './roles.ts'
import type { DataDir } from './data-dir.ts'
import { isAlive, isPostmasterOf, pause, spawnOptions } from './process.ts'

export type Connection = { host: string; port: number; user: string; database: string }

/** Connections to the database by role (`roles.ts`). */
export type Connections = { superuser: Connection; owner: Connection; app: Connection }

const connectionAt = (socket: string, user = SUPERUSER): Connection => ({
  host: socket,
  port: 5432,
  user,
  database: NAME,
})

export const connectionsAt = (socket: string): Connections => ({
  superuser: connectionAt(socket),
  owner: connectionAt(socket, OWNER),
  app: connectionAt(socket, APP),
})

/** A running server; `ended` resolves when it is gone. */
export type Postmaster = { pid: number; ended: Promise<void> }

/** How the server runs. */
export type Manner = {
  /** False only for tests: commits may be lost when the machine stops. */
  durable: boolean
  /** The directory of the operator's own programs of PostgreSQL; undefined: those of the package. */
  programs?: string | undefined
  /** The directory for finished WAL files. */
  archive: string | undefined
  /** Without one, gzip archives them. */
  archiver?: Archiver | undefined
  /** The most connections; tests have more. */
  maxConnections: number
}

const settings = (socket: string, { durable, archive, archiver, maxConnections }: Manner): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: socket,
  unix_socket_permissions: '0700',
  max_connections: String(durable ? maxConnections : 300),
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  // Checkpoints are rare and spread out, so that transfers do not wait for them.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  wal_buffers: '16MB',
  checkpoint_timeout: '10min',
  // Neither JIT nor parallel queries pay off when many small statements run on few cores.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_worker_processes: '4',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  // The application logs failed statements itself: here they would fill the disk, with private texts in them.
  log_min_error_statement: 'panic',
  fsync: durable ? 'on' : 'off',
  synchronous_commit: durable ? 'on' : 'off',
  full_page_writes: durable ? 'on' : 'off',
  autovacuum: durable ? 'on' : 'off',
  ...(archive === undefined
    ? {}
    : { archive_mode: 'on', archive_command: keepCommand(archive, archiver), archive_timeout: '60s' }),
})

/** Tries to connect: 'no' when nothing answers, 'not yet' while it recovers. Makes our database if it is missing. */
const knock = async (socket: string): Promise<'yes' | 'no' | 'not yet'> => {
  const client = new pg.Client(connectionAt(socket))
  client.on('error', () => undefined)
  // While PostgreSQL starts this fails many times. For the first stack trace Node would take the source map of the whole
  // program apart, and keep it: 40 MB.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    await client.connect()
    return 'yes'
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '3D000') return await createDatabase(socket)
    return code === '57P03' ? 'not yet' : 'no'
  } finally {
    await client.end().catch(() => undefined)
    Error.stackTraceLimit = stackTraceLimit
  }
}

const createDatabase = async (socket: string): Promise<'yes' | 'no'> => {
  const client = new pg.Client({ ...connectionAt(socket), database: 'postgres' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(`CREATE DATABASE ${NAME}`)
    return 'yes'
  } catch {
    return 'no'
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Waits until the server answers. False when it ended, or was silent for a minute. */
const untilReady = async (socket: string, isRunning: () => boolean, log: (line: string) => void): Promise<boolean> => {
  const began = Date.now()
  for (let silentSince = began, hasLogged = false; isRunning() && Date.now() - silentSince < 60_000; await pause(10)) {
    const answer = await knock(socket)
    if (answer === 'yes') return true
    if (answer === 'not yet') silentSince = Date.now()
    if (!hasLogged && Date.now() - began > 3_000) {
      log('The database is putting itself in order after it was cut off…')
      hasLogged = true
    }
  }
  return false
}

/**
 * Why a server did not start, by what it has logged. Until it ends, it also logs that it turns connections away: without
 * the exception, our own tries to connect would be the reason.
 */
export const reasonIn = (words: string): string | undefined =>
  words
    .match(/(?:FATAL|PANIC):(?!\s+the database system is ).*/g)
    ?.at(-1)
    ?.replace(/\s+/g, ' ') ?? words.trim().split('\n').at(-1)

/** The contents of the server's pid file, if there is one. `isOurs`: that process really is the server of this cluster. */
const pidFile = (cluster: string) => {
  const file = join(cluster, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  const [pid, socket] = [Number(lines[0]), lines[4]]
  return { file, pid, socket, isOurs: isPostmasterOf(pid, cluster) }
}

/** Connections to the server that runs on this cluster now, whatever started it. */
export const findRunning = async (cluster: string): Promise<Connections | undefined> => {
  const found = pidFile(cluster)
  if (!found?.socket || !found.isOurs) return undefined
  return (await knock(found.socket)) === 'yes' ? connectionsAt(found.socket) : undefined
}

/** The server that a killed Tallyroom left behind, if it runs. Removes the pid file of a dead one. */
export const adopt = async (
  { cluster }: DataDir,
  log: (line: string) => void,
): Promise<{ postmaster: Postmaster; socket: string } | undefined> => {
  const left = pidFile(cluster)
  if (!left) return undefined
  const { file, pid, socket, isOurs } = left
  if (!isOurs) {
    rmSync(file, { force: true })
    if (socket) for (const name of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socket, name), { force: true })
    return undefined
  }
  if (socket && (await untilReady(socket, () => isAlive(pid), log)))
    return { postmaster: { pid, ended: untilGone(pid) }, socket }
  // It is stopping or hangs: it must be gone before another one starts.
  await end(pid)
  return undefined
}

/** Whether a server that was left running archives its WAL and takes connections as it should now. Only a restart changes that. */
export const suits = async (socket: string, { archive, archiver, maxConnections }: Manner): Promise<boolean> => {
  const client = new pg.Client(connectionAt(socket))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ command: string; connections: number }>(
      `select current_setting('archive_command') as command, current_setting('max_connections')::int as connections`,
    )
    const command = archive === undefined ? '(disabled)' : keepCommand(archive, archiver)
    return rows[0]?.command === command && rows[0].connections >= maxConnections
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Resolves when a process that is not our child is gone; does not keep this process running. */
const untilGone = (pid: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return
      clearInterval(timer)
      resolve()
    }, 200).unref()
  })

/** Stops the server: cleanly if possible, after half a minute by force. */
export const end = async (pid: number): Promise<void> => {
  const kill = (signal: NodeJS.Signals) => {
    try {
      process.kill(pid, signal)
    } catch {
      // Already gone.
    }
  }
  for (const [signal, seconds] of [
    ['SIGINT', 30],
    ['SIGQUIT', 10],
    ['SIGKILL', 10],
  ] as const) {
    kill(signal)
    for (const began = Date.now(); Date.now() - began < seconds * 1000; await pause(5)) if (!isAlive(pid)) return
  }
}

const LOG_BYTES = 10_000_000
const logOf = ({ home }: DataDir) => join(home, 'postgres.log')
const isFull = (file: string) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES

/**
 * Moves a long log of a running server aside: an archive that cannot be written adds a line each minute, and a server may
 * run for years. The server appends to the file that it has open, so the file is copied and cut.
 */
export const cutLog = (located: DataDir): void => {
  const file = logOf(located)
  try {
    if (!isFull(file)) return
    copyFileSync(file, `${file}.old`)
  } catch {
    // The disk may be full: then the lines are lost, which makes room.
  }
  if (existsSync(file)) truncateSync(file)
}

const openLog = (located: DataDir) => {
  const { owner } = located
  const file = logOf(located)
  if (isFull(file)) renameSync(file, `${file}.old`)
  // A file instead of a pipe: the server may outlive this process, which would break the pipe.
  const handle = openSync(file, 'a', 0o600)
  if (owner) chownSync(file, owner.uid, owner.gid)
  return { file, handle, from: statSync(file).size }
}

/** Starts the server. @throws PostgresError with PostgreSQL's last lines */
export const launch = async (
  located: DataDir,
  bin: string,
  socket: string,
  manner: Manner,
  log: (line: string) => void,
): Promise<Postmaster> => {
  const options = Object.entries(settings(socket, manner)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  for (const began = Date.now(); ; await pause(100)) {
    const { file, handle, from } = openLog(located)
    const spawned = spawnOptions(located.owner)
    const child = spawn(join(bin, 'postgres'), ['-D', located.cluster, ...options], {
      ...spawned,
      env: { ...spawned.env, ...manner.archiver?.env },
      stdio: ['ignore', handle, handle],
    })
    closeSync(handle)
    let failure: string | undefined
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', (error) => {
        failure = error.message
        resolve()
      })
    })
    const isRunning = () => failure === undefined && child.exitCode === null && child.signalCode === null
    if (await untilReady(socket, isRunning, log)) return { pid: child.pid ?? 0, ended }
    if (child.pid !== undefined) await end(child.pid)
    const words = failure ?? readFileSync(file).subarray(from).toString()
    // The helper processes of a killed server take a moment to notice.
    if (/shared memory block|lock file .* already exists/.test(words) && Date.now() - began < 10_000) continue
    const reason = reasonIn(words)
    throw new PostgresError(
      `The database in ${located.cluster} does not start: ${reason || 'it does not answer'} (more in ${file}). Mend that, or put back a backup.`,
    )
  }
}
