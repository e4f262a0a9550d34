import { expect, test } from 'vitest'
import { startTestServer } from '../server/src/testing/app.ts'
import { compareRightSets } from '../server/src/testing/rights/sets.ts'

test('[RIGHT-02] in 10,000 random sets of rights server, menu and explanation agree', {
  timeout: 1_800_000,
}, async () => {
  expect(await compareRightSets(await startTestServer(), 10_000, Number(process.env.SEED ?? 7))).toEqual([])
})
