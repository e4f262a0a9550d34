import type { Logger } from 'pino'
import { type Database, many, one, type Sql, sql } from '../data/sql.ts'
import { positionsOf } from '../identity/actor.ts'
import type { Measures } from '../lib/measures.ts'
import { repeat } from '../lib/concurrency.ts'
import type { Io } from './io.ts'
import type { LookAction, RelayAction } from './frames.ts'

const SAMPLE_MS = 2000
const MAX_SAMPLES = 600
/** An event is sent a moment after its commit, later on a busy copy. */
const MARGIN_MS = 5000
/** An action of another version of the server may be about anything in this time. */
const UNKNOWN_MS = 60_000
/** Rooms that are sent at once, and the pause behind them: a second has 1000 rooms. */
const ROOMS_AT_ONCE = 50
const ROOMS_PAUSE_MS = 50
/** Pages of this copy that fetch in a second, and the longest that one waits. */
const PAGES_PER_SECOND = 200
const MAX_SPREAD_MS = 60_000
const TRY_AGAIN_MS = 1000
/** When an unsure commit has happened, or the next primary is there: at once mostly. */
const UNSURE_LOOKS_MS = [100, 4000]

type ResyncOptions = {
  db: Database
  log: Logger
  measures: Measures
  /** Sends the sockets of this copy these rooms as they are. A page that has this version drops it. */
  announceRooms: (ids: number[]) => Promise<void>
  /** Rights of all sockets, and sessions that have ended. */
  recheckAll: () => Promise<unknown>
  perform: (action: RelayAction) => void
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref())
type Sample = { at: number; xid: string }

/**
 * Brings the pages of this copy up to date after events were missed, without closing their sockets: rooms that changed are
 * read from the database and sent again; all else a page fetches by itself, each at another moment. What a socket may hear
 * is checked again at once.
 */
