import type { ConnectionSettings } from '../config/setting-types.ts'
import { networkOf } from '../lib/address.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'

/** The addresses that the proxies of a request say it came from, the client's first. */
export const forwardedFor = ({ headers }: Pick<IncomingMessage, 'headers'>): string[] =>
  String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => hop.trim())
    .filter(Boolean)

/** The client's address as Fastify's `trustProxy` finds it: the last one that is not one of our proxies. */
export const clientOf = (request: IncomingMessage, trustedProxies: number): string => {
  const hops = [...forwardedFor(request), request.socket.remoteAddress ?? ''].filter(Boolean).reverse()
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}

export type Connections = {
  /** This client behind a proxy has reached its limit of requests and WebSockets: refuse the request. */
  isOverLimit: (request: IncomingMessage) => boolean
  /** Call it after everything else listens to the server: its listeners must be the first. */
  watch: (server: Server) => void
  /** Call it when the server stops listening, which waits for every connection to close. */
  end: () => void
}

const WARN_EVERY_MS = 60_000

/** Counts open connections, or requests, by address. */
const makeCounter = (most: number, log: Pick<Logger, 'warn'>) => {
  const open = new Map<string, number>()
  let warnedAt = -Infinity
  return {
    isFull(of: string) {
      if (most === 0 || (open.get(of) ?? 0) < most) return false
      if (performance.now() - warnedAt > WARN_EVERY_MS) {
        warnedAt = performance.now()
        log.warn(
          { address: of, most },
          'An address has reached its limit of connections. CONNECTIONS_OF_ADDRESS changes the limit',
        )
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

type GuardOptions = { limits: ConnectionSettings; trustedProxies: number; log: Pick<Logger, 'warn'> }

/**
 * Limits what clients can hold open without signing in. Behind a proxy one socket serves many clients, so requests and
 * WebSockets are counted by client, and the proxy's connections are never closed.
 */
export const guardConnections = ({ limits, trustedProxies, log }: GuardOptions): Connections => {
  const counter = makeCounter(limits.ofAddress, log)
  const over = new WeakSet<IncomingMessage>()
  let end = () => {}
  const countByClient = (server: Server) => {
    const count = (request: IncomingMessage, closing: Parameters<typeof counter.add>[1]) => {
      const client = networkOf(clientOf(request, trustedProxies))
      if (counter.isFull(client)) over.add(request)
      else counter.add(client, closing)
    }
    // `request` emits 'close' when its body ends, before it is answered; `response` when it is done.
    server.prependListener('request', (request, response) => count(request, response))
    server.prependListener('upgrade', (request: IncomingMessage) => count(request, request.socket))
  }
  const countByAddress = (server: Server) =>
    server.prependListener('connection', (socket: Socket) => {
      const address = networkOf(socket.remoteAddress ?? '')
      // Closed without an answer, which would cost more than the connection.
      if (counter.isFull(address)) socket.destroy()
      else counter.add(address, socket)
    })
  return {
    isOverLimit: (request) => over.has(request),
    watch(server) {
      server.maxConnections = limits.all
      server.headersTimeout = limits.headersSeconds * 1000
      if (trustedProxies === 0) countByAddress(server)
      else countByClient(server)
      endSlowBodies(server, limits)
      end = followConnections(server)
    },
    end: () => end(),
  }
}

/** WebSockets are asked to close, and a client that sleeps does not answer. */
const WEBSOCKETS_END_MS = 1000

/**
 * Ends all connections, those with a request after its answer. Node closes only those that had a request before, and no
 * longer limits the time of the others: one silent connection would keep the server from stopping.
 */
const followConnections = (server: Server) => {
  /** Each with its newest answer: answers leave in the order of their requests, so the newest is the last. */
  const open = new Map<Socket, ServerResponse | 'WebSocket' | undefined>()
  let ending = false
  server.prependListener('connection', (socket: Socket) => {
    if (ending) return socket.destroy()
    open.set(socket, undefined)
    socket.once('close', () => open.delete(socket))
  })
  server.prependListener('request', ({ socket }, response) => open.set(socket, response))
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => open.set(socket, 'WebSocket'))
  return () => {
    ending = true
    for (const [socket, answer] of open) {
      if (answer === 'WebSocket') setTimeout(() => socket.destroy(), WEBSOCKETS_END_MS).unref()
      else if (!answer || answer.closed) socket.destroy()
      else answer.once('close', () => socket.destroySoon())
    }
  }
}

/** Closes connections whose body is slower than `bodyRate`. Node's own limit is one time for bodies of any size. */
const endSlowBodies = (server: Server, { bodySeconds, bodyRate }: ConnectionSettings) => {
  type Body = { request: IncomingMessage; startedAt: number; before: number }
  const incoming = new Set<Body>()
  let started: IncomingMessage[] = []
  /** Nearly all bodies arrive with their headers and are complete by now. Only the others are worth a timer and a listener. */
  const watchIncomplete = () => {
    const startedAt = performance.now()
    for (const request of started) {
      if (request.complete || request.socket.destroyed) continue
      // The part that arrived with the headers is not counted: at most 64 kB, which `bodySeconds` covers.
      const body = { request, startedAt, before: request.socket.bytesRead }
      incoming.add(body)
      request.once('close', () => {
        if (request.complete) incoming.delete(body)
      })
    }
    started = []
  }
  server.prependListener('request', (request: IncomingMessage) => {
    const { headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    if (started.push(request) === 1) setImmediate(watchIncomplete)
  })
  const check = () => {
    for (const body of incoming) {
      const { request, startedAt, before } = body
      const { socket } = request
      const isDone = request.complete || socket.destroyed
      const seconds = (performance.now() - startedAt) / 1000
      if (!isDone && seconds <= bodySeconds + (socket.bytesRead - before) / bodyRate) continue
      incoming.delete(body)
      if (!isDone) socket.destroy()
    }
  }
  const timer = setInterval(check, Math.min(1000, bodySeconds * 250)).unref()
  server.once('close', () => clearInterval(timer))
}
