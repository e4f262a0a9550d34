import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Redis } from '../data/redis.ts'
import { type Frame, type RelayAction, type RelayedEvent, type TopicFrame, withTrace } from './frames.ts'
import { makeBadFrames } from './bad-frames.ts'
import { makePeers, SILENCE_MS } from './peers.ts'
import { frameSeal } from './sealed-frames.ts'
import { makeTopics } from './topics.ts'

export type Relay = {
  /** No other copy runs, or none needs the topic: an event without local listeners need not be rendered. */
  alone(topic?: string): boolean
  /** Sends to all other copies, if there are any. `loose`: losing it does no harm. */
  publish(action: RelayAction, loose?: boolean): void
  /** Sends the events of each topic to the copies with sockets that need it. */
  say(topics: ReadonlyMap<string, RelayedEvent[]>, loose?: boolean): void
  /** Resolves when this copy receives these topics, or after a moment: what it missed is then looked for. */
  want(topics: string[]): Promise<void>
  /** Whether Redis works: this copy receives its own messages. */
  isUp(): boolean
  close(): Promise<void>
}

/** Relays nothing, on a server without Redis. */
export const noRelay: Relay = {
  alone: () => true,
  publish: () => {},
  say: () => {},
  want: () => Promise.resolve(),
  isUp: () => true,
  close: () => Promise.resolve(),
}

/** Opens the relay to the other processes; `subscribed` resolves when this one receives their messages. */
export type OpenRelay = (handlers: RelayHandlers) => Relay & { subscribed: Promise<void> }

export type RelayHandlers = {
  perform: (action: RelayAction) => void
  /** Actions of another copy were missed, or may have been, after this moment (`performance.now()`). */
  onGap: (since: number) => void
  /** Another copy has fallen silent without a goodbye. */
  onLost?: (() => void) | undefined
  /** Called every second while Redis does not work. */
  onDark: () => void
  /** Whether a socket of this copy needs a topic. */
  isNeeded: (topic: string) => boolean
  /** The trace that actions continue; undefined where traces are not collected. */
  carried?: (() => string | undefined) | undefined
}
const HEARTBEAT_MS = 1000
/** Topics are swept after so many heartbeats. */
const SWEEP_BEATS = 10

/**
 * Relays actions between copies over Redis. What concerns all copies goes over a common channel; what concerns a person or a
 * group over the channel of its topic, to which only the copies subscribe that have its sockets. While a copy runs that
 * knows no topics, everything goes over the common channel.
 *
 * Each copy numbers its frames on the common channel and sends a beat there every second, which says how many actions it has
 * sent in each topic. A copy that sees a gap in the numbers, lacks an action of a topic that it receives, or hears nothing
 * of a copy that did not say goodbye, has missed something (Redis was gone or came back empty, a slow or cut connection, a
 * killed copy) and looks for it in the database (resync.ts). Nothing waits for Redis.
 *
 * Redis is trusted with delivery only: what no copy has written (sealed-frames.ts) counts as a gap, and so do the frames of
 * copies of before November 2026 during an upgrade. Old frames of a copy that runs are not done again. Those of one that has
 * gone may be: they close sockets, make pages fetch, or show a version of a room that pages drop as old.
 */
