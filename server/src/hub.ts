import type { EventName, RoomChange, ServerEvents } from '@tallyroom/contract/events'
import type { RoomRow, Side } from './messages.ts'

/** Where what happened is told to those who may know. Only called after a commit. */
export type Hub = {
  roomChanged(room: RoomRow, change: (side: Side) => RoomChange): void
  tell<N extends EventName>(accountId: number, event: N, payload: Parameters<ServerEvents[N]>[0]): void
  /** Closes the sockets of ended sessions everywhere; they are told why. */
  endSessions(sessionIds: bigint[], reason: string): void
}

/** For programs without sockets: commands, loaders, some tests. */
export const silentHub: Hub = { roomChanged: () => {}, tell: () => {}, endSessions: () => {} }
