import { randomUUID } from 'node:crypto'
import { makeWire } from '../../server/src/http/wire.ts'
import { asRequest, HttpConnection, isOk } from '../lib/http.ts'
import { asFrame, openLive } from '../lib/socket.ts'

/** A user with a socket: its token, and the rooms it writes to in turn. */
export type Seat = { token: string; rooms: string[] }

/** The sending side of one contestant. */
export type ChatConnection = {
  /** What comes directly before the text of a message in a delivered packet. */
  mark: string
  /** Builds the message before the clock runs. */
  prepare(seat: number, room: string, text: string): Buffer
  /** Connects what the server closed while others had their turn. */
  ready?(): Promise<unknown>
  send(seat: number, message: Buffer, done: () => void): void
  close(): void
}
export type Hear = (seat: number, packet: string) => void

/** Tallyroom: messages go in by HTTP and come out by socket. */
export const openTallyroom = async (
  url: string,
  secret: string,
  seats: Seat[],
  hear: Hear,
): Promise<ChatConnection> => {
  const wire = makeWire(secret)
  const sockets = await openAll(url, seats, hear)
  const connections = await Promise.all(seats.map(() => HttpConnection.open(url)))
  const waiting = seats.map((): { message: Buffer; done: () => void }[] => [])
  const depart = (seat: number) => {
    const first = waiting[seat]?.[0]
    if (!first) return
    connections[seat]?.send(first.message, (body) => {
      if (!isOk(body)) throw new Error(`A message was refused: ${body}`)
      waiting[seat]?.shift()
      depart(seat)
      first.done()
    })
  }
  return {
    mark: '"content":"',
    prepare: (seat, code, content) =>
      asRequest(
        url,
        'sendMessage',
        seats[seat]?.token ?? '',
        wire.seal('sendMessage', { code, type: 1, content, request_id: randomUUID() }),
      ),
    ready: () => Promise.all(connections.map((connection) => connection.ready())),
    send: (seat, message, done) => {
      if (waiting[seat]?.push({ message, done }) === 1) depart(seat)
    },
    close: () => {
      for (const open of [...sockets, ...connections]) open.close()
    },
  }
}

/** The relay: messages go in and come out by socket, and an acknowledgement says that it has them. */
export const openRelay = async (url: string, seats: Seat[], hear: Hear): Promise<ChatConnection> => {
  const waiting = new Map<number, () => void>()
  let last = 0
  const sockets = await openAll(url, seats, (seat, packet) => {
    if (!packet.startsWith('43')) return hear(seat, packet)
    const id = Number.parseInt(packet.slice(2), 10)
    waiting.get(id)?.()
    waiting.delete(id)
  })
  return {
    mark: '"content":"',
    prepare: (_, room, text) => Buffer.from(JSON.stringify(['send', room, text])),
    send: (seat, message, done) => {
      waiting.set(++last, done)
      sockets[seat]?.send(asFrame(`42${last}${message.toString()}`))
    },
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

const openAll = (url: string, seats: Seat[], hear: Hear) =>
  Promise.all(seats.map(({ token }, seat) => openLive(url, { token }, (packet) => hear(seat, packet))))