export const openRelay = (
  redis: Pick<Redis, 'isReady' | 'publish' | 'listen'>,
  { channel, key, log }: { channel: string; key: Buffer; log: Pick<Logger, 'warn'> },
  { perform, onGap, onLost = () => {}, onDark, isNeeded, carried }: RelayHandlers,
) => {
  const seal = frameSeal(key)
  const bad = makeBadFrames(log, onGap)
  const me = randomBytes(8).toString('hex')
  const mine = `{"from":"${me}"`
  const prefix = `${channel}:`
  let lastEcho = -Infinity
  let echoed = -1
  let lastTick = performance.now()
  /** Since when a copy may exist of which this one has received nothing: its start, or the last time that it lost Redis. */
  let interrupted = lastTick
  let closed = false

  const isUp = () => redis.isReady && sub.isReady && performance.now() - lastEcho < SILENCE_MS
  const topics = makeTopics({
    listener: () => sub,
    channelOf: (topic) => prefix + topic,
    isNeeded,
    isUp: () => isUp(),
    onLate: onGap,
  })
  const peers = makePeers({ onGap, onLost, sinceOf: topics.since })
  const isAlone = () => peers.areGone() && !bad.cameWithin(SILENCE_MS)

  const sender = makeSender({ redis, seal, me, channel, carried, isIdle: () => closed || isAlone() })
  const receiveTopic = (text: string, from: string) => {
    if (text.startsWith(mine)) return
    const frame = seal.readTopic(from, text)
    if (peers.receiveTopic(from.slice(prefix.length), frame)) perform(frame.deed)
  }
  const receiveCommon = (text: string) => {
    const frame = seal.readCommon(channel, text)
    if (frame.from === me) {
      // Only a new beat shows that Redis works.
      if (frame.beat === undefined || frame.beat <= echoed) return
      echoed = frame.beat
      lastEcho = performance.now()
      return
    }
    if (peers.receive(frame, interrupted) && frame.deed) perform(frame.deed)
    if (frame.hello) void sender.beat()
  }
  /** Throws nothing: an error in the library's handler would end the connection without a word. */
  const receive = (text: string, from: string) => {
    try {
      if (from === channel) receiveCommon(text)
      else receiveTopic(text, from)
    } catch (error) {
      bad.take(from, error)
    }
  }
  const tick = () => {
    const now = performance.now()
    // After this process itself has stalled, silence of the others proves nothing.
    const stalled = now - lastTick > 2 * HEARTBEAT_MS
    lastTick = now
    void sender.beat()
    if (!isUp()) onDark()
    peers.lookForSilence(now, !isUp() || stalled)
    if (sender.beats() % SWEEP_BEATS === 0) topics.sweep()
  }

  let isSubscribed = false
  let resolveFirst = () => {}
  const subscribed = new Promise<void>((resolve) => {
    resolveFirst = resolve
  })
  const sub = redis.listen(channel, receive, () => {
    if (isSubscribed) interrupted = lastEcho
    isSubscribed = true
    topics.onListening()
    void sender.beat({ hello: true })
    resolveFirst()
  })
  const heartbeat = setInterval(tick, HEARTBEAT_MS)

  return {
    /** Resolves when this copy receives the others' messages. */
    subscribed,
    alone: isAlone,
    want: (names: string[]) => topics.want(names),
    publish: (action: RelayAction, loose?: boolean) => sender.publish(action, loose),
    say(given: ReadonlyMap<string, RelayedEvent[]>, loose = false) {
      const all = [...given].filter(([, events]) => events.length > 0)
      if (all.length === 0) return
      if (closed || isAlone() || !peers.haveTopics())
        return sender.publish({ do: 'say', said: all.flatMap(([, events]) => events) }, loose)
      for (const [topic, events] of all) sender.topic(topic, { do: 'say', said: events }, loose)
    },
    isUp,
    async close() {
      closed = true
      clearInterval(heartbeat)
      bad.stop()
      await sender.beat({ bye: true })
      sub.destroy()
    },
  }
}

type SenderParts = {
  redis: Pick<Redis, 'isReady' | 'publish'>
  seal: ReturnType<typeof frameSeal>
  me: string
  channel: string
  carried: RelayHandlers['carried']
  /** No other copy hears. */
  isIdle: () => boolean
}

/** Numbers what this copy sends, so that others see what they have missed. */
const makeSender = ({ redis, seal, me, channel, carried, isIdle }: SenderParts) => {
  let n = 0
  let beat = 0
  let said = new Map<string, number>()
  const put = (to: string, frame: Omit<Frame, 'from'> | Omit<TopicFrame, 'from'>) =>
    redis.isReady ? redis.publish(to, seal.write(to, { from: me, ...frame })).catch(() => {}) : undefined
  return {
    beats: () => beat,
    /** Ends a second. A beat that says something is numbered: without it nobody would know what to expect. */
    beat(extra: Pick<Frame, 'hello' | 'bye'> = {}) {
      const sums = said.size > 0 ? { said: Object.fromEntries(said) } : {}
      if (said.size > 0) n++
      said = new Map()
      return put(channel, { n, beat: beat++, ...sums, ...extra })
    },
    topic(topic: string, plain: RelayAction, loose: boolean) {
      const to = `${channel}:${topic}`
      const action = withTrace(plain, carried)
      if (loose) return void put(to, { beat, deed: action })
      const i = (said.get(topic) ?? 0) + 1
      said.set(topic, i)
      void put(to, { beat, i, deed: action })
    },
    publish(action: RelayAction, loose = false) {
      if (!loose) n++
      if (isIdle()) return
      const sent = { n, deed: withTrace(action, carried) }
      void put(channel, loose ? { ...sent, loose } : sent)
    },
  }
}
