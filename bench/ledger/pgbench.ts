import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../server/src/data/sql.ts'
import type { Connection } from '../lib/server.ts'
import { quantile } from '../lib/stats.ts'

const execute = promisify(execFile)

/** Some versions of Debian install it outside PATH. */
const program = (): string => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(debian, version, 'bin/pgbench')).find(existsSync) ?? 'pgbench'
}

const pgbench = async ({ host, port, user }: Connection, args: string[], cwd?: string) => {
  try {
    const where = ['-h', host, '-p', String(port), '-U', user]
    return await execute(program(), [...where, ...args, 'pgbench'], { cwd, maxBuffer: 64 * 2 ** 20 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(
      'pgbench is missing. Debian: apt-get install postgresql-contrib; elsewhere it comes with PostgreSQL.',
    )
  }
}

/** pgbench's own tables in a second database of the same server. @returns the version of the program */
export const preparePgbench = async (connection: Connection, scale: number): Promise<string> => {
  const db = connect({ ...connection, max: 1 })
  await db.query('create database pgbench', [])
  await db.end()
  await pgbench(connection, ['-i', '-q', '-s', String(scale)])
  const { stdout } = await execute(program(), ['--version'])
  return /\d+(\.\d+)*/.exec(stdout)?.[0] ?? 'unknown'
}

/** TPC-B-like transactions a second, and their latency. */
export const runPgbench = async (connection: Connection, clients: number, seconds: number) => {
  const logs = mkdtempSync(join(tmpdir(), 'tallyroom-pgbench-'))
  try {
    const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-l']
    const { stdout } = await pgbench(connection, args, logs)
    // Each line of its log: client, number, microseconds, …
    const latencies = readdirSync(logs).flatMap((name) =>
      readFileSync(join(logs, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => Number(line.split(' ')[2]) / 1000),
    )
    const rate = Number(/tps = ([\d.]+) \(without/.exec(stdout)?.[1])
    return { rate, p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  } finally {
    rmSync(logs, { recursive: true })
  }
}
