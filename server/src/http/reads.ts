import type { CallName } from '@tallyroom/contract'
import type { Replicas } from '../data/replicas.ts'
import type { Database } from '../data/sql.ts'
import { withStatementTimeout } from '../data/access.ts'
import { isTimedOut } from '../data/faults.ts'
import type { Actor } from '../identity/actor.ts'
import { type Caller, dropIfLeft } from '../identity/caller.ts'
import { fairLimit, keyedLimit } from '../lib/concurrency.ts'
import { Refused, refuse } from '../lib/refusal.ts'
import type { Services } from '../services.ts'

/** A page asks for more at once, and each takes milliseconds. */
const AT_ONCE_OF_ACCOUNT = 3
/** Calls that read very many rows: one at a time of an account, and this many in all, so that others find a connection. */
const LARGE_AT_ONCE = 2

const large: ReadonlySet<CallName> = new Set<CallName>([
  'user/export',
  'audit/export',
  'cash/export',
  'report/sr02Export',
  'report/workExport',
  'transaction/export',
  'statement/export',
  'search/messages',
  'search/notes',
  'transaction/totals',
  'report/reconciliation',
  'report/check',
])

/** The calls that cost the primary most and write nothing. `actorOf` has read the session, and so the position, at the primary. */
const ofReplicas: ReadonlySet<CallName> = new Set<CallName>([
  'transaction/list',
  'transaction/totals',
  'transaction/view',
  'redEnvelope/record',
  'report/sr02',
  'report/work',
  'report/workWaits',
  'report/reconciliation',
  'statement/view',
  'statement/lines',
  'search/messages',
  'search/accounts',
  'search/notes',
  'audit/list',
])

type Asking = { name: CallName; actor: Actor; caller: Caller }
export type RunRead = <T>(asking: Asking, read: (db: Database) => Promise<T>) => Promise<T>

/**
 * Runs reads: a few of an account at once, with connections of their own (`services.reads`) and a limit of time for each
 * statement. One session could otherwise take all connections from everybody's messages and points.
 * @throws Refused with server.busy or request.too_slow
 */
export const makeReads = (services: Services): RunRead => {
  const ofAccount = keyedLimit<number>({ concurrency: AT_ONCE_OF_ACCOUNT })
  const largeOfAccount = fairLimit<number>({ concurrency: 1, total: LARGE_AT_ONCE })
  const { readSeconds } = services.settings
  const forLarge = withStatementTimeout(services.reads, readSeconds.large * 1000)

  return async ({ name, actor, caller }, read) => {
    const isLarge = large.has(name)
    const work = () => {
      dropIfLeft(caller)
      const primary = isLarge ? forLarge : services.reads
      if (!services.replicas || !ofReplicas.has(name)) return read(primary)
      const seconds = isLarge ? readSeconds.large : readSeconds.usual
      return fromReplica({ replicas: services.replicas, seconds, lsn: actor.lsn }, primary, read)
    }
    try {
      return await (isLarge ? largeOfAccount : ofAccount)(actor.id, async () => work())
    } catch (error) {
      return isTimedOut(error) ? refuse('request.too_slow') : Promise.reject(error)
    }
  }
}

type AtReplica = { replicas: Replicas; seconds: number; lsn: string }

/** A replica may cancel a read that its replay waits for, or go: the primary then answers. */
const fromReplica = async <T>(
  { replicas, seconds, lsn }: AtReplica,
  primary: Database,
  read: (db: Database) => Promise<T>,
): Promise<T> => {
  const replica = await replicas.at(lsn)
  if (!replica) return read(primary)
  return await read(withStatementTimeout(replica, seconds * 1000)).catch((error: unknown) => {
    if (error instanceof Refused || isTimedOut(error)) throw error
    return read(primary)
  })
}
