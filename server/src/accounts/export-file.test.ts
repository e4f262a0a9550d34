import { expect, test, vi } from 'vitest'
import { MAX_ROWS } from '../ledger/read/history.ts'
import { exportFile } from './export-file.ts'

test('[S31] a file holds at most 50,000 rows, and says when there were more', async () => {
  // Nothing waits for approval.
  const services = { db: { transact: () => Promise.resolve(false) }, settings: { timeZone: 'UTC' } }
  const ctx = { services } as unknown as Parameters<typeof exportFile>[0]
  const fileOf = (rows: number) =>
    exportFile(
      ctx,
      { call: 'user/export', filter: {}, what: 'users' },
      Array.from({ length: rows }, (_, at) => [['Username', `m${at}`]]),
    )
  const linesOf = (csv: string) => csv.trimEnd().split('\r\n').length - 1
  const whole = await fileOf(MAX_ROWS)
  expect([whole.cut, linesOf(whole.csv)]).toEqual([false, MAX_ROWS])
  const more = await fileOf(MAX_ROWS + 1)
  expect([more.cut, linesOf(more.csv)]).toEqual([true, MAX_ROWS])
})

test('[FIND-02] the day in the name of the file is that of the platform’s time zone', async () => {
  vi.setSystemTime(new Date('2026-11-25T16:30:00Z'))
  const services = { db: { transact: () => Promise.resolve(false) }, settings: { timeZone: 'Asia/Taipei' } }
  const ctx = { services } as unknown as Parameters<typeof exportFile>[0]
  expect((await exportFile(ctx, { call: 'user/export', filter: {}, what: 'users' }, [])).name).toBe(
    'users-2026-11-26.csv',
  )
  vi.useRealTimers()
})
