import type { Message, Quote } from '@tallyroom/contract/events'
import { errors } from '@tallyroom/contract/errors'
import { MessageType } from '@tallyroom/contract/codes'
import { describe, expect, it } from 'vitest'
import { type Call, CallError, NO_ANSWER } from '../../../api/call.ts'
import { makeOutbox } from './outbox.ts'

type Sent = { code: string; content: string; request_id: string; quote?: string; seen?: number }
/** A server that stores each id once, behind a network that loses what `fate` says. */
type Fate = 'fine' | 'lost' | 'lost answer' | 'refused' | 'refused quote'
const setUp = (fate: (sent: Sent, n: number) => Fate = () => 'fine') => {
  const stored: Sent[] = []
  const text: { kept: string | undefined } = { kept: undefined }
  let asked = 0
  const shown = { seq: 1 }
  const ask = (async (_name: string, sent: Sent) => {
    const what = fate(sent, asked++)
    await Promise.resolve()
    if (what === 'lost') throw new CallError(NO_ANSWER, 'no answer')
    if (what === 'refused quote')
      throw new CallError(errors['message.quote_taken_back'], 'taken back', {}, 'message.quote_taken_back')
    if (what === 'refused') throw new CallError(errors['request.invalid'], 'refused')
    if (!stored.some((known) => known.request_id === sent.request_id)) stored.push(sent)
    if (what === 'lost answer') throw new CallError(NO_ANSWER, 'no answer')
    return { message_id: sent.request_id } as Message
  }) as unknown as Call
  type Wait = (ms: number, kicked: Promise<void>) => Promise<void>
  const box = (wait: Wait = () => new Promise((resolve) => setTimeout(resolve, 1))) =>
    makeOutbox({
      ask,
      delivered: () => {},
      newestSeq: () => shown.seq,
      storage: { read: () => text.kept, write: (next) => (text.kept = next) },
      wait,
    })
  return { stored, text, shown, box }
}
const idle = () => new Promise((resolve) => setTimeout(resolve, 60))

describe('[ROOM-12] the outbox', () => {
  it('stores each message once and in the order written when the network loses requests and answers', async () => {
    const fates = ['fine', 'lost', 'lost answer'] as const
    const { stored, box } = setUp((_, n) => fates[(n * 7) % 3] ?? 'fine')
    const outbox = box()
    const ids = [1, 2, 3, 4, 5].map((n) => outbox.add('room', `text ${n}`))
    await expect.poll(() => outbox.of('room').map((item) => item.state)).toEqual(Array(5).fill('sent'))
    expect(stored.map((sent) => sent.request_id)).toEqual(ids)
    outbox.confirm(
      'room',
      ids.map((message_id) => ({ message_id }) as Message),
    )
    expect(outbox.of('room')).toEqual([])
  })

  it('[CONV-06] a message says what its sender had seen when it was written, however late it arrives', async () => {
    const { stored, shown, box } = setUp((_, n) => (n === 0 ? 'lost' : 'fine'))
    const outbox = box()
    outbox.add('room', 'an answer')
    shown.seq = 2
    await idle()
    expect(stored.map(({ seen }) => seen)).toEqual([1])
  })

  it('a refused message stays with the server’s error, the next one is sent, a retry keeps the id', async () => {
    const { stored, box } = setUp((sent, n) => (sent.content === 'bad' && n === 0 ? 'refused' : 'fine'))
    const outbox = box()
    const bad = outbox.add('room', 'bad')
    outbox.add('room', 'good')
    await idle()
    expect(outbox.of('room').map((item) => [item.state, item.error])).toEqual([
      ['failed', 'refused'],
      ['sent', undefined],
    ])
    const [failed] = outbox.of('room')
    if (failed) outbox.retry(failed)
    await idle()
    expect(stored.map((sent) => sent.content)).toEqual(['good', 'bad'])
    expect(stored[1]?.request_id).toBe(bad)
  })

  it('[CONV-09] [CONV-10] a message whose quote was taken back goes without it, under the same id', async () => {
    const { stored, text, box } = setUp(({ quote }) => (quote ? 'refused quote' : 'fine'))
    const outbox = box()
    const quote = { message_id: 'm1', content: 'hello' } as Quote
    const id = outbox.add('room', 'about it', { quote })
    // A reload while it waits keeps what it quotes.
    expect(text.kept).toContain('m1')
    await idle()
    const [failed] = outbox.of('room')
    expect(failed).toMatchObject({ state: 'failed', isUnquotable: true, content: 'about it' })
    if (failed) outbox.retry(failed, failed.isUnquotable)
    await idle()
    expect(stored).toMatchObject([{ request_id: id, content: 'about it' }])
    expect(stored[0]?.quote).toBeUndefined()
  })

  it('[CONV-01] refused texts are returned in their order and leave the outbox', async () => {
    const { box } = setUp(({ content }) => (content === 'good' ? 'fine' : 'refused'))
    const outbox = box()
    for (const content of ['one', 'good', 'two']) outbox.add('room', content)
    await idle()
    expect(outbox.takeRefused('room')).toEqual(['one', 'two'])
    expect(outbox.of('room').map(({ content }) => content)).toEqual(['good'])
  })

  it('an unsent message survives a reload with its room and its id', async () => {
    const { stored, text, box } = setUp((_, n) => (n < 3 ? 'lost' : 'fine'))
    const before = box()
    const id = before.add('room', 'not lost')
    await Promise.resolve()
    const left = text.kept
    before.stop()
    await idle()
    text.kept = left
    const after = box()
    after.start()
    await idle()
    expect(stored).toEqual([{ code: 'room', type: MessageType.text, content: 'not lost', seen: 1, request_id: id }])
  })

  it('after the end of a session the next one waits between its tries too', async () => {
    let tries = 0
    const { box } = setUp(() => {
      tries++
      return 'lost'
    })
    const outbox = box((_, kicked) => kicked)
    outbox.stop()
    outbox.start()
    outbox.add('room', 'an answer')
    await idle()
    expect(tries).toBe(1)
    outbox.flush()
    await idle()
    expect(tries).toBe(2)
    outbox.stop()
  })
})
