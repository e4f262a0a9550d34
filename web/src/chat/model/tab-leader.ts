import { getStored } from '../../lib/storage.ts'

/**
 * Of several tabs of one account one sounds. It holds a lock of the browser; when it closes, the next one has it. What the
 * others look at they tell each other, so that it is silent about a room that somebody reads in another tab.
 */
let leading = !('locks' in navigator)
let end: (() => void) | undefined
const self = Math.random().toString(36).slice(2)
let looking = ''
const others = new Map<string, string>()
let channel: BroadcastChannel | undefined

const tell = () => channel?.postMessage({ from: self, looking: document.hidden ? '' : looking })

export const startLeading = (account: string) => {
  stopLeading()
  if ('BroadcastChannel' in window) {
    channel = new BroadcastChannel(`looking:${account}`)
    channel.onmessage = ({ data }: MessageEvent<{ from: string; looking: string; asks?: boolean }>) => {
      if (!others.has(data.from)) tell()
      others.set(data.from, data.looking)
    }
    tell()
  }
  document.addEventListener('visibilitychange', tell)
}

/** Called when this tab can sound: a browser lets it only after it was touched. */
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

export const stopLeading = () => {
  end?.()
  end = undefined
  leading = !('locks' in navigator)
  others.clear()
  channel?.close()
  channel = undefined
  document.removeEventListener('visibilitychange', tell)
}

export const isLeader = () => leading
export const lookAtRoom = (code: string) => {
  looking = code
  tell()
}
/** Whether somebody has this room before his eyes, here or in another tab. */
export const isLookedAt = (code: string) =>
  (code === looking && !document.hidden) || [...others.values()].includes(code)
