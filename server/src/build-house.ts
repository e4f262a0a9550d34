import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pino } from 'pino'
import { makeApp } from './app.ts'
import { connect } from './db.ts'
import type { House } from './house.ts'
import { silentHub } from './hub.ts'
import { makeLedger } from './ledger/ledger.ts'
import { startSweeper } from './ledger/sweeper.ts'
import { makeMedia } from './media.ts'
import { makePost } from './post.ts'
import { makeSessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import { openSockets } from './sockets.ts'

export type Running = { house: House; app: FastifyInstance; address: string; close: () => Promise<void> }

/** web/dist beside server/, from the source and from the bundle alike. */
const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Puts the house together on a migrated database and opens its doors. */
export const openHouse = async (settings: Settings, database: pg.PoolConfig): Promise<Running> => {
  const log = pino({ level: settings.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] })
  const db = connect({ ...database, max: 12 }, (error) => log.warn({ err: error }, 'a database connection was lost'))
  const sessions = makeSessions(db)
  // The sockets need the HTTP server, which needs the house: its hub comes last.
  const house: House = {
    settings,
    log,
    db,
    hub: silentHub,
    ledger: undefined as never,
    post: undefined as never,
    media: makeMedia(settings.dataDir),
  }
  const app = await makeApp(house, sessions, WEB)
  const sockets = openSockets(app.server, { db, sessions, log, origins: settings.origins })
  house.hub = sockets
  house.ledger = makeLedger({ db, hub: sockets, settings })
  house.post = makePost(db, sockets)
  const stopSweeper = startSweeper(house.ledger, log)
  await app.listen({ port: settings.port, host: settings.host })
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : settings.port
  return {
    house,
    app,
    address: `http://localhost:${port}`,
    async close() {
      stopSweeper()
      // New calls are refused, those under way are answered, then the sockets go, then the database.
      await sockets.close()
      await app.close()
      await db.end()
    },
  }
}
