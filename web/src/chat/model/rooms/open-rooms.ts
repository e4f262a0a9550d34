import type { RoomChange } from '@tallyroom/contract/events'
import type { Loading } from './loading.ts'
import { applyChange, type RoomState } from './room-state.ts'

/** An open room: `state` is set once it has been loaded, also while it is loaded again. */
export type OpenRoom = {
  code: string
  loading: Loading
  error?: string
  /** Another try would fail too. */
  isNotFound?: boolean
  state?: RoomState
  older: Loading
}

/** Number of closed rooms that stay loaded: opening one again loads only the difference. */
const KEPT_ROOMS = 20
/** Number of messages that a closed room keeps; older ones are loaded again when needed. */
const KEPT_MESSAGES = 60

/** The rooms with their messages, the one opened last at the end. `onChange` is called when one of them changes. */
export const makeOpenRooms = (onChange: (room: OpenRoom) => void) => {
  const open = new Map<string, OpenRoom>()
  /** The room that was opened last: prefetching other rooms never unloads it. */
  let opened = ''
  let account = 0

  const set = (room: OpenRoom) => {
    open.set(room.code, room)
    onChange(room)
  }

  return {
    set,
    get: (code: string): OpenRoom | undefined => open.get(code),
    delete: (code: string) => open.delete(code),
    all: (): Iterable<OpenRoom> => open.values(),
    isOpened: (code: string) => code === opened,
    /** The user opens it: it is the last to be unloaded (Map keeps insertion order). */
    touch: (code: string): OpenRoom | undefined => {
      opened = code
      const known = open.get(code)
      if (known) {
        open.delete(code)
        open.set(code, known)
      }
      return known
    },
    apply: (code: string, change: RoomChange): 'ok' | 'sync' | 'reload' => {
      const room = open.get(code)
      if (!room?.state) return 'ok'
      const { outcome, state } = applyChange(room.state, change)
      if (outcome === 'gap') return 'sync'
      if (outcome === 'reset') return 'reload'
      if (outcome === 'applied') set({ ...room, state })
      return 'ok'
    },
    /** Unloads the rooms that were opened longest ago, if there are too many. */
    trim: (current: string) => {
      for (const code of open.keys())
        if (open.size > KEPT_ROOMS && code !== current && code !== opened) open.delete(code)
    },
    leave: (code: string) => {
      const room = open.get(code)
      if (!room?.state || room.state.messages.length <= KEPT_MESSAGES) return
      const messages = room.state.messages.slice(-KEPT_MESSAGES)
      open.set(code, { ...room, state: { ...room.state, messages, hasMore: true, olderUpdates: new Map() } })
    },
    /** Counts accounts: an answer that was asked for an earlier one is dropped. */
    account: () => account,
    clear: () => {
      account++
      open.clear()
    },
  }
}
export type OpenRooms = ReturnType<typeof makeOpenRooms>
