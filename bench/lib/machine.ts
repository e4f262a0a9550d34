import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { median } from './stats.ts'

/** The facts that a bench's numbers depend on; nothing that identifies the machine. */
export type Machine = {
  date: string
  cpu: string
  cores: number
  memoryGb: number
  system: string
  node: string
  postgres: string
  /** Time to write 8 KB durably: the minimum of each durable commit. */
  diskMs: number
}

const diskMs = (): number => {
  const directory = mkdtempSync(join(tmpdir(), 'tallyroom-bench-'))
  const file = openSync(join(directory, 'disk'), 'w')
  const page = Buffer.alloc(8192, 1)
  const times = Array.from({ length: 100 }, (_, at) => {
    const began = performance.now()
    writeSync(file, page, 0, page.length, at * page.length)
    fdatasyncSync(file)
    return performance.now() - began
  })
  closeSync(file)
  rmSync(directory, { recursive: true })
  return Number(median(times).toFixed(3))
}

export const describeMachine = (postgres: string): Machine => ({
  date: new Date().toISOString().slice(0, 10),
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  system: `${process.platform} ${process.arch}`,
  node: process.versions.node,
  postgres,
  diskMs: diskMs(),
})
