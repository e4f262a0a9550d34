import type { LogFn, Logger } from 'pino'
import { DatabaseAway, reasonOf } from '../data/faults.ts'

/** Between two lines about the same outage. */
const AGAIN_MS = 5000
const LOOK_MS = 500

type OutageLog = {
  /** The log for everything that uses the database. */
  log: Logger
  /** An unused connection broke: the database is away, or only this connection was cut. */
  connectionLost: (error: Error) => void
  stop: () => void
}

/**
 * While the database is away, every call and all work beside the calls fails: a line with a stack for each would fill the
 * log. This log has one line for all of them, once in five seconds, and one when the database is back.
 */
export const outageLog = (plain: Logger, isBack: () => Promise<boolean>): OutageLog => {
  let lastAway = -Infinity
  let lastLost = -Infinity
  /** When the outage began; undefined while there is none. */
  let began: number | undefined
  let isTold = false
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const look = async () => {
    const isOver = await isBack().catch(() => false)
    if (isStopped) return
    if (!isOver) return lookLater()
    if (isTold && began !== undefined)
      plain.warn(`The database is back, after ${Math.ceil((performance.now() - began) / 1000)} seconds`)
    began = undefined
    isTold = false
  }
  const lookLater = () => {
    timer = setTimeout(() => void look(), LOOK_MS).unref()
  }
  const away = (error: DatabaseAway) => {
    if (isStopped) return
    const now = performance.now()
    if (began === undefined) {
      began = now
      lookLater()
    }
    if (now - lastAway < AGAIN_MS) return
    lastAway = now
    isTold = true
    plain.error(
      `The database is away (${reasonOf(error)}). Calls are answered with 503, and the work beside them goes on when it is back`,
    )
  }
  const method = (name: 'error' | 'warn') => ({
    // A child sets its own when it has a level of its own.
    writable: true,
    value(this: Logger, ...line: Parameters<LogFn>) {
      const error = (line[0] as { err?: unknown } | undefined)?.err
      if (error instanceof DatabaseAway) away(error)
      else plain[name].apply(this, line)
    },
  })
  return {
    log: Object.create(plain, { error: method('error'), warn: method('warn') }) as Logger,
    connectionLost(error) {
      const now = performance.now()
      if (now - lastLost < AGAIN_MS || began !== undefined) return
      lastLost = now
      plain.warn(`A database connection was lost (${reasonOf(error)}). The next query opens a new one`)
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
