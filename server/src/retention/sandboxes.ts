import { emptySandbox } from '../accounts/sandbox.ts'
import type { Settings } from '../config/settings.ts'
import { type Database, many, sql } from '../data/sql.ts'
import { is } from '../domain/is.ts'
import type { SessionEnder } from '../identity/context.ts'
import { eraseUnsettled } from './person.ts'

/** A sandbox whose keys have made no call for so many days is emptied. */
export const IDLE_DAYS = 30
const BATCH = 100

type Erasing = { db: Database; settings: Pick<Settings, 'timeZone'> }

/**
 * Erases members of emptied sandboxes for `ms` at most, those of the last one first: their names are wanted again.
 * Repeatable; their files go within an hour.
 */
export const eraseEmptied = async ({ db, settings }: Erasing, ms = Infinity): Promise<void> => {
  const until = performance.now() + ms
  for (let isOver = false; !isOver; ) {
    const members = await many<{ id: number; topId: number }>(
      db,
      sql`select a.id, a.top_id as "topId" from sandboxes s join accounts a on a.top_id = s.top_id and a.role_id = ${is.member}
        where s.emptied_at is not null and a.username <> 'erased-' || a.id order by s.emptied_at desc, a.id limit ${BATCH}::int`,
    )
    for (const member of members)
      if (performance.now() < until) await db.transact((tx) => eraseUnsettled(tx, {}, member, settings.timeZone))
    isOver = members.length < BATCH || performance.now() >= until
  }
}

/** Empties sandboxes that nobody uses, and erases what is left of them. */
export const tendSandboxes = async (deps: Erasing & { hub: SessionEnder }): Promise<void> => {
  const { db, hub } = deps
  const idle = await many<{ ownerId: number }>(
    db,
    sql`select s.owner_id as "ownerId" from sandboxes s
      where s.emptied_at is null and s.made_at < now() - make_interval(days => ${IDLE_DAYS}::int)
        and exists (select from accounts a where a.top_id = s.top_id and a.id <> s.top_id and not a.is_key)
        and not exists (select from api_keys k where k.top_id = s.top_id
          and greatest(k.used_at, k.created_at) > now() - make_interval(days => ${IDLE_DAYS}::int))`,
  )
  for (const { ownerId } of idle) await db.transact((tx) => emptySandbox(tx, hub, {}, ownerId))
  await eraseEmptied(deps)
}
