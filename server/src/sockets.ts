import type { Server as HttpServer } from 'node:http'
import type { ClientEvents, ServerEvents } from '@tallyroom/contract/events'
import type { Logger } from 'pino'
import { Server } from 'socket.io'
import type { Actor } from './actor.ts'
import { type Database, one, sql } from './db.ts'
import { Refused } from './handler.ts'
import type { Hub } from './hub.ts'
import type { RoomRow } from './messages.ts'
import { everyName, shownText, shownUsername, type Viewer } from './names.ts'
import { listenToPresence } from './presence.ts'
import { makeReceipts } from './receipts.ts'
import type { Sessions } from './sessions.ts'

type Data = { actor: Actor }
type Io = Server<ClientEvents, ServerEvents, Record<string, never>, Data>

/** Frames are small: clients only join and leave. */
const BIGGEST_FRAME = 16 * 1024
const SOCKETS_OF_A_SESSION = 20

/**
 * One socket for each page. The server joins it to its own channels: `user:{id}` and, of a group's people,
 * `group:{id}`, where new messages of all its rooms arrive. `room:{code}` is joined by asking, and only by those
 * who are in the room. A socket on several channels hears each event once. Those to whom usernames are masked are on
 * `group:{id}:masked` and `room:{code}:masked` instead: what is said there carries no name.
 */