export const makeResync = (io: Io, { db, log, measures, announceRooms, recheckAll, perform }: ResyncOptions) => {
  const samples = makeSamples(db)
  let stopped = false
  const pages = makePageTeller(io)

  /** Until the database answers. */
  const persistently = async (work: () => Promise<unknown>) => {
    while (!stopped) {
      try {
        await work()
        return
      } catch (error) {
        log.warn({ err: error }, 'Could not look for missed events. Trying again')
      }
      await pause(TRY_AGAIN_MS * (0.5 + Math.random()))
    }
  }

  const idsIn = (kind: 'group' | 'user') => {
    const pattern = new RegExp(`^${kind}:(\\d+)(:|$)`)
    const names = [...io.of('/').adapter.rooms.keys()].map((name) => pattern.exec(name)?.[1])
    return [...new Set(names.flatMap((id) => (id === undefined ? [] : Number(id))))]
  }
  /** Rooms with listeners here that have changed since a moment. Each condition is an index. */
  const changedRooms = async (since: number): Promise<number[]> => {
    const from = samples.before(since - MARGIN_MS)
    if (!from) return []
    const [groups, partners] = [idsIn('group'), idsIn('user')]
    const xid: Sql = sql`${from.xid}::text::xid8`
    const rows = await many<{ id: number }>(
      db,
      sql`select id from rooms where group_id = any(${groups}::int[]) and changed_xid >= ${xid}
        union select id from rooms where group_id = any(${groups}::int[]) and desk_xid >= ${xid}
        union select id from rooms where partner_id = any(${partners}::int[]) and changed_xid >= ${xid}`,
    )
    return rows.map(({ id }) => id)
  }
  const sendRooms = async (ids: number[]) => {
    for (let at = 0; at < ids.length && !stopped; at += ROOMS_AT_ONCE) {
      if (at > 0) await pause(ROOMS_PAUSE_MS)
      await announceRooms(ids.slice(at, at + ROOMS_AT_ONCE))
    }
  }

  const socketsOf = (accounts: number[]) =>
    accounts.flatMap((id) => [...(io.of('/').adapter.rooms.get(`user:${id}`) ?? [])])

  /** A socket whose account was moved in the tree connects again; the masks of others are set right. */
  const recheckPositions = async () => {
    const positions = new Map((await positionsOf(db, idsIn('user'))).map((position) => [position.id, position]))
    for (const socket of io.of('/').sockets.values()) {
      const { id, groupPath } = socket.data.actor
      const position = positions.get(id)
      if (position && position.groupPath !== groupPath) socket.conn.close()
    }
    for (const { id, masks } of positions.values()) {
      const isMasked = socketsOf([id]).some((one) => io.of('/').sockets.get(one)?.rooms.has(`user:${id}:masked`))
      if (masks !== isMasked) perform({ do: 'mask', accounts: [id], masks })
    }
  }
  const recheckEveryone = () => persistently(() => Promise.all([recheckAll(), recheckPositions()]))

  let pendingSince: number | undefined
  /** Events of other copies after this moment were missed. */
  const missedSince = (since: number) => {
    measures.resync()
    void recheckEveryone()
    pages.tell(io.of('/').sockets.keys())
    const isPending = pendingSince !== undefined
    pendingSince = Math.min(pendingSince ?? since, since)
    if (isPending) return
    const look = async () => {
      // Copies notice the same fault at the same time.
      await pause(Math.random() * 300)
      const from = pendingSince ?? since
      pendingSince = undefined
      await persistently(async () => sendRooms(await changedRooms(from)))
    }
    void look()
  }

  /** A commit may have changed these. */
  const look = ({ rooms, accounts, everyone }: LookAction) => {
    measures.resync()
    for (const ms of UNSURE_LOOKS_MS) {
      const again = async () => {
        await pause(ms * (1 + Math.random()))
        if (everyone) await recheckEveryone()
        pages.tell(socketsOf(accounts))
        await persistently(() => sendRooms(rooms))
      }
      void again()
    }
  }

  return {
    look: (action?: LookAction) => (action ? look(action) : missedSince(performance.now() - UNKNOWN_MS)),
    missedSince,
    /** From now on it is known which rooms changed since when. */
    startSampling: () => samples.start(),
    stop: async () => {
      stopped = true
      pages.stop()
      await samples.stop()
    },
  }
}

/** Makes pages fetch what they fetch after a reconnection, spread over time. */
const makePageTeller = (io: Io) => {
  const told = new Map<string, NodeJS.Timeout>()
  return {
    tell(ids: Iterable<string>) {
      const waiting = [...ids].filter((id) => !told.has(id))
      const spread = Math.min(MAX_SPREAD_MS, (waiting.length / PAGES_PER_SECOND) * 1000)
      for (const id of waiting) {
        const timer = setTimeout(() => {
          told.delete(id)
          io.of('/').sockets.get(id)?.emit('missed', {})
        }, Math.random() * spread)
        told.set(id, timer.unref())
      }
    },
    stop() {
      for (const timer of told.values()) clearTimeout(timer)
    },
  }
}

/** The oldest open transaction at moments of the past: what commits later has this number or a greater one. */
const makeSamples = (db: Database) => {
  let samples: Sample[] = []
  let stop: (() => Promise<void>) | undefined
  const take = async () => {
    const found = await one<{ xid: string }>(db, sql`select pg_snapshot_xmin(pg_current_snapshot())::text as xid`)
    // Now, not when it was asked for: what has committed in between may have a smaller number.
    if (found) samples.push({ at: performance.now(), xid: found.xid })
    // Halves how fine they are instead of forgetting the oldest: Redis may be away for hours.
    if (samples.length > MAX_SAMPLES) samples = samples.filter((_, at) => at % 2 === 0)
  }
  return {
    start() {
      stop = repeat({ everyMs: SAMPLE_MS, work: take, onError: () => undefined, atOnce: true })
    },
    /** The last sample up to this moment, else the first one. */
    before: (time: number): Sample | undefined => samples.findLast(({ at }) => at <= time) ?? samples[0],
    stop: async () => stop?.(),
  }
}
