import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import { type Database, many, sql } from '../data/sql.ts'
import type { Limits } from '../identity/limits.ts'
import type { Sessions } from '../identity/sessions.ts'
import type { Measures } from '../lib/measures.ts'
import type { Traces } from '../lib/traces.ts'
import { admitSockets } from './admit.ts'
import { isTopicNeeded, ownChannels, topicOf } from './channels.ts'
import type { LookAction, RelayAction } from './frames.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { Hub } from './hub.ts'
import type { Io, LiveSocket } from './io.ts'
import { makeJoins } from './joins.ts'
import { lateSockets } from './late-sockets.ts'
import { makeHub } from './live-hub.ts'
import type { LiveState } from './live-state.ts'
import { performAsStored } from './mask-as-stored.ts'
import { sendInOneWrite } from '../adapters/engine-io.ts'
import { bucket, listenToPresence } from './presence.ts'
import { makeReceipts } from './receipts.ts'
import { noRelay, type OpenRelay } from './relay.ts'
import { makeResync } from './resync.ts'
import { watchRights } from './watch-rights.ts'

/** Clients only join, leave and report presence. */
const MAX_FRAME_BYTES = 16 * 1024
const SOCKETS_PER_SESSION = 20
/** Far more than any page sends; a socket that sends more is disconnected. */
const EVENTS_PER_SECOND = 50
const EVENTS_AT_ONCE = 1000

type SocketOptions = {
  db: Database
  sessions: Sessions
  limits: Limits
  /** Whether this client has reached its limit of connections. */
  isOverLimit: (request: IncomingMessage) => boolean
  log: Logger
  origins: string[]
  measures: Measures
  traces: Traces | undefined
  settings: { timeZone: string }
  /** Sends these rooms as they are, without new messages, to those who may see them. */
  announceRooms: (db: Database, hub: Pick<Hub, 'roomChanged' | 'deskChanged'>, ids: number[]) => Promise<void>
  /** Connects the sockets of all copies. */
  relay?: OpenRelay | undefined
  /** Browsers may fall back to polling. The requests of a polling socket must all reach this process. */
  polls?: boolean
}
export type Sockets = Hub & {
  /** Takes the sockets of this HTTP server. Events can be sent before it, and reach the sockets of other copies. */
  attach(http: HttpServer): void
  /** Resolves when this copy receives the events of the others. */
  ready: Promise<void>
  /** Refuses new sockets, and closes the open ones within this time so that they connect to other copies. */
  drain(ms: number): void
  state: LiveState
  close(): Promise<void>
}

/**
 * One socket for each page. The server puts it into its own channels: `user:{id}`, and for office accounts
 * `group:{id}`, which gets the new messages of all the group's rooms. A client asks to join `room:{code}`, which only
 * the two sides of the room may; the group's side then also joins `partner:{id}` and learns when the partner's points
 * change. A socket in several channels gets each event once. Viewers who see usernames masked are in
 * `group:{id}:masked` and
 * `room:{code}:masked` instead, whose events carry no names.
 */
export const openSockets = (options: SocketOptions): Sockets => {
  const { db, log } = options
  let isDraining = false
  const io = makeIo(options, () => isDraining)
  const { hub, relay, wantFor, watch, late, resync } = connectCopies(io, options)
  admitSockets(io, { ...options, wantFor })
  const joins = makeJoins({ db, log, wantFor })
  const receipts = makeReceipts(db, hub.delivered)
  const heartbeat = startHeartbeat(io, { db, log, hub })

  io.on('connection', (socket) => {
    const { actor, readAt } = socket.data
    if (late.isLate(ownChannels(actor), readAt)) return socket.conn.close()
    limitEvents(socket)
    const partners = joins.listen(socket)
    listenToPresence(socket, actor, {
      partnerOf: (code) => partners.get(code),
      presence: (...said) => hub.presence(...said),
      received: receipts.take,
      onError: (error) => log.error({ err: error }, 'Could not store receipts'),
    })
    void socket.join(ownChannels(actor))
    watch.admitted(socket)
    heartbeat.admitted(socket)
    const count = io.of('/').adapter.rooms.get(`session:${actor.session.id}`)?.size ?? 0
    if (count > SOCKETS_PER_SESSION) socket.disconnect(true)
    socket.on('alive', (answer) => {
      if (typeof answer === 'function') answer()
    })
  })

  const openAccounts = () => [...new Set([...io.of('/').sockets.values()].map(({ data }) => data.actor.id))]
  return {
    ...hub,
    ready: relay.subscribed,
    state: {
      // Undefined before `attach`.
      sockets: () => io.engine?.clientsCount ?? 0,
      accounts: openAccounts,
      people: () => Promise.resolve(openAccounts().length),
      isRelayUp: () => relay.isUp(),
    },
    attach(http) {
      io.attach(http)
      io.engine.on('connection', (connection: Parameters<typeof sendInOneWrite>[0]) => sendInOneWrite(connection))
    },
    drain(ms) {
      isDraining = true
      for (const socket of io.of('/').sockets.values()) setTimeout(() => socket.conn.close(), Math.random() * ms)
    },
    async close() {
      const stopped = Promise.all([watch.stop(), resync.stop(), heartbeat.stop()])
      await relay.close()
      await io.close()
      await stopped
    },
  }
}

