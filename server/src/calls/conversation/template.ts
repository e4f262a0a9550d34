import type { templateCalls } from '@tallyroom/contract/calls/conversation/template'
import type { Actor } from '../../identity/actor.ts'
import { type Role, TemplateType } from '@tallyroom/contract/codes'
import { audit } from '../../identity/audit.ts'
import { is } from '../../domain/is.ts'
import { type Db, many, one, type Row, run, type Sql, sql } from '../../data/sql.ts'
import type { Ctx, Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { shownUsername } from '../../identity/masking.ts'
import { mediaUrl } from '../../chat/media-url.ts'

type Type = 1 | 2 | 3 | 9
const PRIVATE = 9
/** The type that a role sees besides those for the whole group (TMPL-02). */
const ofRole: Record<Role, Type> = { 1: 1, 2: 2, 3: 3, 4: 1 }

/** The quick replies of an actor, as a condition on the alias `m`. All access to them goes through it. */
const visibleTemplates = (actor: Actor): Sql =>
  sql`m.group_id = ${actor.groupId}
    and (m.type in (${is.generalTemplate}, ${ofRole[actor.role]}) or (m.type = ${PRIVATE} and m.owner_id = ${actor.id}))`

type LockedTemplate = Row & { id: number; type: Type; ownerId: number; title: string; imageId: string | null }

const lockedFor = async (db: Db, actor: Actor, id: number): Promise<LockedTemplate> =>
  ensure(
    await one<LockedTemplate>(
      db,
      sql`select m.id, m.type, m.owner_id as "ownerId", m.title, m.image_id as "imageId"
        from templates m where m.id = ${id} and ${visibleTemplates(actor)} for no key update`,
    ),
    'template.not_found',
  )

/** Refuses a type that the actor would not see, and changing another's private reply. */
const checkType = (actor: Actor, type: Type, ownerId: number) => {
  const own = type === PRIVATE ? ownerId === actor.id : type === TemplateType.general || type === ofRole[actor.role]
  if (!own) refuse('access.denied')
}

const keepImage = async ({ db, services, actor }: Ctx, image: string | undefined): Promise<string | null> =>
  image
    ? services.media.saveGroupImage(db, { topId: actor.topId, groupId: actor.groupId, senderId: actor.id }, image)
    : null

const dropImage = async ({ db, services }: Ctx, id: string | null) => {
  if (id) await services.media.remove(db, id)
}

type ListedTemplate = Row & {
  id: number
  type: Type
  title: string
  content: string
  memo: string
  ownerId: number
  username: string
  isSub: 0 | 1
  imageId: string | null
  width: number | null
  height: number | null
  createdAt: Date
  updatedAt: Date
}

/** The weight of a use halves in two weeks. */
const HALF_LIFE_SECONDS = 14 * 24 * 3600

export const templateHandlers = {
  'message-template/list': async ({ db, actor }) => {
    const rows = await many<ListedTemplate>(
      db,
      sql`select m.id, m.type, m.title, m.content, m.memo, o.id as "ownerId", o.username, o.is_sub as "isSub",
          m.image_id as "imageId", i.width, i.height, m.created_at as "createdAt", m.updated_at as "updatedAt"
        from templates m join accounts o on o.id = m.owner_id left join media i on i.id = m.image_id
          left join template_uses u on u.template_id = m.id and u.account_id = ${actor.id}
        where ${visibleTemplates(actor)} order by u.heat desc nulls last, m.id desc`,
    )
    return {
      data: rows.map((row) => ({
        id: row.id,
        type: row.type,
        title: row.title,
        content: row.content,
        memo: row.memo,
        username: shownUsername(actor, { id: row.ownerId, username: row.username, isSub: row.isSub }),
        image: mediaUrl(row.imageId),
        image_width: row.width,
        image_height: row.height,
        created_at: row.createdAt.toISOString(),
        updated_at: row.updatedAt.toISOString(),
      })),
    }
  },

  'message-template/create': async (ctx, { type, title, content, memo, image }) => {
    const { db, actor } = ctx
    checkType(actor, type, actor.id)
    const made = await one<{ id: number }>(
      db,
      sql`insert into templates (top_id, group_id, owner_id, type, title, content, memo, image_id)
        values (${actor.topId}, ${actor.groupId}, ${actor.id}, ${type}, ${title}, ${content}, ${memo},
          ${await keepImage(ctx, image)}) returning id`,
    )
    return ensure(made, 'server.failed')
  },

  'message-template/update': async (ctx, { targetID, type, title, content, memo, image }) => {
    const { db, actor } = ctx
    const old = await lockedFor(db, actor, targetID)
    checkType(actor, type, old.ownerId)
    const imageId = image === undefined ? old.imageId : await keepImage(ctx, image)
    await run(
      db,
      sql`update templates set type = ${type}, title = ${title}, content = ${content}, memo = ${memo},
          image_id = ${imageId}, updated_at = clock_timestamp()
        where id = ${old.id}`,
    )
    if (imageId !== old.imageId) await dropImage(ctx, old.imageId)
    return null
  },

  'message-template/delete': async (ctx, { targetID }) => {
    const { db, actor } = ctx
    const old = await lockedFor(db, actor, targetID)
    await run(db, sql`delete from templates where id = ${old.id}`)
    await dropImage(ctx, old.imageId)
    await audit(db, ctx, 'template_deleted', { id: old.ownerId, topId: actor.topId }, { template: old.title })
    return null
  },

  'message-template/use': async ({ db, actor }, { targetID }) => {
    const { id } = await lockedFor(db, actor, targetID)
    // log2(2^old + 2^now); very old values are clamped, because 2^-60 already counts as nothing.
    await run(
      db,
      sql`with clock as (select extract(epoch from clock_timestamp())::float8 / ${HALF_LIFE_SECONDS} as now)
        insert into template_uses as u (account_id, template_id, top_id, heat)
        select ${actor.id}, ${id}, ${actor.topId}, now from clock
        on conflict (account_id, template_id) do update
          set heat = excluded.heat + ln(1 + power(2::float8, greatest(u.heat - excluded.heat, -60))) / ln(2::float8)`,
    )
    return null
  },
} satisfies Handlers<typeof templateCalls>
