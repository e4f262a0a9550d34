import { AccountStatus, isOffice } from '@tallyroom/contract/codes'
import type { BellKind } from '@tallyroom/contract/desk/bell'
import type { WordKey } from '@tallyroom/locales'
import { type Db, one, sql } from '../../data/sql.ts'
import { actorOfAccount } from '../../identity/actor.ts'
import { seenItems } from '../bell/seen.ts'
import { asRoom } from '../room-views.ts'
import { perspectiveOf, roomsOf } from '../rooms.ts'
import type { DuePush, PushContent } from './due.ts'

const words = {
  mention: 'push.new_mention',
  handed: 'push.new_handed',
  decision: 'push.new_decision',
  refused: 'push.new_refusal',
} as const satisfies Record<BellKind, WordKey>

type Found = { kind: BellKind; roomId: number | null; approvalId: number | null; changeId: number | null }

/**
 * Checks again at sending time: undefined when the item was read, may not be seen any more, or is not the newest. Of many that
 * come at once only the newest is sent. Says nothing of what was written or decided.
 */
export const loadBellContent = async (
  db: Db,
  { accountId, itemId }: DuePush,
  timeZone: string,
): Promise<PushContent | undefined> => {
  const actor = await actorOfAccount(db, accountId, timeZone)
  if (!actor || actor.status !== AccountStatus.active || !isOffice(actor.role)) return undefined
  const found = await one<Found>(
    db,
    sql`select b.kind, b.room_id as "roomId", b.approval_id as "approvalId", b.change_id as "changeId" from bell_items b
      where b.id = ${itemId} and b.read_at is null and ${seenItems(actor)}
        and not exists (select from bell_items n join accounts a on a.id = n.account_id
          where n.account_id = b.account_id and n.id > b.id and n.read_at is null and not n.kind = any(a.bell_quiet))`,
  )
  if (!found) return undefined
  const [room] = found.roomId === null ? [] : await roomsOf(db, actor, sql`r.id = ${found.roomId}`)
  return {
    title: room && asRoom(room, perspectiveOf(actor, room)).name,
    titled: found.kind === 'decision' ? 'menu.approvals' : 'menu.chat',
    body: words[found.kind],
    url: room ? `/chat/messaging/${room.id}/${room.partnerId}/${room.code}` : addressOf(found),
    tag: 'bell',
    seq: 0,
  }
}

const addressOf = ({ kind, approvalId, changeId }: Found) =>
  kind === 'handed' ? '/chat/messaging' : `/approvals?state=decided&approval=${approvalId ?? `c${changeId}`}`
