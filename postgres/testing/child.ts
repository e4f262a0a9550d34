import { startPostgres } from '../index.ts'

// Starts the database as a process of its own, for tests that kill it: says one line when it is there, or why not.
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const server = await startPostgres({ dataDir: process.argv[2] ?? '', durable: process.argv[3] === 'durable' })
  say({ url: server.url, pid: server.pid(), adopted: server.adopted })
  // An adopted server is no child of ours and keeps nobody alive.
  const living = setInterval(() => undefined, 60_000)
  process.once('SIGTERM', () => void server.stop().then(() => clearInterval(living)))
} catch (error) {
  say({ refused: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
}
