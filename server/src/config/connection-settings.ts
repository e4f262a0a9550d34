import { wholeNumber } from './env.ts'
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
  const all = wholeNumber(env, 'CONNECTIONS', possible, 1, 1_000_000)
  const defaultOfAddress = isLimited ? Math.max(1, Math.min(DEFAULT_OF_ADDRESS, Math.floor(all / 4))) : 0
  return {
    all,
    ofAddress: wholeNumber(env, 'CONNECTIONS_OF_ADDRESS', defaultOfAddress, 0, 1_000_000),
    headersSeconds: wholeNumber(env, 'HEADERS_SECONDS', 20, 1, 3600),
    bodySeconds: wholeNumber(env, 'BODY_SECONDS', 20, 1, 3600),
    bodyRate: wholeNumber(env, 'BODY_BYTES_PER_SECOND', 4096, 1, 1_000_000_000),
  }
}
