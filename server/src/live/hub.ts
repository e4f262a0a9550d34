import type { DeskChange, EventName, RoomChange, ServerEvents } from '@tallyroom/contract/events'
import type { Actor } from '../identity/actor.ts'
import type { Viewer } from '../identity/masking.ts'
import type { Side } from './side.ts'

/** What the hub needs of a room to find the receivers of its events. */
export type RoomAudience = { id: number; code: string; groupId: number; partnerId: number }

/** Sends events to the accounts that may receive them. Call it only after the commit. */
export type Hub = {
  /** `change` renders the event for a side and viewer; `senders` get the version with their own names unmasked. */
  roomChanged(room: RoomAudience, change: (side: Side, viewer?: Viewer) => RoomChange, senders?: number[]): void
  /** For the group's side only. */
  deskChanged(room: RoomAudience, change: (viewer: Viewer) => DeskChange, senders?: number[]): void
  /** Sends typing and looking to those who have the room open. `inside`: to the group only. */
  presence(
    code: string,
    from: { actor: Pick<Actor, 'id' | 'username' | 'nickname'>; side: Side },
    what: 'typing' | 'looking' | 'gone',
    inside: boolean,
  ): void
  notify<N extends EventName>(accountId: number, event: N, payload: Parameters<ServerEvents[N]>[0]): void
  /** Sends the sockets of ended sessions the reason and closes them, on all copies. */
  endSessions(sessionIds: bigint[], reason: string): void
  /** The look of rooms may have changed for this account's group and all groups below. */
  settingsChanged(accountId: number): void
  /** Switches the events of these accounts to masked or plain usernames. */
  maskNames(accountIds: number[], masks: boolean): void
  /** Events may have been lost: makes all clients fetch what they missed. */
  catchUp(): void
}

/** For programs without sockets: commands, loaders, some tests. */
export const silentHub: Hub = {
  roomChanged: () => {},
  deskChanged: () => {},
  presence: () => {},
  notify: () => {},
  endSessions: () => {},
  settingsChanged: () => {},
  maskNames: () => {},
  catchUp: () => {},
}
