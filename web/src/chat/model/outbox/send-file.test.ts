import type { Message } from '@tallyroom/contract/events'
import { UPLOAD_PART_BYTES } from '@tallyroom/contract/files'
import { MessageType } from '@tallyroom/contract/codes'
import { describe, expect, it } from 'vitest'
import { type Call, CallError, NO_ANSWER } from '../../../api/call.ts'
import { makeOutbox } from './outbox.ts'

/** A server that keeps what arrives, behind a line that breaks at the parts of `cuts`: before or after they arrived. */
const setUp = (cuts: Record<number, 'before' | 'after'> = {}) => {
  const calls: [string, Record<string, unknown>][] = []
  let bytes = new Uint8Array()
  let posts = 0
  const messages = new Map<string, Message>()
  const ask = (async (name: string, input: Record<string, unknown>) => {
    await Promise.resolve()
    calls.push([name, input])
    if (name === 'upload/begin') return { upload: 'u1' }
    const id = String(input.request_id)
    const message = messages.get(id) ?? ({ message_id: id, seq: messages.size + 1 } as Message)
    messages.set(id, message)
    return message
  }) as unknown as Call
  const sendBytes = async (path: string, body: ArrayBuffer) => {
    await Promise.resolve()
    const cut = cuts[++posts]
    if (cut === 'before') throw new CallError(NO_ANSWER, 'cut')
    const offset = Number(new URLSearchParams(path.split('?')[1]).get('offset'))
    if (offset === bytes.length) bytes = Uint8Array.from([...bytes, ...new Uint8Array(body)])
    if (cut === 'after') throw new CallError(NO_ANSWER, 'cut')
    return bytes.length
  }
  const outbox = makeOutbox({
    ask,
    sendBytes,
    delivered: () => {},
    storage: { read: () => undefined, write: () => {} },
    wait: () => new Promise((resolve) => setTimeout(resolve, 1)),
  })
  return { outbox, calls, messages, received: () => bytes, posts: () => posts }
}
const done = (outbox: ReturnType<typeof setUp>['outbox']) =>
  expect.poll(() => outbox.of('room').some(({ state }) => state === 'sending')).toBe(false)
const pdf = (size: number) => {
  const bytes = Uint8Array.from({ length: size }, (_, n) => (n * 31) % 251)
  return { bytes, source: { blob: new Blob([bytes]), name: 'slip.pdf' } }
}

describe('[CONV-12] sending a file', () => {
  it('goes on after three cuts where the server is, and arrives once and whole', async () => {
    const { outbox, calls, messages, received, posts } = setUp({ 2: 'before', 4: 'after', 6: 'before' })
    const { bytes, source } = pdf(4 * UPLOAD_PART_BYTES + 100)
    const id = outbox.add('room', '', { source })
    await done(outbox)
    expect(Buffer.from(received()).equals(Buffer.from(bytes))).toBe(true)
    expect([...messages.keys()]).toEqual([id])
    expect(outbox.of('room')).toMatchObject([{ state: 'sent', type: MessageType.file }])
    // Five parts, and one more for each cut: nothing was sent from the start.
    expect(posts()).toBe(8)
    expect(calls.filter(([name]) => name === 'upload/begin')).toHaveLength(1)
  })

  it('does not hold up texts, and ends when it is called off', async () => {
    const { outbox, calls } = setUp(
      Object.fromEntries(Array.from({ length: 999 }, (_, n) => [n + 1, 'before' as const])),
    )
    outbox.add('room', '', { source: pdf(300).source })
    outbox.add('room', 'hello')
    await expect.poll(() => outbox.of('room').find(({ type }) => type === MessageType.text)?.state).toBe('sent')
    const [file] = outbox.of('room')
    if (file) outbox.discard(file)
    expect(outbox.of('room').map(({ type }) => type)).toEqual([1])
    const count = calls.length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(calls).toHaveLength(count)
  })

  it('that changed on the disk meanwhile says so and is not sent', async () => {
    const { outbox, messages } = setUp()
    const blob = new Blob(['x'.repeat(100)])
    const gone = { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) } as unknown as Blob
    outbox.add('room', '', { source: { blob: Object.assign(blob, { slice: () => gone }), name: 'a.pdf' } })
    await done(outbox)
    expect(outbox.of('room')).toMatchObject([{ state: 'failed' }])
    expect(messages.size).toBe(0)
  })

  it('a voice note carries its waveform', async () => {
    const { outbox, calls } = setUp()
    const voice = { ms: 1200, waveform: [1, 2, 3] }
    outbox.add('room', '', { source: { blob: new Blob(['abc']), name: '', voice } })
    await done(outbox)
    expect(calls.at(-1)).toMatchObject(['message/sendFile', { upload: 'u1', waveform: [1, 2, 3] }])
    expect(outbox.of('room')).toMatchObject([{ type: MessageType.voice }])
  })
})
