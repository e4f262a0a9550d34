import { startPostgres } from '../index.ts'

// Starts the database in a process of its own, for tests that kill it. Prints one line when it is ready, or why not.
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const server = await startPostgres({ dataDir: process.argv[2] ?? '', durable: process.argv[3] === 'durable' })
  // A server that was taken over is not our child and does not keep this process running.
  const living = setInterval(() => undefined, 60_000)
  process.once('SIGTERM', () => void server.stop().then(() => clearInterval(living)))
  // Last: a test may send SIGTERM as soon as it has read this line.
  say({ url: server.url, pid: server.pid(), adopted: server.adopted })
} catch (error) {
  say({ refused: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
}
