import { type Connection, startPostgres } from '@tallyroom/postgres'
import { settingsFrom } from '../config/settings.ts'
import { postgresOptions } from '../data/sealed-wal.ts'
import { finish } from './database.ts'

const addressOf = ({ user, host, database }: Connection) =>
  `postgresql://${user}@${encodeURIComponent(host)}/${database}`

/**
 * For `npm run dev` only: runs the database while standard input is open, so that restarting the server does not
 * restart PostgreSQL. Prints one line of JSON: the settings with which the server connects in its two roles.
 */
await finish(async () => {
  const given = settingsFrom(process.env)
  const log = (line: string) => process.stderr.write(`${line}\n`)
  const postgres = await startPostgres({ dataDir: given.dataDir, ...postgresOptions(given, process.env), log })
  // Ctrl-C reaches all processes of the terminal, and the server needs the database while it stops.
  process.on('SIGINT', () => undefined)
  const settings = { DATABASE_URL: addressOf(postgres.app), DATABASE_OWNER_URL: addressOf(postgres.owner) }
  process.stdout.write(`${JSON.stringify(settings)}\n`)
  const closed = new Promise((resolve) => process.stdin.once('end', resolve).resume())
  const lost = await Promise.race([closed, postgres.lost])
  await postgres.stop()
  if (lost instanceof Error) throw lost
})
