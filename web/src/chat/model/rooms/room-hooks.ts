import type { Aside, Message } from '@tallyroom/contract/events'

/** What the store of rooms reports to its owner. */
export type RoomHooks = {
  /** Called for new messages of any room, once for each. */
  onNews?: (code: string, messages: readonly Message[]) => void
  /** Called with an open room's messages after a change: the outbox removes those that have arrived. */
  onMessages?: (code: string, messages: readonly Message[]) => void
  /** Called with internal notes of a loaded room. */
  onAsides?: (code: string, asides: readonly Aside[], upTo?: number) => void
}
