import { ChildProcess } from 'node:child_process'
import sharp from 'sharp'
import { onTestFinished, expect, test, vi } from 'vitest'
import { makeVoice } from '../../testing/files.ts'
import { emptyPng, scanBomb } from '../../testing/images.ts'
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
  const next = (of: number) => inspector.limitFiles(of, () => inspector.inspect(voice, of))
  await expect(next(one)).rejects.toMatchObject({ refusal: 'request.too_often', data: { seconds: 60 } })
  expect(await next(other)).toMatchObject({ ms: 3000 })
})

const photo = { shape: 'room', unknown: 'message.not_an_image' } as const

test('[S18] an image that takes too long is ended with its process, and spoils neither another image nor sound', async () => {
  const inspector = makeInspector({ info: () => {} })
  onTestFinished(() => inspector.stop())
  const kill = vi.spyOn(ChildProcess.prototype, 'kill')
  onTestFinished(() => kill.mockRestore())
  const voice = await makeVoice()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const [one, other] = [1, 2]
  const image = (of: number) => inspector.image(emptyPng(20, 10), of, photo)
  const slow = image(one)
  const behind = [image(other), inspector.limitFiles(other, () => inspector.inspect(voice, other))]
  // The others wait for it.
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  vi.advanceTimersByTime(10_000)
  await expect(slow).rejects.toMatchObject({ refusal: 'message.image_too_large' })
  expect(kill).toHaveBeenCalledExactlyOnceWith('SIGKILL')
  expect(await Promise.all(behind)).toMatchObject([{ width: 20, height: 10 }, { ms: 3000 }])
  await expect(image(one)).rejects.toMatchObject({ refusal: 'request.too_often', data: { seconds: 60 } })
})

test('[S18] an image that is made to take long is refused by its head, without being decoded', async () => {
  const refused: unknown[] = []
  const inspector = makeInspector({ info: (line: object) => refused.push(line) } as never)
  onTestFinished(() => inspector.stop())
  const cases = [
    [scanBomb(1), 'more than 50 scans'],
    [scanBomb(3), 'more than 50 scans'],
    [emptyPng(1, 25_000_000), '1 x 25000000 px'],
    [emptyPng(5000, 5001), '5000 x 5001 px'],
  ] as const
  const sent = cases.map(([bytes], account) => inspector.image(bytes, account, photo))
  for (const { status, reason } of (await Promise.allSettled(sent)) as PromiseRejectedResult[])
    expect([status, reason]).toMatchObject(['rejected', { refusal: 'message.image_too_large' }])
  expect(refused).toEqual(cases.map(([bytes, why]) => ({ why, size: bytes.length })))
})

test('[ROOM-07] a photo with previews in its head, and one of as many scans as programs write, are taken', async () => {
  const inspector = makeInspector({ info: () => {} })
  onTestFinished(() => inspector.stop())
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#336699' } })
  const plain = await image.jpeg({ progressive: true }).toBuffer()
  const scan = Buffer.from([0xff, 0xda, 0, 12])
  const preview = Buffer.concat(Array.from({ length: 100 }, () => scan))
  const segment = Buffer.concat([
    Buffer.from([0xff, 0xe5, (preview.length + 2) >> 8, (preview.length + 2) & 0xff]),
    preview,
  ])
  const withPreviews = Buffer.concat([plain.subarray(0, 2), segment, plain.subarray(2)])
  for (const bytes of [plain, withPreviews])
    expect(await inspector.image(bytes, 1, photo)).toMatchObject({ width: 400 })
})
