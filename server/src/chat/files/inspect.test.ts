import { onTestFinished, expect, test, vi } from 'vitest'
import { makeVoice } from '../../testing/files.ts'
import { makeInspector } from './inspect.ts'

test('[CONV-12] a file that takes too long spoils only itself, not the next one', async () => {
  const inspector = makeInspector({ info: () => {} })
  onTestFinished(() => inspector.stop())
  // The clock too: on a busy machine the pause would have begun a second ago.
  const voice = await makeVoice()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = [1, 2]
  const slow = inspector.inspect(voice, one)
  // Before its process has begun.
  vi.advanceTimersByTime(5000)
  await expect(slow).rejects.toMatchObject({ refusal: 'message.voice_damaged' })
  expect(await inspector.inspect(await makeVoice({ seconds: 2 }), other)).toMatchObject({ ms: 2000 })
  // Its account waits, so that it does not hold up all others again and again.
  const next = (of: number) => inspector.inTurn(of, () => inspector.inspect(voice, of))
  await expect(next(one)).rejects.toMatchObject({ refusal: 'request.too_often', data: { seconds: 60 } })
  expect(await next(other)).toMatchObject({ ms: 3000 })
})
