import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ClientConfig } from 'pg'

const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export type Server = {
  /** Like http://localhost:41234 */
  url: string
  /** Of the top account `admin`. */
  password: string
  dataDir: string
  /** The environment with which commands such as `npm run account` find its database. */
  env: Record<string, string>
  /** The superuser’s connection, if the database is not below dataDir. */
  database?: ClientConfig
  /** Its output so far, for messages of failed tests. */
  output: () => string
  /** Stops what is still running and removes the data. */
  remove: () => Promise<void>
}

/** A server that is a process of its own. */
export type ServerProcess = Server & {
  child: ChildProcess
  /** Stops it as Ctrl-C does, and resolves with its exit code. */
  stop: () => Promise<number | null>
  /** Kills it at once; its database stays, as after a crash. */
  kill: () => Promise<void>
}

type Options = {
  /** The directory of an earlier server, to start on the same data. */
  dataDir?: string
  port?: number
  password?: string
  env?: Record<string, string>
  /** The most files and sockets it may have open, as `ulimit -n` sets it. */
  handles?: number
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)))

/** Stops a database that outlived its server, found by its pid file. */
const stopDatabase = (dataDir: string) => {
  try {
    process.kill(Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT')
  } catch {
    // There is none.
  }
}

/** Starts the built server with its own database, and resolves when it is ready. */
export const startServer = async ({
  dataDir: given,
  port: wanted,
  password = 'journey-Passw0rd',
  env = {},
  handles,
}: Options = {}): Promise<ServerProcess> => {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'tallyroom-e2e-'))
  const port = wanted ?? (await freePort())
  const limited = handles === undefined ? [] : ['sh', '-c', `ulimit -n ${handles} && exec "$0" "$@"`]
  const [command, ...args] = [...limited, process.execPath, '--enable-source-maps', program]
  const child = spawn(command, args, {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: '',
      REDIS_URL: '',
      PORT: String(port),
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: password,
      // All tests call from one address, some through one session.
      CALL_LIMITS: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ready = new Promise<string>((resolve, reject) => {
    const listen = (chunk: string) => {
      output += chunk
      const url = /is ready at (\S+)/.exec(output)?.[1]
      if (url) resolve(url)
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The server ended (${code}) before it was ready:\n${output}`)))
  })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended(child)
  }
  const stop = () => end('SIGINT')
  const kill = async () => {
    await end('SIGKILL')
  }
  const remove = async () => {
    await stop()
    stopDatabase(dataDir)
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  // A test run that dies must not leave servers running.
  const killChild = () => child.kill('SIGKILL')
  process.once('exit', killChild)
  child.once('exit', () => process.off('exit', killChild))
  const found = { DATA_DIR: dataDir, DATABASE_URL: '', DATABASE_OWNER_URL: '' }
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL'] as const) found[name] = env[name] ?? ''
  const url = await ready.catch(async (error: unknown) => {
    if (given === undefined) await remove()
    throw error
  })
  return { url, password, dataDir, env: found, child, output: () => output, stop, kill, remove }
}
