import { lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { adoptZone } from '../ledger/check/time-zone.ts'
import { argumentsOf } from './arguments.mjs'
import { asTyped, say } from '../lib/typed-commands.ts'
import { type Access, migrateFor, outsideDatabase } from '../data/access.ts'
import type { Diagnosis } from '../doctor/diagnosis.ts'
import { DatabaseAway, reasonOf } from '../data/faults.ts'
import { refuseBesideServers } from '../data/running-servers.ts'
import { postgresOptions } from '../data/sealed-wal.ts'
import { type Database, withConnection } from '../data/sql.ts'
import { runningPostgres, startPostgres } from '@tallyroom/postgres'
import { type Settings, settingsFrom } from '../config/settings.ts'
import type { Command } from './commands/command.ts'
import { readSecret } from './commands/read-secret.ts'
import { asStartError, StartError } from '../lib/start-error.ts'

type Work = (db: Database, settings: Settings) => Promise<void>

/** Runs a command on the installation of this process's environment, and prints its error. */
export const withDatabase = (work: Work): Promise<void> => finish(() => onInstallation(process.env, work))

/** The same for a command, as it is typed, that must not run beside a server. */
export const withDatabaseAlone = (command: string, work: Work): Promise<void> =>
  finish(async () => {
    const settings = settingsFrom(process.env)
    await withAccess(settings, async (access) => {
      await refuseBesideServers(access.app, command)
      await onDatabase(access, settings, work)
    })
  })

/** Runs a command of commands/ with what the command line gives it. */
export const runCommand = async (name: string, command: Command): Promise<void> => {
  const given = argumentsOf(name)
  await withDatabase(async (db, settings) => {
    process.exitCode = await command(given, { db, settings, print: say, readSecret })
  })
}

/** Works on the migrated database of the installation. */
export const onInstallation = async (env: NodeJS.ProcessEnv, work: Work): Promise<void> => {
  const settings = settingsFrom(env)
  await withAccess(settings, (access) => onDatabase(access, settings, work))
}

/** The database as it is: that of DATABASE_URL, that of a running server, or our own, started for the work. */
export const withAccess = async (settings: Settings, work: (access: Access) => Promise<void>): Promise<void> => {
  const running = outsideDatabase(settings) ?? (await runningPostgres(settings.dataDir))
  if (running) return await work(running)
  requireDatabase(settings.dataDir)
  const postgres = await startPostgres({ dataDir: settings.dataDir, ...postgresOptions(settings, process.env) })
  try {
    await work(postgres)
  } finally {
    await postgres.stop()
  }
}

/**
 * A command makes no database: in a directory that is not the installation's it would report on an empty one.
 * @throws StartError
 */
export const requireDatabase = (dataDir: string): void => {
  if (isMissing(join(dataDir, 'postgres')))
    throw new StartError(
      `There is no database in ${resolve(dataDir)}. Set DATA_DIR to the directory of the installation; the first start of Tallyroom makes its database.`,
    )
}

/** Not of what this user may not look at: startPostgres says that. */
const isMissing = (path: string) => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Runs a command. Errors that the operator can fix are printed as one line, others with their stack. */
export const finish = async (work: () => Promise<void>): Promise<void> => {
  process.stdout.on('error', ignoreClosed)
  try {
    await work()
  } catch (thrown) {
    process.stderr.write(`${asTyped(errorText(thrown))}\n`)
    process.exitCode = 1
  }
}

/** Nobody reads the output any more, as after `| head`: the command still does its work to the end. */
const ignoreClosed = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
}

/** One line for an error that the operator can fix, the stack of others. */
export const errorText = (thrown: unknown): string => {
  const error = asStartError(thrown)
  if (error instanceof StartError) return error.message
  if (error instanceof DatabaseAway)
    return `The database does not answer (${reasonOf(error)}). Check that it is running, and DATABASE_URL if it is set.`
  return (error instanceof Error && error.stack) || String(error)
}

const onDatabase = async (access: Access, settings: Settings, work: Work) => {
  await migrateFor(access)
  await withConnection({ ...access.app, max: 4 }, async (db) => {
    await adoptZone(db, settings)
    await work(db, settings)
  })
}

const signs = { fine: '✓', warning: '!', wrong: '✗' } as const

/** Prints what a check found and what to do about it; the program exits with 1 when something is wrong. */
export const printDiagnoses = (found: Diagnosis[], asJson = false): void => {
  if (asJson) say(JSON.stringify(found.map(({ topic: _, ...rest }) => rest)))
  else
    for (const { state, found: words, advice } of found)
      say(`${signs[state]} ${words}${advice ? `\n    ${advice}` : ''}`)
  if (found.some(({ state }) => state === 'wrong')) process.exitCode = 1
}
