import { serverPath } from './paths.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { makeApp } from './http/app.ts'
import { startBot } from './chat/bot/responder.ts'
import { startChaining } from './identity/audit-chain.ts'
import { guardConnections } from './http/connections.ts'
import { connect } from './data/sql.ts'
import { restrictDataDir, watchDisk } from './data/disk.ts'
import type { Services } from './services.ts'
import { type Hub, silentHub } from './live/hub.ts'
import { loadKey } from './identity/installation-key.ts'
import { makeLedger } from './ledger/engine/ledger.ts'
import { startSweeper } from './ledger/engine/sweeper.ts'
import { makeLimits } from './identity/limits.ts'
import { makeLog } from './lib/log.ts'
import { serveMemberApi } from './member-api/route.ts'
import { startWebhooks } from './member-api/webhooks.ts'
import { makeInspector } from './chat/files/inspect.ts'
import { makeUploads } from './chat/files/uploads.ts'
import { makeMedia } from './chat/media.ts'
import { makeMessageSender } from './chat/send-message.ts'
import { startPush } from './chat/push/push.ts'
import { openRedis } from './data/redis.ts'
import { makeSessions } from './identity/sessions.ts'
import type { Settings } from './config/settings.ts'
import { shareLimits } from './identity/shared-limits.ts'
import { startCleaning } from './identity/sign-in/cleaning.ts'
import { sealPlainSecrets } from './identity/sign-in/sealing.ts'
import { makeSms } from './identity/sign-in/sms.ts'
import { openSockets } from './live/sockets.ts'

export type Running = { services: Services; app: FastifyInstance; address: string; close: () => Promise<void> }

/** web/dist beside server/, for the source and for the bundle. */
const WEB = serverPath('../web/dist')

/** Starts the services on a migrated database and listens. */
export const startServices = async (
  settings: Settings,
  database: pg.PoolConfig,
  log: Logger = makeLog(settings.logLevel),
): Promise<Running> => {
  restrictDataDir(settings)
  const db = connect(
    { ...database, max: 12 },
    (error) => log.warn({ err: error }, 'A database connection was lost. The next query opens a new one'),
    () => services.hub.catchUp(),
  )
  const key = await loadKey(db, settings).catch(async (error: unknown) => {
    await db.end()
    throw error
  })
  await sealPlainSecrets(db, key)
  const sessions = makeSessions(db)
  const redis = settings.redisUrl ? openRedis(settings.redisUrl, log) : undefined
  // Several installations may share one Redis: the name is derived from the key and does not reveal it.
  const prefix = `tallyroom:${key.derive('redis/v1').toString('hex').slice(0, 16)}`
  const own = makeLimits(settings)
  // The hub needs the sockets, which need the HTTP server, which needs the services: so the hub is set last.
  const services: Services = {
    settings,
    log,
    db,
    key,
    hub: silentHub,
    ledger: undefined as never,
    messages: undefined as never,
    push: startPush({ db, key, settings, log }),
    media: makeMedia(settings.dataDir),
    uploads: makeUploads(settings.dataDir),
    inspector: makeInspector(log),
    sms: makeSms(settings, log),
    disk: watchDisk(settings, log),
    connections: { isOverLimit: () => false, stop: () => {} },
    limits: redis ? shareLimits({ own, redis, prefix, limits: settings.limits }) : own,
  }
  let isStopping = false
  const app = await makeApp(services, sessions, { webDir: WEB, isStopping: () => isStopping, serveMemberApi })
  const { origins } = settings
  const sockets = openSockets(app.server, {
    db,
    sessions,
    limits: (kind, of) => services.limits(kind, of),
    isOverLimit: (request) => services.connections.isOverLimit(request),
    log,
    origins,
    redis: redis && { redis, channel: `${prefix}:live` },
  })
  const { connections: limits, trustedProxies } = settings
  services.connections = guardConnections(app.server, { limits, trustedProxies, log })
  // A room's change goes to open pages at once, and to browsers without one by push a moment later.
  const hub: Hub = {
    ...sockets,
    roomChanged(room, ...args) {
      sockets.roomChanged(room, ...args)
      services.push.roomChanged(room.id)
    },
  }
  services.hub = hub
  services.ledger = makeLedger({ db, hub, settings })
  services.messages = makeMessageSender(db, hub)
  // Calls that arrive before this copy receives the others' events could miss some; but Redis may be down, so wait
  // briefly.
  await Promise.race([sockets.ready, pause(1000)])
  await app.listen({ port: settings.port, host: settings.host })
  // Only now: if the port is taken, nothing may still use the database when it stops.
  const stopSweeper = startSweeper(services.ledger, log)
  const stopCleaning = startCleaning(db, log)
  const stopBot = settings.botAnswers ? startBot({ db, hub, bot: settings.bot, log }) : undefined
  const stopChaining = startChaining(db, log)
  const stopWebhooks = startWebhooks(services, log)
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound ? bound.port : settings.port
  return {
    services,
    app,
    address: `http://localhost:${port}`,
    async close() {
      // While draining, load balancers see that this copy is not ready, and every call is still answered.
      isStopping = true
      const drainMs = settings.drainSeconds * 1000
      sockets.drain(drainMs / 2)
      if (drainMs > 0) await pause(drainMs)
      await stopSweeper()
      stopCleaning()
      services.disk.stop()
      services.connections.stop()
      // New calls are refused, running ones are answered, then the sockets close, then the database.
      await sockets.close()
      await app.close()
      await stopBot?.()
      await stopChaining()
      await stopWebhooks()
      await services.push.stop()
      await services.inspector.stop()
      redis?.destroy()
      await db.end()
    },
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
