import { readdirSync, realpathSync, rmdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pause } from './process.ts'
import { prepareRoles } from './roles.ts'
import { freeBytes, RESERVED_BYTES } from './disk.ts'
import { PostgresError } from './error.ts'
import { type Archiver, checkArchiver, prepareArchive } from './archive.ts'
import { preparePrograms } from './binaries.ts'
import { createCluster, inspectCluster } from './cluster.ts'
import { takeLock } from './lock.ts'
import { locate, type DataDir, prepareDataDir, remember, socketDirectory } from './data-dir.ts'
import {
  adopt,
  type Connection,
  type Connections,
  connectionsAt,
  end,
  findRunning,
  launch,
  type Manner,
  type Postmaster,
  suits,
  cutLog,
} from './postmaster.ts'

export type { Archiver, Connection, Connections }

export type EmbeddedPostgres = Connections & {
  /** The superuser's connection as an address, for programs that want one. */
  url: string
  pid: () => number
  /** The server was left running by a Tallyroom that was killed. */
  adopted: boolean
  /** Resolves when the server is lost and cannot be started again. */
  lost: Promise<PostgresError>
  /** Stops the server and releases the data directory. */
  stop: () => Promise<void>
}

type Options = {
  dataDir: string
  log?: (line: string) => void
} & Partial<Manner>

const open = async (located: DataDir, dataDir: string, given: Manner, log: (line: string) => void) => {
  const { bin, major } = await preparePrograms(located.home, located.owner, given.programs)
  if (located.isNew) {
    refuseBesideOld(located)
    log('Making the database…')
    await createCluster(located, { bin, major }, given.durable)
  }
  remember(dataDir, located)
  inspectCluster(located, major)
  const manner = { ...given, archive: given.archive && prepareArchive(given.archive, located.owner) }
  if (manner.archive && manner.archiver) await checkArchiver(manner.archiver, located.owner)
  let left = await adopt(located, log)
  if (left && !(await suits(left.socket, manner))) {
    await end(left.postmaster.pid)
    left = undefined
  }
  const socket = left?.socket ?? socketDirectory(located)
  const start = () => launch(located, bin, socket, manner, log)
  return {
    socket,
    start,
    cluster: located.cluster,
    adopted: left !== undefined,
    first: left?.postmaster ?? (await start()),
    cutting: setInterval(() => cutLog(located), LOG_LOOK_MS).unref(),
  }
}
/** An upgrade puts the old database aside before the new one takes its place (server/src/cli/move-database.ts). */
const refuseBesideOld = ({ home, cluster }: DataDir) => {
  const old = readdirSync(home).find((name) => /^postgres-\d+$/.test(name))
  if (old)
    throw new PostgresError(
      `There is no database in ${cluster}, but ${old} beside it, from an upgrade that was cut off. Rename that one to postgres and upgrade again, or move it away to begin with an empty database.`,
    )
}

const LOG_LOOK_MS = 600_000

/**
 * Starts our own PostgreSQL on a unix socket that only we can open, with its data below dataDir. Takes over a server that
 * a killed Tallyroom left running, and restarts the server when it dies.
 * @throws PostgresError
 */
export const startPostgres = async ({
  dataDir: given,
  log = () => undefined,
  durable = true,
  programs,
  archive,
  archiver,
  maxConnections = 100,
}: Options): Promise<EmbeddedPostgres> => {
  prepareDataDir(resolve(given))
  const dataDir = realpathSync(given)
  const release = takeLock(dataDir)
  const opened = await Promise.resolve()
    .then(() => open(locate(dataDir, log), dataDir, { durable, programs, archive, archiver, maxConnections }, log))
    .catch((error: unknown) => {
      release()
      throw error
    })
  const { stop: end, ...rest } = supervise(opened.first, opened, log)
  const stop = () => {
    clearInterval(opened.cutting)
    return end().finally(() => leave(opened.socket, release))
  }
  const connections = connectionsAt(opened.socket)
  await prepareRoles(connections.superuser).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  const { user, host, database } = connections.superuser
  const url = `postgresql://${user}@${encodeURIComponent(host)}/${database}`
  return { ...connections, url, adopted: opened.adopted, ...rest, stop }
}

const leave = (socket: string, release: () => void) => {
  try {
    rmdirSync(socket)
  } catch {
    // The directory is not empty: the next start repairs it.
  }
  release()
}

/** Connections to the database of a Tallyroom that runs on this directory, for commands; undefined when none runs. */
export const runningPostgres = async (dataDir: string): Promise<Connections | undefined> => {
  try {
    return await findRunning(realpathSync(join(dataDir, 'postgres')))
  } catch {
    return undefined
  }
}

const lacksRoom = async (cluster: string) => (await freeBytes(cluster).catch(() => Infinity)) < RESERVED_BYTES

/** Restarts the server when it dies, until it is stopped; gives up after three deaths within a minute. */
const supervise = (
  first: Postmaster,
  { start, cluster }: { start: () => Promise<Postmaster>; cluster: string },
  log: (line: string) => void,
) => {
  let server = first
  let stopping = false
  const watch = async (): Promise<PostgresError> => {
    for (let deaths: number[] = []; ; ) {
      await server.ended
      if (stopping) return new Promise(() => undefined)
      const isFull = await lacksRoom(cluster)
      if (isFull) deaths = []
      deaths = [...deaths.filter((at) => Date.now() - at < 60_000), Date.now()]
      if (deaths.length > 3)
        return new PostgresError('The database stopped four times within a minute. Its log says why.')
      log(
        isFull
          ? 'The disk is full, and the database has stopped: it starts again as soon as there is room'
          : 'The database stopped unexpectedly; starting it again',
      )
      const again = await startAgain()
      if (again instanceof PostgresError) return again
      server = again
    }
  }
  /** On a full disk it may fail to start until there is space; meanwhile /readyz answers 503. */
  const startAgain = async (): Promise<Postmaster | PostgresError> => {
    for (;;) {
      try {
        const started = await start()
        if (stopping) await end(started.pid)
        return started
      } catch (error) {
        if (stopping) return new Promise(() => undefined)
        if (!(await lacksRoom(cluster)))
          return error instanceof PostgresError ? error : new PostgresError(String(error))
        await pause(1000)
      }
    }
  }
  // process.exit without stop() must not leave the server running.
  const atExit = () => {
    try {
      process.kill(server.pid, 'SIGINT')
    } catch {
      // Already gone.
    }
  }
  process.once('exit', atExit)
  const lost = watch()
  const stop = async () => {
    stopping = true
    process.removeListener('exit', atExit)
    await end(server.pid)
  }
  return { lost, stop, pid: () => server.pid }
}
