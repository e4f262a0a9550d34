import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { withTimeout } from '../lib/concurrency.ts'
import { asError, type Described } from './described-error.ts'
import { type Handlers, type Link, openLink } from './link.ts'
import type { makeSwitchboard } from './relay.ts'

/** A worker that ends sooner than this after its start is started again after a pause, and not at once. */
const SOON_MS = 10_000
const PAUSE_MS = 1000
/** A worker that does not answer a question in time is left out. */
const ANSWER_MS = 2000

type WorkersOptions = {
  count: number
  /** The program that each worker runs. */
  program: string
  switchboard: ReturnType<typeof makeSwitchboard>
  /** A worker of which nothing is heard for so long hangs, and is replaced. */
  silentMs: number
  /** A worker has ended, and another one is started. */
  onLost?: () => void
  log: Pick<Logger, 'error' | 'warn'>
}
type Running = { link: Link; ended: Promise<void>; isReady: boolean; kill: () => void }

const linkTo = (worker: Worker): Link =>
  openLink({
    send: (items, onSent) => {
      // A worker that has just died is found dead by its `exit`.
      if (worker.isConnected()) worker.process.send(items, undefined, undefined, onSent)
    },
    listen: (receive) => void worker.on('message', receive),
  })

/**
 * Starts the workers, and another one for each that dies. They share the port: the connections are dealt out in turn. This
 * process opens the port, so it stays open while a worker starts. Workers end when this process is gone.
 */
export const makeWorkers = ({ count, program, switchboard, silentMs, onLost, log }: WorkersOptions) => {
  const running = new Set<Running>()
  let handlers: Handlers = {}
  let isStopping = false

  /** Resolves with its address when it listens. @throws why it cannot */
  const startOne = () => {
    const worker = cluster.fork()
    const began = performance.now()
    // Without a listener an error of the channel would end this process. The worker's end is noticed by `exit`.
    worker.on('error', (error) => log.warn({ err: error }, 'The channel to a worker failed'))
    const link = linkTo(worker)
    return new Promise<string>((resolve, reject) => {
      const ended = new Promise<void>((resolveEnd) => {
        worker.once('exit', (code, signal) => {
          running.delete(self)
          switchboard.remove(link, isStopping ? undefined : performance.now() - link.heardAt())
          link.close()
          reject(new Error(`A worker ended (${signal ?? code}) before it was ready`))
          resolveEnd()
          if (!isStopping) void replace({ code, signal, ranMs: performance.now() - began })
        })
      })
      const self: Running = { link, ended, isReady: false, kill: () => worker.process.kill('SIGKILL') }
      running.add(self)
      link.on({
        ...handlers,
        // From its first moment: it may miss nothing.
        ...switchboard.add(link),
        ready: (address: string) => {
          self.isReady = true
          resolve(address)
        },
        failed: (error: Described) => reject(asError(error)),
      })
    })
  }

  let wasReady = false
  const replace = async ({ ranMs, ...how }: { code: number; signal: string; ranMs: number }) => {
    // At the start its failure is the program's.
    if (!wasReady) return
    onLost?.()
    log.error(how, 'A worker has ended. Another one is started; what it had answered is stored')
    if (ranMs < SOON_MS) await pause(PAUSE_MS)
    if (isStopping) return
    // It ends after a failure, and is replaced again.
    await startOne().catch((error: unknown) => log.error({ err: error }, 'A worker could not start'))
  }

  const askAll = async <T>(name: string): Promise<T[]> => {
    const asked = [...running].filter(({ isReady }) => isReady).map(({ link }) => link.ask<T>(name, null))
    const answered = await Promise.allSettled(asked.map((one) => withTimeout(one, ANSWER_MS)))
    return answered.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  }

  const suspects = new WeakSet<Running>()
  const endSilent = () => {
    for (const one of running) {
      const { link, isReady, kill } = one
      const ms = Math.round(performance.now() - link.heardAt())
      if (!isReady || isStopping || ms < silentMs) suspects.delete(one)
      // Only at the second look: after this process has stalled, what the worker said meanwhile is read in between.
      else if (!suspects.has(one)) suspects.add(one)
      else {
        log.error({ ms }, 'A worker hangs: it is ended, and another one started')
        kill()
      }
    }
  }
  const watch = setInterval(endSilent, silentMs / 10)
  watch.unref()

  return {
    /** Resolves with their address when all listen. `answers`: to their questions. @throws why one cannot */
    start: async (answers: Handlers): Promise<string> => {
      handlers = answers
      cluster.setupPrimary({
        exec: program,
        args: [],
        execArgv: [...process.execArgv, '--enable-source-maps'],
        // Orders have numbers that JSON has not.
        serialization: 'advanced',
      })
      const [address = ''] = await Promise.all(Array.from({ length: count }, startOne))
      wasReady = true
      return address
    },
    readMetrics: <Readings>(): Promise<Readings[]> => askAll<Readings>('metrics'),
    /** Accounts with a socket at any of them. */
    countPeople: async (): Promise<number> => new Set((await askAll<number[]>('accounts')).flat()).size,
    /** Lets them finish what they do, and resolves when all have ended. */
    stop: async () => {
      isStopping = true
      clearInterval(watch)
      const all = [...running]
      for (const { link, isReady, kill } of all) {
        if (isReady) link.tell('stop', null)
        else kill()
      }
      await Promise.all(all.map(({ ended }) => ended))
    },
  }
}
