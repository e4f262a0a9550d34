import { expect, test } from 'vitest'
import { MAX_ROWS } from '../ledger/read/history.ts'
import { exportFile } from './export-file.ts'

test('[S31] a file holds at most 50,000 rows, and says when there were more', async () => {
  // Nothing waits for approval.
  const ctx = { services: { db: { transact: () => Promise.resolve(false) } } } as unknown as Parameters<
    typeof exportFile
  >[0]
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
