import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeSwitchboard } from './relay.ts'
import { makeWorkers } from './supervise.ts'

const folder = mkdtempSync(join(tmpdir(), 'tallyroom-workers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('[SPEED-01] a worker that hangs is ended and replaced; the others go on', async () => {
  const program = join(folder, 'worker.mjs')
  writeFileSync(
    program,
    `import cluster from 'node:cluster'
    const tell = (name, input) => process.send([['tell', name, input]])
    process.on('message', ([[, name]]) => name === 'stop' && process.exit(0))
    tell('ready', 'here')
    tell('came', cluster.worker.id)
    setInterval(() => tell('alive', null), 50)
    // The process lives and does nothing any more.
    const hang = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (process.env.HANGS === String(cluster.worker.id)) setTimeout(hang, 100)`,
  )
  const came: number[] = []
  const said: string[] = []
  const note = (_: unknown, words?: string) => void said.push(words ?? '')
  process.env.HANGS = '1'
  const workers = makeWorkers({
    count: 2,
    program,
    switchboard: makeSwitchboard(),
    silentMs: 2000,
    log: { error: note as never, warn: note as never },
  })
  expect(await workers.start({ came: (id: number) => void came.push(id) })).toBe('here')
  await expect.poll(() => came.toSorted((a, b) => a - b)).toEqual([1, 2, 3])
  await workers.stop()
  delete process.env.HANGS
  expect(said).toEqual([expect.stringContaining('A worker hangs'), expect.stringContaining('A worker has ended')])
})
