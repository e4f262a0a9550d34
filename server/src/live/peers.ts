import type { Frame, TopicFrame } from './frames.ts'

/** A copy of which nothing is heard for so long has gone, or cannot be heard. */
export const SILENCE_MS = 4000
const MAX_PEERS = 1000

/** `at`: since when it is silent, not counting the time in which it could not be heard; `heard`: when it was last heard. */
type Peer = {
  n: number
  at: number
  heard: number
  gone: boolean
  /** It receives topics. A copy of before November 2026 does not. */
  hasTopics: boolean
  /** The running second of the peer, when it began here, and how many actions of each topic have arrived in it. */
  beat: number
  began: number
  counts: Map<string, number>
}

type PeerHandlers = {
  /** Actions were missed, or may have been, after this moment. */
  onGap: (since: number) => void
  /** A peer has fallen silent without a goodbye. */
  onLost: () => void
  /** Since when this copy receives a topic. */
  sinceOf: (topic: string) => number | undefined
}

/** Keeps what this copy has received from each of the others, and what it has missed. */
export const makePeers = ({ onGap, onLost, sinceOf }: PeerHandlers) => {
  const peers = new Map<string, Peer>()

  const forget = () => {
    if (peers.size > MAX_PEERS) for (const [name, { gone }] of peers) if (gone) peers.delete(name)
  }
  /** A message of the second in which this copy subscribed may be from before. */
  const isExpected = (peer: Peer, topic: string) => (sinceOf(topic) ?? Infinity) <= peer.began
  /** Whether fewer actions of a topic arrived in the second that ended than its sender has sent. */
  const lacks = (peer: Peer, { beat, said }: Frame) =>
    Object.entries(said ?? {}).some(
      ([topic, count]) => count > (peer.beat === beat ? (peer.counts.get(topic) ?? 0) : 0) && isExpected(peer, topic),
    )

  return {
    /** Notes a frame of the common channel. Returns whether its action is new. */
    receive(frame: Frame, interrupted: number): boolean {
      forget()
      const now = performance.now()
      const known = peers.get(frame.from)
      // Sent again by another: a copy's frames arrive in their order.
      if (known && (frame.n < known.n || (frame.beat ?? Infinity) < known.beat)) return false
      const peer = known ?? { n: 0, hasTopics: false, beat: 0, began: now, counts: new Map<string, number>() }
      const isCounted = (frame.deed !== undefined && !frame.loose) || frame.said !== undefined
      const hasMissed = frame.n > peer.n + (isCounted ? 1 : 0)
      const isNew = frame.n > peer.n
      const next = { ...peer, n: Math.max(peer.n, frame.n), at: now, heard: now, gone: frame.bye === true }
      const lacksSome = known !== undefined && lacks(known, frame)
      if (frame.beat !== undefined) {
        Object.assign(next, { hasTopics: true, beat: frame.beat + 1, began: now })
        next.counts.clear()
      }
      peers.set(frame.from, next)
      if (lacksSome) onGap(Math.min(known.heard, known.began))
      else if (hasMissed) onGap(known?.heard ?? interrupted)
      return frame.loose === true || isNew
    },
    /** Notes a frame of a topic. Returns whether its action is new. */
    receiveTopic(topic: string, { from, beat, i }: TopicFrame): boolean {
      const peer = peers.get(from)
      // Its first beat is numbered, so it will be seen to have sent something.
      if (!peer || i === undefined) return true
      if (beat < peer.beat) return false
      if (beat > peer.beat) {
        peer.counts.clear()
        peer.beat = beat
      }
      const count = peer.counts.get(topic) ?? 0
      if (i <= count) return false
      peer.counts.set(topic, i)
      if (i > count + 1 && isExpected(peer, topic)) onGap(peer.began)
      return true
    },
    areGone: () => [...peers.values()].every(({ gone }) => gone),
    /** Whether each of the others receives topics. */
    haveTopics: () => [...peers.values()].every(({ gone, hasTopics }) => gone || hasTopics),
    /** A copy that falls silent without a goodbye may have done something unnoticed. `excused`: it could not be heard. */
    lookForSilence(now: number, excused: boolean) {
      for (const peer of peers.values()) {
        if (excused) peer.at = now
        if (peer.gone || now - peer.at < SILENCE_MS) continue
        peer.gone = true
        onLost()
        onGap(peer.heard)
      }
    },
  }
}
