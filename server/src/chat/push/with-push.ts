import type { Hub } from '../../live/hub.ts'
import type { Push } from './push.ts'

/** A hub that sends a room's change to open pages at once, and to browsers without one by push a moment later. */
export const withPush = (hub: Hub, push: Pick<Push, 'roomChanged'>): Hub => ({
  ...hub,
  roomChanged(room, ...args) {
    hub.roomChanged(room, ...args)
    push.roomChanged(room.id)
  },
})
