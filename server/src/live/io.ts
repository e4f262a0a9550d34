import type { ClientEvents, ServerEvents } from '@tallyroom/contract/events'
import type { Server, Socket } from 'socket.io'
import type { Actor } from '../identity/actor.ts'

/** `readAt`: when the session was about to be read, as `performance.now()`. */
type SocketData = { actor: Actor; readAt: number }
/** The socket.io server with this product's events; `socket.data.actor` is set once the socket has signed in. */
export type Io = Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>
export type LiveSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, SocketData>
