import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

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
