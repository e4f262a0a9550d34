import { openHouse } from './build-house.ts'
import { connect } from './db.ts'
import { makeFirstAccount } from './first-account.ts'
import { migrate } from './migrate.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { settingsFrom } from './settings.ts'
import { StartError } from './start-error.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const start = async () => {
  const settings = settingsFrom(process.env)
  let postgres: Postgres | undefined
  try {
    postgres = settings.databaseUrl ? undefined : await startPostgres({ dataDir: settings.dataDir, log: say })
    const database = postgres?.config ?? { connectionString: settings.databaseUrl }
    await migrate(database)
    const db = connect({ ...database, max: 1 })
    const password = await makeFirstAccount(db, process.env.ADMIN_PASSWORD || undefined).finally(() => db.end())
    const running = await openHouse(settings, database)
    const demo = settings.demo ? await (await import('./demo/demo.ts')).startDemo(running) : undefined
    if (password) say(`\nYour account: admin   Password (shown this once): ${password}\n`)
    for (const line of demo?.lines ?? []) say(line)
    say(`Tallyroom is ready at ${running.address}`)
    stopWell(async () => {
      demo?.stop()
      await running.close()
      await postgres?.stop()
    })
    void postgres?.lost.then((error) => end(error))
  } catch (error) {
    await postgres?.stop().catch(() => {})
    end(error)
  }
}

/** What a person can mend is one line; everything else keeps its stack. */
const end = (error: unknown): never => {
  process.stderr.write(`${oneLine(error)}\n`)
  process.exit(1)
}

const oneLine = (error: unknown): string => {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Port ${process.env.PORT || 3000} is taken. Stop what runs there, or choose another with PORT=3001.`
  if (code === 'EACCES') return `Not allowed to listen on port ${process.env.PORT || 3000}. Choose one above 1023 with PORT=3000.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `The database at DATABASE_URL does not answer (${error.message}).`
  if (code === '28P01' || code === '28000' || code === '3D000') return `The database at DATABASE_URL refused us: ${error.message}.`
  return error.stack ?? error.message
}

const stopWell = (close: () => Promise<void>) => {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    say('Stopping…')
    // Whatever hangs is not waited for forever: everything answered is already on disk.
    setTimeout(() => process.exit(1), 10_000).unref()
    close().then(
      () => process.exit(0),
      (error: unknown) => end(error),
    )
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

await start()
