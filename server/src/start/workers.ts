import type pg from 'pg'
import type { Settings } from '../config/settings.ts'
import { outsideDatabase } from '../data/access.ts'
import type { Readings } from '../http/metrics.ts'
import { asStartError } from '../lib/start-error.ts'
import { makeLog } from '../lib/log.ts'
import type { Running } from './serve.ts'
import { startServices } from './services.ts'
import { describe } from '../workers/described-error.ts'
import { ledgerHandlers, remoteLedger } from '../workers/ledger.ts'
import { workerLimits } from '../workers/limits.ts'
import { openLink } from '../workers/link.ts'
import { makeSwitchboard, workerRelay } from '../workers/relay.ts'
import { makeWorkers } from '../workers/supervise.ts'

/**
 * A worker says something each second. After so many of silence it hangs: its sockets and calls get no answer, and proxies
 * have mostly given up by then. No work of ours blocks a process for seconds; a busy or suspended machine may.
 */
const SILENT_MS = 30_000

/**
 * Starts the writer in this process, and the workers that answer HTTP and sockets in front of it. `program` is this program;
 * as a worker it calls `startWorker`.
 */
export const startWithWorkers = async (
  settings: Settings,
  database: pg.PoolConfig,
  program: string,
): Promise<Running> => {
  const log = makeLog(settings.logLevel)
  const switchboard = makeSwitchboard()
  let onLost = () => {}
  const workers = makeWorkers({
    count: settings.workers,
    program,
    switchboard,
    silentMs: SILENT_MS,
    onLost: () => onLost(),
    log,
  })
  const writer = await startServices(settings, database, log, {
    kind: 'writer',
    openRelay: switchboard.openRelay,
    readWorkers: () => workers.readMetrics<Readings>(),
  })
  onLost = writer.services.measures.workerLost
  // The servers of DATABASE_URL are more than data, so a worker makes its own configuration of them.
  const embedded = outsideDatabase(settings) ? undefined : database
  const answers = {
    ...ledgerHandlers(writer.services.ledger, writer.services.traces),
    database: () => embedded,
    people: workers.countPeople,
  }
  const address = await workers.start(answers).catch(async (error: unknown) => {
    await workers.stop()
    await writer.close()
    throw error
  })
  return {
    ...writer,
    address,
    async close() {
      // Their last calls need the writer.
      await workers.stop()
      await writer.close()
    },
  }
}

/** Runs this process as a worker until its writer stops it or is gone. */
export const startWorker = async (read: () => Settings): Promise<void> => {
  // Ctrl-C and systemd signal all processes at once. The writer stops the workers in order.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
  const link = openLink({
    send: (items, onSent) => {
      if (process.connected) process.send?.(items, undefined, undefined, onSent)
    },
    listen: (receive) => void process.on('message', receive),
  })
  try {
    const settings = read()
    const database = (await link.ask<pg.PoolConfig | undefined>('database', null)) ?? outsideDatabase(settings)?.app
    if (!database) throw new Error('The writer names no database')
    const { address, close, readMetrics, services } = await startServices(
      settings,
      database,
      makeLog(settings.logLevel),
      {
        kind: 'worker',
        openRelay: workerRelay(link),
        limits: workerLimits(link, settings),
        people: () => link.ask('people', null),
        ledger: (traces) => remoteLedger(link, traces),
      },
    )
    const stop = async () => {
      const late = setTimeout(() => process.exit(1), 10_000 + settings.drainSeconds * 1000)
      await close()
      clearTimeout(late)
      process.exit(0)
    }
    link.on({ stop: () => void stop(), metrics: readMetrics, accounts: () => services.live.accounts() })
    link.tell('ready', address)
    setInterval(() => link.tell('alive', null), 1000).unref()
  } catch (error) {
    await link.ask('failed', describe(asStartError(error))).finally(() => process.exit(1))
  }
}
