import { readdirSync, readFileSync } from 'node:fs'
import type { ServerProcess } from './server.ts'

/** Whether a process runs; one that has ended and is not reaped yet does not. */
export const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

const isWorkerOf = (parent: number | undefined, pid: string): boolean => {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')
    if (Number(rest.split(' ')[1]) !== parent) return false
    // Its database is a child too.
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('main.js') && isAlive(Number(pid))
  } catch {
    return false
  }
}

/** The processes of a server's workers. */
export const workersOf = ({ child }: ServerProcess): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isWorkerOf(child.pid, name))
    .map(Number)
