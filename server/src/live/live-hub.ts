import type { EventName } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import { unmasked, shownText, shownUsername, type Viewer } from '../identity/masking.ts'
import { masked } from './channels.ts'
import { addForGroup, eventCollector } from './collect-events.ts'
import type { RelayAction } from './frames.ts'
import type { Hub } from './hub.ts'
import type { Io } from './io.ts'
import { type ActionHelpers, makePerformer } from './perform.ts'
import type { Delivered } from './receipts.ts'
import type { Relay } from './relay.ts'

/**
 * Sends events to the sockets of this copy at once, and through the relay to those of other copies. Local sending never
 * waits for Redis, so without Redis everyone still gets the events of their own copy.
 */
export const makeHub = (
  io: Io,
  relay: Pick<Relay, 'alone' | 'publish' | 'say'>,
  helpers: ActionHelpers,
  log: Logger,
) => {
  /** Set while the announcements of an unsure commit run; they run at once and do not wait for anything. */
  let doubt: Doubt | undefined
  const { perform, emit } = makePerformer(io, helpers, log)
  const collectEvents = eventCollector(io, relay, emit)
  const announce = (action: RelayAction) => {
    perform(action)
    relay.publish(action)
  }
  const isDoubted = (take: (into: Doubt) => void): boolean => {
    if (doubt) take(doubt)
    return doubt !== undefined
  }

  const hub: Hub = {
    roomChanged(room, change, senders = []) {
      if (isDoubted(({ rooms }) => rooms.add(room.id))) return
      const { about, say } = collectEvents()
      addForGroup(about(`group:${room.groupId}`), 'room', room, (viewer) => change('group', viewer), senders)
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
      addForGroup(about(`group:${room.groupId}`), 'desk', room, change, senders)
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
    colleaguesChanged(groupIds) {
      const { about, say } = collectEvents()
      for (const id of groupIds) {
        const group = `group:${id}`
        about(group)('colleagues', [group, ...masked([group])], () => ({}))
      }
      say()
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
    accountsMoved({ gone, channels }) {
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
  const delivered = (mark: Delivered) => sayDelivered(collectEvents(), mark)
  return { ...hub, delivered, perform }
}

const sayDelivered = (
  { about, say }: ReturnType<ReturnType<typeof eventCollector>>,
  { code, groupId, partnerId, groupSeq, partnerSeq }: Delivered,
) => {
  const group = [`group:${groupId}`, `room:${code}`]
  const partner = `user:${partnerId}`
  if (partnerSeq)
    about(`group:${groupId}`)('delivered', [...group, ...masked(group)], () => ({ code, seq: partnerSeq }))
  if (groupSeq) about(partner)('delivered', [partner, `room:${code}:partner`], () => ({ code, seq: groupSeq }))
  say()
}

type Doubt = { rooms: Set<number>; accounts: Set<number>; everyone: boolean }
const doubtEveryone = (into: Doubt) => {
  into.everyone = true
}
/** Events that only make a page fetch: they do no harm when nothing has changed. */
const saysNothing: ReadonlySet<EventName> = new Set<EventName>(['account', 'approval', 'settings', 'member'])
