import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { version } from './version.mjs'

/** Fields of database errors that may hold a whole row, including password hashes; `client`, a whole connection. */
const ROWS = ['detail', 'where', 'internalQuery', 'parameters', 'query', 'hint', 'client'] as const

const withoutRows = (error: Error): Record<string, unknown> => {
  const said: Record<string, unknown> = { ...pino.stdSerializers.err(error) }
  for (const field of ROWS) delete said[field]
  return said
}

/** The same log with more fields on each line. */
export const withFields = (log: Logger, fields: () => object): Logger =>
  log.child({}, { formatters: { log: (line) => ({ ...fields(), ...line }) } })

/** The server's log: JSON lines without secrets. `to` is for tests. */
export const makeLog = (level: string, to?: DestinationStream): Logger => {
  const options = {
    level,
    base: { pid: process.pid, hostname: hostname(), version },
    // Names and times as people and log stores read them, not pino's numbers.
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: withoutRows },
  }
  return to ? pino(options, to) : pino(options)
}
