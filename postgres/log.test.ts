import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { startPostgres } from './index.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tallyroom-pg-'))
afterAll(() => {
  vi.useRealTimers()
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

test('[RUN-05] a long log of a running server is moved aside, and the server goes on writing', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const { url, stop } = await startPostgres({ dataDir, durable: false })
  const [log, old] = [join(dataDir, 'postgres.log'), join(dataDir, 'postgres.log.old')]
  await vi.advanceTimersByTimeAsync(600_000)
  expect(existsSync(old)).toBe(false)
  appendFileSync(log, 'a line of a year ago\n'.repeat(500_000))
  await vi.advanceTimersByTimeAsync(600_000)
  vi.useRealTimers()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await expect(client.query('SELECT 1 / 0')).rejects.toThrow('division by zero')
  await client.end()
  expect(readFileSync(log, 'utf8')).toMatch(/^[^\0]{0,200}division by zero\n/)
  expect(readFileSync(old, 'utf8')).toContain('a line of a year ago')
  await stop()
  expect(statSync(log).size).toBeLessThan(10_000)
})
