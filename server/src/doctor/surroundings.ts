import { DatabaseAway } from '../data/faults.ts'
import { openRedis } from '../data/redis.ts'
import { type Database, one, type Row, sql } from '../data/sql.ts'
import type { Settings } from '../config/settings.ts'
import { adoptZone, checkZone } from '../ledger/check/time-zone.ts'
import { makeLog } from '../lib/log.ts'
import { StartError } from '../lib/start-error.ts'
import { type Diagnosis, fine, wrong } from './diagnosis.ts'

const REDIS_MS = 3000
const LOOK_MS = 50

/** Checks that a running server need not make: whether it may start with this TIME_ZONE, and whether Redis answers. */
export const surroundings = async (db: Database, settings: Settings): Promise<Diagnosis[]> => [
  ...(await zone(db, settings)),
  ...(await relay(settings)),
]

const zone = async (db: Database, settings: Settings): Promise<Diagnosis[]> => {
  try {
    const table = await one<Row & { found: string | null }>(db, sql`select to_regclass('installation')::text as found`)
    if (!table?.found) return []
    await adoptZone(db, settings)
    const { timeZone } = settings
    await checkZone(db, timeZone)
    return [fine(`The time zone is ${timeZone}, as the reports count their days.`)]
  } catch (error) {
    // The doctor says so itself.
    if (error instanceof DatabaseAway) return []
    if (!(error instanceof StartError)) throw error
    return [wrong('The server does not start with this TIME_ZONE.', error.message)]
  }
}

const relay = async ({ redisUrl }: Settings): Promise<Diagnosis[]> => {
  if (!redisUrl) return []
  const redis = await openRedis(redisUrl, makeLog('silent'))
  const end = Date.now() + REDIS_MS
  while (!redis.isReady && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  const { isReady } = redis
  redis.destroy()
  if (isReady) return [fine('Redis answers.')]
  return [
    wrong(
      `Redis at REDIS_URL does not answer within ${REDIS_MS / 1000} s.`,
      'Check the address, its password and that it is running. Until then copies see the messages of others late: docs/operations/copies.md.',
    ),
  ]
}
