import { type RelayAction, withTrace } from '../live/frames.ts'
import type { OpenRelay, RelayHandlers } from '../live/relay.ts'
import { KEEP_MS, takeUnneeded } from '../live/topics.ts'
import type { Handlers, Link } from './link.ts'

type Carried = RelayHandlers['carried']
const asText = (action: RelayAction, carried: Carried) => JSON.stringify(withTrace(action, carried))
/** An action as JSON, which is read only where it is needed; without a topic it concerns all. */
type Sent = [topic: string | undefined, text: string]
const asSent = (
  topics: ReadonlyMap<string, Extract<RelayAction, { do: 'say' }>['said']>,
  isMeant: (topic: string) => boolean,
  carried: Carried,
) =>
  [...topics].flatMap(([topic, said]): Sent[] =>
    said.length > 0 && isMeant(topic) ? [[topic, asText({ do: 'say', said }, carried)]] : [],
  )

/** The relay of a worker: its actions go to the writer, which passes them on to the other workers. */
export const workerRelay =
  (link: Pick<Link, 'on' | 'tell' | 'ask'>): OpenRelay =>
  ({ perform, onGap, isNeeded, carried }) => {
    /** The topics that this worker receives, and when a socket needed them. */
    const topics = new Map<string, { neededAt: number; received: Promise<void> }>()
    const sweep = () => {
      const unneeded = takeUnneeded(topics, isNeeded)
      if (unneeded.length > 0) link.tell('drop', unneeded)
    }
    const timer = setInterval(sweep, KEEP_MS / 3).unref()
    link.on({
      relay: (text: string) => perform(JSON.parse(text) as RelayAction),
      missed: (agoMs: number) => onGap(performance.now() - agoMs),
    })
    return {
      alone: () => false,
      publish: (action) => link.tell('relay', [[undefined, asText(action, carried)]] satisfies Sent[]),
      say(said) {
        const sent = asSent(said, () => true, carried)
        if (sent.length > 0) link.tell('relay', sent)
      },
      async want(names) {
        const fresh = names.filter((name) => !topics.has(name))
        if (fresh.length > 0) {
          const received = link.ask<void>('want', fresh)
          for (const name of fresh) topics.set(name, { neededAt: 0, received })
        }
        const wanted = names.flatMap((name) => topics.get(name) ?? [])
        for (const topic of wanted) topic.neededAt = performance.now()
        await Promise.all(wanted.map(({ received }) => received))
      },
      // Without the writer this process ends.
      isUp: () => true,
      subscribed: Promise.resolve(),
      close: async () => clearInterval(timer),
    }
  }

type Peer = Pick<Link, 'tell' | 'isClogged'>
type Member = {
  link: Peer
  topics: Set<string>
  /** Since when it has missed actions because it reads too slowly. */
  missedSince: number | undefined
}

/** The writer's side: passes actions on to the workers that need them, its own too. It has no sockets, so it needs none. */
export const makeSwitchboard = () => {
  const members = new Map<Peer, Member>()

  const tellOfMissed = (member: Member) => {
    const { link, missedSince } = member
    if (missedSince === undefined || link.isClogged()) return
    member.missedSince = undefined
    link.tell('missed', performance.now() - missedSince)
  }
  const publish = (sent: Sent[], from?: Peer) => {
    for (const member of members.values()) {
      const { link, topics } = member
      if (link === from) continue
      tellOfMissed(member)
      const meant = sent.filter(([topic]) => topic === undefined || topics.has(topic))
      // Dropped instead of kept in memory: the worker looks for it in the database when it reads again.
      if (meant.length > 0 && link.isClogged()) member.missedSince ??= performance.now()
      else for (const [, text] of meant) link.tell('relay', text)
    }
  }
  const tellOthers = (from: Peer, name: string, input: unknown) => {
    for (const link of members.keys()) if (link !== from) link.tell(name, input)
  }
  const timer = setInterval(() => members.forEach(tellOfMissed), 1000).unref()
  const isWanted = (topic: string) => {
    for (const { topics } of members.values()) if (topics.has(topic)) return true
    return false
  }

  const openRelay: OpenRelay = ({ carried }) => ({
    alone: (topic) => members.size === 0 || (topic !== undefined && !isWanted(topic)),
    publish: (action) => publish([[undefined, asText(action, carried)]]),
    say: (said) => publish(asSent(said, isWanted, carried)),
    want: () => Promise.resolve(),
    isUp: () => true,
    subscribed: Promise.resolve(),
    close: async () => clearInterval(timer),
  })
  return {
    openRelay,
    /** Lets a worker take part, and returns what answers it. */
    add(link: Peer): Handlers {
      const member: Member = { link, topics: new Set(), missedSince: undefined }
      members.set(link, member)
      return {
        relay: (sent: Sent[]) => publish(sent, link),
        want: (names: string[]) => {
          for (const name of names) member.topics.add(name)
        },
        drop: (names: string[]) => {
          for (const name of names) member.topics.delete(name)
        },
        taken: (calls: unknown) => tellOthers(link, 'taken', calls),
      }
    },
    /** `silentMs`: it has died; what it did not say since it was last heard is looked for by the others. */
    remove(link: Peer, silentMs?: number) {
      members.delete(link)
      if (silentMs !== undefined) tellOthers(link, 'missed', silentMs)
    },
  }
}
