import { onTestFinished, expect, test, vi } from 'vitest'
import { makePdf } from '../../testing/files.ts'
import { makeInspector } from './inspect.ts'

test('[CONV-12] a file that takes too long spoils only itself, not the next one', async () => {
  const inspector = makeInspector({ info: () => {} })
  onTestFinished(() => inspector.stop())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = inspector.inspect(makePdf())
  // Before its process has begun.
  vi.advanceTimersByTime(20_000)
  await expect(slow).rejects.toMatchObject({ refusal: 'message.pdf_damaged' })
  expect(await inspector.inspect(makePdf({ pages: 3 }))).toMatchObject({ kind: 'pdf', pages: 3 })
})
