import { test } from 'vitest'
import { expectSameMessages, storm } from '../support/faults/storm.ts'

test('[R15] [S15] with repeated disconnections, every page ends with the same messages in one order, and no outsider receives any', async () => {
  expectSameMessages(await storm({ pages: 9, messages: 240 }))
}, 120_000)
