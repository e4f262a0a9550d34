import { isOffice } from '@tallyroom/contract/codes'
import type { Logger } from 'pino'
import { keyList } from '../data/key-list.ts'
import { type Database, many, sql } from '../data/sql.ts'
import { repeat } from '../lib/concurrency.ts'
import type { Hub } from './hub.ts'
import type { Io, LiveSocket } from './io.ts'

/** Far less than the shortest time after which a colleague counts as gone (chat/desk/states.ts). */
const BEAT_MS = 10_000
/** Sockets that are admitted within this time share a beat. */
const COLLECT_MS = 200

type HeartbeatOptions = { db: Database; log: Pick<Logger, 'error'>; hub: Pick<Hub, 'colleaguesChanged'> }

/**
 * DESK-01: notes which colleagues have a page open in this process, for all copies. Who was gone is there again with the
 * first beat, and the group hears of it.
 */
export const startHeartbeat = (io: Io, { db, log, hub }: HeartbeatOptions) => {
  const beat = async () => {
    const colleagues = [...io.of('/').sockets.values()].flatMap(({ data: { actor } }) =>
      isOffice(actor.role) && actor.rights.has('chat') ? actor.id : [],
    )
    if (colleagues.length === 0) return
    const groups = await noteHere(db, [...new Set(colleagues)])
    if (groups.length > 0) hub.colleaguesChanged(groups)
  }
  const onError = (error: unknown) => log.error({ err: error }, 'Could not note which colleagues have a page open')
  const stop = repeat({ everyMs: BEAT_MS, work: beat, onError })
  let soon: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  return {
    admitted({ data: { actor } }: LiveSocket) {
      if (!isOffice(actor.role)) return
      soon ??= setTimeout(() => {
        soon = undefined
        running = beat().catch(onError)
      }, COLLECT_MS).unref()
    },
    async stop() {
      clearTimeout(soon)
      await stop()
      await running
    },
  }
}

/** Returns the groups in which somebody is there who was not. In the order of ids: two processes may note the same people. */
const noteHere = async (db: Database, ids: number[]): Promise<number[]> => {
  const rows = await many<{ groupId: number }>(
    db,
    sql`with people as (select id, top_id, group_id from accounts where id = any(${keyList('int', ids)}) order by id),
        seen as (insert into desk_heartbeats (account_id, top_id, seen_at) select id, top_id, clock_timestamp() from people
          on conflict (account_id) do update set seen_at = excluded.seen_at),
        here as (insert into desk_people (account_id, top_id) select id, top_id from people
            where not exists (select from desk_people p where p.account_id = id and p.is_here)
          on conflict (account_id) do update set is_here = true,
            since = case when desk_people.state = 'away' then desk_people.since else now() end
            where not desk_people.is_here
          returning account_id)
      select distinct group_id as "groupId" from people join here on here.account_id = people.id`,
  )
  return rows.map(({ groupId }) => groupId)
}
