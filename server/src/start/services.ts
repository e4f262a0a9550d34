import { setTimeout as pause } from 'node:timers/promises'
import { serverPath } from '../paths.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { makeApp } from '../http/app.ts'
import { announceRooms } from '../chat/announce-rooms.ts'
import { makeAnswerTimes } from '../chat/answer-time.ts'
import { guardConnections } from '../http/connections.ts'
import { CONNECTIONS_FOR_READS, CONNECTIONS_FOR_WRITES, replicaConfigs, withStatementTimeout } from '../data/access.ts'
import { makeReplicas } from '../data/replicas.ts'
import { connect, type Database } from '../data/sql.ts'
import { restrictDataDir, watchDisk } from '../data/disk.ts'
import type { Services } from '../services.ts'
import { silentHub } from '../live/hub.ts'
import { type LiveState, noSockets } from '../live/live-state.ts'
import { loadKey } from '../data/installation-key.ts'
import { type Ledger, makeLedger } from '../ledger/engine/ledger.ts'
import { type Limits, makeLimits } from '../identity/limits.ts'
import { makeLog, withFields } from '../lib/log.ts'
import { unmeasured } from '../lib/measures.ts'
import type { Traces } from '../lib/traces.ts'
import { writeCheck } from '../http/write-check.ts'
import { makeMetrics, type Readings } from '../http/metrics.ts'
import { openTraces } from '../http/traces.ts'
import { serveMemberApi } from '../member-api/route.ts'
import { makeInspector } from '../chat/files/inspect.ts'
import { makeUploads } from '../chat/files/uploads.ts'
import { makeMedia } from '../chat/media.ts'
import { makeMessageSender } from '../chat/send-message.ts'
import { startPush } from '../chat/push/push.ts'
import { withPush } from '../chat/push/with-push.ts'
import { openMediaStores } from '../data/media/stores.ts'
import { openRedis } from '../data/redis.ts'
import { adoptZone, followZone } from '../ledger/check/time-zone.ts'
import { makeSessions } from '../identity/sessions.ts'
import type { Settings } from '../config/settings.ts'
import { shareLimits } from '../identity/shared-limits.ts'
import { sealPlainSecrets } from '../identity/sign-in/sealing.ts'
import { makeSms } from '../identity/sign-in/sms.ts'
import { type OpenRelay, openRelay } from '../live/relay.ts'
import { openSockets } from '../live/sockets.ts'
import { outageLog } from './outage-log.ts'
import { startTasks } from './tasks.ts'
import { asListenError } from '../lib/listen-error.ts'

/** The part of a process. Without workers it is `alone`; else the `writer` writes the ledger and does the tasks for all. */
export type Part =
  | { kind: 'alone' }
  | { kind: 'writer'; openRelay: OpenRelay; readWorkers: () => Promise<Readings[]> }
  | {
      kind: 'worker'
      openRelay: OpenRelay
      limits: Limits
      people: LiveState['people']
      ledger: (traces: Traces | undefined) => Ledger
    }

export type Running = {
  services: Services
  app: FastifyInstance
  address: string
  /** Undefined without METRICS_PORT. */
  metricsPort: number | undefined
  /** For the process that serves the metrics. */
  readMetrics: () => Promise<Readings>
  close: () => Promise<void>
}

/** web/dist beside server/, for the source and for the bundle. */
const WEB = serverPath('../web/dist')

