import type { Hub } from '../live/hub.ts'
import type { LiveState } from '../live/live-state.ts'

/** Stands in for the sockets in tests that have none. */
export const silentHub: Hub = {
  roomChanged: () => {},
  deskChanged: () => {},
  presence: () => {},
  notify: () => {},
  endSessions: () => {},
  settingsChanged: () => {},
  colleaguesChanged: () => {},
  maskNames: () => {},
  rightsChanged: () => {},
  accountsMoved: () => {},
  unsure: () => {},
}

export const noSockets: LiveState = {
  sockets: () => 0,
  accounts: () => [],
  people: () => Promise.resolve(0),
  isRelayUp: () => true,
}
