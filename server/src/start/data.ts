import type pg from 'pg'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import { CONNECTIONS_FOR_READS, CONNECTIONS_FOR_WRITES, replicaConfigs, withStatementTimeout } from '../data/access.ts'
import { restrictDataDir, watchDisk } from '../data/disk.ts'
import { loadKey } from '../data/installation-key.ts'
import { openMediaStores } from '../data/media/stores.ts'
import { openRedis } from '../data/redis.ts'
import { makeReplicas } from '../data/replicas.ts'
import { connect, type Database } from '../data/sql.ts'
import { makeMetrics } from '../http/metrics.ts'
import { openTraces } from '../http/traces.ts'
import { writeCheck } from '../http/write-check.ts'
import { sealPlainSecrets } from '../identity/sign-in/sealing.ts'
import { adoptZone, followZone } from '../ledger/check/time-zone.ts'
import { withFields } from '../lib/log.ts'
import { unmeasured } from '../lib/measures.ts'
import type { Traces } from '../lib/traces.ts'
import { outageLog } from './outage-log.ts'
import type { Part } from './part.ts'

export type Data = Awaited<ReturnType<typeof openData>>

/** The first step of a start: opens all that a process reads, writes and reports to, on a migrated database. */
export const openData = async (settings: Settings, database: pg.PoolConfig, plainLog: Logger, kind: Part['kind']) => {
  const isWorker = kind === 'worker'
  if (!isWorker) restrictDataDir(settings)
  const opened = await openTracesOf(settings, plainLog, kind)
  const traces = opened?.traces
  const outage = outageLog(opened ? withFields(plainLog, opened.fields) : plainLog, () => writeCheck({ db, disk })())
  const { log } = outage
  const disk = watchDisk(settings, log)
  let hearUnsure: HearUnsure = () => {}
  const open = (own: Partial<Parameters<typeof connect>[0]>) =>
    connect({ ...database, ...own, traces }, outage.connectionLost, (announcements) => hearUnsure(announcements))
  const db = open({ max: CONNECTIONS_FOR_WRITES })
  const key = await loadKey(db, settings).catch(async (error: unknown) => {
    disk.stop()
    await db.end()
    throw error
  })
  if (!isWorker) await sealPlainSecrets(db, key)
  await adoptZone(db, settings)
  const stopFollowing = followZone(db, settings)
  const redis = settings.redisUrl ? await openRedis(settings.redisUrl, log) : undefined
  const metrics = settings.metrics ? await makeMetrics(!isWorker) : undefined
  const measures = metrics?.measures ?? unmeasured
  const statisticsDb =
    metrics && !isWorker ? connect({ ...database, max: 1, idleTimeoutMillis: 0 }, () => undefined) : undefined
  const reads = openReads(settings, open)
  const replicas = openReplicas(settings, log, traces)
  return {
    settings,
    log,
    measures,
    traces,
    metrics,
    db,
    reads,
    replicas,
    statisticsDb,
    key,
    redis,
    disk,
    mediaStores: await openMediaStores(settings, measures),
    /** `hear` gets the announcements of commits that may not have happened. */
    onUnsure(hear: HearUnsure) {
      hearUnsure = hear
    },
    /** A failure while the process stops is no outage. */
    stopReporting: outage.stop,
    stopFollowing() {
      disk.stop()
      stopFollowing()
    },
    async close() {
      redis?.destroy()
      await replicas?.end()
      await statisticsDb?.end()
      await reads.end()
      await db.end()
      await traces?.close()
    },
  }
}

type HearUnsure = (announcements: (() => void)[]) => void

const openTracesOf = ({ traces, trustedProxies }: Settings, log: Logger, part: Part['kind']) =>
  traces && openTraces({ settings: traces, part, trustsParent: trustedProxies > 0, log })

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
