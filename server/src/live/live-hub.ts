import type { ServerEvents } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import type { Hub, RoomAudience } from './hub.ts'
import { unmasked, shownText, shownUsername, type Viewer } from '../identity/masking.ts'
import type { Delivered } from './receipts.ts'
import type { RelayAction, Relay, RelayedEvent } from './relay.ts'
import type { Io } from './io.ts'

type Payload<N extends keyof ServerEvents> = Parameters<ServerEvents[N]>[0]

/**
 * Says things on channels: to the sockets here at once, and through the relay to those of the other copies. Here it never
 * waits for Redis, so that without it everybody still hears what happens on his own copy.
 */
export const makeHub = (io: Io, relay: Pick<Relay, 'alone' | 'publish'>, catchUp: () => void, log: Logger) => {
  const perform = (deed: RelayAction) => {
    if (deed.do === 'say') deed.said.forEach(emit)
    else if (deed.do === 'end') end(deed.sessions, deed.reason)
    else if (deed.do === 'mask') move(deed.accounts, deed.masks)
    else catchUp()
  }
  const emit = ({ event, to, except, payload }: RelayedEvent) => {
    // The event's own type has held name and payload together.
    io.to(to)
      .except(except)
      .emit(event as 'room', payload as never)
  }
  const end = (sessions: string[], reason: string) => {
    const channels = sessions.map((id) => `session:${id}`)
    io.to(channels).emit('ended', { reason })
    io.in(channels).disconnectSockets(true)
  }
  const move = (accounts: number[], masks: boolean) => {
    const moved = io.in(accounts.map((id) => `user:${id}`)).fetchSockets()
    moved.then(
      (sockets) => {
        for (const socket of sockets) {
          for (const name of socket.rooms) {
            const [from, to] = masks ? [name, `${name}:masked`] : [name, name.replace(/:masked$/, '')]
            if (!isSplit(from, masks)) continue
            socket.join(to)
            // `user:{id}` stays beside its own masked one.
            if (!from.startsWith('user:') || !masks) socket.leave(from)
          }
        }
      },
      (error: unknown) => log.error({ err: error }, 'sockets could not change their channels'),
    )
  }

  const announce = (deed: RelayAction, loose = false) => {
    perform(deed)
    relay.publish(deed, loose)
  }
  /** What nobody hears is not even put into words; who hears on other copies is not known here. */
  const words = () => {
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
  type Words = ReturnType<typeof words>
  const addGroup = <N extends 'room' | 'desk'>(
    { add }: Words,
    event: N,
    room: RoomAudience,
    change: (viewer: Viewer) => Payload<N>,
    senders: number[],
  ) => {
    const group = [`group:${room.groupId}`, `room:${room.code}`]
    add(event, group, () => change(unmasked))
    // Whoever wrote it reads his own name in it, as he does everywhere.
    const writers = senders.map((id) => `user:${id}`)
    add(event, masked(group), () => change({ id: 0, masks: true }), writers)
    for (const id of senders.filter((one) => one !== room.partnerId))
      add(event, [`user:${id}:masked`], () => change({ id, masks: true }))
  }

  const hub: Hub = {
    roomChanged(room, change, senders = []) {
      const news = words()
      addGroup(news, 'room', room, (viewer) => change('group', viewer), senders)
      // A partner who is an agent may see names masked too.
      const { partnerId } = room
      const partner = `user:${partnerId}`
      news.add('room', [partner, `room:${room.code}:partner`], () => change('partner'), masked([partner]))
      news.add('room', masked([partner]), () => change('partner', { id: partnerId, masks: true }))
      news.say()
    },
    deskChanged(room, change, senders = []) {
      const news = words()
      addGroup(news, 'desk', room, change, senders)
      news.say()
    },
    presence(code, { actor, side }, what, inside) {
      const own = [`user:${actor.id}`]
      const from = { id: actor.id, username: actor.username, isSub: 0 } as const
      const told = (viewer: Viewer) =>
        side === 'partner'
          ? { code, what, account_id: 0, name: '' }
          : {
              code,
              what,
              account_id: actor.id,
              name: shownText(viewer, from, actor.nickname) || shownUsername(viewer, from),
            }
      const { add, say } = words()
      const room = `room:${code}`
      add('presence', [room], () => told(unmasked), own)
      add('presence', masked([room]), () => told({ id: 0, masks: true }), own)
      // The partner hears that his group types, and no more.
      if (side === 'group' && what === 'typing' && !inside)
        add('presence', [`${room}:partner`], () => ({ code, what, account_id: 0, name: '' }))
      say(true)
    },
    tell(accountId, event, payload) {
      const { add, say } = words()
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
    const { add, say } = words()
    if (partnerSeq) add('delivered', [...group, ...masked(group)], () => ({ code, seq: partnerSeq }))
    if (groupSeq) add('delivered', [`user:${partnerId}`, `room:${code}:partner`], () => ({ code, seq: groupSeq }))
    say()
  }
  return { ...hub, delivered, perform }
}

export const channel = (name: string, masks: boolean) => (masks ? `${name}:masked` : name)
const masked = (names: string[]) => names.map((name) => channel(name, true))

/** One of the pairs of channels, the plain one or the masked one. */
const isSplit = (name: string, plain: boolean) =>
  plain ? /^(group|room|user):[^:]+$/.test(name) : /^(group|room|user):[^:]+:masked$/.test(name)
