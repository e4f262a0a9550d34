import { argumentsOf } from './cli/arguments.mjs'
import { lineOf, say, setLineFormat } from './lib/typed-commands.ts'
import type pg from 'pg'
import { execFile } from 'node:child_process'
import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { startServices } from './start/services.ts'
import { startWithWorkers, startWorker } from './start/workers.ts'
import { withConnection } from './data/sql.ts'
import { makeFirstAccount } from './accounts/first-account.ts'
import { noteZone } from './ledger/check/time-zone.ts'
import { type Access, CONNECTIONS, migrateFor, outsideDatabase, ownsTables } from './data/access.ts'
import { postgresOptions } from './data/sealed-wal.ts'
import { startPostgres } from '@tallyroom/postgres'
import { addressForOthers } from './config/address-for-others.ts'
import { adminPassword } from './config/first-account.ts'
import { type Settings, settingsFrom } from './config/settings.ts'
import { nodeUnsupportedSince, version } from './lib/version.mjs'
import { asStartError, StartError } from './lib/start-error.ts'

/** Closed in reverse order when the process stops. */
const closers: (() => Promise<void> | void)[] = []
const closeAll = async () => {
  for (let close = closers.pop(); close; close = closers.pop()) await close()
}

const start = async () => {
  const settings = settingsFrom(process.env)
  setLineFormat(settings.logFormat)
  drainMs = settings.drainSeconds * 1000
  const { app, owner } = await openDatabase(settings)
  await migrateFor({ app, owner }, (name) => say(`Migrating the database: ${name}`))
  if (!owner && (await ownsTables(app)))
    say('The serving database role may also change tables. Set DATABASE_OWNER_URL (docs/operations/run.md).')
  const password = await prepare(app, settings)
  // Before anything else can fail: no later start knows it.
  if (password) say(`\nYour account: admin   Password (shown this once): ${password}\n`)
  const running =
    settings.workers > 1
      ? await startWithWorkers(settings, app, fileURLToPath(import.meta.url))
      : await startServices(settings, app)
  closers.push(running.close)
  const demo = settings.demo ? await (await import('./demo/demo.ts')).startDemo(running) : undefined
  if (demo) closers.push(demo.stop)
  for (const line of demo?.lines ?? []) say(line)
  if (running.metricsPort)
    say(`Metrics for Prometheus: http://${settings.metrics?.host}:${running.metricsPort}/metrics`)
  const ended = nodeUnsupportedSince()
  if (ended) say(`Node ${process.versions.node} has got no fixes since ${ended}: install Node 24 or newer.`)
  const others = addressForOthers({ ...settings, port: Number(new URL(running.address).port) || settings.port })
  if (others) say(`Other devices find it at ${others}`)
  say(`Tallyroom ${version} is ready at ${running.address}`)
  // A unit of Type=notify has started only now. Node cannot write to systemd's socket itself.
  if (process.env.NOTIFY_SOCKET) execFile('systemd-notify', ['--ready'], () => undefined)
}

const openDatabase = async (settings: Settings): Promise<Access> => {
  const outside = outsideDatabase(settings)
  if (outside) return outside
  const { dataDir, workers } = settings
  // Each process has its own connections; commands need some too.
  const maxConnections = Math.max(100, CONNECTIONS * (workers + 1) + 40)
  const postgres = await startPostgres({ dataDir, ...postgresOptions(settings, process.env), maxConnections, log: say })
  closers.push(postgres.stop)
  void postgres.lost.then(end)
  return postgres
}

/** Returns the password of the first account, if it is made now. */
const prepare = (database: pg.PoolConfig, settings: Settings) =>
  withConnection({ ...database, max: 1 }, async (db) => {
    await noteZone(db, settings)
    return makeFirstAccount(db, adminPassword(process.env))
  })

/** Prints errors that the operator can fix as one line, others with their stack, and exits with 1. */
const end = (error: unknown): never => {
  process.stderr.write(lineOf(oneLine(asStartError(error)), 'fatal'))
  process.exit(1)
}

const oneLine = (error: unknown): string => {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  return error.stack ?? error.message
}

let stopping = false
let drainMs = 0
const stop = () => {
  if (stopping) return
  stopping = true
  say('Stopping…')
  // Does not wait forever for what hangs: everything that was answered is on disk.
  setTimeout(() => process.exit(1), 10_000 + drainMs).unref()
  closeAll().then(() => process.exit(0), end)
}

const run = async () => {
  if (argumentsOf('start').flags.demo) process.env.DEMO = '1'
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    await start()
  } catch (error) {
    if (stopping) return
    await closeAll().catch(() => {})
    end(error)
  }
}

await (cluster.isWorker ? startWorker(() => settingsFrom(process.env)) : run())
