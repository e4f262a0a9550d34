import { readEnv, wholeNumber } from './env.ts'
import type { ConnectionSettings } from './setting-types.ts'
import { readFileSync } from 'node:fs'

/** File handles reserved for the database, served files, webhooks and pushes. */
const OTHER_HANDLES = 200
const DEFAULT_OF_ADDRESS = 1000

/** The limit of open files and sockets of this process. */
const fileHandles = (): number => {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  } catch {
    const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
    return Number(report.userLimits?.open_files?.soft) || Infinity
  }
}

export const connectionShape = {
  CONNECTIONS: wholeNumber(undefined, 1, 1_000_000).meta({
    description:
      'How many connections may be open, of all addresses together: [slow clients](operations/run.md#slow-clients-and-many-connections).',
    shownFallback: '`ulimit -n`, less 200',
  }),
  CONNECTIONS_OF_ADDRESS: wholeNumber(undefined, 0, 1_000_000).meta({
    description: 'The same of one address (IPv6: one /64). 0 sets no limit.',
    shownFallback: '1000, at most a quarter of `CONNECTIONS`',
  }),
  HEADERS_SECONDS: wholeNumber(20, 1, 3600).describe(
    'A connection that has not sent all headers of a request after so many seconds is closed.',
  ),
  BODY_SECONDS: wholeNumber(20, 1, 3600).describe(
    'After so many seconds a connection whose body is slower than `BODY_BYTES_PER_SECOND` is closed.',
  ),
  BODY_BYTES_PER_SECOND: wholeNumber(4096, 1, 1_000_000_000).describe('The rate that a body must keep.'),
}

export const connectionSettings = (env: NodeJS.ProcessEnv, isLimited: boolean): ConnectionSettings => {
  const handles = fileHandles()
  const possible = Math.min(1_000_000, Math.floor(handles - Math.min(OTHER_HANDLES, handles / 4)))
  const found = readEnv(env, connectionShape)
  const all = found.CONNECTIONS ?? possible
  const defaultOfAddress = isLimited ? Math.max(1, Math.min(DEFAULT_OF_ADDRESS, Math.floor(all / 4))) : 0
  return {
    all,
    ofAddress: found.CONNECTIONS_OF_ADDRESS ?? defaultOfAddress,
    headersSeconds: found.HEADERS_SECONDS,
    bodySeconds: found.BODY_SECONDS,
    bodyRate: found.BODY_BYTES_PER_SECOND,
  }
}
