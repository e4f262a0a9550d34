import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type * as Prometheus from 'prom-client'
import type { Database, Db } from '../data/sql.ts'
import type { NumberSources } from '../doctor/numbers.ts'
import type { LiveState } from '../live/live-state.ts'
import type { Measures } from '../lib/measures.ts'
import { version } from '../lib/version.mjs'
import { makeInstallationMetrics } from './installation-metrics.ts'

/** The sources that are read when Prometheus asks. `statisticsDb`: for the process that serves the metrics. */
type MetricSources = NumberSources & {
  live: LiveState
  reads: Pick<Database, 'connections'>
  statisticsDb: Db | undefined
}
export type Metrics = {
  measures: Measures
  /** Opens the port on which Prometheus reads them; those of `others` are added up with them. */
  serve: (
    sources: MetricSources,
    at: { port: number; host: string },
    others: () => Promise<Readings[]>,
  ) => Promise<Served>
  /** Reads this process's metrics for the process that serves them all. */
  read: (sources: MetricSources) => Promise<Readings>
}
/** The metrics of one process, as the library writes and reads them. */
export type Readings = object[]
type Served = { port: number; close: () => Promise<void> }

/** Several Prometheus servers that read at once cost the database one look. */
const FRESH_MS = 2000
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200]

/**
 * The metrics of this copy. Names and units follow Prometheus' conventions. The library is loaded here and only here, so
 * a server without METRICS_PORT does not have it in memory. `ofInstallation`: also what database and disk say, which is not
 * to be added up over processes.
 */
export const makeMetrics = async (ofInstallation = true): Promise<Metrics> => {
  const prometheus = await import('prom-client')
  const registers = [new prometheus.Registry()] as const
  const [registry] = registers
  prometheus.collectDefaultMetrics({ register: registry })
  const series = seriesOf(prometheus, registry)
  const { counter, gauge } = series
  const { measures, sealLate } = makeMeasures(series)

  const sockets = gauge('tallyroom_sockets', 'Open sockets of this copy.')
  const relayUp = gauge('tallyroom_relay_up', '1 while events of other copies arrive.', [], 'min')
  const connections = gauge('tallyroom_database_connections', 'Connections of this copy.', ['state'])
  const build = gauge('tallyroom_build_info', '1; the versions are its labels.', ['version', 'node'], 'max')
  build.set({ version, node: process.versions.node }, 1)
  const collectInstallation = ofInstallation ? makeInstallationMetrics({ gauge, counter }) : undefined
  if (ofInstallation) {
    const clock = { name: 'tallyroom_clock_seconds', help: 'The clock of this copy.', registers: [registry] }
    new prometheus.Gauge({
      ...clock,
      collect() {
        this.set(Date.now() / 1000)
      },
    })
  }
  const collect = async (sources: MetricSources) => {
    sockets.set(sources.live.sockets())
    relayUp.set(sources.live.isRelayUp() ? 1 : 0)
    const both = [sources.db.connections(), sources.reads.connections()]
    for (const state of ['used', 'idle', 'waiting'] as const)
      connections.set(
        { state },
        both.reduce((sum, pool) => sum + pool[state], 0),
      )
    const { statisticsDb } = sources
    if (statisticsDb) await collectInstallation?.({ ...sources, statisticsDb, sealLate })
  }

  let fresh: Promise<void> | undefined
  let until = 0
  const refresh = (sources: MetricSources) => {
    if (!fresh || performance.now() >= until) {
      until = performance.now() + FRESH_MS
      fresh = collect(sources)
    }
    return fresh
  }
  const read = async (sources: MetricSources): Promise<Readings> => {
    await refresh(sources)
    return registry.getMetricsAsJSON()
  }
  const textOf = async (sources: MetricSources, others: Promise<Readings[]>) => {
    const all = await others
    await refresh(sources)
    // Once: reading resets what is known of the event loop.
    if (all.length === 0) return registry.metrics()
    return prometheus.AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...all]).metrics()
  }
  type Asked = { sources: MetricSources; others: () => Promise<Readings[]> }
  const answer = async ({ sources, others }: Asked, request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.split('?')[0] !== '/metrics') return response.writeHead(404).end('not found\n')
    if (request.method !== 'GET') return response.writeHead(405, { allow: 'GET' }).end()
    const text = await textOf(sources, others())
    response.setHeader('content-type', registry.contentType)
    response.end(text)
  }
  return {
    measures,
    read,
    serve: async (sources, { port, host }, others) => {
      const server = createServer((request, response) => {
        answer({ sources, others }, request, response).catch(() => response.writeHead(500).end())
      })
      return listen(server, port, host)
    },
  }
}

