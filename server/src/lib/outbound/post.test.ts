import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { post } from './post.ts'

/** What the receiver does with a request; `n` counts those of all connections, `on` those of its own. */
let answer: (response: ServerResponse, socket: Socket, n: number, on: number) => void
let ports: (number | undefined)[]
const counts = new WeakMap<Socket, number>()
let receiver: Server
let url: URL
beforeEach(async () => {
  ports = []
  receiver = createServer((incoming, response) => {
    const { socket } = incoming
    ports.push(socket.remotePort)
    const on = (counts.get(socket) ?? 0) + 1
    counts.set(socket, on)
    incoming.resume().on('end', () => answer(response, socket, ports.length, on))
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = new URL(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`)
})
afterEach(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const sent = async () => {
  const { answer: status, body } = await post(url, { headers: {}, body: '{}', allowPrivate: true })
  return [status, body]
}
const connections = () => new Set(ports).size

test('[API-09] a receiver gets one after the other on one connection', async () => {
  answer = (response, _, n) => response.end(`answer ${n}`)
  expect([await sent(), await sent(), await sent()]).toEqual([
    ['200', 'answer 1'],
    ['200', 'answer 2'],
    ['200', 'answer 3'],
  ])
  expect(connections()).toBe(1)
})

test('[API-09] a kept connection that was closed meanwhile costs no attempt', async () => {
  answer = (response, socket, _, on) => (on === 1 ? response.end('taken') : socket.destroy())
  expect([await sent(), await sent()]).toEqual([
    ['200', 'taken'],
    ['200', 'taken'],
  ])
  expect([ports.length, connections()]).toEqual([3, 2])
})

test('[API-09] a new connection that is cut is a failed attempt, and is not tried again at once', async () => {
  answer = (_, socket) => socket.destroy()
  expect(await sent()).toEqual(['ECONNRESET', ''])
  expect(ports).toHaveLength(1)
})

test('[API-09] the connection of an answer without an end serves nothing else', async () => {
  answer = (response, _, n) => (n === 1 ? response.write('x'.repeat(5000)) : response.end('taken'))
  expect([(await sent())[0], await sent()]).toEqual(['200', ['200', 'taken']])
  expect(connections()).toBe(2)
})

test('[API-09] what may be private never serves what may not', async () => {
  answer = (response) => response.end()
  await sent()
  expect((await post(url, { headers: {}, body: '{}', allowPrivate: false })).answer).toBe('private_address')
  expect(ports).toHaveLength(1)
})
