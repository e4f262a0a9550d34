import type { Socket as NetSocket } from 'node:net'

// This file uses what the documentation of engine.io and ws does not promise. The test beside it fails when a version moves
// it.

/** The parts of engine.io's socket that are used here; `flush` is private to it, and `_socket` to ws. */
type Connection = {
  flush: () => void
  /** `socket` is that of `ws`; a polling transport has none. */
  transport: { socket?: { _socket?: NetSocket } }
}

/**
 * Sends all events of one tick to a socket in one system call. After a batch of messages a page gets several: those of
 * its rooms and its read marks. engine.io would write the first one at once and the others when that is through.
 */
export const sendInOneWrite = (connection: Connection): void => {
  // Without it engine.io writes each event by itself.
  if (typeof connection.flush !== 'function') return
  const flush = connection.flush.bind(connection)
  let isDue = false
  connection.flush = () => {
    if (isDue) return
    isDue = true
    process.nextTick(() => {
      isDue = false
      const socket = connection.transport.socket?._socket
      socket?.cork()
      flush()
      socket?.uncork()
    })
  }
}
