import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const settingsOf = (unit: string) =>
  Object.fromEntries(
    readFileSync(new URL(`../deploy/systemd/${unit}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

test('[RUN-11] systemd signals the server alone, because its database must stop after it', () => {
  const unit = settingsOf('tallyroom.service')
  expect(unit.KillMode).toBe('mixed')
  // A stop takes up to 10 s after DRAIN_SECONDS (main.ts).
  expect(Number(unit.TimeoutStopSec)).toBeGreaterThanOrEqual(20)
})
