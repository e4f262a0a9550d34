import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { copyTree } from '@tallyroom/postgres/backup'
import { afterRestore, putBack } from '@tallyroom/postgres/restore'
import { startPostgres } from '@tallyroom/postgres'
import { settingsFrom } from '../config/settings.ts'
import { StartError } from '../lib/start-error.ts'
import { finish } from './database.ts'

const USAGE = `DATA_DIR=NEW npm run restore -- BACKUP [--archive DIR] [--until TIME]

  BACKUP          what npm run backup has made
  --archive DIR   what WAL_ARCHIVE has kept: everything since the backup too
  --until TIME    but nothing that came later, such as 2026-11-21T09:30:00Z`

const say = (line: string) => process.stdout.write(`${line}\n`)

const timeOf = (text: string | undefined) => {
  if (text === undefined) return undefined
  // Without a zone it would be one time here and another one there.
  const time = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? new Date(text) : undefined
  if (time && Number.isFinite(time.getTime())) return time
  throw new StartError(`--until is "${text}", but must be a time with its zone, such as 2026-11-21T09:30:00Z.`)
}

/** `npm run restore`: a house from a backup, as it was at its end, or later as far as the archive goes. */
await finish(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { archive: { type: 'string' }, until: { type: 'string' } },
  })
  const [from] = positionals
  if (!from) throw new StartError(USAGE)
  const { dataDir: given, databaseUrl } = settingsFrom(process.env)
  if (databaseUrl) throw new StartError('A backup is put back without DATABASE_URL, below DATA_DIR.')
  if (values.until && !values.archive)
    throw new StartError('--until needs --archive: a backup alone has one time, its end.')
  const dataDir = resolve(given)
  const archive = values.archive && resolve(values.archive)
  await putBack({ from: resolve(from), dataDir, archive, until: timeOf(values.until) }, say)
  await copyTree(join(resolve(from), 'media'), join(dataDir, 'media'), () => true)
  say('Going through the log…')
  const postgres = await startPostgres({ dataDir, log: say })
  try {
    const client = new pg.Client(postgres.superuser)
    await client.connect()
    for (const statement of afterRestore) await client.query(statement)
    // Whoever was signed out since would be signed in again, and open pages know of more than there is now.
    await client.query(`update sessions set ended_at = now(), end_reason = 'ended' where ended_at is null`)
    await client.end()
  } finally {
    await postgres.stop()
  }
  say(`✓ ${dataDir}: everyone signs in anew`)
  say(
    'Put the key of the installation there (docs/key.md), then: npm run key, npm run ledger:check, npm run audit:verify, npm start.',
  )
})