export const openSockets = (
  http: HttpServer,
  { db, sessions, log, origins }: { db: Database; sessions: Sessions; log: Logger; origins: string[] },
): Hub & { close(): Promise<void> } => {
  const io: Io = new Server(http, {
    path: '/socket',
    serveClient: false,
    maxHttpBufferSize: BIGGEST_FRAME,
    transports: ['websocket', 'polling'],
    allowRequest: (request, answer) => {
      // A page of another site may not use the cookies of ours.
      const { origin, host } = request.headers
      answer(null, !origin || origins.includes(origin) || hostOf(origin) === host)
    },
  })

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth.token
    const credentials = {
      token: typeof token === 'string' ? token : undefined,
      cookies: socket.handshake.headers.cookie,
    }
    sessions.actorOf(credentials).then(
      (actor) => {
        socket.data.actor = actor
        next()
      },
      (error: unknown) => {
        if (!(error instanceof Refused)) log.error({ err: error }, 'a socket could not be opened')
        next(Object.assign(new Error('session.dead'), { data: error instanceof Refused ? error.data : {} }))
      },
    )
  })

  const presence: Hub['presence'] = (code, { actor, side }, what, inside) => {
    const own = `user:${actor.id}`
    const from = { id: actor.id, username: actor.username, isSub: 0 } as const
    const who = (viewer: Viewer) =>
      side === 'partner'
        ? { account_id: 0, name: '' }
        : {
            account_id: actor.id,
            name: shownText(viewer, from, actor.nickname) || shownUsername(viewer, from),
          }
    const told = { code, what }
    io.to(`room:${code}`)
      .except(own)
      .emit('presence', { ...told, ...who(everyName) })
    io.to(channel(`room:${code}`, true))
      .except(own)
      .emit('presence', { ...told, ...who({ id: 0, masks: true }) })
    // The partner hears that his group types, and no more.
    if (side === 'group' && what === 'typing' && !inside)
      io.to(`room:${code}:partner`).emit('presence', { ...told, account_id: 0, name: '' })
  }
  const receipts = makeReceipts(db, ({ code, groupId, partnerId, groupSeq, partnerSeq }) => {
    const group = [`group:${groupId}`, `room:${code}`]
    if (partnerSeq) io.to([...group, ...masked(group)]).emit('delivered', { code, seq: partnerSeq })
    if (groupSeq) io.to([`user:${partnerId}`, `room:${code}:partner`]).emit('delivered', { code, seq: groupSeq })
  })

  io.on('connection', (socket) => {
    const { actor } = socket.data
    listenToPresence(socket, actor, {
      presence,
      received: receipts.take,
      onError: (error) => log.error({ err: error }, 'receipts could not be written'),
    })
    const own = [`user:${actor.id}`, `session:${actor.session.id}`]
    if (actor.role <= 3) own.push(channel(`group:${actor.groupId}`, actor.masks))
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

    socket.on('join', (code, answer) => {
      if (typeof code !== 'string' || typeof answer !== 'function') return
      const allowed = one<{ partner: boolean }>(
        db,
        sql`select partner_id = ${actor.id} as partner from rooms
          where code = ${code} and (partner_id = ${actor.id} or (group_id = ${actor.groupId} and ${actor.role} <= 3))`,
      )
      allowed.then(
        async (room) => {
          // Which group channel it is on says whether names are masked now, whatever was so when it connected.
          const masks = socket.rooms.has(channel(`group:${actor.groupId}`, true))
          if (room) await socket.join(room.partner ? `room:${code}:partner` : channel(`room:${code}`, masks))
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
      if (typeof answer === 'function') answer({ ok: true })
    })
  })

  /** What nobody hears is not even put into words. */
  const say = <N extends 'room' | 'desk'>(
    event: N,
    channels: string[],
    change: () => Parameters<ServerEvents[N]>[0],
    except: string[] = [],
  ) => {
    const { rooms } = io.of('/').adapter
    if (channels.some((name) => rooms.has(name)))
      io.to(channels)
        .except(except)
        .emit(event, ...([change()] as never))
  }
  const tellGroup = <N extends 'room' | 'desk'>(
    event: N,
    room: RoomRow,
    change: (viewer: Viewer) => Parameters<ServerEvents[N]>[0],
    senders: number[],
  ) => {
    const group = [`group:${room.groupId}`, `room:${room.code}`]
    say(event, group, () => change(everyName))
    // Whoever wrote it reads his own name in it, as he does everywhere.
    const writers = senders.map((id) => `user:${id}`)
    say(event, masked(group), () => change({ id: 0, masks: true }), writers)
    for (const id of senders.filter((one) => one !== room.partnerId))
      say(event, [`user:${id}:masked`], () => change({ id, masks: true }))
  }

  return {
    roomChanged(room, change, senders = []) {
      tellGroup('room', room, (viewer) => change('group', viewer), senders)
      // A partner who is an agent may see names masked too.
      const { partnerId } = room
      const partner = `user:${partnerId}`
      say('room', [partner, `room:${room.code}:partner`], () => change('partner'), masked([partner]))
      say('room', masked([partner]), () => change('partner', { id: partnerId, masks: true }))
    },
    deskChanged(room, change, senders = []) {
      tellGroup('desk', room, change, senders)
    },
    presence,
    tell(accountId, event, payload) {
      // The event's own type has held name and payload together.
      io.to(`user:${accountId}`).emit(event, ...([payload] as never))
    },
    settingsChanged(accountId) {
      io.to(`below:${accountId}`).emit('settings', {})
    },
    endSessions(ids, reason) {
      if (ids.length === 0) return
      const channels = ids.map((id) => `session:${id}`)
      io.to(channels).emit('ended', { reason })
      io.in(channels).disconnectSockets(true)
    },
    maskNames(accountIds, masks) {
      if (accountIds.length === 0) return
      const moved = io.in(accountIds.map((id) => `user:${id}`)).fetchSockets()
      moved.then(
        (sockets) => {
          for (const socket of sockets) {
            for (const name of socket.rooms) {
              const [from, to] = masks ? [name, `${name}:masked`] : [name, name.replace(/:masked$/, '')]
              if (!isSplit(from, masks)) continue
              socket.join(to)
              // `user:{id}` stays beside its own masked one.
              if (!from.startsWith('user:') || !masks) socket.leave(from)
            }
          }
        },
        (error: unknown) => log.error({ err: error }, 'sockets could not change their channels'),
      )
    },
    close: () => io.close(),
  }
}

const channel = (name: string, masks: boolean) => (masks ? `${name}:masked` : name)
const masked = (names: string[]) => names.map((name) => channel(name, true))

/** One of the pairs of channels, the plain one or the masked one. */
const isSplit = (name: string, plain: boolean) =>
  plain ? /^(group|room|user):[^:]+$/.test(name) : /^(group|room|user):[^:]+:masked$/.test(name)

const hostOf = (origin: string) => {
  try {
    return new URL(origin).host
  } catch {
    return undefined
  }
}
