import type { ServerEvents } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import type { Hub, RoomAudience } from './hub.ts'
import { unmasked, shownText, shownUsername, type Viewer } from '../identity/masking.ts'
import type { Delivered } from './receipts.ts'
import type { RelayAction, Relay, RelayedEvent } from './relay.ts'
import type { Io } from './io.ts'

type Payload<N extends keyof ServerEvents> = Parameters<ServerEvents[N]>[0]

/**
 * Sends events to the sockets of this copy at once, and through the relay to those of other copies. Local sending never
 * waits for Redis, so without Redis everyone still gets the events of their own copy.
 */
export const makeHub = (io: Io, relay: Pick<Relay, 'alone' | 'publish'>, catchUp: () => void, log: Logger) => {
  const perform = (action: RelayAction) => {
    if (action.do === 'say') action.said.forEach(emit)
    else if (action.do === 'end') end(action.sessions, action.reason)
    else if (action.do === 'mask') moveChannels(action.accounts, action.masks)
    else catchUp()
  }
  const emit = ({ event, to, except, payload }: RelayedEvent) => {
    // `RelayedEvent` loses the connection of name and payload, which `add` has checked.
    io.to(to)
      .except(except)
      .emit(event as 'room', payload as never)
  }
  const end = (sessions: string[], reason: string) => {
    const channels = sessions.map((id) => `session:${id}`)
    io.to(channels).emit('ended', { reason })
    io.in(channels).disconnectSockets(true)
  }
  const moveChannels = (accounts: number[], masks: boolean) => {
    const moved = io.in(accounts.map((id) => `user:${id}`)).fetchSockets()
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

  const announce = (action: RelayAction, loose = false) => {
    perform(action)
    relay.publish(action, loose)
  }
  /** Collects events. Without listeners here and without other copies an event is not even rendered. */
  const collectEvents = () => {
    const said: RelayedEvent[] = []
    const { rooms } = io.of('/').adapter
    const alone = relay.alone()
    const add = <N extends keyof ServerEvents>(
      event: N,
      to: string[],
      payload: () => Payload<N>,
      except: string[] = [],
    ) => {
      if (!alone || to.some((name) => rooms.has(name))) said.push({ event, to, except, payload: payload() })
    }
    const say = (loose = false) => announce({ do: 'say', said }, loose)
    return { add, say }
  }
  type EventCollector = ReturnType<typeof collectEvents>
  const addGroup = <N extends 'room' | 'desk'>(
    { add }: EventCollector,
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

  const hub: Hub = {
    roomChanged(room, change, senders = []) {
      const events = collectEvents()
      addGroup(events, 'room', room, (viewer) => change('group', viewer), senders)
      // A partner that is an agent may see names masked too.
      const { partnerId } = room
      const partner = `user:${partnerId}`
      events.add('room', [partner, `room:${room.code}:partner`], () => change('partner'), masked([partner]))
      events.add('room', masked([partner]), () => change('partner', { id: partnerId, masks: true }))
      events.say()
    },
    deskChanged(room, change, senders = []) {
      const events = collectEvents()
      addGroup(events, 'desk', room, change, senders)
      events.say()
    },
    presence(code, { actor, side }, what, inside) {
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
      const { add, say } = collectEvents()
      const room = `room:${code}`
      add('presence', [room], () => payloadFor(unmasked), own)
      add('presence', masked([room]), () => payloadFor({ id: 0, masks: true }), own)
      // The partner learns that the group is typing, and nothing more.
      if (side === 'group' && what === 'typing' && !inside)
        add('presence', [`${room}:partner`], () => ({ code, what, account_id: 0, name: '' }))
      say(true)
    },
    notify(accountId, event, payload) {
      const { add, say } = collectEvents()
      add(event, [`user:${accountId}`], () => payload)
      if (event === 'account') add('member', [`partner:${accountId}`], () => ({ account_id: accountId }))
      say()
    },
    settingsChanged(accountId) {
      announce({ do: 'say', said: [{ event: 'settings', to: [`below:${accountId}`], except: [], payload: {} }] })
    },
    endSessions(ids, reason) {
      if (ids.length > 0) announce({ do: 'end', sessions: ids.map(String), reason })
    },
    maskNames(accounts, masks) {
      if (accounts.length > 0) announce({ do: 'mask', accounts, masks })
    },
    catchUp() {
      announce({ do: 'catch-up' })
    },
  }
  const delivered = ({ code, groupId, partnerId, groupSeq, partnerSeq }: Delivered) => {
    const group = [`group:${groupId}`, `room:${code}`]
    const { add, say } = collectEvents()
    if (partnerSeq) add('delivered', [...group, ...masked(group)], () => ({ code, seq: partnerSeq }))
    if (groupSeq) add('delivered', [`user:${partnerId}`, `room:${code}:partner`], () => ({ code, seq: groupSeq }))
    say()
  }
  return { ...hub, delivered, perform }
}

export const channel = (name: string, masks: boolean) => (masks ? `${name}:masked` : name)
const masked = (names: string[]) => names.map((name) => channel(name, true))

/** Whether a channel has a masked twin (`plain`), or is one. */
const isSplit = (name: string, plain: boolean) =>
  plain ? /^(group|room|user):[^:]+$/.test(name) : /^(group|room|user):[^:]+:masked$/.test(name)
