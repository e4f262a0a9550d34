import { onTestFinished, expect, test, vi } from 'vitest'
import { makePdf } from '../../testing/files.ts'
import { makeInspector } from './inspect.ts'

test('[CONV-12] a file that takes too long spoils only itself, not the next one', async () => {
  const inspector = makeInspector({ info: () => {} })
  onTestFinished(() => inspector.stop())
  // The clock too: on a busy machine the pause would have begun a second ago.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = [1, 2]
  const slow = inspector.inspect(makePdf(), one)
  // Before its process has begun.
  vi.advanceTimersByTime(12_000)
  await expect(slow).rejects.toMatchObject({ refusal: 'message.pdf_damaged' })
  expect(await inspector.inspect(makePdf({ pages: 3 }), other)).toMatchObject({ kind: 'pdf', pages: 3 })
  // Its account waits, so that it does not hold up all others again and again.
  const next = (of: number) => inspector.inTurn(of, () => inspector.inspect(makePdf(), of))
  await expect(next(one)).rejects.toMatchObject({ refusal: 'request.too_often', data: { seconds: 60 } })
  expect(await next(other)).toMatchObject({ kind: 'pdf' })
})
