import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../config/settings.ts'
import { announceRooms } from '../chat/announce-rooms.ts'
import { makeAnswerTimes } from '../chat/answer-time.ts'
import { makeInspector } from '../chat/files/inspect.ts'
import { makeUploads } from '../chat/files/uploads.ts'
import { makeMedia } from '../chat/media.ts'
import { startPush } from '../chat/push/push.ts'
import { withPush } from '../chat/push/with-push.ts'
import { makeMessageSender } from '../chat/send-message.ts'
import { makeApp } from '../http/app.ts'
import { guardConnections } from '../http/connections.ts'
import type { Metrics, Readings } from '../http/metrics.ts'
import { type Limits, makeLimits } from '../identity/limits.ts'
import { makeSessions } from '../identity/sessions.ts'
import { shareLimits } from '../identity/shared-limits.ts'
import { makeSms } from '../identity/sign-in/sms.ts'
import { makeLedger } from '../ledger/engine/ledger.ts'
import { makeOutgoing } from '../lib/outgoing.ts'
import { asListenError } from '../lib/listen-error.ts'
import { type OpenRelay, openRelay } from '../live/relay.ts'
import { openSockets, type Sockets } from '../live/sockets.ts'
import { serveMemberApi } from '../member-api/route.ts'
import { serverPath } from '../paths.ts'
import type { Services } from '../services.ts'
import type { Data } from './data.ts'
import type { Part } from './part.ts'
import { startTasks } from './tasks.ts'

export type Running = {
  services: Services
  app: FastifyInstance
  address: string
  /** Undefined without METRICS_PORT. */
  metricsPort: number | undefined
  /** Reads this process's metrics for the process that serves them all. */
  readMetrics: () => Promise<Readings>
  close: () => Promise<void>
}

/** web/dist beside server/, for the source and for the bundle. */
const WEB = serverPath('../web/dist')

/** The second step of a start: makes the services and listens, unless this is the writer. */
export const serve = async (data: Data, part: Part): Promise<Running> => {
  const { settings, log, metrics } = data
  const { connections: limits, trustedProxies, port } = settings
  const sessions = makeSessions(data.db, settings)
  const connections = guardConnections({ limits, trustedProxies, log })
  const sockets = openSockets({
    ...data,
    sessions,
    limits: (...counted) => services.limits(...counted),
    isOverLimit: connections.isOverLimit,
    origins: settings.origins,
    relay: relayFor(data, part),
    polls: part.kind !== 'worker',
    announceRooms,
  })
  const services = makeServices(data, part, sockets)
  data.onUnsure((announcements) => services.hub.unsure(() => announcements.forEach((announce) => announce())))
  let isStopping = false
  const app = await makeApp(services, sessions, {
    webDir: WEB,
    isStopping: () => isStopping,
    isOverLimit: connections.isOverLimit,
    serveMemberApi,
  })
  if (metrics) app.server.on('request', data.measures.request)
  sockets.attach(app.server)
  connections.watch(app.server)
  // Calls that arrive before this copy receives the others' events could miss some; but Redis may be down, so wait
  // briefly.
  await Promise.race([sockets.ready, pause(1000)])

  let served: ServedMetrics | undefined
  let tasks: ReturnType<typeof startTasks> | undefined
  const stop = async () => {
    await tasks?.stopFirst()
    data.stopFollowing()
    await served?.close()
    // New calls are refused, running ones are answered, then the sockets close, then the database.
    const socketsClosed = sockets.close()
    connections.end()
    await socketsClosed
    await app.close()
    await tasks?.stopLast()
    await services.push.stop()
    services.inspector.stop()
    await data.close()
  }
  try {
    // Before the calls' own port: nothing uses the database yet when this one is taken.
    served = await serveMetrics(data, services, part)
    if (part.kind !== 'writer') await listen(app, settings)
  } catch (error) {
    await stop()
    throw error
  }
  // Only now: if the port is taken, nothing may still use the database when it stops.
  if (part.kind !== 'worker') tasks = startTasks(services, log)
  const bound = app.server.address()
  const boundPort = typeof bound === 'object' && bound ? bound.port : port
  return {
    services,
    app,
    metricsPort: served?.port,
    readMetrics: async () => (metrics ? metrics.read({ ...services, statisticsDb: data.statisticsDb }) : []),
    address: `http://localhost:${boundPort}`,
    async close() {
      // While draining, load balancers see that this copy is not ready, and every call is still answered.
      isStopping = true
      data.stopReporting()
      const drainMs = part.kind === 'writer' ? 0 : settings.drainSeconds * 1000
      sockets.drain(drainMs / 2)
      if (drainMs > 0) await pause(drainMs)
      await stop()
    },
  }
}

