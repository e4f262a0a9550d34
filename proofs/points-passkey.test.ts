import { expect, test } from 'vitest'
import { checkConfirmations } from '../server/src/ledger/check/confirmations.ts'
import { alterPoints } from '../server/src/testing/altered-points.ts'
import { startTestServer } from '../server/src/testing/app.ts'
import { passkeyEnv } from '../server/src/testing/fakes/passkey.ts'

const TRIES = 1000

test('[PASS-02] 1,000 altered confirmations: none passes, and what was signed holds later', async () => {
  const server = await startTestServer(passkeyEnv)
  const { tries, passed, moved, codes } = await alterPoints(server, TRIES)
  const report = await checkConfirmations(server.services.db)
  process.stdout.write(`${JSON.stringify({ tries, passed: passed.length, moved, codes, ...report })}\n`)
  expect({ tries, passed, moved }).toEqual({ tries: TRIES, passed: [], moved: TRIES / 10 })
  expect(report).toEqual({ checked: TRIES / 10, withoutTransfer: 0, faults: [] })
}, 1_800_000)
