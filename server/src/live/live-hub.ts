import type { EventName, ServerEvents } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import type { Hub, RoomAudience } from './hub.ts'
import { unmasked, shownText, shownUsername, type Viewer } from '../identity/masking.ts'
import type { Delivered } from './receipts.ts'
import type { LookAction, RelayAction, RelayedEvent } from './frames.ts'
import type { Relay } from './relay.ts'
import type { Io } from './io.ts'

type Payload<N extends keyof ServerEvents> = Parameters<ServerEvents[N]>[0]

type HubHelpers = {
  /** Reads again what may have changed; without an action everything that may have been missed. */
  look: (action?: LookAction) => void
  recheck: (accountIds: number[]) => void
  /** The sockets of these channels were closed or moved. */
  noteMoved: (channels: string[]) => void
}

/**
 * Sends events to the sockets of this copy at once, and through the relay to those of other copies. Local sending never
 * waits for Redis, so without Redis everyone still gets the events of their own copy.
 */
export const makeHub = (
  io: Io,
  relay: Pick<Relay, 'alone' | 'publish' | 'say'>,
  { look, recheck, noteMoved }: HubHelpers,
  log: Logger,
) => {
  /** Set while the announcements of an unsure commit run; they run at once and do not wait for anything. */
  let doubt: Doubt | undefined
  const perform = (action: RelayAction) => {
    if (action.do === 'say') action.said.forEach(emit)
    else if (action.do === 'end') end(action.sessions, action.reason)
    else if (action.do === 'mask') moveChannels(action.accounts, action.masks)
    else if (action.do === 'rights') recheck(action.accounts)
    else if (action.do === 'reconnect') reconnect(action.channels)
    else look(action.do === 'look' ? action : undefined)
  }
  const emit = ({ event, to, except, payload }: RelayedEvent) => {
    // Most events of another process have no listener here, and the library would encode them first.
    const { rooms } = io.of('/').adapter
    if (!to.some((name) => rooms.has(name))) return
    // `RelayedEvent` loses the connection of name and payload, which `add` has checked.
    io.to(to)
      .except(except)
      .emit(event as 'room', payload as never)
  }
  const end = (sessions: string[], reason: string) => {
    const channels = sessions.map((id) => `session:${id}`)
    noteMoved(channels)
    io.to(channels).emit('ended', { reason })
    io.in(channels).disconnectSockets(true)
  }
  /** Closes sockets so that they connect again: joining checks again what each may hear. */
  const reconnect = (channels: string[]) => {
    noteMoved(channels)
    const { adapter, sockets } = io.of('/')
    const ids = new Set(channels.flatMap((name) => [...(adapter.rooms.get(name) ?? [])]))
    for (const id of ids) sockets.get(id)?.conn.close()
  }
  const moveChannels = (accounts: number[], masks: boolean) => {
    const people = accounts.map((id) => `user:${id}`)
    noteMoved(people)
    const moved = io.in(people).fetchSockets()
    moved.then(
      (sockets) => {
        for (const socket of sockets) {
          for (const name of socket.rooms) {
            const [from, to] = masks ? [name, `${name}:masked`] : [name, name.replace(/:masked$/, '')]
            if (!isSplit(from, masks)) continue
            socket.join(to)
            // A masked account stays in `user:{id}` too.
            if (!from.startsWith('user:') || !masks) socket.leave(from)
          }
        }
      },
      (error: unknown) => log.error({ err: error }, 'Could not move sockets to the masked channels'),
    )
  }

  const announce = (action: RelayAction) => {
    perform(action)
    relay.publish(action)
  }
  /**
   * Collects events by topic. All channels of an event are of sockets that need its topic (`topicOf`). Without listeners
   * here and without other copies an event is not even rendered.
   */
  const collectEvents = () => {
    const topics = new Map<string, RelayedEvent[]>()
    const { rooms } = io.of('/').adapter
    const about = (topic: string) => {
      const alone = relay.alone(topic)
      const said: RelayedEvent[] = []
      topics.set(topic, said)
      return <N extends keyof ServerEvents>(
        event: N,
        to: string[],
        payload: () => Payload<N>,
        except: string[] = [],
      ) => {
        if (!alone || to.some((name) => rooms.has(name))) said.push({ event, to, except, payload: payload() })
      }
    }
    const say = (loose = false) => {
      for (const events of topics.values()) events.forEach(emit)
      relay.say(topics, loose)
    }
    return { about, say }
  }
  type AddEvent = ReturnType<ReturnType<typeof collectEvents>['about']>
  const addGroup = <N extends 'room' | 'desk'>(
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

  const isDoubted = (take: (into: Doubt) => void): boolean => {
    if (doubt) take(doubt)
    return doubt !== undefined
  }

  const hub: Hub = {
    roomChanged(room, change, senders = []) {
      if (isDoubted(({ rooms }) => rooms.add(room.id))) return
      const { about, say } = collectEvents()
      addGroup(about(`group:${room.groupId}`), 'room', room, (viewer) => change('group', viewer), senders)
      // A partner that is an agent may see names masked too.
      const { partnerId } = room
      const partner = `user:${partnerId}`
      const add = about(partner)
      add('room', [partner, `room:${room.code}:partner`], () => change('partner'), masked([partner]))
      add('room', masked([partner]), () => change('partner', { id: partnerId, masks: true }))
      say()
    },
    deskChanged(room, change, senders = []) {
      if (isDoubted(({ rooms }) => rooms.add(room.id))) return
      const { about, say } = collectEvents()
      addGroup(about(`group:${room.groupId}`), 'desk', room, change, senders)
      say()
    },
    presence({ code, partnerId }, { actor, side }, what, inside) {
      const own = [`user:${actor.id}`]
      const from = { id: actor.id, username: actor.username, isSub: 0 } as const
      const payloadFor = (viewer: Viewer) =>
        side === 'partner'
          ? { code, what, account_id: 0, name: '' }
          : {
              code,
              what,
              account_id: actor.id,
              name: shownText(viewer, from, actor.nickname) || shownUsername(viewer, from),
            }
      const { about, say } = collectEvents()
      // Colleagues who have the room open need the topic of its partner too.
      const add = about(`user:${partnerId}`)
      const room = `room:${code}`
      add('presence', [room], () => payloadFor(unmasked), own)
      add('presence', masked([room]), () => payloadFor({ id: 0, masks: true }), own)
      // The partner learns that the group is typing, and nothing more.
      if (side === 'group' && what === 'typing' && !inside)
        add('presence', [`${room}:partner`], () => ({ code, what, account_id: 0, name: '' }))
      say(true)
    },
    notify(accountId, event, payload, exceptSession) {
      if (!saysNothing.has(event) && isDoubted(({ accounts }) => accounts.add(accountId))) return
      const { about, say } = collectEvents()
      const add = about(`user:${accountId}`)
      const except = exceptSession === undefined ? [] : [`session:${exceptSession}`]
      add(event, [`user:${accountId}`], () => payload, except)
      if (event === 'account') add('member', [`partner:${accountId}`], () => ({ account_id: accountId }))
      say()
    },
    settingsChanged(accountId) {
      announce({ do: 'say', said: [{ event: 'settings', to: [`below:${accountId}`], except: [], payload: {} }] })
    },
    endSessions(ids, reason) {
      if (ids.length === 0 || isDoubted(doubtEveryone)) return
      announce({ do: 'end', sessions: ids.map(String), reason })
    },
    maskNames(accounts, masks) {
      if (accounts.length === 0 || isDoubted(doubtEveryone)) return
      announce({ do: 'mask', accounts, masks })
    },
    rightsChanged(accounts) {
      if (accounts.length === 0 || isDoubted(doubtEveryone)) return
      announce({ do: 'rights', accounts })
    },
    placeChanged({ gone, channels }) {
      if (isDoubted(doubtEveryone)) return
      const { about, say } = collectEvents()
      for (const groupId of new Set(gone.map((room) => room.groupId))) {
        const codes = gone.flatMap((room) => (room.groupId === groupId ? [room.code] : []))
        about(`group:${groupId}`)('gone', [`group:${groupId}`, ...masked([`group:${groupId}`])], () => ({ codes }))
      }
      say()
      announce({ do: 'reconnect', channels: [...channels, ...masked(channels)] })
    },
    unsure(announcements) {
      const found: Doubt = { rooms: new Set(), accounts: new Set(), everyone: false }
      doubt = found
      try {
        announcements()
      } finally {
        doubt = undefined
      }
      const { rooms, accounts, everyone } = found
      if (rooms.size || accounts.size || everyone)
        announce({ do: 'look', rooms: [...rooms], accounts: [...accounts], everyone })
    },
  }
  const delivered = ({ code, groupId, partnerId, groupSeq, partnerSeq }: Delivered) => {
    const group = [`group:${groupId}`, `room:${code}`]
    const partner = `user:${partnerId}`
    const { about, say } = collectEvents()
    if (partnerSeq)
      about(`group:${groupId}`)('delivered', [...group, ...masked(group)], () => ({ code, seq: partnerSeq }))
    if (groupSeq) about(partner)('delivered', [partner, `room:${code}:partner`], () => ({ code, seq: groupSeq }))
    say()
  }
  return { ...hub, delivered, perform }
}

type Doubt = { rooms: Set<number>; accounts: Set<number>; everyone: boolean }
const doubtEveryone = (into: Doubt) => {
  into.everyone = true
}
/** Events that only make a page fetch: they do no harm when nothing has changed. */
const saysNothing: ReadonlySet<EventName> = new Set<EventName>(['account', 'approval', 'settings', 'member'])

export const channel = (name: string, masks: boolean) => (masks ? `${name}:masked` : name)
const masked = (names: string[]) => names.map((name) => channel(name, true))

/** The topic that a socket in this channel needs; undefined: its events go to all copies. */
export const topicOf = (name: string): string | undefined => {
  const [, kind, id] = /^(group|user|partner):(\d+)(?::masked)?$/.exec(name) ?? []
  return kind && `${kind === 'group' ? 'group' : 'user'}:${id}`
}
/** Whether sockets in one of these channels need a topic. */
export const isTopicNeeded = (channels: ReadonlyMap<string, unknown>, topic: string) =>
  [topic, channel(topic, true), topic.replace('user', 'partner')].some((name) => channels.has(name))

/** Whether a channel has a masked twin (`plain`), or is one. */
const isSplit = (name: string, plain: boolean) =>
  plain ? /^(group|room|user):[^:]+$/.test(name) : /^(group|room|user):[^:]+:masked$/.test(name)
