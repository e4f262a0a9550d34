import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, ask, type Cluster, killGroup, postgresPrograms, takesWrites, until } from './standby.ts'

const ETCD_PORT = 25_510

/** The programs of this machine that a cluster with Patroni lacks. */
export const missingPrograms = (): string[] =>
  ['patroni', 'etcd'].filter((program) => spawnSync(program, ['--version']).error !== undefined)

/** Patroni decides within `ttl` seconds that the primary is gone; 20 is the least that it allows. */
const configOf = (port: number, directory: string) => ({
  scope: 'tallyroom',
  name: `server-${port}`,
  restapi: { listen: `127.0.0.1:${port + 100}`, connect_address: `127.0.0.1:${port + 100}` },
  etcd3: { host: `127.0.0.1:${ETCD_PORT}` },
  bootstrap: {
    dcs: {
      ttl: 20,
      loop_wait: 2,
      retry_timeout: 5,
      synchronous_mode: true,
      postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', wal_keep_size: '256MB' } },
    },
    initdb: [{ encoding: 'UTF8' }, 'no-sync'],
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
  },
  postgresql: {
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
    data_dir: join(directory, 'data'),
    bin_dir: postgresPrograms(),
    pgpass: join(directory, 'pgpass'),
    authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
    parameters: { unix_socket_directories: directory },
    // A killed primary that cannot be rewound, because the log since the fork is gone, is copied again.
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
  },
})

/** Servers under Patroni with one etcd, on loopback. */
export const startPatroni = async (directory: string, ports: number[]): Promise<Cluster> => {
  const running = new Map<number, ChildProcess>()
  const start = (of: number, program: string, given: string[]) => {
    const { command, args } = asPostgres(program, given)
    const log = openSync(logOf(of), 'a')
    running.set(of, spawn(command, args, { stdio: ['ignore', log, log], detached: true }))
    closeSync(log)
  }
  const dirOf = (port: number) => join(directory, String(port))
  const logOf = (port: number) => join(directory, `${port}.log`)
  const startNode = (port: number) => start(port, 'patroni', [join(dirOf(port), 'patroni.yml')])
  const postmasterOf = (port: number) =>
    Number(readFileSync(join(dirOf(port), 'data/postmaster.pid'), 'utf8').split('\n')[0])
  const killNode = (port: number) => {
    killGroup(running.get(port))
    try {
      process.kill(postmasterOf(port), 'SIGKILL')
    } catch {
      // It had no PostgreSQL.
    }
  }
  const primary = async () => {
    for (const port of ports) if (await takesWrites(port)) return port
    return undefined
  }
  const isWhole = async () => {
    const port = await primary()
    if (!port) return false
    const rows = await ask<{ state: string }>(
      port,
      `select sync_state as state from pg_stat_replication where state = 'streaming'`,
    ).catch(() => [])
    return rows.length === ports.length - 1 && rows.some(({ state }) => state === 'sync')
  }

  const etcd = join(directory, 'etcd')
  for (const one of [etcd, ...ports.map(dirOf)]) {
    mkdirSync(one, { recursive: true })
    if (process.getuid?.() === 0) spawnSync('chown', ['postgres:', one])
  }
  const address = `http://127.0.0.1:${ETCD_PORT}`
  start(ETCD_PORT, 'etcd', [
    `--data-dir=${etcd}`,
    `--listen-client-urls=${address}`,
    `--advertise-client-urls=${address}`,
    `--listen-peer-urls=http://127.0.0.1:${ETCD_PORT + 1}`,
  ])
  for (const port of ports) {
    writeFileSync(join(dirOf(port), 'patroni.yml'), JSON.stringify(configOf(port, dirOf(port))))
    startNode(port)
  }
  await until(isWhole, 'the start of the cluster', 180_000)
  let killed = 0
  return {
    ports,
    async failOver() {
      const began = performance.now()
      killed = (await primary()) ?? 0
      killNode(killed)
      await until(async () => (await primary()) !== undefined, 'the promotion', 120_000)
      return (performance.now() - began) / 1000
    },
    async heal() {
      startNode(killed)
      await until(isWhole, 'the return of the killed server', 300_000).catch((error: unknown) => {
        // The directory is removed at the end.
        process.stderr.write(readFileSync(logOf(killed), 'utf8').split('\n').slice(-60).join('\n'))
        throw error
      })
    },
    stop: () => {
      for (const port of ports) killNode(port)
      killGroup(running.get(ETCD_PORT))
    },
  }
}
