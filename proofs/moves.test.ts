import { expect, test } from 'vitest'
import { startTestServer } from '../server/src/testing/app.ts'
import { randomMoves } from '../server/src/testing/ledger/random-moves.ts'

const server = await startTestServer()

test('[TREE-03] 200 random moves under concurrent transfers: ledger sound, SR02 before equals after', {
  timeout: 600_000,
}, async () => {
  const { moved, given } = await randomMoves(server, { moves: 200, seed: 20_261_123 })
  process.stdout.write(`${moved} moves and ${given} transfers were carried out\n`)
  expect(moved).toBeGreaterThan(100)
  expect(given).toBeGreaterThan(100)
})
