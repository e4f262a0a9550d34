import { RoomStatus } from '@tallyroom/contract/codes'
import type { roomCalls } from '@tallyroom/contract/calls/conversation/room'
import type { Actor } from '../../identity/actor.ts'
import { createRoomWith, roomWith } from '../../chat/contacts.ts'
import { type Db, one, sql } from '../../data/sql.ts'
import { hoursOf, openingHours, openingNow } from '../../chat/desk/hours.ts'
import { asidesForPage, changeDesks } from '../../chat/desk/desk.ts'
import type { Handlers } from '../handler.ts'
import { ensure, refuse } from '../../lib/refusal.ts'
import { findMessages } from '../../chat/messages.ts'
import type { RoomRow } from '../../chat/room-row.ts'
import { asAside } from '../../chat/desk/aside.ts'
import { asChange, asMessage } from '../../chat/room-views.ts'
import {
  asSummary,
  changedSince,
  inList,
  lockGroupRoom,
  findRoom,
  roomsOf,
  perspectiveOf,
  roomsWithMarks,
} from '../../chat/rooms.ts'

/** The largest difference that is sent; after more changes the client loads the room again. */
const MAX_CHANGES = 200
const FIRST_PAGE = 30

export const roomHandlers = {
  'room/list': async ({ db, actor }, { status, since }) => {
    // Taken before the rooms are read: what commits meanwhile is sent again next time and recognized by its version.
    const { cursor } = ensure(
      await one<{ cursor: string }>(db, sql`select pg_snapshot_xmin(pg_current_snapshot())::text as cursor`),
      'server.failed',
    )
    const wanted = since ? changedSince(actor, since) : inList(actor, status)
    const rooms = await roomsWithMarks(db, actor, sql`${wanted} order by r.last_message_at desc nulls last, r.id desc`)
    return { data: rooms.map((room) => asSummary(room, actor)), cursor }
  },

  'room/enter': async ({ db, actor }, { code, room_id, friend_id }) => {
    const wantedRoom = code
      ? sql`r.code = ${code}`
      : room_id
        ? sql`r.id = ${room_id}`
        : friend_id
          ? roomWith(actor, friend_id)
          : refuse('room.not_found')
    const [known] = await roomsOf(db, actor, wantedRoom)
    // The first to enter a contact's room makes it. A group and a partner have exactly one.
    if (!known && !code && !room_id && friend_id) await createRoomWith(db, actor, friend_id)
    const room = known ?? (await findRoom(db, actor, wantedRoom))
    const { has_newer: _, ...first } = await page(db, room, actor, { newest: room.lastSeq, size: FIRST_PAGE })
    return { room: asSummary(room, actor), ...first }
  },

  'room/history': async ({ db, actor }, { code, page: number, per_page, before, after, around }) => {
    const room = await findRoom(db, actor, sql`r.code = ${code}`)
    const newest = around
      ? around + Math.floor(per_page / 2)
      : after !== undefined
        ? after + per_page
        : before
          ? before - 1
          : room.lastSeq - (number - 1) * per_page
    return page(db, room, actor, { newest, size: per_page })
  },

  'room/sync': async ({ db, actor }, { code, version }) => {
    const room = await findRoom(db, actor, sql`r.code = ${code}`)
    const perspective = perspectiveOf(actor, room)
    if (version > room.version) return { ...asChange(room, 0, [], perspective), reset: true }
    const changed = await findMessages(
      db,
      sql`m.room_id = ${room.id} and m.version > ${version} order by m.version limit ${MAX_CHANGES + 1}`,
    )
    if (changed.length > MAX_CHANGES) return { ...asChange(room, version, [], perspective), reset: true }
    // A message may have arrived after the room was read; its own event will bring it.
    return asChange(
      room,
      version,
      changed.filter((message) => message.version <= room.version),
      perspective,
    )
  },

  'room/answerTime': async ({ db, services, actor }) => {
    const room = await one<{ groupId: number }>(
      db,
      sql`select group_id as "groupId" from rooms where partner_id = ${actor.id} limit 1`,
    )
    const seconds = room && (await services.answerTimes.of(db, room.groupId))
    const hours = room && openingHours(await hoursOf(db, room.groupId), services.settings.timeZone)
    return {
      minutes: seconds === undefined ? null : Math.max(1, Math.ceil(seconds / 60)),
      opening: hours ? openingNow(hours, Date.now()) : null,
    }
  },

  'room/changeStatus': async ({ db, services, actor }, { code, status }) => {
    const room = await lockGroupRoom(db, actor, code)
    if (room.status === RoomStatus.ai) return refuse('room.in_ai_hands')
    if (room.status === status) return null
    await changeDesks(db, services.hub, [room], {
      change: () => {
        room.status = status
      },
    })
    return null
  },
} satisfies Handlers<typeof roomCalls>

/** A page of a room that ends with the seq `newest`, oldest first. Sequences have no gaps, so it is a range. */
const page = async (db: Db, room: RoomRow, actor: Actor, { newest, size }: { newest: number; size: number }) => {
  const [from, to] = [Math.max(1, newest - size + 1), Math.min(newest, room.lastSeq)]
  const found = await findMessages(db, sql`m.room_id = ${room.id} and m.seq between ${from} and ${to} order by m.seq`)
  const perspective = perspectiveOf(actor, room)
  const asides = perspective.side === 'group' ? await asidesForPage(db, room, from, to) : []
  return {
    messages: found.map((message) => asMessage(message, room, perspective)),
    // Older messages may have been deleted (MESSAGE_DAYS); a page behind the end says nothing about them.
    has_more: from > 1 && (from > to || found[0]?.seq === from),
    has_newer: to < room.lastSeq,
    asides: asides.map((aside) => asAside(aside, room, actor)),
  }
}
