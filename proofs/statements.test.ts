import { expect, test } from 'vitest'
import { compareCuts, ledgerOfAYear } from '../server/src/testing/ledger/statement-oracle.ts'

// The regular tests cut 300 times. `npx vitest run --config proofs/vitest.config.ts statements`
test('[BOOK-06] 10,000 random cuts of tree and time are the postings added up by hand', {
  timeout: 3_600_000,
}, async () => {
  const { different } = await compareCuts(await ledgerOfAYear(3000), 10_000)
  expect(different).toEqual([])
})
