import { afterEach, expect, test, vi } from 'vitest'
import type { Database } from '../../data/sql.ts'
import { startCleaning } from './cleaning.ts'

afterEach(() => vi.useRealTimers())

test('stopping waits for the cleaning that is under way, and for nothing otherwise', async () => {
  vi.useFakeTimers()
  let answer: (rows: []) => void = () => undefined
  let asked = 0
  const query = () => {
    asked++
    return new Promise<[]>((resolve) => (answer = resolve))
  }
  const errors: unknown[] = []
  const db = { query, transact: (work: (tx: unknown) => unknown) => work({ query }) } as unknown as Database
  const stop = startCleaning(db, { error: (line: unknown) => void errors.push(line) })
  await vi.advanceTimersByTimeAsync(0)
  // At once, not an hour after the start.
  expect(asked).toBe(1)
  let stopped = false
  const stopping = stop().then(() => (stopped = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(stopped).toBe(false)
  answer([])
  await stopping
  // What is left is done at the next start.
  expect(asked).toBeLessThan(3)
  expect(errors).toEqual([])
})
