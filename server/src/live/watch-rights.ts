import { isOffice } from '@tallyroom/contract/codes'
import type { Logger } from 'pino'
import type { Database } from '../data/sql.ts'
import type { Actor } from '../identity/actor.ts'
import { rightsOf } from '../identity/rights.ts'
import { repeat } from '../lib/concurrency.ts'
import type { Io } from './io.ts'

const INTERVAL_MS = 1000
/** A socket may be admitted with rights that were read before a change of which this copy has heard already. */
const RECENT_MS = 10_000

type WatchOptions = {
  db: Database
  settings: { timeZone: string }
  log: Pick<Logger, 'error'>
  /** Whether changes of other copies arrive. */
  isRelayUp: () => boolean
}

/**
 * RIGHT-01: keeps the rights of open sockets fresh. A change is looked at once it is announced. Hours begin and end
 * without an announcement, so accounts with hours are looked at every second, and all while Redis does not work. The page
 * gets an event; a socket that has lost or got the conversations connects again and joins what it may.
 */
export const watchRights = (io: Io, { db, settings, log, isRelayUp }: WatchOptions) => {
  let lastRecheck = -Infinity

  const look = async (isMeant: (actor: Actor) => boolean) => {
    const open = [...io.of('/').sockets.values()].filter(({ data }) => isOffice(data.actor.role) && isMeant(data.actor))
    if (open.length === 0) return
    const current = await rightsOf(db, [...new Set(open.map(({ data }) => data.actor.id))], settings.timeZone)
    for (const socket of open) {
      const { actor } = socket.data
      const now = current.get(actor.id)
      if (!now || (isSame(actor.rights, now.rights) && actor.hasTimedRights === now.hasTimedRights)) continue
      socket.data.actor = { ...actor, ...now }
      socket.emit('account', { account_id: actor.id, rights: 1 })
      if (actor.rights.has('chat') !== now.rights.has('chat')) socket.conn.close()
    }
  }
  const onError = (error: unknown) => log.error({ err: error }, 'Could not look at the rights of sockets')
  const lookSafely = (isMeant: (actor: Actor) => boolean) => look(isMeant).catch(onError)

  const lookAgain = () => {
    const everyone = !isRelayUp()
    return look(({ hasTimedRights }) => everyone || hasTimedRights)
  }

  return {
    /** The rights of these accounts may have changed. */
    recheck(accountIds: number[]) {
      lastRecheck = performance.now()
      const ids = new Set(accountIds)
      void lookSafely(({ id }) => ids.has(id))
    },
    /** Changes of any account may have been missed. */
    recheckAll: () => lookSafely(() => true),
    admitted({ data }: { data: { actor: Actor } }) {
      if (performance.now() - lastRecheck < RECENT_MS) void lookSafely(({ id }) => id === data.actor.id)
    },
    stop: repeat({ everyMs: INTERVAL_MS, work: lookAgain, onError }),
  }
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((name) => other.has(name))
