import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket as NetSocket } from 'node:net'
import { Server } from 'socket.io'
import { io } from 'socket.io-client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendInOneWrite } from './engine-io.ts'

test('the events of one tick leave in one write, over the socket that engine.io has', async () => {
  const http = createServer()
  const server = new Server(http, { transports: ['websocket'] })
  onTestFinished(() => server.close())
  const sockets: NetSocket[] = []
  http.on('connection', (socket) => sockets.push(socket))
  server.engine.on('connection', (connection: Parameters<typeof sendInOneWrite>[0]) => sendInOneWrite(connection))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const client = io(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { transports: ['websocket'] })
  onTestFinished(() => void client.disconnect())
  await once(server, 'connection')
  const [socket] = sockets
  if (!socket) throw new Error('nobody has connected')
  const writes = (['_write', '_writev'] as const).map((name) => vi.spyOn(socket, name))
  const heard: unknown[] = []
  const last = new Promise<void>((resolve) => client.on('third', () => resolve()))
  client.onAny((name) => heard.push(name))
  for (const name of ['first', 'second', 'third']) server.emit(name)
  await last
  expect(heard).toEqual(['first', 'second', 'third'])
  expect(writes.reduce((sum, { mock }) => sum + mock.calls.length, 0)).toBe(1)
})

test('a connection without WebSocket is flushed too', async () => {
  let flushed = 0
  const connection = { flush: () => void flushed++, transport: {} }
  sendInOneWrite(connection)
  connection.flush()
  await new Promise((resolve) => setImmediate(resolve))
  expect(flushed).toBe(1)
})
