import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICK = 0.01

/** A process's parent, its own seconds, and those of its ended children. Undefined without /proc. */
const read = (pid: number | string) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ').map(Number) ?? []
    const [own, ended] = [(fields[11] ?? 0) + (fields[12] ?? 0), (fields[13] ?? 0) + (fields[14] ?? 0)]
    return { parent: fields[1], own: own * TICK, ended: ended * TICK }
  } catch {
    return undefined
  }
}

/** Processor seconds that a process has used so far. */
export const ownSeconds = (pid: number): number => read(pid)?.own ?? Number.NaN
/** The same for its ended children. */
export const endedSeconds = (pid: number): number => read(pid)?.ended ?? Number.NaN
/** The same for a process with all its children. */
export const familySeconds = (pid: number): number => {
  const head = read(pid)
  if (!head) return Number.NaN
  const living = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (read(name) ?? []) : []))
  const children = living.filter(({ parent }) => parent === pid)
  return children.reduce((sum, { own, ended }) => sum + own + ended, head.own + head.ended)
}

/** The same for a server with its workers, without the database that it has started. */
export const serverSeconds = (pid: number, postmaster: number): number => {
  const head = read(pid)
  if (!head) return Number.NaN
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== postmaster)
  const workers = names.flatMap((name) => read(name) ?? []).filter(({ parent }) => parent === pid)
  return workers.reduce((sum, { own }) => sum + own, head.own)
}

/** The cores that each process keeps busy during the work: processor seconds a second. */
export const coresDuring = async <K extends string, R>(
  meters: Record<K, () => number>,
  work: () => Promise<R>,
): Promise<R & Record<K, number>> => {
  const read = () => Object.entries<() => number>(meters).map(([name, meter]) => [name, meter()] as const)
  const [before, began] = [new Map(read()), performance.now()]
  const result = await work()
  const took = (performance.now() - began) / 1000
  const used = read().map(([name, seconds]) => [name, (seconds - (before.get(name) ?? 0)) / took])
  return { ...result, ...(Object.fromEntries(used) as Record<K, number>) }
}

/** Processor seconds since the machine started: used by its programs, and withheld (steal time). Undefined without /proc. */
const machineSeconds = () => {
  try {
    const [, line = ''] = /^cpu +(.*)/.exec(readFileSync('/proc/stat', 'latin1')) ?? []
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, withheld = 0] = line.split(' ').map(Number)
    return { used: (user + nice + system + irq + softirq) * TICK, withheld: withheld * TICK }
  } catch {
    return undefined
  }
}

const atTheStart = machineSeconds()
/** Steal time since this bench began, as a share of used and steal time: 0 to 1. NaN without /proc. */
export const withheldShare = (): number => {
  const now = machineSeconds()
  if (!now || !atTheStart) return Number.NaN
  const [used, withheld] = [now.used - atTheStart.used, now.withheld - atTheStart.withheld]
  return withheld / (used + withheld)
}
