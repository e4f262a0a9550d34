import type { Actor } from '../identity/actor.ts'
import type { Hub } from './hub.ts'
import { isStorable } from '../lib/stored-text.ts'

/** A socket may say this many things in a second, and some more at once; what is beyond is not heard. */
const RATE = 5
const BURST = 15
const MOST_MARKS = 200

type Listening = {
  on(event: 'typing', listener: (code: unknown, inside: unknown) => void): unknown
  on(event: 'looking', listener: (code: unknown, here: unknown) => void): unknown
  on(event: 'received', listener: (marks: unknown) => void): unknown
  rooms: ReadonlySet<string>
}
type Told = {
  presence: Hub['presence']
  received: (mark: { actor: Actor; code: string; seq: number }) => Promise<unknown>
  onError: (error: unknown) => void
}

/**
 * What a page says of itself: that somebody types, looks, or has got a message. The rooms that a socket has joined say
 * where it may say so; typing and looking are told on and forgotten.
 */
export const listenToPresence = (socket: Listening, actor: Actor, { presence, received, onError }: Told) => {
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
    // Who of the group looks is the group's own.
    if (sideIn(code) === 'group' && may())
      presence(String(code), { actor, side: 'group' }, here === true ? 'looking' : 'gone', true)
  })
  socket.on('received', (marks) => {
    if (!Array.isArray(marks) || marks.length > MOST_MARKS || !may()) return
    for (const mark of marks as unknown[]) {
      const [code, seq] = Array.isArray(mark) ? (mark as unknown[]) : []
      // One code that the database cannot take would spoil the marks of others in the same batch.
      if (typeof code !== 'string' || code.length > 64 || !isStorable(code) || !Number.isInteger(seq)) continue
      const number = seq as number
      if (number > 0 && number < 2 ** 31) received({ actor, code, seq: number }).catch(onError)
    }
  })
}

/** `rate` a second, and after a pause `burst` at once. */
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
