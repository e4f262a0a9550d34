import { expect, test } from 'vitest'
import { startTestServer } from '../server/src/testing/app.ts'
import { takeBackRaces } from '../server/src/testing/ledger/take-back-races.ts'

// `npx vitest run --config proofs/vitest.config.ts unsend`; the regular test has 50.
const RACES = 1000

test('[CONV-10] 1,000 races of taking back against reading, searching and quoting have one outcome', async () => {
  const begun = performance.now()
  const { faults, ...counts } = await takeBackRaces(await startTestServer(), await startTestServer(), RACES)
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(`${JSON.stringify({ races: RACES, seconds, faults: faults.length, ...counts })}\n`)
  expect(faults).toEqual([])
}, 1_800_000)
