import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** The uid that runs the database: PostgreSQL refuses root, so root uses another uid. Undefined: our own. */
export type Owner = { uid: number; gid: number } | undefined

/**
 * Distinguishes this process from a later one with the same pid; undefined when there is none. A pid alone is not enough:
 * in a container the next start often gets the pid of the killed process.
 */
export const identity = (pid: number): string | undefined => {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const zombie = fields[0] === 'Z' || fields[0] === 'X'
    return zombie ? undefined : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return undefined
  }
}

export const isAlive = (pid: number): boolean => identity(pid) !== undefined

/** Whether this pid is a postmaster of this directory. A pid file left by a crash may name another program by now. */
export const isPostmasterOf = (pid: number, directory: string): boolean => {
  if (!isAlive(pid)) return false
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === directory
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(directory)
  } catch {
    return false
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * How every program of PostgreSQL is spawned: as its owner, from a directory that everyone may enter, without inherited
 * PG* variables, and in a session of its own, because Ctrl-C in a terminal goes to the whole foreground group and would
 * stop the database before the server has drained.
 */
export const spawnOptions = (owner: Owner) => ({
  ...owner,
  cwd: '/',
  detached: true,
  env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})

/** Runs a program to its end. Never rejects: a program that cannot even start ends with code -1. */
export const run = (program: string, args: string[], owner: Owner): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(program, args, { ...spawnOptions(owner), stdio: ['ignore', 'pipe', 'pipe'] })
    const take = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', (error) => resolve({ code: -1, output: error.message }))
    child.once('close', (code) => resolve({ code: code ?? -1, output }))
  })