const makeServices = (data: Data, part: Part, sockets: Sockets): Services => {
  const { settings, log, measures, traces, db, reads, replicas, key, disk, mediaStores } = data
  const outgoing = makeOutgoing(measures, traces)
  const push = startPush({ db, key, settings, log, outgoing, sends: part.kind !== 'worker' })
  const hub = withPush(sockets, push)
  const inspector = makeInspector(log)
  return {
    settings,
    log,
    measures,
    traces,
    outgoing,
    db,
    reads,
    replicas,
    key,
    disk,
    mediaStores,
    inspector,
    push,
    hub,
    live: part.kind === 'worker' ? { ...sockets.state, people: part.people } : sockets.state,
    ledger:
      part.kind === 'worker'
        ? part.ledger(traces)
        : makeLedger({ db, hub, settings, traces, onBatch: (batch) => measures.batch('transfers', batch) }),
    messages: makeMessageSender(db, hub, settings, {
      onBatch: (batch) => measures.batch('messages', batch),
      traces: traces?.batches('messages'),
    }),
    answerTimes: makeAnswerTimes(),
    media: makeMedia(db, { store: mediaStores.all, inspector, disk, filesPerDay: settings.filesPerDay }),
    uploads: makeUploads(db, mediaStores, settings),
    sms: makeSms(settings, log, outgoing),
    limits: limitsFor(data, part),
  }
}

/** Several installations may share one Redis: the name is derived from the key and does not reveal it. */
const prefixOf = ({ key }: Data) => `tallyroom:${key.derive('redis/v1').toString('hex').slice(0, 16)}`

const limitsFor = (data: Data, part: Part): Limits => {
  const { settings, redis } = data
  if (part.kind === 'worker' && !redis) return part.limits
  const own = makeLimits(settings)
  return redis ? shareLimits({ own, redis, prefix: prefixOf(data), limits: settings.limits }) : own
}

/** Each worker is a copy like those on other machines if there is Redis. */
const relayFor = (data: Data, part: Part): OpenRelay | undefined => {
  const { redis, key, log } = data
  if (!redis) return part.kind === 'alone' ? undefined : part.openRelay
  const channel = `${prefixOf(data)}:live`
  return (handlers) => openRelay(redis, { channel, key: key.derive('relay/v1'), log }, handlers)
}

type ServedMetrics = Awaited<ReturnType<Metrics['serve']>>
const serveMetrics = async (data: Data, services: Services, part: Part): Promise<ServedMetrics | undefined> => {
  const { metrics, statisticsDb, settings } = data
  const at = settings.metrics
  if (!at || !metrics || part.kind === 'worker') return undefined
  const readWorkers = part.kind === 'writer' ? part.readWorkers : async () => []
  return metrics.serve({ ...services, statisticsDb }, at, readWorkers).catch((error: unknown) => {
    throw asListenError(error, at, 'METRICS_')
  })
}

const listen = (app: FastifyInstance, { port, host }: Settings) =>
  app.listen({ port, host }).catch((error: unknown) => {
    throw asListenError(error, { port, host }, '')
  })
