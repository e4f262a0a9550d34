import type { ServerEvents } from '@tallyroom/contract/events'
import { unmasked, type Viewer } from '../identity/masking.ts'
import { masked } from './channels.ts'
import type { RelayedEvent } from './frames.ts'
import type { RoomAudience } from './hub.ts'
import type { Io } from './io.ts'
import type { Relay } from './relay.ts'

type Payload<N extends keyof ServerEvents> = Parameters<ServerEvents[N]>[0]
type AddEvent = <N extends keyof ServerEvents>(
  event: N,
  to: string[],
  payload: () => Payload<N>,
  except?: string[],
) => void

/**
 * Collects events by topic, and sends them together. All channels of an event are of sockets that need its topic
 * (`topicOf`). Without listeners here and without other copies an event is not even rendered.
 */
export const eventCollector =
  (io: Io, relay: Pick<Relay, 'alone' | 'say'>, emit: (event: RelayedEvent) => void) => () => {
    const topics = new Map<string, RelayedEvent[]>()
    const { rooms } = io.of('/').adapter
    const about = (topic: string): AddEvent => {
      const alone = relay.alone(topic)
      const said: RelayedEvent[] = []
      topics.set(topic, said)
      return (event, to, payload, except = []) => {
        if (!alone || to.some((name) => rooms.has(name))) said.push({ event, to, except, payload: payload() })
      }
    }
    const say = (loose = false) => {
      for (const events of topics.values()) events.forEach(emit)
      relay.say(topics, loose)
    }
    return { about, say }
  }

/** Adds an event of a room for its group, rendered for viewers with usernames, without, and for its senders. */
export const addForGroup = <N extends 'room' | 'desk'>(
  add: AddEvent,
  event: N,
  room: RoomAudience,
  change: (viewer: Viewer) => Payload<N>,
  senders: number[],
) => {
  const group = [`group:${room.groupId}`, `room:${room.code}`]
  add(event, group, () => change(unmasked))
  // Senders get their own name unmasked.
  const writers = senders.map((id) => `user:${id}`)
  add(event, masked(group), () => change({ id: 0, masks: true }), writers)
  for (const id of senders.filter((one) => one !== room.partnerId))
    add(event, [`user:${id}:masked`], () => change({ id, masks: true }))
}
