import { randomBytes } from 'node:crypto'
import type { Redis } from '../data/redis.ts'

/** An action on the sockets of a copy, which the other copies repeat on theirs. */
export type RelayedEvent = { event: string; to: string[]; except: string[]; payload: unknown }
export type RelayAction =
  | { do: 'say'; said: RelayedEvent[] }
  | { do: 'end'; sessions: string[]; reason: string }
  | { do: 'mask'; accounts: number[]; masks: boolean }
  | { do: 'catch-up' }

export type Relay = {
  /** No other copy is running, so an event without local listeners need not be rendered. */
  alone(): boolean
  /** Sends to the other copies, if there are any. `loose`: losing it does no harm. */
  publish(action: RelayAction, loose?: boolean): void
  /** Whether Redis works: this copy receives its own messages. */
  isUp(): boolean
  close(): Promise<void>
}

/** For a server without Redis. */
export const noRelay: Relay = { alone: () => true, publish: () => {}, isUp: () => true, close: () => Promise.resolve() }

type RelayHandlers = {
  perform: (action: RelayAction) => void
  /** An action of another copy was missed, or may have been. */
  onGap: () => void
  /** Called every second while Redis does not work. */
  onDark: () => void
}
/**
 * `n`: the number of counted actions of this copy, including this one. The field names are the protocol between copies,
 * which may run different versions during an upgrade.
 */
type Frame = { from: string; n: number; deed?: RelayAction; loose?: true; hello?: true; bye?: true }
type Peer = { n: number; at: number; gone: boolean }

const HEARTBEAT_MS = 1000
const SILENCE_MS = 4000
const MAX_PEERS = 1000

/**
 * Relays actions between copies over one Redis channel. Each copy numbers its actions and sends the number with every
 * action and with a heartbeat every second. A copy that sees a gap in the numbers, or no heartbeat from a copy that did
 * not say goodbye, has missed something (Redis was gone or came back empty, a slow or cut connection, a killed copy)
 * and makes its sockets catch up. Nothing waits for Redis.
 */
export const openRelay = (redis: Redis, channel: string, { perform, onGap, onDark }: RelayHandlers) => {
  const me = randomBytes(8).toString('hex')
  const peers = new Map<string, Peer>()
  let n = 0
  let lastEcho = -Infinity
  let lastTick = performance.now()
  let closed = false
  const sub = redis.duplicate()

  const isUp = () => redis.isReady && sub.isReady && performance.now() - lastEcho < SILENCE_MS
  const send = (frame: Omit<Frame, 'from' | 'n'>) => {
    if (redis.isReady) redis.publish(channel, JSON.stringify({ from: me, n, ...frame })).catch(() => {})
  }
  const receive = (text: string) => {
    const frame = JSON.parse(text) as Frame
    if (frame.from === me) {
      lastEcho = performance.now()
      return
    }
    if (peers.size > MAX_PEERS) peers.clear()
    const known = peers.get(frame.from)?.n ?? 0
    const isCounted = frame.deed !== undefined && !frame.loose
    peers.set(frame.from, { n: Math.max(known, frame.n), at: performance.now(), gone: frame.bye === true })
    if (frame.n > known + (isCounted ? 1 : 0)) onGap()
    if (frame.deed && (frame.loose || frame.n > known)) perform(frame.deed)
    if (frame.hello) send({})
  }
  const tick = () => {
    const now = performance.now()
    // After this process itself has stalled, silence of the others proves nothing.
    const stalled = now - lastTick > 2 * HEARTBEAT_MS
    lastTick = now
    send({})
    if (!isUp()) onDark()
    for (const peer of peers.values()) {
      if (!isUp() || stalled) peer.at = now
      if (peer.gone || now - peer.at < SILENCE_MS) continue
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
    // The library repeats the subscription after each reconnect, before it emits `ready`.
    if (isSubscribed) greet()
    else sub.subscribe(channel, receive).then(greet, () => {})
  })
  sub.connect().catch(() => {})
  const heartbeat = setInterval(tick, HEARTBEAT_MS)

  return {
    /** Resolves when this copy receives the others' messages. */
    subscribed,
    alone: () => [...peers.values()].every(({ gone }) => gone),
    publish(action: RelayAction, loose = false) {
      if (!loose) n++
      if (!closed && [...peers.values()].some(({ gone }) => !gone))
        send(loose ? { deed: action, loose } : { deed: action })
    },
    isUp,
    async close() {
      closed = true
      clearInterval(heartbeat)
      if (redis.isReady) await redis.publish(channel, JSON.stringify({ from: me, n, bye: true })).catch(() => {})
      sub.destroy()
    },
  }
}
