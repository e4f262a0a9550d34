import { type listViewCalls, nameKeys } from '@tallyroom/contract/calls/office/list-view'
import { type Db, many, one, type Row, run, type Sql, sql } from '../../data/sql.ts'
import type { Actor } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { may } from '../../identity/policy.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Ctx, Handlers } from '../handler.ts'

/** More tabs above a list would hide the list. */
const MAX_VIEWS = 30

type StoredView = Row & { id: number; name: string; isShared: boolean; ownerId: number; list: string }

/** The views of an actor, as a condition on the alias `v`. All access to them goes through it. */
const visibleViews = (actor: Actor): Sql =>
  sql`((not v.is_shared and v.owner_id = ${actor.id}) or (v.is_shared and v.group_id = ${actor.groupId}
    and ${actor.masks ? sql`not v.filters ?| ${[...nameKeys]}::text[]` : sql`true`}))`

const mayShare = (actor: Actor) => may(actor, 'view.share')

const lockedFor = async (db: Db, actor: Actor, id: number): Promise<StoredView> => {
  const view = ensure(
    await one<StoredView>(
      db,
      sql`select v.id, v.name, v.is_shared as "isShared", v.owner_id as "ownerId", v.list from list_views v
        where v.id = ${id} and ${visibleViews(actor)} for no key update`,
    ),
    'view.not_found',
  )
  return view.isShared && !mayShare(actor) ? refuse('access.denied') : view
}

/** Only the group's: what one keeps for oneself changes nothing for others. */
const auditShared = async (ctx: Ctx, isShared: boolean, kind: 'view_saved' | 'view_deleted', name: string) => {
  if (isShared) await audit(ctx.db, ctx, kind, ctx.actor, { view: name })
}

const checkCount = async (db: Db, actor: Actor, list: string, isShared: boolean) => {
  const found = await one<{ n: number }>(
    db,
    sql`select count(*)::int as n from list_views v where v.list = ${list} and v.is_shared = ${isShared}
      and ${isShared ? sql`v.group_id = ${actor.groupId}` : sql`v.owner_id = ${actor.id}`}`,
  )
  if ((found?.n ?? 0) >= MAX_VIEWS) refuse('view.too_many')
}

export const listViewHandlers = {
  'listView/list': async ({ db, actor }, { list }) => {
    const rows = await many<StoredView & { filters: Record<string, string> }>(
      db,
      sql`select v.id, v.name, v.is_shared as "isShared", v.filters from list_views v
        where v.list = ${list} and ${visibleViews(actor)} order by v.is_shared desc, lower(v.name), v.id`,
    )
    return {
      data: rows.map(({ id, name, filters, isShared }) => ({
        id,
        name,
        filters,
        shared: isShared ? (1 as const) : (0 as const),
        own: !isShared || mayShare(actor) ? (1 as const) : (0 as const),
      })),
    }
  },

  'listView/save': async (ctx, { id, list, name, filters, shared }) => {
    const { db, actor } = ctx
    const isShared = shared === 1
    // First whether there is such a view: a foreign one is as absent as none.
    const old = id === undefined ? undefined : await lockedFor(db, actor, id)
    if (isShared && !mayShare(actor)) refuse('access.denied')
    const text = JSON.stringify(filters)
    if (old?.isShared !== isShared) await checkCount(db, actor, list, isShared)
    const saved = old
      ? await one<{ id: number }>(
          db,
          sql`update list_views set name = ${name.trim()}, filters = ${text}::jsonb, is_shared = ${isShared},
              owner_id = ${actor.id}, updated_at = now() where id = ${old.id} returning id`,
        )
      : await one<{ id: number }>(
          db,
          sql`insert into list_views (top_id, group_id, owner_id, is_shared, list, name, filters)
            values (${actor.topId}, ${actor.groupId}, ${actor.id}, ${isShared}, ${list}, ${name.trim()}, ${text}::jsonb)
            returning id`,
        )
    await auditShared(ctx, isShared || old?.isShared === true, 'view_saved', name.trim())
    return ensure(saved, 'server.failed')
  },

  'listView/delete': async (ctx, { id }) => {
    const old = await lockedFor(ctx.db, ctx.actor, id)
    await run(ctx.db, sql`delete from list_views where id = ${old.id}`)
    await auditShared(ctx, old.isShared, 'view_deleted', old.name)
    return null
  },
} satisfies Handlers<typeof listViewCalls>
