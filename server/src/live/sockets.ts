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

/** Frames are small: clients only join and leave. */
const BIGGEST_FRAME = 16 * 1024
const SOCKETS_OF_A_SESSION = 20
/** Far more than any page says; whoever says more is shown out. */
const EVENTS_PER_SECOND = 50
const EVENTS_AT_ONCE = 1000
/** Cut sockets come back by themselves; a crowd of them not at one blow. */
const CROWD = 200

type Given = {
  db: Database
  sessions: Sessions
  limits: Limits
  /** Its client has as many connections open as it may. */
  isOver: (request: IncomingMessage) => boolean
  log: Logger
  origins: string[]
  /** With it the sockets of all copies are one house; `channel` is that of this house. */
  redis?: { redis: Redis; channel: string } | undefined
}
export type Sockets = Hub & {
  /** The other copies are heard. */
  ready: Promise<void>
  /** Takes no new sockets any more, and sends those that there are to other copies within so many milliseconds. */
  drain(ms: number): void
  close(): Promise<void>
}

/**
 * One socket for each page. The server joins it to its own channels: `user:{id}` and, of a group's people,
 * `group:{id}`, where new messages of all its rooms arrive. `room:{code}` is joined by asking, and only by those
 * who are in the room; the group's side is then on `partner:{id}` too, and hears that the partner's points have moved.
 * A socket on several channels hears each event once. Those to whom usernames are masked are on `group:{id}:masked` and
 * `room:{code}:masked` instead: what is said there carries no name.
 */
export const openSockets = (
  http: HttpServer,
  { db, sessions, limits, isOver, log, origins, redis }: Given,
): Sockets => {
  let draining = false
  const io: Io = new Server(http, {
    path: '/socket',
    serveClient: false,
    maxHttpBufferSize: BIGGEST_FRAME,
    // Whoever connects and does not say who it is.
    connectTimeout: 10_000,
    // Both ends notice within 13 seconds that the other one has gone without a word.
    pingInterval: 5000,
    pingTimeout: 8000,
    transports: ['websocket', 'polling'],
    allowRequest: (request, answer) => {
      // A page of another site may not use the cookies of ours.
      const { origin, host } = request.headers
      const isOurs = !origin || origins.includes(origin) || hostOf(origin) === host
      answer(null, !draining && !isOver(request) && isOurs)
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
        if (!(error instanceof Refused)) log.error({ err: error }, 'a socket could not be opened')
        const name = error instanceof Refused ? error.refusal : 'session.dead'
        next(Object.assign(new Error(name), { data: error instanceof Refused ? error.data : {} }))
      },
    )
  })

  const cut = (within: number) => {
    for (const socket of io.of('/').sockets.values()) setTimeout(() => socket.conn.close(), Math.random() * within)
  }
  /** Whoever comes back is judged anew, is put on its channels anew, and asks for what it has missed. */
  const catchUp = () => cut(io.engine.clientsCount > CROWD ? 1000 : 0)
  /** What ended while nobody could tell us. */
  const endDead = async () => {
    const open = [...io.of('/').sockets.values()].map(({ data }) => data.actor.session.id)
    const dead = await many<{ id: bigint; reason: string | null }>(
      db,
      sql`select id, end_reason as reason from sessions where id = any(${open}::bigint[]) and ended_at is not null`,
    )
    for (const { id, reason } of dead) perform({ do: 'end', sessions: [String(id)], reason: reason ?? 'ended' })
  }
  const perform = (deed: RelayAction) => hub.perform(deed)
  const relay = redis
    ? openRelay(redis.redis, redis.channel, {
        perform,
        onGap: catchUp,
        onDark: () =>
          void endDead().catch((error: unknown) => log.error({ err: error }, 'dead sockets were not found')),
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
      onError: (error) => log.error({ err: error }, 'receipts could not be written'),
    })
    const own = [`user:${actor.id}`, `session:${actor.session.id}`]
    if (isOffice(actor.role)) own.push(channel(`group:${actor.groupId}`, actor.masks))
    if (actor.masks) own.push(channel(`user:${actor.id}`, true))
    // Settings are inherited: what changes above is heard below.
    own.push(
      ...actor.groupPath
        .split('/')
        .filter(Boolean)
        .map((id) => `below:${id}`),
    )
    void socket.join(own)
    const crowd = io.of('/').adapter.rooms.get(`session:${actor.session.id}`)?.size ?? 0
    if (crowd > SOCKETS_OF_A_SESSION) socket.disconnect(true)

    /** Whose the joined rooms are. */
    const partners = new Map<string, number>()
    socket.on('join', (code, answer) => {
      if (typeof answer !== 'function') return
      // The database would refuse such a text with an error, which fills the log.
      if (typeof code !== 'string' || !isStorable(code)) return answer({ ok: false })
      const allowed = one<{ partnerId: number }>(
        db,
        sql`select partner_id as "partnerId" from rooms
          where code = ${code} and (partner_id = ${actor.id} or (group_id = ${actor.groupId} and ${actor.role} <= 3))`,
      )
      allowed.then(
        async (room) => {
          // Which group channel it is on says whether names are masked now, whatever was so when it connected.
          const masks = socket.rooms.has(channel(`group:${actor.groupId}`, true))
          if (room?.partnerId === actor.id) await socket.join(`room:${code}:partner`)
          else if (room) await socket.join([channel(`room:${code}`, masks), `partner:${room.partnerId}`])
          if (room) partners.set(code, room.partnerId)
          answer({ ok: room !== undefined })
        },
        (error: unknown) => {
          log.error({ err: error }, 'a room could not be joined')
          answer({ ok: false })
        },
      )
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
      cut(ms)
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
