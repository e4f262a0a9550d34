import type { draftCalls } from '@tallyroom/contract/calls/draft'
import { many, one, sql } from '../db.ts'
import { ensure, type Handlers } from '../handler.ts'
import { roomFor } from '../rooms.ts'
import { seated } from '../actor.ts'

/** The newest ones; who has more has forgotten the others. */
const MOST = 500

export const draftHandlers = {
  'draft/list': async ({ db, actor }) => ({
    data: await many(
      db,
      sql`select r.code, d.content, d.version from drafts d join rooms r on r.id = d.room_id
        where d.account_id = ${actor.id} and ${seated(actor)} and (d.content <> '' or d.updated_at > now() - interval '30 days')
        order by d.updated_at desc limit ${MOST}`,
    ),
  }),

  'draft/save': async ({ db, house, actor }, { code, content }) => {
    const room = await roomFor(db, actor, sql`r.code = ${code}`)
    const { version } = ensure(
      await one<{ version: number }>(
        db,
        sql`insert into drafts (account_id, room_id, top_id, content) values (${actor.id}, ${room.id}, ${room.topId}, ${content})
          on conflict (account_id, room_id) do update
            set content = excluded.content, version = drafts.version + 1, updated_at = now()
          returning version`,
      ),
      'server.failed',
    )
    db.afterCommit(() => house.hub.tell(actor.id, 'draft', { code, content, version }))
    return { version }
  },
} satisfies Handlers<typeof draftCalls>
