import { expect, test } from 'vitest'
import { compareCuts, ledgerOfAYear } from '../../testing/ledger/statement-oracle.ts'

test('[BOOK-06] 300 random cuts of tree and time are the postings added up by hand', { timeout: 120_000 }, async () => {
  const w = await ledgerOfAYear(500)
  const { different, postings } = await compareCuts(w, 300)
  expect(different).toEqual([])
  expect(postings).toBeGreaterThan(1000)
})
