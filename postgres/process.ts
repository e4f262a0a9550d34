import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'

/** Who runs the database: PostgreSQL refuses to be root, so root hands it to another uid. Undefined: we ourselves. */
export type Owner = { uid: number; gid: number } | undefined

/**
 * What tells this process from another one that gets the same pid later, or undefined when nobody runs under it.
 * A pid alone is not enough: in a container the next start often has the very pid of the one that was killed.
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

/** Is this pid a postmaster that works in this directory? A pid file left by a crash may name a stranger by now. */
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
 * How every program of PostgreSQL is spawned: as its owner, from a directory that everyone may enter, without the
 * PG* variables of whoever started us, and in a session of its own, because Ctrl-C in a terminal goes to the whole
 * foreground group and would stop the database before the server has drained.
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
