import { expect, test } from 'vitest'
import { ceilings, roleRights } from '../src/identity/menu-pages.ts'
import { startTestServer } from '../src/testing/app.ts'
import { compareRightSets } from '../src/testing/rights/sets.ts'

// proofs/rights.test.ts compares 10,000.
test('[RIGHT-02] in 500 random sets of rights server, menu and explanation agree', async () => {
  expect(await compareRightSets(await startTestServer(), 500)).toEqual([])
})

test('[RIGHT-01] what a role can have, the roles above it begin with', () => {
  for (const [role, above] of [
    [3, 2],
    [2, 1],
  ] as const)
    expect(
      [...ceilings[role]].filter((name) => !roleRights[above].has(name) && name !== 'customer_service_chat'),
    ).toEqual([])
})
