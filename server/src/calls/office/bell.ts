import type { bellCalls } from '@tallyroom/contract/calls/office/bell'
import { bellKinds } from '@tallyroom/contract/desk/bell'
import { listBell } from '../../chat/bell/list.ts'
import { seenItems } from '../../chat/bell/seen.ts'
import { one, run, sql } from '../../data/sql.ts'
import { ensure } from '../../lib/refusal.ts'
import type { Handlers } from '../handler.ts'

/** Nobody reads a larger number. */
const MAX_COUNTED = 100

export const bellHandlers = {
  'bell/list': ({ db, actor }, { after, per_page }) => listBell(db, actor, { after, most: per_page }),

  'bell/open': async ({ db, actor }) => {
    const { unread, quiet } = ensure(
      await one<{ unread: number; quiet: string[] }>(
        db,
        sql`select (select count(*)::int from (select from bell_items b
            where b.read_at is null and ${seenItems(actor)} limit ${MAX_COUNTED}) i) as unread, a.bell_quiet as quiet
          from accounts a where a.id = ${actor.id}`,
      ),
      'server.failed',
    )
    return { unread, pushes: bellKinds.filter((kind) => !quiet.includes(kind)) }
  },

  'bell/read': async ({ db, services, actor }, { ids, up_to }) => {
    await run(
      db,
      sql`update bell_items set read_at = now()
        where account_id = ${actor.id} and read_at is null and (id = any(${ids}::int[]) or id <= ${up_to ?? 0})`,
    )
    db.afterCommit(() => services.hub.notify(actor.id, 'bell', {}))
    return null
  },

  'bell/choose': async ({ db, services, actor }, { pushes }) => {
    const quiet = bellKinds.filter((kind) => !pushes.includes(kind))
    await run(db, sql`update accounts set bell_quiet = ${quiet}::text[] where id = ${actor.id}`)
    db.afterCommit(() => services.hub.notify(actor.id, 'bell', {}))
    return null
  },
} satisfies Handlers<typeof bellCalls>
