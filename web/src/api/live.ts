import type { ErrorName } from '@tallyroom/contract'
import type { ClientEvents, EventName, ServerEvents } from '@tallyroom/contract/events'
import type { Socket } from 'socket.io-client'
import { sessionEnded } from './call.ts'
import { configured } from '../lib/config.ts'
import { getStored } from '../lib/storage.ts'
import { retryUntilDone } from '../lib/retry.ts'

/**
 * The page's only socket. Events only announce changes: listeners drop what they already have and request what is
 * missing, so a lost or repeated event does no harm.
 */
export type LiveState = 'off' | 'connecting' | 'on'
type Payload<N extends EventName> = Parameters<ServerEvents[N]>[0]
type Listeners = { [N in EventName]: Set<(payload: Payload<N>) => void> }

const listeners: Listeners = {
  room: new Set(),
  desk: new Set(),
  read: new Set(),
  account: new Set(),
  member: new Set(),
  later: new Set(),
  draft: new Set(),
  delivered: new Set(),
  presence: new Set(),
  approval: new Set(),
  bell: new Set(),
  gone: new Set(),
  colleagues: new Set(),
  settings: new Set(),
  security: new Set(),
  missed: new Set(),
  ended: new Set(),
}
const connectListeners = new Set<() => void>()
const stateListeners = new Set<() => void>()
const joined = new Set<string>()
let socket: Socket<ServerEvents, ClientEvents> | undefined
let state: LiveState = 'off'
/** Counts starts and stops: work that belongs to an earlier run is dropped. */
let run = 0

const publish = <N extends EventName>(name: N, payload: Payload<N>) => {
  for (const listener of listeners[name]) listener(payload)
}

const setState = (next: LiveState) => {
  if (state === next) return
  state = next
  for (const listener of stateListeners) listener()
}

/**
 * Loads the server's address, then the library, while the conversation is rendered already. The library comes second
 * because many browsers never retry a module that failed to load, and without a server it would.
 */
const prepare = async () => {
  const config = await configured()
  return { config, io: (await import('socket.io-client')).io }
}

/** Connects with the stored session. Does nothing when connected or connecting. */
export const startLive = async (): Promise<void> => {
  if (state !== 'off') return
  const current = ++run
  setState('connecting')
  const ready = await retryUntilDone(prepare, () => current === run)
  // The user signed out meanwhile, or signed out and in again.
  if (!ready || current !== run) return
  const { config, io } = ready
  let offered = ''
  const made: Socket<ServerEvents, ClientEvents> = io(config.api || window.location.origin, {
    path: '/socket',
    transports: ['websocket', 'polling'],
    withCredentials: true,
    // Read at every handshake: the token may have changed since the first.
    auth: (give) => give({ token: (offered = getStored('user_token') ?? '') }),
    reconnectionDelay: 500,
    reconnectionDelayMax: 5000,
  })
  socket = made
  const fetchMissed = () => {
    for (const listener of connectListeners) listener()
  }
  made.on('connect', () => {
    setState('on')
    for (const code of joined) made.emit('join', code, () => {})
    fetchMissed()
  })
  made.on('missed', fetchMissed)
  made.on('disconnect', () => setState('connecting'))
  made.on('connect_error', (error: Error & { data?: { reason?: string } }) => {
    // The library does not retry a refused handshake.
    if (!made.active) setTimeout(() => made === socket && made.connect(), 3000 + Math.random() * 4000)
    // A page that has all it shows makes no call that would tell.
    const isOver = error.message === ('session.dead' satisfies ErrorName)
    if (isOver && offered && offered === getStored('user_token')) sessionEnded(error.data?.reason ?? 'ended')
  })
  // The library types each event by itself: here all are treated as one, and the payload belongs to the name.
  for (const name of Object.keys(listeners) as 'room'[]) made.on(name, (payload) => publish(name, payload))
  made.on('ended', (end) => {
    const token = getStored('user_token')
    // A user who has just signed out has no token any more and needs no alert.
    setTimeout(() => token && token === getStored('user_token') && sessionEnded(end.reason), 500)
  })
}

export const stopLive = () => {
  run++
  joined.clear()
  socket?.close()
  socket = undefined
  setState('off')
}

/** Subscribes to an event. @returns a function that unsubscribes */
export const onEvent = <N extends EventName>(name: N, listener: (payload: Payload<N>) => void): (() => void) => {
  listeners[name].add(listener)
  return () => {
    listeners[name].delete(listener)
  }
}

/** Called after every connection, also the first, and when the server has lost events: load what was missed. */
export const onConnected = (listener: () => void): (() => void) => {
  connectListeners.add(listener)
  return () => {
    connectListeners.delete(listener)
  }
}

/** Joins the channel of an open room, and again after each reconnection. */
export const join = (code: string) => {
  joined.add(code)
  if (socket?.connected) socket.emit('join', code, () => {})
}
export const leave = (code: string) => {
  joined.delete(code)
  if (socket?.connected) socket.emit('leave', code, () => {})
}

/** Volatile: dropped without a connection, because a late typing signal would be wrong. */
export const sendTyping = (code: string, inside: boolean) => {
  if (socket?.connected) socket.volatile.emit('typing', code, inside)
}
export const sendLooking = (code: string, here: boolean) => {
  if (socket?.connected) socket.volatile.emit('looking', code, here)
}
export const sendReceived = (marks: [string, number][]) => {
  if (socket?.connected) socket.emit('received', marks)
}

/** Asks the server for a sign of life. @returns false without a socket */
export const askAlive = (answered: () => void): boolean => {
  if (!socket?.connected) return false
  socket.emit('alive', answered)
  return true
}
/** Connects now instead of after the pause between two tries, also when the socket has not noticed that its line is gone. */
export const reconnect = () => {
  socket?.disconnect().connect()
}

export const liveState = () => state
export const subscribeLive = (listener: () => void) => {
  stateListeners.add(listener)
  return () => {
    stateListeners.delete(listener)
  }
}
