import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const plants = fileURLToPath(new URL('plants.ts', import.meta.url))
const MINUTES = 60_000

test(
  '[R18] without idempotency, commit or lock the tests of R1, R10 and R11 fail',
  () => {
    const { stdout, status } = spawnSync('npx', ['tsx', plants, 'ledger'], { encoding: 'utf8' })
    expect(stdout.match(/: seen$/gm), stdout).toHaveLength(4)
    expect(status, stdout).toBe(0)
  },
  30 * MINUTES,
)
