import type { Actor } from '../identity/actor.ts'
import type { Hub, OpenRoom } from './hub.ts'
import type { Side } from './side.ts'
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
  /** The partner of a room that this socket has joined. */
  partnerOf: (code: string) => number | undefined
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
  { partnerOf, presence, received, onError }: PresenceHandlers,
) => {
  const may = bucket(RATE, BURST)
  const joined = (code: unknown): { room: OpenRoom; side: Side } | undefined => {
    if (typeof code !== 'string' || code.includes(':')) return undefined
    const partnerId = partnerOf(code)
    if (partnerId === undefined) return undefined
    const room = { code, partnerId }
    if (socket.rooms.has(`room:${code}:partner`)) return { room, side: 'partner' }
    return socket.rooms.has(`room:${code}`) || socket.rooms.has(`room:${code}:masked`)
      ? { room, side: 'group' }
      : undefined
  }
  socket.on('typing', (code, inside) => {
    const at = joined(code)
    if (at && may()) presence(at.room, { actor, side: at.side }, 'typing', inside === true)
  })
  socket.on('looking', (code, here) => {
    const at = joined(code)
    // Looking is sent to the group only.
    if (at?.side === 'group' && may())
      presence(at.room, { actor, side: 'group' }, here === true ? 'looking' : 'gone', true)
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
