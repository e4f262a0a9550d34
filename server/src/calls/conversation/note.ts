import type { z } from 'zod'
import type { Note, noteCalls } from '@tallyroom/contract/calls/conversation/note'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import { audit } from '../../identity/audit.ts'
import { type Db, many, one, type Row, run, type Sql, sql } from '../../data/sql.ts'
import type { Mention } from '@tallyroom/contract/text/mentions'
import type { Ctx, Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { type Named, shownText, shownUsername } from '../../identity/masking.ts'
import { mentionColleagues } from '../../chat/desk/mention-colleagues.ts'
import { type Mentioned, mentionedAccounts, shownMentions, storedMentions } from '../../chat/bell/mentions.ts'
import { ringBells } from '../../chat/bell/ring.ts'

/** An account as JSON. Its name must pass through masking.ts before it leaves. */
const accountJson = (alias: string): Sql => ({
  text: `json_build_object('id', ${alias}.id, 'username', ${alias}.username, 'isSub', ${alias}.is_sub)`,
  values: [],
})

type Partner = Row & { roomId: number; topId: number; partner: Named; nickname: string }

/** The room of a note. */
const roomFor = async (db: Db, actor: Actor, roomId: number): Promise<Partner> =>
  ensure(
    await one<Partner>(
      db,
      sql`select r.id as "roomId", r.top_id as "topId", ${accountJson('p')} as partner, p.nickname
        from rooms r join accounts p on p.id = r.partner_id where ${groupRooms(actor)} and r.id = ${roomId}`,
    ),
    'room.not_found',
  )

type NoteRow = Row & {
  id: number
  topId: number
  roomId: number
  title: string
  status: 0 | 1
  createdAt: Date
  partner: Named
  creator: Named
  updater: Named | null
}

/** Notes of the actor's rooms. Access to a note always goes through its room. */
const findNotes = (db: Db, actor: Actor, rest: Sql) =>
  many<NoteRow>(
    db,
    sql`select n.id, n.top_id as "topId", n.room_id as "roomId", n.title, n.status, n.created_at as "createdAt",
        ${accountJson('p')} as partner, ${accountJson('c')} as creator, case when u.id is not null then ${accountJson('u')} end as updater
      from notes n join rooms r on r.id = n.room_id join accounts p on p.id = r.partner_id
        join accounts c on c.id = n.created_by left join accounts u on u.id = n.updated_by
      where ${groupRooms(actor)} and ${rest}`,
  )

const noteFor = async (db: Db, actor: Actor, rest: Sql): Promise<NoteRow> =>
  ensure((await findNotes(db, actor, rest))[0], 'note.not_found')

type ContentRow = Row & {
  id: number
  topId: number
  noteId: number
  /** Has `<@ID>` for each of `mentions`. */
  content: string
  mentions: number[]
  mentioned: Mentioned[] | null
  roomId: number
  createdAt: Date
  partner: Named
  creator: Named
}

/** Access to a content goes through its note and the note's room. */
const findContents = (db: Db, actor: Actor, rest: Sql) =>
  many<ContentRow>(
    db,
    sql`select t.id, t.top_id as "topId", t.note_id as "noteId", t.content, t.mentions,
        ${mentionedAccounts(sql`t.mentions`)} as mentioned, n.room_id as "roomId", t.created_at as "createdAt",
        ${accountJson('p')} as partner, ${accountJson('c')} as creator
      from note_contents t join notes n on n.id = t.note_id join rooms r on r.id = n.room_id
        join accounts p on p.id = r.partner_id join accounts c on c.id = t.created_by
      where ${groupRooms(actor)} and ${rest}`,
  )

const contentFor = async (db: Db, actor: Actor, contentId: number, noteId: number): Promise<ContentRow> =>
  ensure(
    (await findContents(db, actor, sql`t.id = ${contentId} and t.note_id = ${noteId} for no key update of t`))[0],
    'note.content_not_found',
  )

const asNote = (note: NoteRow, actor: Actor): z.output<typeof Note> => ({
  id: note.id,
  note_id: note.id,
  room_id: note.roomId,
  member_id: note.partner.id,
  title: shownText(actor, note.partner, note.title),
  status: note.status,
  created_at: note.createdAt.toISOString(),
  create_user: shownUsername(actor, note.creator),
  update_user: note.updater ? shownUsername(actor, note.updater) : '',
})

/** A text sent back exactly as the viewer saw it masked is unchanged. */
const asWritten = (actor: Actor, partner: Named, stored: string, sent: string) =>
  shownText(actor, partner, stored) === sent ? stored : sent

const addContent = async (
  ctx: Ctx,
  note: Pick<NoteRow, 'id' | 'topId' | 'roomId'>,
  words: string,
  mentions: readonly Mention[],
) => {
  const { db, actor } = ctx
  const { content, ids } = storedMentions(words, mentions)
  const made = await one<{ id: number }>(
    db,
    sql`insert into note_contents (top_id, note_id, content, mentions, created_by)
      values (${note.topId}, ${note.id}, ${content}, ${ids}::int[], ${actor.id}) returning id`,
  )
  const { id } = ensure(made, 'server.failed')
  await tellMentioned(ctx, ids, { roomId: note.roomId, contentId: id })
  return id
}

const tellMentioned = async (
  { db, actor, services: { hub, settings } }: Ctx,
  ids: readonly number[],
  where: { roomId: number; contentId: number },
) => ringBells(db, hub, await mentionColleagues(db, actor, ids, where, settings.timeZone))

const countOf = async (db: Db, query: Sql): Promise<number> => (await one<{ n: number }>(db, query))?.n ?? 0

export const noteHandlers = {
  'note/list': async ({ db, actor }, { room_id, page, per_page }) => {
    const { roomId, partner, nickname } = await roomFor(db, actor, room_id)
    const notes = await findNotes(
      db,
      actor,
      sql`n.room_id = ${roomId} order by n.id desc limit ${per_page} offset ${(page - 1) * per_page}`,
    )
    return {
      data: notes.map((note) => asNote(note, actor)),
      total: await countOf(db, sql`select count(*)::int as n from notes where room_id = ${roomId}`),
      friend: {
        member_id: partner.id,
        username: shownUsername(actor, partner),
        nickname: shownText(actor, partner, nickname),
      },
    }
  },

  'note/add': async (ctx, { room_id, title, content, mentions }) => {
    const { db, actor } = ctx
    if (content === undefined && mentions.length > 0) return refuse('request.invalid', { field: 'mentions' })
    const { roomId, topId } = await roomFor(db, actor, room_id)
    const made = await one<{ id: number }>(
      db,
      sql`insert into notes (top_id, room_id, title, created_by)
        values (${topId}, ${roomId}, ${title}, ${actor.id}) returning id`,
    )
    const note_id = ensure(made, 'server.failed').id
    if (content !== undefined) await addContent(ctx, { id: note_id, topId, roomId }, content, mentions)
    return { note_id }
  },

  'note/edit': async ({ db, actor }, { note_id, room_id, title, status }) => {
    const note = await noteFor(db, actor, sql`n.id = ${note_id} and n.room_id = ${room_id} for no key update of n`)
    await run(
      db,
      sql`update notes set title = ${asWritten(actor, note.partner, note.title, title)}, status = ${status},
          updated_by = ${actor.id}, updated_at = clock_timestamp()
        where id = ${note.id}`,
    )
    return null
  },

  'note_content/list': async ({ db, actor }, { note_id, page, per_page }) => {
    const note = await noteFor(db, actor, sql`n.id = ${note_id}`)
    const contents = await findContents(
      db,
      actor,
      sql`t.note_id = ${note.id} order by t.id desc limit ${per_page} offset ${(page - 1) * per_page}`,
    )
    return {
      data: contents.map((row) => ({
        id: row.id,
        content_id: row.id,
        note_id: row.noteId,
        ...shownMentions(actor, shownText(actor, row.partner, row.content), row.mentioned),
        created_at: row.createdAt.toISOString(),
        create_user: shownUsername(actor, row.creator),
      })),
      total: await countOf(db, sql`select count(*)::int as n from note_contents where note_id = ${note.id}`),
      note: asNote(note, actor),
    }
  },

  'note_content/add': async (ctx, { note_id, content, mentions }) => {
    const note = await noteFor(ctx.db, ctx.actor, sql`n.id = ${note_id}`)
    return { content_id: await addContent(ctx, note, content, mentions) }
  },

  'note_content/edit': async (ctx, { content_id, note_id, content, mentions }) => {
    const { db, actor } = ctx
    const row = await contentFor(db, actor, content_id, note_id)
    const { content: words, ids } = storedMentions(content, mentions)
    await run(
      db,
      sql`update note_contents set content = ${asWritten(actor, row.partner, row.content, words)}, mentions = ${ids}::int[],
          updated_at = clock_timestamp()
        where id = ${row.id}`,
    )
    // Those that were there before know of it, and may have left the group since.
    const news = ids.filter((id) => !row.mentions.includes(id))
    await tellMentioned(ctx, news, { roomId: row.roomId, contentId: row.id })
    return null
  },

  'note_content/delete': async (ctx, { content_id, note_id }) => {
    const { db, actor } = ctx
    const row = await contentFor(db, actor, content_id, note_id)
    await run(db, sql`delete from note_contents where id = ${row.id}`)
    const about = { id: row.partner.id, topId: row.topId }
    await audit(db, ctx, 'note_content_deleted', about, { note: row.noteId, note_content: row.id })
    return null
  },
} satisfies Handlers<typeof noteCalls>
