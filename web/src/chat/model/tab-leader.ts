import { getStored } from '../../lib/storage.ts'

/**
 * Only one tab of an account plays sounds: the one that holds a Web Lock. When it closes, the next tab gets the lock. Tabs
 * tell each other which room they show, so that a room that is open in another tab makes no sound.
 */
let leading = !('locks' in navigator)
let end: (() => void) | undefined
const self = Math.random().toString(36).slice(2)
let looking = ''
const others = new Map<string, string>()
let channel: BroadcastChannel | undefined

const announce = () => channel?.postMessage({ from: self, looking: document.hidden ? '' : looking })

export const startTabLeader = (account: string) => {
  stopTabLeader()
  if ('BroadcastChannel' in window) {
    channel = new BroadcastChannel(`looking:${account}`)
    channel.onmessage = ({ data }: MessageEvent<{ from: string; looking: string; asks?: boolean }>) => {
      if (!others.has(data.from)) announce()
      others.set(data.from, data.looking)
    }
    announce()
  }
  document.addEventListener('visibilitychange', announce)
}

/** Call it when this tab may play sounds (after a user gesture). */
export const startElection = () => {
  if (leading || end || !('locks' in navigator)) return
  const gone = new Promise<void>((resolve) => {
    end = resolve
  })
  const stopped = new AbortController()
  void gone.then(() => stopped.abort())
  navigator.locks
    .request(`sound:${getStored('user_id') ?? ''}`, { signal: stopped.signal }, () => {
      leading = true
      return gone
    })
    .catch(() => undefined)
}

export const stopTabLeader = () => {
  end?.()
  end = undefined
  leading = !('locks' in navigator)
  others.clear()
  channel?.close()
  channel = undefined
  document.removeEventListener('visibilitychange', announce)
}

export const isLeader = () => leading
export const setVisibleRoom = (code: string) => {
  looking = code
  announce()
}
/** Whether the room is visible, here or in another tab. */
export const isRoomVisible = (code: string) =>
  (code === looking && !document.hidden) || [...others.values()].includes(code)
