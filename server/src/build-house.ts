import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { makeApp } from './app.ts'
import { startBot } from './ai/responder.ts'
import { startChaining } from './audit-chain.ts'
import { connect } from './db.ts'
import type { House } from './house.ts'
import { silentHub } from './hub.ts'
import { loadKey } from './installation-key.ts'
import { makeLedger } from './ledger/ledger.ts'
import { startSweeper } from './ledger/sweeper.ts'
import { makeLimits } from './limits.ts'
import { makeLog } from './log.ts'
import { startWebhooks } from './member-api/webhooks.ts'
import { makeMedia } from './media.ts'
import { makePost } from './post.ts'
import { makeSessions } from './sessions.ts'
import type { Settings } from './settings.ts'
import { startCleaning } from './sign-in/cleaning.ts'
import { sealPlainSecrets } from './sign-in/sealing.ts'
import { makeSms } from './sms.ts'
import { openSockets } from './sockets.ts'

export type Running = { house: House; app: FastifyInstance; address: string; close: () => Promise<void> }

/** web/dist beside server/, from the source and from the bundle alike. */
const WEB = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Puts the house together on a migrated database and opens its doors. */
export const openHouse = async (
  settings: Settings,
  database: pg.PoolConfig,
  log: Logger = makeLog(settings.logLevel),
): Promise<Running> => {
  const db = connect({ ...database, max: 12 }, (error) => log.warn({ err: error }, 'a database connection was lost'))
  const key = await loadKey(db, settings).catch(async (error: unknown) => {
    await db.end()
    throw error
  })
  await sealPlainSecrets(db, key)
  const sessions = makeSessions(db)
  // The sockets need the HTTP server, which needs the house: its hub comes last.
  const house: House = {
    settings,
    log,
    db,
    key,
    hub: silentHub,
    ledger: undefined as never,
    post: undefined as never,
    media: makeMedia(settings.dataDir),
    sms: makeSms(settings, log),
    limits: makeLimits(settings),
  }
  const app = await makeApp(house, sessions, WEB)
  const sockets = openSockets(app.server, { db, sessions, log, origins: settings.origins })
  house.hub = sockets
  house.ledger = makeLedger({ db, hub: sockets, settings })
  house.post = makePost(db, sockets)
  const stopSweeper = startSweeper(house.ledger, log)
  const stopCleaning = startCleaning(db, log)
  const stopBot = settings.botAnswers ? startBot({ db, hub: sockets, bot: settings.bot, log }) : undefined
  const stopChaining = startChaining(db, log)
  const stopWebhooks = startWebhooks(house, log)
  await app.listen({ port: settings.port, host: settings.host })
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : settings.port
  return {
    house,
    app,
    address: `http://localhost:${port}`,
    async close() {
      stopSweeper()
      stopCleaning()
      // New calls are refused, those under way are answered, then the sockets go, then the database.
      await sockets.close()
      await app.close()
      await stopBot?.()
      await stopChaining()
      await stopWebhooks()
      await db.end()
    },
  }
}
