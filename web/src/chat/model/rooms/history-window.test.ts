import type { Aside, Message } from '@tallyroom/contract/events'
import { expect, test } from 'vitest'
import { makeHistoryWindows, mergeLive } from './history-window.ts'
import { freshRoom, type RoomState } from './room-state.ts'
import type { Call } from '../../../api/call.ts'

const message = (seq: number, version = seq) => ({ message_id: `m${seq}`, seq, version }) as Message
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => message(from + n))
/** An internal note after every tenth message. */
const aside = (after_seq: number) => ({ aside_id: `a${after_seq}`, seq: after_seq / 10, after_seq }) as Aside
const said = (from: number, to: number) =>
  [...Array(30).keys()]
    .map((n) => n * 10)
    .filter((n) => n >= from && n <= to)
    .map(aside)
const seqs = (messages: readonly Message[] = []) => [messages[0]?.seq, messages.at(-1)?.seq, messages.length]

/** A server of one room of 200 messages. */
const setUp = () => {
  let failing = false
  const ask = (async (_: string, input: { around?: number; before?: number; after?: number }) => {
    await Promise.resolve()
    if (failing) throw new Error('no answer')
    const newest = input.around ? input.around + 15 : input.before ? input.before - 1 : (input.after ?? 0) + 30
    const [from, to] = [Math.max(1, newest - 29), Math.min(newest, 200)]
    return { messages: range(from, to), has_more: from > 1, has_newer: to < 200, asides: said(from, to) }
  }) as unknown as Call
  return { past: makeHistoryWindows(ask), fail: (now: boolean) => (failing = now) }
}
const live = (from: number, to: number, olderUpdates: Message[] = []): RoomState => ({
  ...freshRoom({
    room: { code: 'r', version: to } as never,
    messages: range(from, to),
    has_more: from > 1,
    asides: [],
  }),
  olderUpdates: new Map(olderUpdates.map((one) => [one.seq, one])),
})

test('[ROOM-04] from an old message the window grows in both directions, without gaps or duplicates', async () => {
  const { past } = setUp()
  await past.show('r', 100)
  expect(seqs(past.of('r')?.messages)).toEqual([86, 115, 30])
  await Promise.all([past.older('r'), past.older('r'), past.newer('r'), past.newer('r')])
  expect(seqs(past.of('r')?.messages)).toEqual([56, 145, 90])
  for (let n = 0; n < 5; n++) await Promise.all([past.older('r'), past.newer('r')])
  expect(seqs(past.of('r')?.messages)).toEqual([1, 200, 200])
  expect(past.of('r')).toMatchObject({ hasMore: false, hasNewer: false, older: 'ready', newer: 'ready' })
})

test('an answer for another window, or for a closed one, is dropped', async () => {
  const { past } = setUp()
  const first = past.show('r', 100)
  const second = past.show('r', 20)
  await Promise.all([first, second])
  expect(past.of('r')).toMatchObject({ at: 20, loading: 'ready' })
  const late = past.newer('r')
  past.close('r')
  await late
  expect(past.of('r')).toBeUndefined()
})

test('a page that failed can be loaded again', async () => {
  const { past, fail } = setUp()
  await past.show('r', 100)
  fail(true)
  await past.newer('r')
  expect(past.of('r')?.newer).toBe('failed')
  fail(false)
  await past.newer('r')
  expect(seqs(past.of('r')?.messages)).toEqual([86, 145, 60])
  fail(true)
  await past.show('r', 10)
  expect(past.of('r')).toMatchObject({ loading: 'failed', error: 'no answer' })
})

test('[ROOM-12] the window takes newer versions from the live room, and its messages once they meet', async () => {
  const { past } = setUp()
  await past.show('r', 100)
  const now = past.of('r')
  if (!now) throw new Error('no window is open')
  expect(mergeLive(now, undefined)).toMatchObject({ hasNewer: true })
  const apart = mergeLive(now, live(171, 200, [message(90, 250), message(300, 1)]))
  expect([seqs(apart.messages), apart.hasNewer]).toEqual([[86, 115, 30], true])
  expect(apart.messages.find(({ seq }) => seq === 90)?.version).toBe(250)
  const met = mergeLive(now, live(110, 203))
  expect([seqs(met.messages), met.hasNewer]).toEqual([[86, 203, 118], false])
  // The window was loaded up to the end, but the live part begins later.
  const end = { ...now, messages: range(170, 200), hasNewer: false }
  expect(mergeLive(end, live(230, 260)).hasNewer).toBe(true)
})

test('an internal note is in its place between old messages, once', async () => {
  const { past } = setUp()
  await past.show('r', 100)
  const seqs = (asides: readonly Aside[] = []) => asides.map(({ after_seq }) => after_seq)
  expect(seqs(past.of('r')?.asides)).toEqual([90, 100, 110])
  await past.older('r')
  await past.newer('r')
  const now = past.of('r')
  if (!now) throw new Error('no window is open')
  expect(seqs(now.asides)).toEqual([60, 70, 80, 90, 100, 110, 120, 130, 140])
  // A note of the live part that follows messages not loaded yet is left out.
  const live200 = [130, 140, 190, 200].map(aside)
  expect(seqs(mergeLive(now, live(171, 200), live200).asides)).toEqual(seqs(now.asides))
  expect(seqs(mergeLive(now, live(140, 200), live200).asides)).toEqual([...seqs(now.asides), 190, 200])
})
