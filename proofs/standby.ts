import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** A PostgreSQL with standbys, for proofs of what happens when its primary dies. */
export type Cluster = {
  ports: number[]
  /** Kills the primary and its helpers. Resolves when another server takes writes, with the seconds that this took. */
  failOver(): Promise<number>
  /** Brings the killed server back as a standby, and waits until commits wait for it again. */
  heal(): Promise<void>
  stop(): void
}

export type Pair = Cluster & {
  /** To all processes of the standby, or of the primary. */
  signal(which: 'primary' | 'standby', signal: NodeJS.Signals): void
}

/** Debian has its programs of PostgreSQL outside of the path. */
export const postgresPrograms = (): string => {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort() : []
  const found = versions.map((version) => `/usr/lib/postgresql/${version}/bin`).findLast((bin) => existsSync(bin))
  if (!found) throw new Error('There is no PostgreSQL server. Debian has it: apt-get install postgresql')
  return found
}

/** PostgreSQL does not run as root. */
export const asPostgres = (command: string, args: string[]) =>
  process.getuid?.() === 0
    ? { command: 'setpriv', args: ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', command, ...args] }
    : { command, args }

const run = (program: string, given: string[]) => {
  const { command, args } = asPostgres(join(postgresPrograms(), program), given)
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

export const ask = async <R extends pg.QueryResultRow>(port: number, text: string): Promise<R[]> => {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<R>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export const takesWrites = async (port: number): Promise<boolean> => {
  const rows = await ask<{ isThere: boolean }>(port, 'select not pg_is_in_recovery() as "isThere"').catch(() => [])
  return rows[0]?.isThere === true
}

export const until = async (isTrue: () => Promise<boolean>, what: string, limitMs = 60_000) => {
  for (const began = performance.now(); !(await isTrue()); await pause(20))
    if (performance.now() - began > limitMs) throw new Error(`${what} took too long`)
}

/** Ends a process and all that it started, as a machine that loses its power does. */
export const killGroup = (child: ChildProcess | undefined) => {
  try {
    if (child?.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  hot_standby: 'on',
  wal_keep_size: '256MB',
  max_connections: '100',
}

/** Two servers on loopback. The standby confirms each commit (synchronous replication); this promotes it at once. */
export const startPair = async (directory: string, ports: [number, number]): Promise<Pair> => {
  const running = new Map<number, ChildProcess>()
  const dirOf = (port: number) => join(directory, String(port))
  const start = async (port: number) => {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { command, args } = asPostgres(join(postgresPrograms(), 'postgres'), [
      '-D',
      dirOf(port),
      '-p',
      String(port),
      ...options,
    ])
    running.set(port, spawn(command, args, { stdio: 'ignore', detached: true }))
    await until(
      () =>
        ask(port, 'select 1').then(
          () => true,
          () => false,
        ),
      `the start of server ${port}`,
    )
  }
  const addStandby = async (port: number, of: number) => {
    rmSync(dirOf(port), { recursive: true, force: true })
    run('pg_basebackup', ['-h', '127.0.0.1', '-p', String(of), '-U', 'postgres', '-D', dirOf(port), '-R', '-c', 'fast'])
    await start(port)
    // Only now: without a standby every commit would wait.
    await ask(of, `alter system set synchronous_standby_names = '*'`)
    await ask(of, 'select pg_reload_conf()')
    const isSync = async () => {
      const rows = await ask(of, `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`)
      return rows.length > 0
    }
    await until(isSync, `the standby ${port}`)
  }

  let [primary, standby] = ports
  mkdirSync(directory, { recursive: true })
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres:', directory])
  run('initdb', ['-D', dirOf(primary), '-U', 'postgres', '-A', 'trust', '--no-sync'])
  await start(primary)
  await addStandby(standby, primary)
  return {
    ports,
    async failOver() {
      const began = performance.now()
      killGroup(running.get(primary))
      await ask(standby, 'alter system reset synchronous_standby_names').catch(() => undefined)
      await ask(standby, 'select pg_promote(true)')
      await until(() => takesWrites(standby), 'the promotion')
      ;[primary, standby] = [standby, primary]
      return (performance.now() - began) / 1000
    },
    heal: () => addStandby(standby, primary),
    signal: (which, signal) => {
      const { pid } = running.get(which === 'primary' ? primary : standby) ?? {}
      // Each process of PostgreSQL has a group of its own; the postmaster last, so that it starts none meanwhile.
      if (pid) spawnSync('pkill', [`-${signal}`, '-P', String(pid)])
      if (pid) process.kill(pid, signal)
    },
    stop: () => {
      for (const child of running.values()) killGroup(child)
    },
  }
}
