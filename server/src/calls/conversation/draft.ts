import type { draftCalls } from '@tallyroom/contract/calls/conversation/draft'
import { many, one, sql } from '../../data/sql.ts'
import { is } from '../../domain/is.ts'
import type { Handlers } from '../handler.ts'
import { refuse } from '../../lib/refusal.ts'
import { findGroupRoom, findRoom } from '../../chat/rooms.ts'
import { joinedRooms } from '../../identity/actor.ts'

/** The newest drafts; older ones are not returned. */
const MAX_DRAFTS = 500

export const draftHandlers = {
  'draft/list': async ({ db, actor }) => ({
    data: await many(
      db,
      sql`select r.code, d.inside, d.content, d.version from drafts d join rooms r on r.id = d.room_id
        where d.account_id = ${actor.id} and ${joinedRooms(actor)} and (d.content <> '' or d.updated_at > now() - interval '30 days')
        order by d.updated_at desc limit ${MAX_DRAFTS}`,
    ),
  }),

  'draft/save': async ({ db, services, actor }, { code, inside, content, upon }) => {
    const room = inside ? await findGroupRoom(db, actor, code) : await findRoom(db, actor, sql`r.code = ${code}`)
    const saved = await one<{ version: number }>(
      db,
      // Erasing locks the writer too: stored after it, what the erased person typed would stay.
      sql`with writer as (select id from accounts where id = ${actor.id} and status = ${is.active} for share)
        insert into drafts (account_id, room_id, inside, top_id, content)
        select id, ${room.id}, ${inside}, ${room.topId}, ${content} from writer
        on conflict (account_id, room_id, inside) do update
          set content = excluded.content, version = drafts.version + 1, updated_at = now()
          where drafts.sent_version <= coalesce(${upon ?? null}::int, drafts.sent_version)
        returning version`,
    )
    if (saved) {
      const { version } = saved
      db.afterCommit(() => services.hub.notify(actor.id, 'draft', { code, inside, content, version }))
      return { version, kept: true }
    }
    const newer = await one<{ version: number }>(
      db,
      sql`select version from drafts where account_id = ${actor.id} and room_id = ${room.id} and inside = ${inside}`,
    )
    return newer ? { version: newer.version, kept: false } : refuse('session.dead', { reason: 'frozen' })
  },
} satisfies Handlers<typeof draftCalls>
