import type { Actor } from '../identity/actor.ts'
import type { Hub } from './hub.ts'
import { isStorable } from '../lib/stored-text.ts'

/** Events that one socket may send in a second, with a burst; more are ignored. */
const RATE = 5
const BURST = 15
const MAX_MARKS = 200

type PresenceSocket = {
  on(event: 'typing', listener: (code: unknown, inside: unknown) => void): unknown
  on(event: 'looking', listener: (code: unknown, here: unknown) => void): unknown
  on(event: 'received', listener: (marks: unknown) => void): unknown
  rooms: ReadonlySet<string>
}
type PresenceHandlers = {
  presence: Hub['presence']
  received: (mark: { actor: Actor; code: string; seq: number }) => Promise<unknown>
  onError: (error: unknown) => void
}

/**
 * Handles what a page reports: somebody types, looks, or has received messages. Only the rooms that the socket has
 * joined are accepted; typing and looking are sent on and not stored.
 */
export const listenToPresence = (
  socket: PresenceSocket,
  actor: Actor,
  { presence, received, onError }: PresenceHandlers,
) => {
  const may = bucket(RATE, BURST)
  const sideIn = (code: unknown): 'group' | 'partner' | undefined => {
    if (typeof code !== 'string' || code.includes(':')) return undefined
    if (socket.rooms.has(`room:${code}:partner`)) return 'partner'
    return socket.rooms.has(`room:${code}`) || socket.rooms.has(`room:${code}:masked`) ? 'group' : undefined
  }
  socket.on('typing', (code, inside) => {
    const side = sideIn(code)
    if (side && may()) presence(String(code), { actor, side }, 'typing', inside === true)
  })
  socket.on('looking', (code, here) => {
    // Looking is sent to the group only.
    if (sideIn(code) === 'group' && may())
      presence(String(code), { actor, side: 'group' }, here === true ? 'looking' : 'gone', true)
  })
  socket.on('received', (marks) => {
    if (!Array.isArray(marks) || marks.length > MAX_MARKS || !may()) return
    for (const mark of marks as unknown[]) {
      const [code, seq] = Array.isArray(mark) ? (mark as unknown[]) : []
      // A code that the database cannot store would fail the marks of others in the same batch.
      if (typeof code !== 'string' || code.length > 64 || !isStorable(code) || !Number.isInteger(seq)) continue
      const number = seq as number
      if (number > 0 && number < 2 ** 31) received({ actor, code, seq: number }).catch(onError)
    }
  })
}

/** A token bucket: `rate` a second, up to `burst` at once after a pause. */
export const bucket = (rate: number, burst: number) => {
  let left = burst
  let at = performance.now()
  return () => {
    const now = performance.now()
    left = Math.min(burst, left + ((now - at) / 1000) * rate)
    at = now
    if (left < 1) return false
    left -= 1
    return true
  }
}
