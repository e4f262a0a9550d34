import type { DeskChange, EventName, RoomChange, ServerEvents } from '@tallyroom/contract/events'
import type { Actor } from '../identity/actor.ts'
import type { Viewer } from '../identity/masking.ts'
import type { Side } from './side.ts'

/** The hub finds the receivers of a room's events by these. */
export type RoomAudience = { id: number; code: string; groupId: number; partnerId: number }

/** A room that a socket has joined. */
export type OpenRoom = Pick<RoomAudience, 'code' | 'partnerId'>

/** Sends events to the accounts that may receive them. Call it only after the commit. */
export type Hub = {
  /** `change` renders the event for a side and viewer; `senders` get the version with their own names unmasked. */
  roomChanged(room: RoomAudience, change: (side: Side, viewer?: Viewer) => RoomChange, senders?: number[]): void
  /** Tells the group's side only. */
  deskChanged(room: RoomAudience, change: (viewer: Viewer) => DeskChange, senders?: number[]): void
  /** Sends typing and looking to those who have the room open. `inside`: to the group only. */
  presence(
    room: OpenRoom,
    from: { actor: Pick<Actor, 'id' | 'username' | 'nickname'>; side: Side },
    what: 'typing' | 'looking' | 'gone',
    inside: boolean,
  ): void
  /** `exceptSession`: the session that knows already. */
  notify<N extends EventName>(
    accountId: number,
    event: N,
    payload: Parameters<ServerEvents[N]>[0],
    exceptSession?: bigint,
  ): void
  /** Sends the sockets of ended sessions the reason and closes them, on all copies. */
  endSessions(sessionIds: bigint[], reason: string): void
  /** The look of rooms may have changed for this account's group and all groups below. */
  settingsChanged(accountId: number): void
  /** Colleagues of these groups came, went, or chose to be something else: their pages fetch who is there. */
  colleaguesChanged(groupIds: number[]): void
  /** Switches the events of these accounts to masked or plain usernames. */
  maskNames(accountIds: number[], masks: boolean): void
  /** The rights of these accounts have changed: pages load their menu again, and sockets lose or get the rooms. */
  rightsChanged(accountIds: number[]): void
  /**
   * Accounts were moved in the tree. The old groups of `gone` hear that these rooms are no longer theirs. The sockets in
   * `channels`, and those of the groups, connect again and get the channels of their new place, on all copies.
   */
  accountsMoved(move: { gone: { code: string; groupId: number }[]; channels: string[] }): void
  /**
   * Makes the announcements of a commit that may not have happened. What they would say may be wrong, so those whom it
   * concerns are made to look instead: rooms are read again, accounts fetch what they missed.
   */
  unsure(announce: () => void): void
}
