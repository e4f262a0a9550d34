import { test } from 'vitest'
import { expectSameMessages, storm } from '../e2e/support/faults/storm.ts'

// `npx vitest run --config proofs/vitest.config.ts storm`
test('[R15] [S15] 10,000 messages, 50 pages, disconnected again and again', async () => {
  const begun = performance.now()
  const found = await storm({ pages: 50, messages: 10_000 })
  expectSameMessages(found)
  const seconds = Math.round((performance.now() - begun) / 1000)
  process.stdout.write(`${JSON.stringify({ seconds, messages: found.sent.length, events: found.events })}\n`)
}, 1_800_000)
