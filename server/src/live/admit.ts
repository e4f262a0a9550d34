import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { DatabaseAway } from '../data/faults.ts'
import type { Limits } from '../identity/limits.ts'
import type { Sessions } from '../identity/sessions.ts'
import { Refused } from '../lib/refusal.ts'
import type { Io, LiveSocket } from './io.ts'
import { ownChannels } from './channels.ts'

/** Below `connectTimeout`, after which the library closes a socket that has not signed in. */
const MAX_WAIT_MS = 8000

/**
 * Signs a socket in, and waits while the database is away. Clients of Socket.IO do not try again after a refusal, and may take
 * it for the end of the session. The pauses are random, so that a crowd does not come all at once.
 */
const admitWhenBack = async <T>(admit: () => Promise<T>, isOpen: () => boolean): Promise<T> => {
  const until = performance.now() + MAX_WAIT_MS
  for (;;) {
    try {
      return await admit()
    } catch (error) {
      if (!(error instanceof DatabaseAway) || performance.now() > until || !isOpen()) throw error
    }
    await pause(200 + Math.random() * 800)
  }
}

type AdmitOptions = {
  sessions: Sessions
  limits: Limits
  log: Pick<Logger, 'error'>
  /** Resolves when events of these channels arrive. */
  wantFor: (channels: string[]) => Promise<void>
}

/** Lets in sockets that belong to a session, and tells the others why not. */
export const admitSockets = (io: Io, { sessions, limits, log, wantFor }: AdmitOptions) => {
  const admit = async ({ handshake, data }: LiveSocket) => {
    const token: unknown = handshake.auth.token
    const credentials = {
      token: typeof token === 'string' ? token : undefined,
      cookies: handshake.headers.cookie,
    }
    data.readAt = performance.now()
    const actor = await sessions.actorOf(credentials)
    // Events that are sent once the page has read must arrive, so the topics are received before it is let in.
    const [seconds] = await Promise.all([limits('read', String(actor.session.id)), wantFor(ownChannels(actor))])
    if (seconds !== undefined) throw new Refused('request.too_often', { seconds })
    return actor
  }
  io.use((socket, next) => {
    admitWhenBack(
      () => admit(socket),
      () => socket.conn.readyState === 'open',
    ).then(
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
}
