import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'

/** Debian's `redis-server`. Tests that need it are skipped where it is missing. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export type TestRedis = {
  url: string
  /** Kills Redis, with all its data. */
  kill(): Promise<void>
  /** Starts it again on the same port, empty. */
  start(): Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** Starts a Redis that stores nothing on disk. */
export const startRedis = async (): Promise<TestRedis> => {
  const port = await freePort()
  let child: ChildProcess | undefined
  process.once('exit', () => child?.kill('SIGKILL'))
  const start = () =>
    new Promise<void>((resolve, reject) => {
      const options = { port: String(port), bind: '127.0.0.1', save: '', appendonly: 'no', dir: '/tmp' }
      const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
      const made = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
      child = made
      made.once('error', reject)
      made.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('Ready to accept connections')) resolve()
      })
    })
  const kill = () =>
    new Promise<void>((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return resolve()
      child.once('exit', () => resolve())
      child.kill('SIGKILL')
    })
  await start()
  return { url: `redis://127.0.0.1:${port}`, kill, start }
}