const listen = async (server: Server, port: number, host: string): Promise<Served> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const seriesOf = (prometheus: typeof Prometheus, registry: Prometheus.Registry) => {
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new prometheus.Counter({ name, help, labelNames, registers })
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[] = [],
    aggregator: 'sum' | 'min' | 'max' = 'sum',
  ) => new prometheus.Gauge({ name, help, labelNames, aggregator, registers })
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new prometheus.Histogram({ name, help, labelNames, buckets, registers })
  return { counter, gauge, histogram }
}

/** Counts what the parts of the server report, and knows since when the next pass of the sealer is due. */
const makeMeasures = ({ counter, gauge, histogram }: ReturnType<typeof seriesOf>) => {
  const calls = counter('tallyroom_calls_total', 'Calls answered.', ['call', 'outcome'])
  const callSeconds = histogram('tallyroom_call_duration_seconds', 'Time of a call.', ['call'], CALL_SECONDS)
  const batchSizes = histogram('tallyroom_batch_size', 'Transfers or messages in a batch.', ['of'], BATCH_SIZES)
  const batchSeconds = histogram('tallyroom_batch_duration_seconds', 'Time of a batch.', ['of'], CALL_SECONDS)
  const queued = gauge('tallyroom_batch_queue', 'Waiting behind the last batch when it began.', ['of'])
  const s3Requests = counter('tallyroom_s3_requests_total', 'Requests to the S3 server.', ['request', 'outcome'])
  const s3Seconds = histogram('tallyroom_s3_request_duration_seconds', 'Their times.', ['request'], CALL_SECONDS)
  const outgoing = counter('tallyroom_outgoing_total', 'Sent to other services.', ['kind', 'outcome'])
  const outgoingSeconds = histogram('tallyroom_outgoing_duration_seconds', 'Their times.', ['kind'], CALL_SECONDS)
  const resyncs = counter('tallyroom_resyncs_total', 'Times that pages had to fetch what they may have missed.')
  const gaps = counter('tallyroom_relay_gaps_total', 'Events of another copy that were missed.')
  const copiesLost = counter('tallyroom_copies_lost_total', 'Other copies that ended without saying so, or hang.')
  const workersLost = counter(
    'tallyroom_workers_lost_total',
    'Workers that ended, for each of which another one began.',
  )
  const requests = counter('tallyroom_http_requests_total', 'HTTP requests, whatever they ask for.')
  const broken = gauge('tallyroom_broken_places', 'Places where what is stored is not as it was written.', ['of'])
  let sealDue: number | undefined
  const measures: Measures = {
    call: (call, outcome, seconds) => {
      calls.inc({ call, outcome })
      callSeconds.observe({ call }, seconds)
    },
    batch: (of, { size, left, seconds }) => {
      batchSizes.observe({ of }, size)
      batchSeconds.observe({ of }, seconds)
      queued.set({ of }, left)
    },
    s3: (request, outcome, seconds) => {
      s3Requests.inc({ request, outcome })
      s3Seconds.observe({ request }, seconds)
    },
    outgoing: (kind, outcome, seconds) => {
      outgoing.inc({ kind, outcome })
      outgoingSeconds.observe({ kind }, seconds)
    },
    resync: () => resyncs.inc(),
    relayGap: () => gaps.inc(),
    copyLost: () => copiesLost.inc(),
    workerLost: () => workersLost.inc(),
    request: () => requests.inc(),
    broken: (of, count) => broken.set({ of }, count),
    sealed: (nextSeconds) => {
      sealDue = performance.now() / 1000 + nextSeconds
    },
  }
  const sealLate = () => (sealDue === undefined ? undefined : Math.max(0, performance.now() / 1000 - sealDue))
  return { measures, sealLate }
}
