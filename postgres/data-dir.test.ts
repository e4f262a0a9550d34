import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { locate } from './data-dir.ts'

test.runIf(process.platform === 'linux')('[RUN-12] a data directory where nothing can be made is refused', () => {
  // In a process of its own: Node's mkdirSync with `recursive` would never return.
  const program = `import('${new URL('data-dir.ts', import.meta.url).href}').then((m) => m.prepareDataDir('/proc/x/y'))`
  const { stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  expect(stderr).toContain('Cannot write to the data directory /proc/x/y (ENOENT). Mend that, or choose another one')
})

test.runIf(process.getuid?.() === 0)('[RUN-12] as root, without a place that others may enter, it is refused', () => {
  const closed = mkdtempSync(join(tmpdir(), 'tallyroom-closed-'))
  const [dataDir, elsewhere] = [join(closed, 'data'), join(closed, 'elsewhere')]
  mkdirSync(dataDir)
  try {
    expect(() => locate(dataDir, () => undefined, elsewhere)).toThrow(
      `who can enter neither ${dataDir} nor ${elsewhere}. Start Tallyroom as the user who owns ${elsewhere}`,
    )
    expect(readdirSync(elsewhere)).toEqual([])
  } finally {
    rmSync(closed, { recursive: true })
  }
})
