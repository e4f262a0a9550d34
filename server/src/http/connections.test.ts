import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { clientOf } from './connections.ts'
import { type TestServer, startTestServer } from '../testing/app.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Opens a connection from one of this machine's addresses, sends `text` and stays silent. */
const openSocket = async (server: TestServer, text: string, from = '127.0.0.1') => {
  const port = Number(new URL(server.address).port)
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  sockets.push(socket)
  let answer = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    answer += part
  })
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  socket.write(text)
  const received = async (wanted: RegExp) => {
    while (!wanted.test(answer)) await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
    return answer
  }
  return { socket, closed, received }
}
const post = (length: number, more = '') =>
  `POST /api/login HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n${more}Content-Length: ${length}\r\n\r\n`
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: t\r\n\r\n'
const WEBSOCKET = `GET /socket/?EIO=4&transport=websocket HTTP/1.1\r\nHost: t\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`
const status = async (server: TestServer) => (await fetch(`${server.address}/readyz`)).status

test('[S29] silent connections, slow headers and slow bodies are closed, whatever they request', async () => {
  const server = await startTestServer({ HEADERS_SECONDS: '1', BODY_SECONDS: '1' })
  const slow = await Promise.all([
    openSocket(server, ''),
    openSocket(server, 'POST /api/login HTTP/1.1\r\nHost: t\r\nX-Slow: '),
    openSocket(server, `${post(200_000)}{`),
    openSocket(server, `${post(200_000).replace('/api/login', '/api/sendMessage')}{`),
    openSocket(server, `${post(200_000).replace('/api/login', '/member-api/v1/balance/list')}{`),
    openSocket(server, `${post(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}1\r\n{\r\n`),
  ])
  await Promise.all(slow.map(({ closed }) => closed))
  expect(await status(server)).toBe(200)
})

test('[S29] a body at the minimum rate may take longer than BODY_SECONDS', async () => {
  const server = await startTestServer({ BODY_SECONDS: '1', BODY_BYTES_PER_SECOND: '1000' })
  const { socket, received } = await openSocket(server, post(20_000, 'Expect: 100-continue\r\n'))
  await received(/^HTTP\/1.1 100/)
  // 3,000 bytes allow three more seconds: a connection that sent one byte at the same time is closed long before.
  socket.write('x'.repeat(3000))
  const slower = await openSocket(server, `${post(20_000)}x`)
  await slower.closed
  socket.write('x'.repeat(17_000))
  expect(await received(/bad|1400/)).toMatch(/HTTP\/1.1 200/)
})

test('[S29] an address has a limit of connections, WebSockets included, and does not use up those of others', async () => {
  const server = await startTestServer({ CONNECTIONS_OF_ADDRESS: '4' })
  const crowd = []
  for (let n = 0; n < 3; n++) crowd.push(await openSocket(server, post(9), '127.0.0.2'))
  const live = await openSocket(server, WEBSOCKET, '127.0.0.2')
  expect(await live.received(/\r\n\r\n/)).toMatch(/^HTTP\/1.1 101/)
  expect(await (await openSocket(server, HEALTH, '127.0.0.2')).closed).toBe('')
  expect(await (await openSocket(server, HEALTH, '127.0.0.3')).received(/ok/)).toMatch(/^HTTP\/1.1 200/)
  crowd[0]?.socket.destroy()
  for (;;) {
    // The server notices a closed connection a moment after the client has gone.
    const next = await openSocket(server, HEALTH, '127.0.0.2')
    const answer = await Promise.race([next.received(/ok/), next.closed])
    if (/^HTTP\/1.1 200/.test(answer)) break
  }
})

test('[S29] behind a proxy clients are counted instead of connections, and one over the limit is refused', async () => {
  const server = await startTestServer({ CONNECTIONS_OF_ADDRESS: '3', TRUSTED_PROXIES: '1' })
  const of = (client: string) => `X-Forwarded-For: 10.9.9.9, ${client}\r\n`
  for (let n = 0; n < 6; n++) await openSocket(server, post(9, of(`203.0.113.${n}`)))
  for (let n = 0; n < 3; n++) await openSocket(server, post(9, of('198.51.100.7')))
  const health = (client: string) => HEALTH.replace('\r\n\r\n', `\r\n${of(client)}\r\n`)
  const refused = await (await openSocket(server, health('198.51.100.7'))).received(/1429/)
  expect(refused).toMatch(/^HTTP\/1.1 429/)
  expect(refused).toMatch(/retry-after: 1/i)
  expect(await (await openSocket(server, health('198.51.100.8'))).received(/ok/)).toMatch(/^HTTP\/1.1 200/)
  const live = `GET /socket/?EIO=4&transport=polling HTTP/1.1\r\nHost: t\r\n`
  expect(await (await openSocket(server, `${live}${of('198.51.100.7')}\r\n`)).received(/\r\n\r\n/)).toMatch(
    /^HTTP\/1.1 4/,
  )
  expect(await (await openSocket(server, `${live}${of('198.51.100.8')}\r\n`)).received(/\r\n\r\n/)).toMatch(
    /^HTTP\/1.1 200/,
  )
})

test('[S29] the client’s address comes from trusted proxies only', () => {
  const from = (forwarded: string | undefined, hops: number) =>
    clientOf({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: '127.0.0.1' } } as never, hops)
  expect(from('6.6.6.6', 0)).toBe('127.0.0.1')
  expect(from('6.6.6.6, 1.2.3.4', 1)).toBe('1.2.3.4')
  expect(from('6.6.6.6, 1.2.3.4, 10.0.0.1', 2)).toBe('1.2.3.4')
  expect(from(undefined, 1)).toBe('127.0.0.1')
})

test('[S29] a stop ends silent connections and sleeping WebSockets, and answers a request under way', async () => {
  const server = await startTestServer()
  const used = await openSocket(server, HEALTH)
  await used.received(/ok/)
  used.socket.write('GET /healthz HTTP/1.1\r\n')
  const silent = [used, await openSocket(server, ''), await openSocket(server, 'GET /healthz HTTP/1.1\r\n')]
  const sleeping = await openSocket(server, WEBSOCKET)
  await sleeping.received(/^HTTP\/1.1 101/)
  const running = await openSocket(server, post(2, 'Expect: 100-continue\r\n'))
  await running.received(/^HTTP\/1.1 100/)
  const closed = server.close()
  await Promise.all(silent.map((one) => one.closed))
  running.socket.write('{}')
  expect(await running.received(/1400/)).toMatch(/HTTP\/1.1 200/)
  await Promise.all([running.closed, sleeping.closed, closed])
})
