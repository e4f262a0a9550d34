import { randomBytes } from 'node:crypto'
import type { Redis } from '../data/redis.ts'

/** What a copy of the server does to its own sockets, and tells the other copies to do to theirs. */
export type RelayedEvent = { event: string; to: string[]; except: string[]; payload: unknown }
export type RelayAction =
  | { do: 'say'; said: RelayedEvent[] }
  | { do: 'end'; sessions: string[]; reason: string }
  | { do: 'mask'; accounts: number[]; masks: boolean }
  | { do: 'catch-up' }

export type Relay = {
  /** Nobody else would hear it: then it need not be put into words. */
  alone(): boolean
  /** Tells the others, if there are any. `loose`: nobody is the worse for missing it. */
  publish(deed: RelayAction, loose?: boolean): void
  /** That Redis is there and the others hear us; or that it is not. */
  isUp(): boolean
  close(): Promise<void>
}

/** A house without Redis. */
export const noRelay: Relay = { alone: () => true, publish: () => {}, isUp: () => true, close: () => Promise.resolve() }

type Listening = {
  perform: (deed: RelayAction) => void
  /** Something of the others was missed, or may have been. */
  onGap: () => void
  /** Every second while the others are not heard. */
  onDark: () => void
}
/** `n`: how many deeds that count this copy has done so far, this one among them. */
type Frame = { from: string; n: number; deed?: RelayAction; loose?: true; hello?: true; bye?: true }
type Peer = { n: number; at: number; gone: boolean }

const BEAT = 1000
const SILENCE = 4000
const MOST_PEERS = 1000

/**
 * Copies tell each other over one Redis channel what they have done. Each counts its deeds and says the number with every
 * one and with a beat every second. Who hears a number that does not follow the last, or nothing any more from one who
 * did not say goodbye, has missed something, whatever the reason was (Redis gone, or back and empty, a slow or cut
 * connection, a copy killed before it spoke), and lets its sockets catch up. Nothing waits for Redis.
 */
export const openRelay = (redis: Redis, channel: string, { perform, onGap, onDark }: Listening) => {
  const me = randomBytes(8).toString('hex')
  const peers = new Map<string, Peer>()
  let n = 0
  let heardMyself = -Infinity
  let lastTick = performance.now()
  let closed = false
  const sub = redis.duplicate()

  const isUp = () => redis.isReady && sub.isReady && performance.now() - heardMyself < SILENCE
  const send = (frame: Omit<Frame, 'from' | 'n'>) => {
    if (redis.isReady) redis.publish(channel, JSON.stringify({ from: me, n, ...frame })).catch(() => {})
  }
  const hear = (text: string) => {
    const frame = JSON.parse(text) as Frame
    if (frame.from === me) {
      heardMyself = performance.now()
      return
    }
    if (peers.size > MOST_PEERS) peers.clear()
    const known = peers.get(frame.from)?.n ?? 0
    const isCounted = frame.deed !== undefined && !frame.loose
    peers.set(frame.from, { n: Math.max(known, frame.n), at: performance.now(), gone: frame.bye === true })
    if (frame.n > known + (isCounted ? 1 : 0)) onGap()
    if (frame.deed && (frame.loose || frame.n > known)) perform(frame.deed)
    if (frame.hello) send({})
  }
  const tick = () => {
    const now = performance.now()
    // A process that stood still itself has not listened.
    const stood = now - lastTick > 2 * BEAT
    lastTick = now
    send({})
    if (!isUp()) onDark()
    for (const peer of peers.values()) {
      if (!isUp() || stood) peer.at = now
      if (peer.gone || now - peer.at < SILENCE) continue
      peer.gone = true
      onGap()
    }
  }

  sub.on('error', () => {})
  let isSubscribed = false
  let resolveFirst = () => {}
  const subscribed = new Promise<void>((resolve) => {
    resolveFirst = resolve
  })
  sub.on('ready', () => {
    const greet = () => {
      isSubscribed = true
      send({ hello: true })
      resolveFirst()
    }
    // Once subscribed, the library subscribes anew after each loss, before it says that it is ready.
    if (isSubscribed) greet()
    else sub.subscribe(channel, hear).then(greet, () => {})
  })
  sub.connect().catch(() => {})
  const beating = setInterval(tick, BEAT)

  return {
    /** Resolves when the others are heard. */
    subscribed,
    alone: () => [...peers.values()].every(({ gone }) => gone),
    publish(deed: RelayAction, loose = false) {
      if (!loose) n++
      if (!closed && [...peers.values()].some(({ gone }) => !gone)) send(loose ? { deed, loose } : { deed })
    },
    isUp,
    async close() {
      closed = true
      clearInterval(beating)
      if (redis.isReady) await redis.publish(channel, JSON.stringify({ from: me, n, bye: true })).catch(() => {})
      sub.destroy()
    },
  }
}
