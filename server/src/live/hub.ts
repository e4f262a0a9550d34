import type { DeskChange, EventName, RoomChange, ServerEvents } from '@tallyroom/contract/events'
import type { Actor } from '../identity/actor.ts'
import type { Viewer } from '../identity/masking.ts'
import type { Side } from './side.ts'

/** What the hub needs to know of a room to find who may receive an event of it. */
export type RoomAudience = { id: number; code: string; groupId: number; partnerId: number }

/** Where what happened is told to those who may know. Only called after a commit. */
export type Hub = {
  /** `change` says it to a side, and to viewers of the group with or without usernames; `senders` wrote in it. */
  roomChanged(room: RoomAudience, change: (side: Side, viewer?: Viewer) => RoomChange, senders?: number[]): void
  /** What the group's side alone may know. */
  deskChanged(room: RoomAudience, change: (viewer: Viewer) => DeskChange, senders?: number[]): void
  /** Somebody in a room types or looks; `inside`: for the group alone. Told to who is in the room just now. */
  presence(
    code: string,
    from: { actor: Pick<Actor, 'id' | 'username' | 'nickname'>; side: Side },
    what: 'typing' | 'looking' | 'gone',
    inside: boolean,
  ): void
  tell<N extends EventName>(accountId: number, event: N, payload: Parameters<ServerEvents[N]>[0]): void
  /** Closes the sockets of ended sessions everywhere; they are told why. */
  endSessions(sessionIds: bigint[], reason: string): void
  /** The rooms of this account's group and of all below it may look different now. */
  settingsChanged(accountId: number): void
  /** From now on these accounts hear the usernames of others, or hear them masked. */
  maskNames(accountIds: number[], masks: boolean): void
  /** Something may have happened that nobody was told of: everybody asks what he has missed. */
  catchUp(): void
}

/** For programs without sockets: commands, loaders, some tests. */
export const silentHub: Hub = {
  roomChanged: () => {},
  deskChanged: () => {},
  presence: () => {},
  tell: () => {},
  endSessions: () => {},
  settingsChanged: () => {},
  maskNames: () => {},
  catchUp: () => {},
}
