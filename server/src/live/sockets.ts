import { isOffice } from '@tallyroom/contract/codes'
import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import { type Database, many, one, sql } from '../data/sql.ts'
import { Refused } from '../lib/refusal.ts'
import type { Hub } from './hub.ts'
import type { Limits } from '../identity/limits.ts'
import type { Io } from './io.ts'
import { channel, makeHub } from './live-hub.ts'
import { bucket, listenToPresence } from './presence.ts'
import { makeReceipts } from './receipts.ts'
import type { Redis } from '../data/redis.ts'
import { type RelayAction, noRelay, openRelay } from './relay.ts'
import type { Sessions } from '../identity/sessions.ts'
import { isStorable } from '../lib/stored-text.ts'

/** Clients only join, leave and report presence. */
const MAX_FRAME_BYTES = 16 * 1024
const SOCKETS_PER_SESSION = 20
/** Far more than any page sends; a socket that sends more is disconnected. */
const EVENTS_PER_SECOND = 50
const EVENTS_AT_ONCE = 1000
/** Above this many sockets, `catchUp` spreads the reconnects over a second. */
const CROWD = 200

type SocketOptions = {
  db: Database
  sessions: Sessions
  limits: Limits
  /** Whether this client has reached its limit of connections. */
  isOverLimit: (request: IncomingMessage) => boolean
  log: Logger
  origins: string[]
  /** Connects the sockets of all copies; `channel` is this installation's Redis channel. */
  redis?: { redis: Redis; channel: string } | undefined
}
export type Sockets = Hub & {
  /** Resolves when this copy receives the events of the others. */
  ready: Promise<void>
  /** Refuses new sockets, and closes the open ones within this time so that they connect to other copies. */
  drain(ms: number): void
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
  { db, sessions, limits, isOverLimit, log, origins, redis }: SocketOptions,
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
    transports: ['websocket', 'polling'],
    allowRequest: (request, answer) => {
      // Another site's page must not use our cookies.
      const { origin, host } = request.headers
      const isOurs = !origin || origins.includes(origin) || hostOf(origin) === host
      answer(null, !draining && !isOverLimit(request) && isOurs)
    },
  })

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth.token
    const credentials = {
      token: typeof token === 'string' ? token : undefined,
      cookies: socket.handshake.headers.cookie,
    }
    const admit = async () => {
      const actor = await sessions.actorOf(credentials)
      const seconds = await limits('read', String(actor.session.id))
      if (seconds !== undefined) throw new Refused('request.too_often', { seconds })
      return actor
    }
    admit().then(
      (actor) => {
        socket.data.actor = actor
        next()
      },
      (error: unknown) => {
        if (!(error instanceof Refused)) log.error({ err: error }, 'Could not open a socket')
        const name = error instanceof Refused ? error.refusal : 'session.dead'
        next(Object.assign(new Error(name), { data: error instanceof Refused ? error.data : {} }))
      },
    )
  })

  const closeSockets = (within: number) => {
    for (const socket of io.of('/').sockets.values()) setTimeout(() => socket.conn.close(), Math.random() * within)
  }
  /** Reconnecting checks the session again, joins the channels again, and makes the page fetch what it missed. */
  const catchUp = () => closeSockets(io.engine.clientsCount > CROWD ? 1000 : 0)
  /** Closes the sockets of sessions that ended while Redis was down. */
  const endDead = async () => {
    const open = [...io.of('/').sockets.values()].map(({ data }) => data.actor.session.id)
    const dead = await many<{ id: bigint; reason: string | null }>(
      db,
      sql`select id, end_reason as reason from sessions where id = any(${open}::bigint[]) and ended_at is not null`,
    )
    for (const { id, reason } of dead) perform({ do: 'end', sessions: [String(id)], reason: reason ?? 'ended' })
  }
  const perform = (action: RelayAction) => hub.perform(action)
  const relay = redis
    ? openRelay(redis.redis, redis.channel, {
        perform,
        onGap: catchUp,
        onDark: () =>
          void endDead().catch((error: unknown) =>
            log.error({ err: error }, 'Could not look for sockets of ended sessions'),
          ),
      })
    : { ...noRelay, subscribed: Promise.resolve() }
  const hub = makeHub(io, relay, catchUp, log)
  const receipts = makeReceipts(db, hub.delivered)

  io.on('connection', (socket) => {
    const { actor } = socket.data
    const may = bucket(EVENTS_PER_SECOND, EVENTS_AT_ONCE)
    socket.use((_, next) => {
      if (may()) next()
      else socket.disconnect(true)
    })
    listenToPresence(socket, actor, {
      presence: (...said) => hub.presence(...said),
      received: receipts.take,
      onError: (error) => log.error({ err: error }, 'Could not store receipts'),
    })
    const own = [`user:${actor.id}`, `session:${actor.session.id}`]
    if (isOffice(actor.role)) own.push(channel(`group:${actor.groupId}`, actor.masks))
    if (actor.masks) own.push(channel(`user:${actor.id}`, true))
    // Settings are inherited: changes of the accounts above concern this group.
    own.push(
      ...actor.groupPath
        .split('/')
        .filter(Boolean)
        .map((id) => `below:${id}`),
    )
    void socket.join(own)
    const count = io.of('/').adapter.rooms.get(`session:${actor.session.id}`)?.size ?? 0
    if (count > SOCKETS_PER_SESSION) socket.disconnect(true)

    /** The partner of each joined room. */
    const partners = new Map<string, number>()
    socket.on('join', (code, answer) => {
      if (typeof answer !== 'function') return
      // The database would fail on such a text, and the error would fill the log.
      if (typeof code !== 'string' || !isStorable(code)) return answer({ ok: false })
      const allowed = one<{ partnerId: number }>(
        db,
        sql`select partner_id as "partnerId" from rooms
          where code = ${code} and (partner_id = ${actor.id} or (group_id = ${actor.groupId} and ${actor.role} <= 3))`,
      )
      allowed.then(
        async (room) => {
          // The group channel tells whether names are masked now; `actor` is from the time of connecting.
          const masks = socket.rooms.has(channel(`group:${actor.groupId}`, true))
          if (room?.partnerId === actor.id) await socket.join(`room:${code}:partner`)
          else if (room) await socket.join([channel(`room:${code}`, masks), `partner:${room.partnerId}`])
          if (room) partners.set(code, room.partnerId)
          answer({ ok: room !== undefined })
        },
        (error: unknown) => {
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

  return {
    ...hub,
    ready: relay.subscribed,
    drain(ms) {
      draining = true
      closeSockets(ms)
    },
    async close() {
      await relay.close()
      await io.close()
    },
  }
}

const hostOf = (origin: string) => {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
