import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import { DatabaseAway } from '../data/faults.ts'
import { type Database, many, one, sql } from '../data/sql.ts'
import { admitWhenBack } from './admit.ts'
import { keyedLimit } from '../lib/concurrency.ts'
import { Refused } from '../lib/refusal.ts'
import type { Hub } from './hub.ts'
import type { LiveState } from './live-state.ts'
import { performAsStored } from './mask-as-stored.ts'
import type { Measures } from '../lib/measures.ts'
import type { Traces } from '../lib/traces.ts'
import type { Limits } from '../identity/limits.ts'
import type { Io } from './io.ts'
import { type Actor, chatGroup } from '../identity/actor.ts'
import { lateSockets } from './late-sockets.ts'
import { channel, isTopicNeeded, makeHub, topicOf } from './live-hub.ts'
import { sendInOneWrite } from './one-write.ts'
import { bucket, listenToPresence } from './presence.ts'
import { makeReceipts } from './receipts.ts'
import { watchRights } from './watch-rights.ts'
import type { LookAction, RelayAction } from './frames.ts'
import { type OpenRelay, noRelay } from './relay.ts'
import { makeResync } from './resync.ts'
import type { Sessions } from '../identity/sessions.ts'
import { isStorable } from '../lib/stored-text.ts'

/** Clients only join, leave and report presence. */
const MAX_FRAME_BYTES = 16 * 1024
const SOCKETS_PER_SESSION = 20
/** Far more than any page sends; a socket that sends more is disconnected. */
const EVENTS_PER_SECOND = 50
const EVENTS_AT_ONCE = 1000
/** Rooms that a session may join at once, each with a connection of the database; a page that comes back joins a few. */
const JOINS_AT_ONCE = 2
const JOINS_WAITING = 1000

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
export const openSockets = (
  http: HttpServer,
  {
    db,
    sessions,
    limits,
    isOverLimit,
    log,
    origins,
    measures,
    traces,
    settings,
    relay: openRelay,
    polls = true,
    announceRooms,
  }: SocketOptions,
): Sockets => {
  let draining = false
  const io: Io = new Server(http, {
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
      if (draining && request.headers.upgrade) request.socket.end(UNAVAILABLE)
      // Another site's page must not use our cookies.
      const { origin, host } = request.headers
      const isOurs = !origin || origins.includes(origin) || hostOf(origin) === host
      answer(null, !draining && !isOverLimit(request) && isOurs)
    },
  })

  io.engine.on('connection', (connection: Parameters<typeof sendInOneWrite>[0]) => sendInOneWrite(connection))

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth.token
    const credentials = {
      token: typeof token === 'string' ? token : undefined,
      cookies: socket.handshake.headers.cookie,
    }
    const admit = async () => {
      socket.data.readAt = performance.now()
      const actor = await sessions.actorOf(credentials)
      // Events that are sent once the page has read must arrive, so the topics are received before it is let in.
      const [seconds] = await Promise.all([limits('read', String(actor.session.id)), wantFor(ownChannels(actor))])
      if (seconds !== undefined) throw new Refused('request.too_often', { seconds })
      return actor
    }
    admitWhenBack(admit, () => socket.conn.readyState === 'open').then(
      (actor) => {
        socket.data.actor = actor
        next()
      },
      (error: unknown) => {
        if (error instanceof Refused) return next(Object.assign(new Error(error.refusal), { data: error.data }))
        if (!(error instanceof DatabaseAway)) log.error({ err: error }, 'Could not open a socket')
        // Unlike a refusal, this makes the client try again by itself.
        socket.conn.close()
      },
    )
  })

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
  const receipts = makeReceipts(db, hub.delivered)
  const ofSession = keyedLimit<bigint>({ concurrency: JOINS_AT_ONCE, maxWaiting: JOINS_WAITING })

  io.on('connection', (socket) => {
    const { actor, readAt } = socket.data
    if (late.isLate(ownChannels(actor), readAt)) return socket.conn.close()
    const may = bucket(EVENTS_PER_SECOND, EVENTS_AT_ONCE)
    socket.use((_, next) => {
      if (may()) next()
      else socket.disconnect(true)
    })
    /** The partner of each joined room. */
    const partners = new Map<string, number>()
    listenToPresence(socket, actor, {
      partnerOf: (code) => partners.get(code),
      presence: (...said) => hub.presence(...said),
      received: receipts.take,
      onError: (error) => log.error({ err: error }, 'Could not store receipts'),
    })
    void socket.join(ownChannels(actor))
    watch.admitted(socket)
    const count = io.of('/').adapter.rooms.get(`session:${actor.session.id}`)?.size ?? 0
    if (count > SOCKETS_PER_SESSION) socket.disconnect(true)

    socket.on('join', (code, answer) => {
      if (typeof answer !== 'function') return
      // The database would fail on such a text, and the error would fill the log.
      if (typeof code !== 'string' || !isStorable(code)) return answer({ ok: false })
      const allowed = ofSession(actor.session.id, () =>
        one<{ partnerId: number }>(
          db,
          sql`select partner_id as "partnerId" from rooms
            where code = ${code} and (partner_id = ${actor.id} or group_id = ${chatGroup(socket.data.actor)})`,
        ),
      )
      allowed.then(
        async (room) => {
          if (room) await wantFor([`partner:${room.partnerId}`])
          // The group channel tells whether names are masked now; `actor` is from the time of connecting.
          const masks = socket.rooms.has(channel(`group:${actor.groupId}`, true))
          if (room?.partnerId === actor.id) await socket.join(`room:${code}:partner`)
          else if (room) await socket.join([channel(`room:${code}`, masks), `partner:${room.partnerId}`])
          if (room) partners.set(code, room.partnerId)
          answer({ ok: room !== undefined })
        },
        (error: unknown) => {
          if (error instanceof Refused) return socket.disconnect(true)
          log.error({ err: error }, 'Could not join a room')
          answer({ ok: false })
        },
      )
    })
    socket.on('alive', (answer) => {
      if (typeof answer === 'function') answer()
    })
    socket.on('leave', (code, answer) => {
      if (typeof code !== 'string') return
      void socket.leave(`room:${code}`)
      void socket.leave(`room:${code}:partner`)
      void socket.leave(channel(`room:${code}`, true))
      void socket.leave(`partner:${partners.get(code)}`)
      partners.delete(code)
      if (typeof answer === 'function') answer({ ok: true })
    })
  })

  const openAccounts = () => [...new Set([...io.of('/').sockets.values()].map(({ data }) => data.actor.id))]
  return {
    ...hub,
    ready: relay.subscribed,
    state: {
      sockets: () => io.engine.clientsCount,
      accounts: openAccounts,
      people: () => Promise.resolve(openAccounts().length),
      isRelayUp: () => relay.isUp(),
    },
    drain(ms) {
      draining = true
      for (const socket of io.of('/').sockets.values()) setTimeout(() => socket.conn.close(), Math.random() * ms)
    },
    async close() {
      const stopped = Promise.all([watch.stop(), resync.stop()])
      await relay.close()
      await io.close()
      await stopped
    },
  }
}

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** The channels that a socket of this account is always in. */
const ownChannels = (actor: Actor) => [
  `user:${actor.id}`,
  `session:${actor.session.id}`,
  ...(chatGroup(actor) ? [channel(`group:${actor.groupId}`, actor.masks)] : []),
  ...(actor.masks ? [channel(`user:${actor.id}`, true)] : []),
  // Settings are inherited: changes of the accounts above concern this group.
  ...actor.groupPath
    .split('/')
    .filter(Boolean)
    .map((id) => `below:${id}`),
]

const hostOf = (origin: string) => {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
