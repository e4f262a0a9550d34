import type { laterCalls } from '@tallyroom/contract/calls/conversation/later'
import { MessageType, RoomStatus } from '@tallyroom/contract/codes'
import { MAX_TIMED, type UnsentReason } from '@tallyroom/contract/desk/later'
import { MAX_TEXT } from '@tallyroom/contract/lengths'
import { isBlank } from '@tallyroom/contract/text/blank'
import { randomUUID } from 'node:crypto'
import { clearSentDrafts } from '../../chat/drafts.ts'
import { ensureLater, hasWrittenSince } from '../../chat/desk/snooze.ts'
import { announceLater } from '../../chat/desk/timed-acts.ts'
import { findQuoted } from '../../chat/quotes.ts'
import type { RoomRow } from '../../chat/room-row.ts'
import { ownerName, shownName } from '../../chat/room-views.ts'
import { findGroupRoom, lockGroupRoom } from '../../chat/rooms.ts'
import { many, one, run, sql, type Tx } from '../../data/sql.ts'
import type { Actor } from '../../identity/actor.ts'
import { may } from '../../identity/policy.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import type { Handlers } from '../handler.ts'

type Listed = {
  id: string
  kind: 'send' | 'remind'
  at: Date
  content: string
  anyway: boolean
  quote: string | null
  accountId: number
  username: string
  nickname: string
  isSub: 0 | 1
  state: 'waits' | 'due' | 'refused'
  reason: UnsentReason | null
}

/** Each account has a limit: the rows of others are read with them. */
const ensureFew = async (tx: Tx, actor: Actor) => {
  const found = await one<{ n: number }>(
    tx,
    sql`select count(*)::int as n from timed_acts where account_id = ${actor.id}`,
  )
  if ((found?.n ?? 0) >= MAX_TIMED) refuse('later.too_many', { most: MAX_TIMED })
}

const ensureQuotable = async (tx: Tx, room: RoomRow, messageId: string) => {
  const wanted = { roomId: room.id, messageId }
  const found = (await findQuoted(tx, [wanted]))(wanted)
  if (!found || found.type === MessageType.event) return refuse('message.quote_not_found')
  if (found.isTakenBack) refuse('message.quote_taken_back')
}

export const laterHandlers = {
  'message/schedule': async (ctx, { code, content, at, anyway, quote, replaces, draft, seen }) => {
    const { db, services, actor } = ctx
    if (isBlank(content)) refuse('message.blank')
    if (content.length > MAX_TEXT) refuse('request.invalid', { field: 'content' })
    const due = ensureLater(at)
    const room = await lockGroupRoom(db, actor, code)
    if (room.status === RoomStatus.ai) refuse('room.in_ai_hands')
    if (room.ownerId !== null && room.ownerId !== actor.id) refuse('room.held', { name: ownerName(room, actor) })
    if (!anyway && seen !== undefined && (await hasWrittenSince(db, room, seen))) refuse('later.wrote_meanwhile')
    if (quote) await ensureQuotable(db, room, quote)
    if (replaces)
      ensure(
        await one(
          db,
          sql`delete from timed_acts where id = ${replaces} and room_id = ${room.id} and account_id = ${actor.id}
            and kind = 'send' returning id`,
        ),
        'later.not_found',
      )
    await ensureFew(db, actor)
    await run(
      db,
      sql`insert into timed_acts (id, top_id, room_id, account_id, kind, due_at, content, quoted_id, seen_seq, anyway)
        values (${randomUUID()}, ${room.topId}, ${room.id}, ${actor.id}, 'send', ${due}, ${content}, ${quote ?? null},
          ${seen ?? room.lastSeq}, ${anyway})`,
    )
    await clearSentDrafts(db, services.hub, [{ accountId: actor.id, room, inside: false, draft }])
    db.afterCommit(() => announceLater(services.hub, room))
    return null
  },

  'desk/remind': async ({ db, services, actor }, { code, at, note }) => {
    const due = ensureLater(at)
    const room = await findGroupRoom(db, actor, code)
    await ensureFew(db, actor)
    await run(
      db,
      sql`insert into timed_acts (id, top_id, room_id, account_id, kind, due_at, content)
        values (${randomUUID()}, ${room.topId}, ${room.id}, ${actor.id}, 'remind', ${due}, ${note})`,
    )
    db.afterCommit(() => services.hub.notify(actor.id, 'later', { code, why: 'changed' }))
    return null
  },

  'message/scheduled': async ({ db, actor }, { code }) => {
    const room = await findGroupRoom(db, actor, code)
    const found = await many<Listed>(
      db,
      sql`select t.id, t.kind, t.due_at as at, t.content, t.anyway, t.quoted_id as quote, t.account_id as "accountId",
          a.username, a.nickname, a.is_sub as "isSub", t.state, t.reason
        from timed_acts t join accounts a on a.id = t.account_id
        where t.room_id = ${room.id} and (t.kind = 'send' or t.account_id = ${actor.id}) order by t.due_at, t.id`,
    )
    return {
      data: found.map(
        ({ id, kind, at, content, anyway, quote, accountId, username, nickname, isSub, state, reason }) => ({
          id,
          kind,
          at: at.toISOString(),
          content,
          anyway: anyway ? (1 as const) : (0 as const),
          quote,
          account_id: accountId,
          name: shownName(actor, { id: accountId, username, isSub }, nickname),
          state,
          reason,
        }),
      ),
    }
  },

  // A text that is being sent is locked: it is sent or removed, never both.
  'message/unschedule': async ({ db, services, actor }, { code, id }) => {
    const room = await findGroupRoom(db, actor, code)
    const mayWrite = room.ownerId === null || room.ownerId === actor.id || may(actor, 'chat.give_any')
    ensure(
      await one(
        db,
        sql`delete from timed_acts where id = ${id} and room_id = ${room.id}
          and (account_id = ${actor.id} or (kind = 'send' and ${mayWrite}::boolean)) returning id`,
      ),
      'later.not_found',
    )
    db.afterCommit(() => {
      announceLater(services.hub, room)
      services.hub.notify(actor.id, 'later', { code, why: 'changed' })
    })
    return null
  },
} satisfies Handlers<typeof laterCalls>