const makeIo = ({ polls = true, origins, isOverLimit }: SocketOptions, isDraining: () => boolean): Io =>
  new Server({
    path: '/socket',
    serveClient: false,
    maxHttpBufferSize: MAX_FRAME_BYTES,
    // Sockets that connect without credentials are closed after this time.
    connectTimeout: 10_000,
    // Both ends detect a silently lost connection within 13 seconds.
    pingInterval: 5000,
    pingTimeout: 8000,
    transports: polls ? ['websocket', 'polling'] : ['websocket'],
    allowRequest: (request, answer) => {
      // Socket.IO would answer 400: a proxy takes only 503 for a copy to leave.
      if (isDraining() && request.headers.upgrade) request.socket.end(UNAVAILABLE)
      // Another site's page must not use our cookies.
      const { origin, host } = request.headers
      const isOurs = !origin || origins.includes(origin) || hostOf(origin) === host
      answer(null, !isDraining() && !isOverLimit(request) && isOurs)
    },
  })

/** The hub of this copy, and what keeps its sockets up to date with the other copies. */
const connectCopies = (io: Io, options: SocketOptions) => {
  const { db, log, measures, traces, settings, relay: openRelay, announceRooms } = options
  /** Closes the sockets of sessions that ended while Redis was down. */
  const endDead = async () => {
    const open = [...io.of('/').sockets.values()].map(({ data }) => data.actor.session.id)
    const dead = await many<{ id: bigint; reason: string | null }>(
      db,
      sql`select id, end_reason as reason from sessions where id = any(${open}::bigint[]) and ended_at is not null`,
    )
    for (const { id, reason } of dead) perform({ do: 'end', sessions: [String(id)], reason: reason ?? 'ended' })
  }
  const perform = performAsStored(db, () => hub, log)
  /** An action of another process is a part of what made it there. */
  const performIn = ({ part, resume }: Traces, action: RelayAction) =>
    void resume(action.trace, () => part('relayed', async () => perform(action)))
  const relay = openRelay
    ? openRelay({
        perform: traces ? (action) => performIn(traces, action) : perform,
        carried: traces?.carried,
        onGap: (since) => {
          measures.relayGap()
          resync.missedSince(since)
        },
        onLost: measures.copyLost,
        onDark: () =>
          void endDead().catch((err: unknown) => log.error({ err }, 'Could not look for sockets of ended sessions')),
        isNeeded: (topic) => isTopicNeeded(io.of('/').adapter.rooms, topic),
      })
    : { ...noRelay, subscribed: Promise.resolve() }
  const wantFor = (channels: string[]) => relay.want(channels.flatMap((name) => topicOf(name) ?? []))
  io.of('/').adapter.on('create-room', (name: string) => void wantFor([name]))
  const watch = watchRights(io, { db, settings, log, isRelayUp: () => relay.isUp() })
  const late = lateSockets()
  const helpers = {
    look: (action?: LookAction) => resync.look(action),
    recheck: (ids: number[]) => watch.recheck(ids),
    noteMoved: (channels: string[]) => late.note(channels),
  }
  const hub = makeHub(io, relay, helpers, log)
  const local = makeHub(io, noRelay, helpers, log)
  const resync = makeResync(io, {
    db,
    log,
    measures,
    announceRooms: (ids) => announceRooms(db, local, ids),
    recheckAll: () => Promise.all([endDead(), watch.recheckAll()]),
    perform,
  })
  // Without other copies no events are missed.
  if (openRelay) resync.startSampling()
  return { hub, relay, wantFor, watch, late, resync }
}

const limitEvents = (socket: LiveSocket) => {
  const may = bucket(EVENTS_PER_SECOND, EVENTS_AT_ONCE)
  socket.use((_, next) => {
    if (may()) next()
    else socket.disconnect(true)
  })
}

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

const hostOf = (origin: string) => {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
