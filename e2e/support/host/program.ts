import { makeLog } from '../../../server/src/lib/log.ts'
import { settingsFrom } from '../../../server/src/config/settings.ts'
import { outsideDatabase } from '../../../server/src/data/access.ts'
import { startServices } from '../../../server/src/start/services.ts'
import { makePasswordsCheap } from '../../../server/src/testing/cheap-passwords.ts'

// Serves many journeys, one after the other, each with a server of its own on a database of its own: loading the program
// for each would take a second of a processor. `host.ts` builds it, starts it and talks to it.

export type Ask = { id: number; start: Record<string, string> } | { id: number; stop: true }
export type Answer =
  | { id: number; url: string }
  | { id: number; failed: string }
  | { id: number; stopped: true }
  | { id: number; line: string }

makePasswordsCheap()

const say = (answer: Answer) => process.send?.(answer)
const running = new Map<number, () => Promise<void>>()

const start = async (id: number, env: Record<string, string>) => {
  const settings = settingsFrom({ ...process.env, ...env })
  const database = outsideDatabase(settings)?.app
  if (!database) throw new Error('a server of the host needs DATABASE_URL')
  const log = makeLog(settings.logLevel, { write: (line) => void say({ id, line }) })
  const startAt = (port: number) => startServices({ ...settings, port }, database, log)
  // The port of an earlier server: anything may have taken it meanwhile.
  const { address, close } = await startAt(settings.port).catch(() => startAt(0))
  running.set(id, close)
  return address
}

process.on('message', (ask: Ask) => {
  const { id } = ask
  if ('start' in ask) {
    start(id, ask.start).then(
      (url) => say({ id, url }),
      (error: Error) => say({ id, failed: error.stack ?? String(error) }),
    )
    return
  }
  const close = running.get(id)
  running.delete(id)
  void close?.().finally(() => say({ id, stopped: true }))
})
// The worker that started it has ended.
process.on('disconnect', () => process.exit(0))
