import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import type { RoomChange } from '@tallyroom/contract/events'
import type { Person, TestServer } from './app.ts'

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
      const made = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
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

type Socket = Awaited<ReturnType<Person['socket']>>

/** What the next event of this name says. */
export const once = (socket: Socket, event: string): Promise<unknown[]> =>
  new Promise((resolve) => socket.once(event as 'room', (...said: unknown[]) => resolve(said)))
export const changeOf = async (socket: Socket) => ((await once(socket, 'room')) as [RoomChange])[0]
export const send = (who: Person, code: string, content: string) =>
  who.call('sendMessage', { code, type: 1, content, request_id: randomUUID() })

/** The channel over which the copies of an installation hear each other. */
export const liveChannel = ({ services }: TestServer) =>
  `tallyroom:${services.key.derive('redis/v1').toString('hex').slice(0, 16)}:live`
