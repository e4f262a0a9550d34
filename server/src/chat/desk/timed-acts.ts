import type { ErrorName } from '@tallyroom/contract'
import { AccountStatus } from '@tallyroom/contract/codes'
import type { UnsentReason } from '@tallyroom/contract/desk/later'
import { createHash } from 'node:crypto'
import { type Database, many, one, run, sql } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { may } from '../../identity/policy.ts'
import { Refused } from '../../lib/refusal.ts'
import type { Hub } from '../../live/hub.ts'
import { raiseRooms } from '../raise-rooms.ts'
import { roomColumns, type RoomRow, roomTables } from '../room-row.ts'
import { asRoom } from '../room-views.ts'
import type { MessageSender } from '../send-message.ts'

/** So many acts are done in one look. */
const SLICE = 100

export type TimedParts = { db: Database; hub: Hub; messages: MessageSender; settings: { timeZone: string } }

/** Makes the group's pages fetch what is to be sent later in this room. */
export const announceLater = (hub: Pick<Hub, 'deskChanged'>, room: RoomRow): void =>
  hub.deskChanged(room, (viewer) => ({
    code: room.code,
    room: asRoom(room, { side: 'group', viewer }),
    asides: [],
    later: 1,
  }))

type DueText = {
  id: string
  roomId: number
  code: string
  accountId: number
  content: string
  seen: number
  quote: string | null
}

/**
 * Sends the texts whose time has come. Any number of copies may call it, and be killed in it: a text and the end of its
 * row are one transaction. A text that may not be sent stays in the room, with the reason. @returns how many were due
 */
export const sendDue = async (parts: TimedParts): Promise<number> => {
  const due = await many<DueText>(
    parts.db,
    sql`select t.id, t.room_id as "roomId", r.code, t.account_id as "accountId", t.content, t.seen_seq as seen, t.quoted_id as quote
      from timed_acts t join rooms r on r.id = t.room_id
      where t.kind = 'send' and t.state = 'waits' and t.due_at <= now() order by t.due_at limit ${SLICE}`,
  )
  const results = await Promise.allSettled(due.map((text) => sendOne(parts, text)))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return due.length
}

const sendOne = async (parts: TimedParts, text: DueText): Promise<void> => {
  const reason = await trySend(parts, text)
  if (reason === 'gone') return
  if (reason) return markUnsent(parts, text, reason)
  const room = await one<RoomRow>(parts.db, sql`select ${roomColumns} from ${roomTables} where r.id = ${text.roomId}`)
  if (room) announceLater(parts.hub, room)
}

const trySend = async (
  { db, messages, settings }: TimedParts,
  { id, code, accountId, content, seen, quote }: DueText,
): Promise<UnsentReason | 'gone' | undefined> => {
  const actor = await actorOfAccount(db, accountId, settings.timeZone)
  if (!actor || actor.status !== AccountStatus.active || !may(actor, 'sendMessage')) return 'right'
  try {
    // Two copies that send it at once have the same request: the second gets the message of the first.
    const idempotencyKey = { id, hash: createHash('sha256').update(id).digest() }
    await messages.send({
      actor,
      code,
      call: 'sendMessage',
      type: 1,
      content,
      idempotencyKey,
      quote: quote ?? undefined,
      seen,
      isTimed: true,
    })
    return undefined
  } catch (error) {
    if (error instanceof Refused) return reasons[error.refusal] ?? 'right'
    throw error
  }
}

/** Any other refusal means that the account has lost a right or the room. */
const reasons: Partial<Record<ErrorName, UnsentReason | 'gone'>> = {
  'later.not_found': 'gone',
  'later.wrote_meanwhile': 'wrote',
  'room.held': 'held',
  'room.in_ai_hands': 'bot',
  'message.quote_not_found': 'quote',
  'message.quote_taken_back': 'quote',
}

const markUnsent = ({ db, hub }: TimedParts, { id, roomId, accountId }: DueText, reason: UnsentReason) =>
  db.transact(async (tx) => {
    const [room] = await many<RoomRow>(tx, sql`select ${roomColumns} from ${roomTables} where r.id = ${roomId}`)
    const marked = await one(
      tx,
      sql`update timed_acts set state = 'refused', reason = ${reason} where id = ${id} and state = 'waits' returning id`,
    )
    if (!room || !marked) return
    await raiseRooms(tx, hub, [{ accountId, room, why: 'unsent' }])
    tx.afterCommit(() => announceLater(hub, room))
  })

/** Reminds of the rooms whose time has come. A reminder of a room that its account no longer has goes. */
export const remindDue = ({ db, hub }: TimedParts): Promise<number> =>
  db.transact(async (tx) => {
    const due = await many<{
      id: string
      accountId: number
      roomId: number
      code: string
      topId: number
      isTheirs: boolean
    }>(
      tx,
      sql`select t.id, t.account_id as "accountId", r.id as "roomId", r.code, t.top_id as "topId", a.group_id = r.group_id as "isTheirs"
        from timed_acts t join rooms r on r.id = t.room_id join accounts a on a.id = t.account_id
        where t.kind = 'remind' and t.state = 'waits' and t.due_at <= now() order by r.id, t.id limit ${SLICE} for update of t skip locked`,
    )
    const ids = (some: typeof due) => some.map(({ id }) => id)
    const theirs = due.filter(({ isTheirs }) => isTheirs)
    await run(tx, sql`update timed_acts set state = 'due' where id = any(${ids(theirs)}::uuid[])`)
    await run(tx, sql`delete from timed_acts where id = any(${ids(due.filter(({ isTheirs }) => !isTheirs))}::uuid[])`)
    await raiseRooms(
      tx,
      hub,
      theirs.map(({ accountId, roomId: id, code, topId }) => ({
        accountId,
        room: { id, code, topId },
        why: 'reminder',
      })),
    )
    return due.length
  })
