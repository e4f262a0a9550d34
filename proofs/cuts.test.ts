import { expect, test } from 'vitest'
import { expectNothingLost, type Fault, runWithFaults } from '../e2e/support/faults/cuts.ts'

// R8 with its limit: `npx vitest run --config proofs/vitest.config.ts cuts`
const MAX_SECONDS = 10

test('[R8] connections cut, delayed and lost on both sides, shortly and long: recovered within 10 s', async () => {
  const list: Fault[] = (['clients', 'database'] as const).flatMap((where) => [
    ...[200, 2000, 20_000].flatMap((ms) => (['cut', 'stall'] as const).map((how) => ({ where, how, ms }))),
    { where, how: 'lose' as const, ms: 200 },
    { where, how: 'lose' as const, ms: 10_000 },
  ])
  // The page itself waits as long for an answer.
  const found = await runWithFaults(list, { timeoutMs: 8000, pace: 100 })
  expectNothingLost(found)
  for (const one of found.recoveries) process.stdout.write(`${JSON.stringify(one)}\n`)
  process.stdout.write(`${JSON.stringify({ messages: found.sent.length, points: found.points })}\n`)
  expect(
    found.recoveries.filter(({ ms, how, seconds }) => (how !== 'lose' || ms > 5000) && seconds > MAX_SECONDS),
  ).toEqual([])
}, 1_200_000)
