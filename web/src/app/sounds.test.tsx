import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { server } from '../testing/fake-server.ts'
import { roomSummary } from '../testing/fixtures.ts'
import { cashCard, cashMessage } from '../testing/message-fixtures.ts'
import { passTime } from '../testing/pass-time.ts'
import { fakeSocket } from '../testing/fake-socket.ts'
import { call } from '../api/call.ts'
import { rooms, startChat, stopChat } from '../chat/model/chat-session.ts'
import { unlockSound } from '../chat/model/sound.ts'
import { setStored } from '../lib/storage.ts'
import { startApprovalAlerts } from '../features/approval/alerts.ts'
import { startAttention } from '../features/room/alerts/attention.ts'

let began = Date.now()
let tones = 0
/** Counts the tones of the device; a sound has two. */
class FakeAudio {
  state = 'running'
  currentTime = 0
  destination = {}
  resume = () => Promise.resolve()
  suspend = () => Promise.resolve()
  private part = () => ({ connect: (next: unknown) => next, start: () => {}, stop: () => {} })
  createOscillator = () => {
    tones++
    return { ...this.part(), frequency: { value: 0 } }
  }
  createGain = () => {
    const ramp = () => {}
    const gain = { setValueAtTime: ramp, linearRampToValueAtTime: ramp, exponentialRampToValueAtTime: ramp }
    return { ...this.part(), gain }
  }
}

let socket: ReturnType<typeof fakeSocket>
let stops: (() => void)[] = []
beforeEach(async () => {
  tones = 0
  // Later than the last sound of the test before: sounds within a second are one.
  began += 60_000
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: began })
  passTime(60_000)
  Object.defineProperty(globalThis, 'AudioContext', { configurable: true, value: FakeAudio })
  // This tab is the one that sounds: the test environment has no locks.
  const locks = { request: (_: string, _options: object, whileLocked: () => Promise<void>) => whileLocked() }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks })
  socket = fakeSocket()
  server.answers('room/list', { data: [], cursor: '1' })
  server.answers('approval/open', { open: 0 })
  server.answers('draft/list', { data: [] })
  startChat('10')
  const unlock = unlockSound()
  // Browsers allow sound after a gesture.
  window.dispatchEvent(new Event('pointerdown'))
  stops = [unlock, startApprovalAlerts(), startAttention(), stopChat, socket.stop]
  await socket.isReady()
})
afterEach(() => {
  for (const stop of stops) stop()
  rooms.clear()
  Reflect.deleteProperty(globalThis, 'AudioContext')
  Reflect.deleteProperty(navigator, 'locks')
})

/** How often it has sounded since the last time. */
const sounds = async () => {
  // Answers come in their order: after this one, the page has those before it.
  await call('approval/open', {}).catch(() => {})
  passTime(2000)
  return tones / 2 - (tones = 0)
}

test('[CAPS-02] what waits for the user’s approval sounds once, and what does not wait for it is silent', async () => {
  server.answers('approval/open', { open: 1 })
  socket.arrives('approval', { calls: 1 })
  expect(await sounds()).toBe(1)
  // Something was decided: nothing new waits.
  socket.arrives('approval', {})
  expect(await sounds()).toBe(0)
  // Decided by somebody else before this page has asked, and a right that is lost.
  server.answers('approval/open', { open: 0 })
  socket.arrives('approval', { calls: 1 })
  expect(await sounds()).toBe(0)
  server.refuses('approval/open', 'access.denied')
  socket.arrives('approval', { calls: 1 })
  expect(await sounds()).toBe(0)
  setStored('sound', 'off')
  server.answers('approval/open', { open: 1 })
  socket.arrives('approval', { calls: 1 })
  expect(await sounds()).toBe(0)
})

test('[CASH-02] a request that waits sounds like a message that waits, again every 20 s until it has ended', async () => {
  const waiting_since = new Date().toISOString()
  const room = roomSummary({ code: 'r1', waiting_since, last_seq: 1, unanswered: 1, message_read: 0 })
  server.answers('room/list', { data: [room], cursor: '2' })
  await rooms.loadList(1)
  const { message_read: _m, read_seq: _r, marked_unread: _u, mark_version: _v, ...fields } = room
  const cash = cashCard()
  const card = cashMessage({ seq: 2, version: 2, cash })
  const change = { code: 'r1', since: 1, version: 2, reset: false, messages: [card] }
  socket.arrives('room', { ...change, room: { ...fields, version: 2, desk_version: 2, last_seq: 2, unanswered: 2 } })
  expect(await sounds()).toBe(1)
  vi.advanceTimersByTime(20_000)
  expect(await sounds()).toBe(1)
  const answered = { ...fields, version: 3, desk_version: 3, last_seq: 2, unanswered: 0, waiting_since: null }
  const ended = { ...card, version: 3, cash: { ...cash, state: 'refused' as const } }
  socket.arrives('room', { ...change, since: 2, version: 3, messages: [ended], room: answered })
  vi.advanceTimersByTime(60_000)
  expect(await sounds()).toBe(0)
})
