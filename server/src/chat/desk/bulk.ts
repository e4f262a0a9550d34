import type { Parsed } from '@tallyroom/contract'
import { BULK } from '@tallyroom/contract/calls/conversation/desk'
import { type Actor, groupRooms } from '../../identity/actor.ts'
import { many, type Sql, sql, type Tx } from '../../data/sql.ts'
import { ringBells } from '../bell/ring.ts'
import { changeDesks, settleRooms } from './desk.ts'
import { handedOver } from './give-all.ts'
import { is } from '../../domain/is.ts'
import type { IdempotencyKey } from '../../lib/idempotency-key.ts'
import { ensure } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { lockRoomsBy, markRead, saveRooms, publishAfterCommit } from '../messages.ts'
import { type Colleague, setOwner } from '../own-room.ts'
import type { RoomRow } from '../room-row.ts'
import { isUnread } from '../rooms.ts'
import { markUnread } from '../unread-marks.ts'
import { nicknameFits, usernameFits } from '../../identity/masking.ts'

type BulkInput = Parsed<'desk/bulk'>

type BulkContext = { db: Tx; services: { hub: Hub }; actor: Actor; idempotencyKey: IdempotencyKey }
/** Who gets the rooms, and whether the actor may give away those of colleagues. */
type Assignment = { to: Colleague; mayGiveAny: boolean }

/** One action on all rooms that match, at most `BULK` in each call; the client repeats it with `next`. */
export const bulk = async (
  { db, services, actor, idempotencyKey }: BulkContext,
  { deed: action, filter, codes, after }: BulkInput,
  assignment?: Assignment,
) => {
  if (!filter && !codes) return { codes: [], next: null }
  const isNamed = codes ? sql`r.code = any(${codes}::text[])` : sql`true`
  const matches = filter ? matching(actor, filter) : sql`true`
  // One more than is changed tells whether others follow.
  const found = await many<{ id: number }>(
    db,
    sql`select r.id from rooms r join accounts p on p.id = r.partner_id
        left join room_reads d on d.room_id = r.id and d.account_id = ${actor.id}
      where ${groupRooms(actor)} and r.partner_id <> ${actor.id} and ${isNamed} and ${matches} and r.id > ${after} and ${canApply(action, actor, assignment)}
      order by r.id limit ${BULK + 1}`,
  )
  const ids = found.slice(0, BULK).map(({ id }) => id)
  const rooms = [...(await lockRoomsBy(db, sql`r.id = any(${ids}::int[]) and ${groupRooms(actor)}`)).values()]
  const by = { actor, asideId: idempotencyKey.id, assignment }
  const changed = await actions[action](db, services.hub, by, rooms)
  return { codes: changed.map(({ code }) => code), next: found.length > BULK ? (ids.at(-1) ?? null) : null }
}

const matching = (
  actor: Actor,
  { status, text, unread, waiting, mine, snoozed, queue }: NonNullable<BulkInput['filter']>,
): Sql => {
  const wanted = text.trim()
  // The name on the row: the group's own name for the partner, else the partner's nickname.
  const name = sql`coalesce(fold(nullif(r.alias, '')), p.nickname_folded)`
  const byName = sql`(${nicknameFits(actor, name, sql`p.username`, wanted)} or ${usernameFits(actor, sql`p.username`, wanted)})`
  return sql`r.status = ${status} and ${byName}
    and (r.snoozed_until is not null) = any(${snoozed ? [true] : wanted || status !== 1 ? [true, false] : [false]}::boolean[])
    and (not ${unread}::boolean or ${isUnread})
    and (not ${queue}::boolean or (r.waiting_since is not null and r.owner_id is null))
    and (not ${waiting}::boolean or r.waiting_since is not null) and (not ${mine}::boolean or r.owner_id = ${actor.id})`
}

/** Selects the rooms that the action would change. */
const canApply = (action: BulkInput['deed'], actor: Actor, assignment: Assignment | undefined): Sql =>
  ({
    hide: sql`r.status = ${is.shown}`,
    show: sql`r.status = ${is.hidden}`,
    read: isUnread,
    unread: sql`coalesce(d.marked_unread, 0) = 0`,
    settle: sql`r.waiting_since is not null and r.status <> ${is.withBot}`,
    assign: sql`r.status <> ${is.withBot} and r.owner_id is distinct from ${assignment?.to.id ?? null}
      and (${assignment?.mayGiveAny ?? false}::boolean or r.owner_id is null or r.owner_id = ${actor.id})`,
  })[action]

type BulkActor = { actor: Actor; asideId: string; assignment: Assignment | undefined }
type BulkAction = (tx: Tx, hub: Hub, by: BulkActor, rooms: RoomRow[]) => Promise<RoomRow[]>

const changeStatus =
  (from: 1 | 2, to: 1 | 2): BulkAction =>
  async (tx, hub, _, rooms) => {
    const changed = rooms.filter((room) => room.status === from)
    await changeDesks(tx, hub, changed, {
      change: (room) => {
        room.status = to
      },
    })
    return changed
  }

const actions: Record<BulkInput['deed'], BulkAction> = {
  hide: changeStatus(1, 2),
  show: changeStatus(2, 1),
  read: async (tx, hub, { actor }, rooms) => {
    if (rooms.length === 0) return []
    const versions = await markRead(
      tx,
      rooms.map((room) => [room.id, actor.id, room.lastSeq]),
    )
    // The partners see their messages as read, as if each room had been opened.
    const before = new Map(rooms.map((room) => [room.id, room.version]))
    const grown = rooms.filter((room) => room.groupReadSeq < room.lastSeq)
    for (const room of grown) {
      room.groupReadSeq = room.lastSeq
      room.version++
    }
    if (grown.length) await saveRooms(tx, grown)
    publishAfterCommit(tx, hub, new Map(grown.map((room) => [room.id, room])), before, [])
    tx.afterCommit(() => {
      for (const { id, code, lastSeq } of rooms)
        hub.notify(actor.id, 'read', { code, read_seq: lastSeq, marked_unread: 0, mark_version: versions.get(id) ?? 0 })
    })
    return rooms
  },
  // A room may have changed before it was locked: its state is compared once more.
  settle: async (tx, hub, { actor, asideId }, rooms) => {
    const waiting = rooms.filter(({ waitingSince }) => waitingSince)
    await settleRooms(tx, hub, waiting, { asideId, senderId: actor.id })
    return waiting
  },
  assign: async (tx, hub, { actor, asideId, assignment }, rooms) => {
    const { to, mayGiveAny } = ensure(assignment, 'room.not_a_colleague')
    const given = rooms.filter(
      ({ ownerId }) => ownerId !== to.id && (mayGiveAny || ownerId === null || ownerId === actor.id),
    )
    const aside =
      to.id === actor.id
        ? { asideId, kind: 'taken' as const, senderId: actor.id }
        : { asideId, kind: 'handed' as const, senderId: actor.id, targetId: to.id }
    await changeDesks(tx, hub, given, { aside, change: setOwner(to) })
    await ringBells(tx, hub, handedOver(given, { asideId, byId: actor.id, accountId: to.id }))
    return given
  },
  unread: async (tx, hub, { actor }, rooms) => {
    await markUnread(
      tx,
      hub,
      rooms.map((room) => ({ accountId: actor.id, room })),
    )
    return rooms
  },
}
