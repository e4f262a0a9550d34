import type { Logger } from 'pino'
import { type Database, one, sql } from '../data/sql.ts'
import { chatGroup } from '../identity/actor.ts'
import { keyedLimit } from '../lib/concurrency.ts'
import { Refused } from '../lib/refusal.ts'
import { isStorable } from '../lib/stored-text.ts'
import type { LiveSocket } from './io.ts'
import { channel } from './channels.ts'

/** Each join of a session takes a connection of the database; a page that comes back joins a few rooms. */
const JOINS_AT_ONCE = 2
const JOINS_WAITING = 1000

type JoinOptions = {
  db: Database
  log: Pick<Logger, 'error'>
  /** Resolves when events of these channels arrive. */
  wantFor: (channels: string[]) => Promise<void>
}

/** Lets sockets join the rooms that they may hear, and leave them. */
export const makeJoins = ({ db, log, wantFor }: JoinOptions) => {
  const ofSession = keyedLimit<bigint>({ concurrency: JOINS_AT_ONCE, maxWaiting: JOINS_WAITING })

  const findRoom = ({ data: { actor } }: LiveSocket, code: string) =>
    ofSession(actor.session.id, () =>
      one<{ partnerId: number }>(
        db,
        sql`select partner_id as "partnerId" from rooms
          where code = ${code} and (partner_id = ${actor.id} or group_id = ${chatGroup(actor)})`,
      ),
    )

  const join = async (socket: LiveSocket, code: string, partners: Map<string, number>): Promise<boolean> => {
    const room = await findRoom(socket, code)
    if (!room) return false
    await wantFor([`partner:${room.partnerId}`])
    const { id, groupId } = socket.data.actor
    // The group channel tells whether names are masked now; `actor` is from the time of connecting.
    const masks = socket.rooms.has(channel(`group:${groupId}`, true))
    if (room.partnerId === id) await socket.join(`room:${code}:partner`)
    else await socket.join([channel(`room:${code}`, masks), `partner:${room.partnerId}`])
    partners.set(code, room.partnerId)
    return true
  }

  const leave = (socket: LiveSocket, code: string, partners: Map<string, number>) => {
    void socket.leave(`room:${code}`)
    void socket.leave(`room:${code}:partner`)
    void socket.leave(channel(`room:${code}`, true))
    void socket.leave(`partner:${partners.get(code)}`)
    partners.delete(code)
  }

  return {
    /** Returns the partner of each room that the socket has joined. */
    listen(socket: LiveSocket): ReadonlyMap<string, number> {
      const partners = new Map<string, number>()
      socket.on('join', (code, answer) => {
        if (typeof answer !== 'function') return
        // The database would fail on such a text, and the error would fill the log.
        if (typeof code !== 'string' || !isStorable(code)) return answer({ ok: false })
        join(socket, code, partners).then(
          (ok) => answer({ ok }),
          (error: unknown) => {
            if (error instanceof Refused) return socket.disconnect(true)
            log.error({ err: error }, 'Could not join a room')
            answer({ ok: false })
          },
        )
      })
      socket.on('leave', (code, answer) => {
        if (typeof code !== 'string') return
        leave(socket, code, partners)
        if (typeof answer === 'function') answer({ ok: true })
      })
      return partners
    },
  }
}
