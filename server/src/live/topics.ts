import type { Listener } from '../data/redis.ts'
import { withTimeout, TimeoutError } from '../lib/concurrency.ts'

/** The longest that a socket waits until its topics are received. */
const WAIT_MS = 250
/** A topic that no socket needs is kept this long: a page that loads again needs it again. */
export const KEEP_MS = 30_000

type Topic = {
  /** Since when it is received; Infinity: not yet. */
  since: number
  wantedAt: number
  neededAt: number
  received: Promise<void>
  /** A socket did not wait any longer, and may have read the database before its events arrive. */
  isLate: boolean
}

type TopicOptions = {
  listener: () => Pick<Listener, 'add' | 'drop'>
  /** The channel of a topic. */
  channelOf: (topic: string) => string
  /** Whether a socket of this copy needs it. */
  isNeeded: (topic: string) => boolean
  isUp: () => boolean
  /** A topic was received later than a socket needed it, which was then. */
  onLate: (since: number) => void
}

/**
 * The topics that this copy receives: those that its sockets need. A topic is what one person (`user:7`) or one group
 * (`group:5`) receives; each is a channel of its own.
 */
export const makeTopics = ({ listener, channelOf, isNeeded, isUp, onLate }: TopicOptions) => {
  const topics = new Map<string, Topic>()

  const confirm = (received: Topic[]) => {
    const late = received.filter(({ isLate }) => isLate).map(({ wantedAt }) => wantedAt)
    for (const topic of received) Object.assign(topic, { since: performance.now(), isLate: false })
    if (late.length > 0) onLate(Math.min(...late))
  }
  /** Each socket of a moment in one command. */
  const add = (names: string[]) => {
    const now = performance.now()
    const added = listener().add(names.map(channelOf))
    const made = names.map((name) => {
      const topic: Topic = { since: Infinity, wantedAt: now, neededAt: now, isLate: false, received: Promise.resolve() }
      topics.set(name, topic)
      return topic
    })
    const received = added.then((isReceived) => {
      if (isReceived) confirm(made)
      else for (const topic of made) topic.isLate = true
    })
    for (const topic of made) topic.received = received
  }

  return {
    /** Resolves when events of these topics arrive, or when that takes too long: what was missed is then looked for. */
    async want(names: string[]) {
      const now = performance.now()
      const fresh = names.filter((name) => !topics.has(name))
      if (fresh.length > 0) add(fresh)
      const wanted = names.flatMap((name) => topics.get(name) ?? [])
      for (const topic of wanted) topic.neededAt = now
      const pending = wanted.filter(({ since }) => since === Infinity)
      if (pending.length === 0) return
      if (isUp()) await withTimeout(Promise.all(pending.map(({ received }) => received)), WAIT_MS).catch(unlessTimedOut)
      for (const topic of pending) topic.isLate ||= topic.since === Infinity
    },
    /** All are received from now on. */
    onListening() {
      confirm([...topics.values()].filter(({ since }) => since === Infinity))
    },
    /** Since when it is received without a break; undefined: it is not. */
    since: (name: string) => topics.get(name)?.since,
    /** Drops what no socket needs any more. */
    sweep() {
      const unneeded = takeUnneeded(topics, isNeeded)
      if (unneeded.length > 0) listener().drop(unneeded.map(channelOf))
    },
  }
}

/** Removes the topics that no socket has needed for a while, and returns their names. */
export const takeUnneeded = (
  topics: Map<string, { neededAt: number }>,
  isNeeded: (topic: string) => boolean,
): string[] => {
  const now = performance.now()
  const unneeded: string[] = []
  for (const [name, topic] of topics) {
    if (isNeeded(name)) topic.neededAt = now
    else if (now - topic.neededAt > KEEP_MS) unneeded.push(name)
  }
  for (const name of unneeded) topics.delete(name)
  return unneeded
}

const unlessTimedOut = (error: unknown) => {
  if (!(error instanceof TimeoutError)) throw error
}
