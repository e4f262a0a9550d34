import { test } from 'vitest'
import { judgeStorm, storm } from '../support/storm.ts'

test('[R15] [S15] cut again and again, every page ends with the same messages in one order, and no outsider receives any', async () => {
  judgeStorm(await storm({ pages: 9, messages: 240 }))
}, 120_000)
