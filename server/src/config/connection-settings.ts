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

export const connectionSettings = (env: NodeJS.ProcessEnv, isLimited: boolean): ConnectionSettings => {
  const handles = fileHandles()
  const possible = Math.min(1_000_000, Math.floor(handles - Math.min(OTHER_HANDLES, handles / 4)))
  const { CONNECTIONS: all } = readEnv(env, { CONNECTIONS: wholeNumber(possible, 1, 1_000_000) })
  const defaultOfAddress = isLimited ? Math.max(1, Math.min(DEFAULT_OF_ADDRESS, Math.floor(all / 4))) : 0
  const found = readEnv(env, {
    CONNECTIONS_OF_ADDRESS: wholeNumber(defaultOfAddress, 0, 1_000_000),
    HEADERS_SECONDS: wholeNumber(20, 1, 3600),
    BODY_SECONDS: wholeNumber(20, 1, 3600),
    BODY_BYTES_PER_SECOND: wholeNumber(4096, 1, 1_000_000_000),
  })
  return {
    all,
    ofAddress: found.CONNECTIONS_OF_ADDRESS,
    headersSeconds: found.HEADERS_SECONDS,
    bodySeconds: found.BODY_SECONDS,
    bodyRate: found.BODY_BYTES_PER_SECOND,
  }
}