/** Starts the services on a migrated database and listens, unless this is the writer. */
export const startServices = async (
  settings: Settings,
  database: pg.PoolConfig,
  plainLog: Logger = makeLog(settings.logLevel),
  part: Part = { kind: 'alone' },
): Promise<Running> => {
  const isWorker = part.kind === 'worker'
  const opened = await tracesFor(settings, plainLog, part.kind)
  const traces = opened?.traces
  const outage = outageLog(opened ? withFields(plainLog, opened.fields) : plainLog, () =>
    writeCheck({ db, disk: services.disk })(),
  )
  const { log } = outage
  if (!isWorker) restrictDataDir(settings)
  const onUnsure = (announcements: (() => void)[]) =>
    services.hub.unsure(() => announcements.forEach((announce) => announce()))
  const db = connect({ ...database, max: CONNECTIONS_FOR_WRITES, traces }, outage.connectionLost, onUnsure)
  const key = await loadKey(db, settings).catch(async (error: unknown) => {
    await db.end()
    throw error
  })
  if (!isWorker) await sealPlainSecrets(db, key)
  await adoptZone(db, settings)
  const stopFollowing = followZone(db, settings)
  const sessions = makeSessions(db, settings)
  const redis = settings.redisUrl ? await openRedis(settings.redisUrl, log) : undefined
  // Several installations may share one Redis: the name is derived from the key and does not reveal it.
  const prefix = `tallyroom:${key.derive('redis/v1').toString('hex').slice(0, 16)}`
  const own = part.kind === 'worker' && !redis ? part.limits : makeLimits(settings)
  const metrics = settings.metrics ? await makeMetrics(!isWorker) : undefined
  const measures = metrics?.measures ?? unmeasured
  const statisticsDb =
    metrics && !isWorker ? connect({ ...database, max: 1, idleTimeoutMillis: 0 }, () => undefined) : undefined
  const mediaStores = await openMediaStores(settings, measures)
  const inspector = makeInspector(log)
  const disk = watchDisk(settings, log)
  // The hub needs the sockets, which need the HTTP server, which needs the services: so the hub is set last.
  const services: Services = {
    settings,
    log,
    measures,
    traces,
    db,
    reads: openReads(settings, (own) => connect({ ...database, ...own, traces }, outage.connectionLost, onUnsure)),
    replicas: openReplicas(settings, log, traces),
    key,
    hub: silentHub,
    live: noSockets,
    ledger: undefined as never,
    messages: undefined as never,
    answerTimes: makeAnswerTimes(),
    push: startPush({ db, key, settings, log, traces, sends: !isWorker }),
    mediaStores,
    media: makeMedia(db, { store: mediaStores.all, inspector, disk, filesPerDay: settings.filesPerDay }),
    uploads: makeUploads(db, mediaStores, settings),
    inspector,
    sms: makeSms(settings, log, traces),
    disk,
    limits: redis ? shareLimits({ own, redis, prefix, limits: settings.limits }) : own,
  }
  const { connections: connectionLimits, trustedProxies } = settings
  const connections = guardConnections({ limits: connectionLimits, trustedProxies, log })
  let isStopping = false
  const app = await makeApp(services, sessions, {
    webDir: WEB,
    isStopping: () => isStopping,
    isOverLimit: connections.isOverLimit,
    serveMemberApi,
  })
  const { origins } = settings
  if (metrics) app.server.on('request', measures.request)
  const sockets = openSockets(app.server, {
    db,
    sessions,
    limits: (...counted) => services.limits(...counted),
    isOverLimit: connections.isOverLimit,
    log,
    origins,
    measures,
    traces,
    settings,
    relay: relayFor(
      part,
      redis &&
        ((handlers) => openRelay(redis, { channel: `${prefix}:live`, key: key.derive('relay/v1'), log }, handlers)),
    ),
    polls: !isWorker,
    announceRooms,
  })
  connections.watch(app.server)
  const hub = withPush(sockets, services.push)
  services.hub = hub
  services.live = part.kind === 'worker' ? { ...sockets.state, people: part.people } : sockets.state
  services.ledger =
    part.kind === 'worker'
      ? part.ledger(traces)
      : makeLedger({ db, hub, settings, traces, onBatch: (batch) => measures.batch('transfers', batch) })
  services.messages = makeMessageSender(db, hub, {
    onBatch: (batch) => measures.batch('messages', batch),
    traces: traces?.batches('messages'),
  })
  // Calls that arrive before this copy receives the others' events could miss some; but Redis may be down, so wait
  // briefly.
  await Promise.race([sockets.ready, pause(1000)])
  // The database is stopped next: what still uses it would add lines to the one about the taken port.
  const refuseStart = async (error: unknown): Promise<never> => {
    stopFollowing()
    await services.push.stop()
    await statisticsDb?.end()
    await services.reads.end()
    await db.end()
    throw error
  }
  const readWorkers = part.kind === 'writer' ? part.readWorkers : async () => []
  const at = settings.metrics
  // Before the calls' own port: nothing uses the database yet when this one is taken.
  const served =
    at && metrics && !isWorker
      ? await metrics
          .serve({ ...services, statisticsDb }, at, readWorkers)
          .catch((error: unknown) => refuseStart(asListenError(error, at, 'METRICS_')))
      : undefined
  const { port, host } = settings
  if (part.kind !== 'writer') {
    await app.listen({ port, host }).catch(async (error: unknown) => {
      await served?.close()
      return refuseStart(asListenError(error, { port, host }, ''))
    })
  }
  // Only now: if the port is taken, nothing may still use the database when it stops.
  const tasks = isWorker ? undefined : startTasks(services, log)
  const bound = app.server.address()
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  return {
    services,
    app,
    metricsPort: served?.port,
    readMetrics: async () => (metrics ? metrics.read({ ...services, statisticsDb }) : []),
    address: `http://localhost:${boundPort}`,
    async close() {
      // While draining, load balancers see that this copy is not ready, and every call is still answered.
      isStopping = true
      outage.stop()
      const drainMs = part.kind === 'writer' ? 0 : settings.drainSeconds * 1000
      sockets.drain(drainMs / 2)
      if (drainMs > 0) await pause(drainMs)
      await tasks?.stopFirst()
      services.disk.stop()
      stopFollowing()
      await served?.close()
      // New calls are refused, running ones are answered, then the sockets close, then the database.
      const socketsClosed = sockets.close()
      connections.end()
      await socketsClosed
      await app.close()
      await tasks?.stopLast()
      await services.push.stop()
      services.inspector.stop()
      redis?.destroy()
      await services.replicas?.end()
      await statisticsDb?.end()
      await services.reads.end()
      await db.end()
      await traces?.close()
    },
  }
}

/** With Redis each worker is a copy like those on other machines. */
const relayFor = (part: Part, overRedis: OpenRelay | undefined): OpenRelay | undefined =>
  overRedis ?? (part.kind === 'alone' ? undefined : part.openRelay)

const tracesFor = ({ traces: settings, trustedProxies }: Settings, log: Logger, part: Part['kind']) =>
  settings && openTraces({ settings, part, trustsParent: trustedProxies > 0, log })

/** PgBouncer refuses options of connections, so there each query says its limit itself. */
const openReads = (
  { isPooled, readSeconds }: Settings,
  open: (own: { max: number; statement_timeout?: number }) => Database,
): Database => {
  const ms = readSeconds.usual * 1000
  return isPooled
    ? withStatementTimeout(open({ max: CONNECTIONS_FOR_READS }), ms)
    : open({ max: CONNECTIONS_FOR_READS, statement_timeout: ms })
}

const openReplicas = (settings: Settings, log: Logger, traces: Traces | undefined) => {
  const configs = replicaConfigs(settings)
  if (configs.length === 0) return undefined
  const onError = (error: Error) =>
    log.warn(
      { err: error },
      'A connection to a standby (DATABASE_READ_URL) was lost. The primary is read until it is back',
    )
  return makeReplicas(configs.map((config) => connect({ ...config, max: 8, traces }, onError)))
}
