import type { ConnectionSettings } from '../config/setting-types.ts'
import { networkOf } from '../lib/address.ts'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'

/** The client as Fastify's `trustProxy` finds it: the last address that none of our proxies has. */
export const clientOf = ({ headers, socket }: IncomingMessage, trustedProxies: number): string => {
  const told = String(headers['x-forwarded-for'] ?? '')
  const hops = [...told.split(',').map((hop) => hop.trim()), socket.remoteAddress ?? ''].filter(Boolean).reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}

export type Connections = {
  /** The client behind the proxy has as many requests and WebSockets open as it may: this one is to be refused. */
  isOver: (request: IncomingMessage) => boolean
  stop: () => void
}

const TELL_EVERY_MS = 60_000

/** Counts what is open by address. */
const makeCounter = (most: number, log: Pick<Logger, 'warn'>) => {
  const open = new Map<string, number>()
  let toldAt = -Infinity
  return {
    isFull(of: string) {
      if (most === 0 || (open.get(of) ?? 0) < most) return false
      if (performance.now() - toldAt > TELL_EVERY_MS) {
        toldAt = performance.now()
        log.warn({ address: of, most }, 'an address has as many connections as it may (CONNECTIONS_OF_ADDRESS)')
      }
      return true
    },
    add(of: string, end: { once: (event: 'close', listener: () => void) => unknown }) {
      open.set(of, (open.get(of) ?? 0) + 1)
      end.once('close', () => {
        const left = (open.get(of) ?? 1) - 1
        if (left > 0) open.set(of, left)
        else open.delete(of)
      })
    },
  }
}

type Given = { limits: ConnectionSettings; trustedProxies: number; log: Pick<Logger, 'warn'> }

/**
 * Limits what clients can hold open without signing in. Call it after everything else listens to the server: its listeners
 * must be the first. Behind a proxy the socket is the proxy's, and is shared by its clients: there requests and WebSockets are
 * counted by client, and none of the proxy's connections is closed.
 */
export const guardConnections = (server: Server, { limits, trustedProxies, log }: Given): Connections => {
  const counter = makeCounter(limits.ofAddress, log)
  const over = new WeakSet<IncomingMessage>()
  server.maxConnections = limits.all
  server.headersTimeout = limits.headersSeconds * 1000
  if (trustedProxies === 0) {
    server.prependListener('connection', (socket: Socket) => {
      const address = networkOf(socket.remoteAddress ?? '')
      // No answer: an answer costs more than the connection did.
      if (counter.isFull(address)) socket.destroy()
      else counter.add(address, socket)
    })
  } else {
    const count = (request: IncomingMessage, end: Parameters<typeof counter.add>[1]) => {
      const client = networkOf(clientOf(request, trustedProxies))
      if (counter.isFull(client)) over.add(request)
      else counter.add(client, end)
    }
    // A request's own 'close' comes with the end of its body, before it is answered.
    server.prependListener('request', (request, response) => count(request, response))
    server.prependListener('upgrade', (request: IncomingMessage) => count(request, request.socket))
  }
  const stop = endSlowBodies(server, limits)
  return { isOver: (request) => over.has(request), stop }
}

/** Ends connections whose request body is slower than the least rate. Node's own limit is one time for a body of any size. */
const endSlowBodies = (server: Server, { bodySeconds, bodyRate }: ConnectionSettings) => {
  type Body = { request: IncomingMessage; startedAt: number; before: number }
  const coming = new Set<Body>()
  server.prependListener('request', (request: IncomingMessage) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    // What came in one piece with the headers is not counted: never more than 64 kB, which `bodySeconds` covers.
    const body = { request, startedAt: performance.now(), before: socket.bytesRead }
    coming.add(body)
    request.once('close', () => {
      if (request.complete) coming.delete(body)
    })
  })
  const look = () => {
    for (const body of coming) {
      const { request, startedAt, before } = body
      const { socket } = request
      const isOver = request.complete || socket.destroyed
      const seconds = (performance.now() - startedAt) / 1000
      if (!isOver && seconds <= bodySeconds + (socket.bytesRead - before) / bodyRate) continue
      coming.delete(body)
      if (!isOver) socket.destroy()
    }
  }
  const timer = setInterval(look, Math.min(1000, bodySeconds * 250)).unref()
  return () => clearInterval(timer)
}
