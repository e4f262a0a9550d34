import { afterEach, expect, test, vi } from 'vitest'
import type { Database } from '../data/sql.ts'
import { unmeasured } from '../lib/measures.ts'
import { makeLog } from '../lib/log.ts'
import type { Io } from './io.ts'
import { makeResync } from './resync.ts'

afterEach(() => vi.useRealTimers())

/** A resync whose samples are answered by hand, and the numbers from which it looked for rooms. */
const slowResync = () => {
  vi.useFakeTimers()
  const samples: ((xid: string) => Promise<void>)[] = []
  const lookedFrom: unknown[] = []
  const query = (text: string, values: unknown[]) => {
    if (text.includes('from rooms')) lookedFrom.push(values.find((value) => typeof value === 'string'))
    if (!text.includes('pg_snapshot_xmin')) return Promise.resolve([])
    return new Promise((resolve) => {
      samples.push(async (xid) => {
        resolve([{ xid }])
        await vi.advanceTimersByTimeAsync(0)
      })
    })
  }
  const sockets = { adapter: { rooms: new Map([['group:5', new Set()]]) }, sockets: new Map() }
  const resync = makeResync({ of: () => sockets } as unknown as Io, {
    db: { query } as unknown as Database,
    log: makeLog('silent'),
    measures: unmeasured,
    announceRooms: () => Promise.resolve(),
    recheckAll: () => Promise.resolve(),
    perform: () => undefined,
  })
  return { resync, samples, lookedFrom }
}

test('a slow database is asked for one sample at a time, and stopping waits for it', async () => {
  const { resync, samples } = slowResync()
  resync.startSampling()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(samples).toHaveLength(1)
  await samples[0]?.('40')
  await vi.advanceTimersByTimeAsync(2000)
  expect(samples).toHaveLength(2)
  let isStopped = false
  const stopping = Promise.resolve(resync.stop()).then(() => (isStopped = true))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isStopped).toBe(false)
  await samples[1]?.('50')
  await stopping
  expect(samples).toHaveLength(2)
})

test('a sample that was answered late does not count for the time before', async () => {
  const { resync, samples, lookedFrom } = slowResync()
  resync.startSampling()
  await samples[0]?.('40')
  await vi.advanceTimersByTimeAsync(8000)
  const missedAt = performance.now()
  await vi.advanceTimersByTimeAsync(4000)
  await samples[1]?.('50')
  resync.missedSince(missedAt)
  await vi.advanceTimersByTimeAsync(300)
  expect(lookedFrom).toEqual(['40'])
  for (const answer of samples.slice(2)) await answer('60')
  await resync.stop()
})
