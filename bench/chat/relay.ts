import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { answerParent } from '../lib/child.ts'
import type { ChatUser } from './chat-connections.ts'

type Change = { messages: { content: string }[] }

const http = createServer()
const io = new Server(http, { path: '/socket', serveClient: false, transports: ['websocket'] })

const questions = {
  /** Sends everything that it receives to the others in the room, in packets of Tallyroom's size (`sample`); stores nothing. */
  start: async ({ listeners, sample }: { listeners: ChatUser[]; sample: Change }) => {
    const roomsOf = new Map(listeners.map(({ token, rooms }) => [token, rooms]))
    io.on('connection', (socket) => {
      void socket.join(roomsOf.get(String(socket.handshake.auth.token)) ?? [])
      socket.on('send', (room: string, content: string, done: (answer: { ok: true }) => void) => {
        io.to(room).emit('room', { ...sample, messages: [{ ...sample.messages[0], content }] })
        done({ ok: true })
      })
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  },
}
export type Relay = typeof questions

answerParent(questions)
