import { randomUUID } from 'node:crypto'
import { makeWire } from '../../server/src/http/wire.ts'
import { asRequest, HttpConnection, isOk } from '../lib/http.ts'
import { asFrame, openLive } from '../lib/socket.ts'

/** A user with a socket: its token, and the rooms it writes to, one after the other. */
export type ChatUser = { token: string; rooms: string[] }

/** The sending side of one contestant. */
export type ChatConnection = {
  /** What comes directly before the text of a message in a delivered packet. */
  mark: string
  /** Builds the message before the clock runs. */
  prepare(user: number, room: string, text: string): Buffer
  /** Connects what the server closed while others had their turn. */
  ready?(): Promise<unknown>
  send(user: number, message: Buffer, done: () => void): void
  close(): void
}
export type Hear = (user: number, packet: string) => void

/** Tallyroom: messages go in by HTTP and come out by socket. */
export const openTallyroom = async (
  url: string,
  secret: string,
  users: ChatUser[],
  hear: Hear,
): Promise<ChatConnection> => {
  const wire = makeWire(secret)
  const sockets = await openAll(url, users, hear)
  const connections = await Promise.all(users.map(() => HttpConnection.open(url)))
  const waiting = users.map((): { message: Buffer; done: () => void }[] => [])
  const depart = (user: number) => {
    const first = waiting[user]?.[0]
    if (!first) return
    connections[user]?.send(first.message, (body) => {
      if (!isOk(body)) throw new Error(`A message was refused: ${body}`)
      waiting[user]?.shift()
      depart(user)
      first.done()
    })
  }
  return {
    mark: '"content":"',
    prepare: (user, code, content) =>
      asRequest(
        url,
        'sendMessage',
        users[user]?.token ?? '',
        wire.seal('sendMessage', { code, type: 1, content, request_id: randomUUID() }),
      ),
    ready: () => Promise.all(connections.map((connection) => connection.ready())),
    send: (user, message, done) => {
      if (waiting[user]?.push({ message, done }) === 1) depart(user)
    },
    close: () => {
      for (const open of [...sockets, ...connections]) open.close()
    },
  }
}

/** The relay: messages go in and come out by socket, and an acknowledgement says that it has them. */
export const openRelay = async (url: string, users: ChatUser[], hear: Hear): Promise<ChatConnection> => {
  const waiting = new Map<number, () => void>()
  let last = 0
  const sockets = await openAll(url, users, (user, packet) => {
    if (!packet.startsWith('43')) return hear(user, packet)
    const id = Number.parseInt(packet.slice(2), 10)
    waiting.get(id)?.()
    waiting.delete(id)
  })
  return {
    mark: '"content":"',
    prepare: (_, room, text) => Buffer.from(JSON.stringify(['send', room, text])),
    send: (user, message, done) => {
      waiting.set(++last, done)
      sockets[user]?.send(asFrame(`42${last}${message.toString()}`))
    },
    close: () => {
      for (const socket of sockets) socket.close()
    },
  }
}

const openAll = (url: string, users: ChatUser[], hear: Hear) =>
  Promise.all(users.map(({ token }, user) => openLive(url, { token }, (packet) => hear(user, packet))))
